"""The panel: buttons that report clean presses, lamps in them, and a buzzer; and what stands in for it."""

import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from enum import Enum
from typing import Any, Self

from .debounce import HOLD_S, SETTLE_S, Button
from .events import PanelEvent
from .gpio import PanelError, Wires, lost_if_it_fails
from .pins import PanelPins

_BLINK_S = 0.4


class Lamp(Enum):
    """How a lamp is."""

    OFF = "off"
    ON = "on"
    BLINK = "blink"


class Panel:
    """The panel on the pins of a Raspberry Pi. PanelError if it cannot be had.

    `on_event(event)` is called with Pressed, Held and Released on a thread of the panel: let it only put them
    on a queue. `pin_factory` is gpiozero's (MockFactory, in tests); `settle` and `hold` are seconds. `lamp`
    and `buzz` raise PanelError LOST when the pins stop working.
    """

    def __init__(
        self,
        pins: PanelPins,
        on_event: Callable[[PanelEvent], None],
        pin_factory: Any = None,
        *,
        settle: float = SETTLE_S,
        hold: float = HOLD_S,
    ) -> None:
        self._on_event = on_event
        self._buttons = {name: Button(name, settle, hold) for name in pins.buttons}
        self._edges: deque[tuple[str, bool, float]] = deque()
        self._changed = threading.Condition()
        self._closed = False
        self._failed: PanelError | None = None
        self._wires = Wires(pins, pin_factory)
        try:
            with lost_if_it_fails():
                self._watch()
        except PanelError:
            self._wires.close()
            raise
        self._thread = threading.Thread(target=self._run, name="panel", daemon=True)
        self._thread.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def down(self) -> frozenset[str]:
        """The buttons whose contacts are closed at this moment. PanelError LOST when nobody listens to them
        any more.
        """
        if self._failed is not None:
            raise self._failed
        with lost_if_it_fails():
            return frozenset(name for name, wire in self._wires.inputs.items() if wire.is_active)

    def lamp(self, button: str, state: Lamp) -> None:
        """Switch the lamp in a button; nothing happens if that lamp is not wired."""
        light = self._wires.lamps.get(button)
        if light is not None:
            with lost_if_it_fails():
                self._switch(light, state)

    def buzz(self, seconds: float) -> None:
        """Sound the buzzer for so long, without waiting; nothing happens if it is not wired."""
        if self._wires.buzzer is not None:
            with lost_if_it_fails():
                self._wires.buzzer.beep(on_time=seconds, off_time=0, n=1, background=True)

    def close(self) -> None:
        """Stop, and let go of the pins; lamps go out. May be called twice."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()
        self._thread.join()
        self._wires.close()

    def _switch(self, light: Any, state: Lamp) -> None:
        if state is Lamp.BLINK:
            light.blink(on_time=_BLINK_S, off_time=_BLINK_S, background=True)
        elif state is Lamp.ON:
            light.on()
        else:
            light.off()

    def _watch(self) -> None:
        """Collect every edge; a button that is down already counts as pressed now."""
        for name, wire in self._wires.inputs.items():
            wire.when_activated = lambda name=name, wire=wire: self._edge(name, True, wire.active_time)
            wire.when_deactivated = lambda name=name, wire=wire: self._edge(name, False, wire.inactive_time)
            self._edge(name, wire.is_active)

    def _edge(self, name: str, pressed: bool, ago: float = 0.0) -> None:
        """The level has changed so many seconds ago, as the kernel has it: we may have been held up."""
        with self._changed:
            self._edges.append((name, pressed, time.monotonic() - max(0.0, ago)))
            self._changed.notify_all()

    def _run(self) -> None:
        try:
            while (edges := self._wait()) is not None:
                for event in self._events(edges):
                    self._on_event(event)
        except PanelError as error:
            self._failed = error

    def _wait(self) -> list[tuple[str, bool, float]] | None:
        """Wait for an edge, or for the time to say something; None when closed."""
        with self._changed:
            dues = [button.due for button in self._buttons.values() if button.due is not None]
            left = max(0.0, min(dues) - time.monotonic()) if dues else None
            self._changed.wait_for(lambda: self._closed or self._edges, left)
            edges = list(self._edges)
            self._edges.clear()
            return None if self._closed else edges

    def _events(self, edges: list[tuple[str, bool, float]]) -> Iterator[PanelEvent]:
        for name, pressed, at in edges:
            yield from self._buttons[name].edge(pressed, at)
        now = time.monotonic()
        for name, button in self._buttons.items():
            if button.due is not None and now >= button.due:
                with lost_if_it_fails():  # the level itself: the kernel may have lost an edge
                    level = self._wires.inputs[name].is_active
                yield from button.edge(level, now)


class NoPanel:
    """Stands in where no panel is wired: it reports nothing, and lights nothing."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def down(self) -> frozenset[str]:
        """None."""
        return frozenset()

    def lamp(self, button: str, state: Lamp) -> None:
        """There is nothing to light."""

    def buzz(self, seconds: float) -> None:
        """There is nothing to sound."""

    def close(self) -> None:
        """There is nothing to let go of."""
