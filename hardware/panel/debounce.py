"""From the raw edges of a contact, with their times, to clean presses. Pure: time is what the caller says it
is.

A contact that closes or opens bounces: the level changes many times within some milliseconds (J. Ganssle, "A
Guide to Debouncing": of 18 switches all but one are quiet after 6.2 ms). A level is believed when it has
stayed the same for `settle` seconds; this also swallows the short spikes that long wires catch.
"""

from dataclasses import dataclass

from .events import Held, PanelEvent, Pressed, Released

SETTLE_S = 0.02
HOLD_S = 0.8


@dataclass(frozen=True)
class Change:
    """The contact is believed to have closed (`pressed`) or opened, since the time `at` (seconds)."""

    pressed: bool
    at: float


class Debouncer:
    """One contact, open at first. Give it each edge, and the time when `due` has come; it returns believed
    changes.
    """

    def __init__(self, settle: float) -> None:
        self._settle = settle
        self._believed = False
        self._level = False
        self._since = 0.0

    @property
    def due(self) -> float | None:
        """When `advance` will have something to say, if no edge comes before; None: only after an edge."""
        return None if self._level == self._believed else self._since + self._settle

    def edge(self, pressed: bool, at: float) -> tuple[Change, ...]:
        """The level at the time `at`. Returns what had become certain before. The same level again changes
        nothing.
        """
        changes = self.advance(at)
        if pressed != self._level:
            self._level, self._since = pressed, at
        return changes

    def advance(self, now: float) -> tuple[Change, ...]:
        """Time has passed without an edge until `now`."""
        if self.due is None or now < self.due:
            return ()
        self._believed = self._level
        return (Change(self._believed, self._since),)


class Button:
    """One button: its debounced presses and releases, and the long press. `Held` comes `hold` s after the
    press.
    """

    def __init__(self, name: str, settle: float, hold: float) -> None:
        self._name, self._hold = name, hold
        self._contact = Debouncer(settle)
        self._hold_due: float | None = None

    @property
    def due(self) -> float | None:
        """When `advance` will have something to say, if no edge comes before."""
        return self._hold_due if self._contact.due is None else self._contact.due

    def edge(self, pressed: bool, at: float) -> tuple[PanelEvent, ...]:
        """The level at the time `at`; returns the events that this makes certain."""
        return self._events(self._contact.edge(pressed, at), at)

    def advance(self, now: float) -> tuple[PanelEvent, ...]:
        """Time has passed without an edge until `now`."""
        return self._events(self._contact.advance(now), now)

    def _events(self, changes: tuple[Change, ...], now: float) -> tuple[PanelEvent, ...]:
        events: list[PanelEvent] = []
        for change in changes:
            events += self._held(change.at)
            self._hold_due = change.at + self._hold if change.pressed else None
            events.append(Pressed(self._name) if change.pressed else Released(self._name))
        if self._contact.due is None:  # else it may have been let go in time: that is not known yet
            events += self._held(now)
        return tuple(events)

    def _held(self, now: float) -> list[PanelEvent]:
        if self._hold_due is None or now < self._hold_due:
            return []
        self._hold_due = None
        return [Held(self._name)]
