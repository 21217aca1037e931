"""What a camera decides by itself (exposure, gain, white balance, focus), held still."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Protocol, runtime_checkable

Held = tuple[float, ...]
_VALUE = re.compile(r"\d+(\.\d+)?(,\d+(\.\d+)?)?")


@dataclass(frozen=True)
class Lock:
    """The values that are held, in the camera's own units; empty where the camera cannot hold one.

    USB: exposure in 0.1 ms, gain in steps, white balance in kelvin, focus in steps. CSI: exposure in
    microseconds, gain as a factor, white balance as the gains of red and blue, focus in dioptres.
    """

    exposure: Held = ()
    gain: Held = ()
    white_balance: Held = ()
    focus: Held = ()

    @property
    def values(self) -> Mapping[str, Held]:
        """What is held, by its name."""
        every = {field.name: getattr(self, field.name) for field in fields(self)}
        return {name: value for name, value in every.items() if value}

    def __str__(self) -> str:
        """As `parse` reads it: `exposure=156 gain=12`."""
        return " ".join(f"{name}={','.join(f'{v:g}' for v in value)}" for name, value in self.values.items())

    def of(self, gains: int) -> "Lock":
        """The same for a camera whose white balance is so many numbers; nothing for the other kind, to which
        they mean something else.
        """
        return self if len(self.white_balance) in (0, gains) else Lock()

    def darker(self, stops: float) -> "Lock":
        """The same with a shorter exposure: each of the stops halves the light."""
        return replace(self, exposure=tuple(value / 2**stops for value in self.exposure))

    @classmethod
    def parse(cls, text: str) -> "Lock":
        """The lock that a text says; ValueError if it says none."""
        found: dict[str, Held] = {}
        for part in text.split():
            name, _, value = part.partition("=")
            if name not in (field.name for field in fields(cls)) or not _VALUE.fullmatch(value):
                raise ValueError(f"{part!r} holds nothing")
            found[name] = tuple(float(v) for v in value.split(","))
        return cls(**found)

    @classmethod
    def saved(cls, text: str | None) -> "Lock | None":
        """The lock that a setting says, if it says any. Raises as `parse` does."""
        return cls.parse(text) if text else None


@runtime_checkable
class Holding(Protocol):
    """A source whose values can be held. `held` is in force from its next opening on."""

    held: Lock | None

    def hold(self, lock: Lock | None) -> Lock:
        """Hold these values, also once it is closed, or (None) those of this moment; what is held now."""

    def free(self) -> None:
        """Let the camera decide again, also once it is closed."""
