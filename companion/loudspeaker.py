"""When it is worth while to look for a loudspeaker again: without one nobody reports a new one."""

import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

SOON, SELDOM = 2.0, 300.0  # seconds between two looks: at first, and at most


def ways_out(devices: Path = Path("/dev/snd")) -> frozenset[str]:
    """Where sound might go on Linux: ALSA's devices, and the sockets of PulseAudio and PipeWire."""
    runtime = Path(os.environ.get("XDG_RUNTIME_DIR", "/run"))
    found = {name for name in ("pulse/native", "pipewire-0") if (runtime / name).exists()}
    with suppress(OSError):
        found |= {each.name for each in devices.iterdir()}
    return frozenset(found)


class Search:
    """Looks soon after something has changed, and more and more seldom while nothing does.

    Each look costs ALSA ten lines in the log; a machine that has no loudspeaker shall not fill it.
    """

    def __init__(self, ways: Callable[[], frozenset[str]] = ways_out) -> None:
        self._ways = ways
        self._before: frozenset[str] | None = None
        self._pause, self._next, self._glance = SOON, 0.0, 0.0

    def over(self) -> None:
        """There is one."""
        self._before, self._pause = None, SOON

    def due(self, now: float) -> bool:
        """Whether to look at this time, in seconds, while there is none."""
        if now < self._glance:
            return False
        self._glance, ways = now + SOON, self._ways()
        if ways != self._before:
            self._before, self._pause, self._next = ways, SOON, now + SOON
            return True
        if now < self._next:
            return False
        self._pause = min(2 * self._pause, SELDOM)
        self._next = now + self._pause
        return True
