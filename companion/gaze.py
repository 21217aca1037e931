"""Where the companion looks: at the table while a screen wants to, through a camera, at what a tray holds."""

from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from companion import troubles
from companion.config import ASSETS
from companion.events import Drifted, Effect, EyeFailed, Looked, Say, Seen, Sound
from companion.eye.taught import Taught
from companion.eye.throws import State, Watcher
from companion.lookout import Lookout
from companion.screens.base import CameraView, Context
from companion.tray.drift import Drift, DriftWatch, keep, kept, reference
from companion.tray.region import Tray
from hardware.camera import Camera, CameraState, Lock

DEMONSTRATION = str(ASSETS / "samples")

# What is said of dice that cannot be read as they lie: nobody looks at the screen while throwing
UNCLEAR = {State.COCKED: "cocked", State.CUT_OFF: "at-the-edge"}

SHOWING = (CameraState.LIVE, CameraState.DARK)

OpenCamera = Callable[[str, Lock | None], Camera]  # its setting, and what is held


def open_camera(setting: str, lock: Lock | None) -> Camera:
    """The camera of a setting; `lock` is held."""
    return Camera(setting, lock=lock)


class Gaze:
    """Opens and leaves the camera, and keeps the watchers of throws. `put` is called from other threads."""

    def __init__(
        self, context: Context, opens: OpenCamera, put: Callable[[Looked | EyeFailed | Drifted], None]
    ) -> None:
        self.camera: Camera | None = None
        self.lookout: Lookout | None = None
        self._left: list[Lookout] = []  # whose cameras may not be closed yet
        self._context, self._opens, self._put = context, opens, put
        self._lost = False
        self._unclear = State.NOTHING  # what whoever is to throw has heard of last
        self.drift: Drift | None = None  # what has changed of camera and tray since they were set up
        # One for each kind of dice; they outlive the camera: dice that still lie there are no new throw.
        self._watchers: defaultdict[str, Watcher] = defaultdict(Watcher)

    def follow(self, wanted: bool, awaited: Taught | None) -> Iterator[Effect]:
        """Look while that is wanted, also for a kind of taught dice; what is to be heard of the camera."""
        if not wanted:
            self.away()
            return
        if self.camera is None:
            self._left = [left for left in self._left if not left.over]
            if self._left and not self._context.camera.demonstration:
                trouble = troubles.camera(CameraState.SEARCHING.name, self._context.settings.camera)
                self._context.camera = replace(self._context.camera, trouble=trouble, blind=False, held=None)
                return
            self.camera = self._open()
            self.lookout = Lookout(self.camera, self._put, *self._framed())
        if self.lookout:
            self.lookout.awaited = awaited
        status = self.camera.status
        yield from self._told_of_loss(status.kind)
        if self._lost:
            self._look_away()
        held, latest = self.camera.held, self.camera.latest()
        trouble = troubles.camera(status.kind.name, status.source)
        self._context.camera = replace(
            self._context.camera,
            trouble=trouble,
            blind=trouble is not None and status.kind is not CameraState.SEARCHING,
            lost=self._lost or (self._context.camera.lost and status.kind not in SHOWING),
            held=None if held is None else tuple(held.values),
            pictures=latest.number if latest else 0,
        )

    def _open(self) -> Camera:
        settings = self._context.settings
        if self._context.camera.demonstration:
            return self._opens(DEMONSTRATION, None)
        return self._opens(settings.camera, Lock.saved(settings.lock))

    def _told_of_loss(self, state: CameraState) -> Iterator[Effect]:
        """Whoever looks at the dice hears that the camera is gone, and that it shows something again."""
        if state is CameraState.LOST and not self._lost:
            self._lost = True
            yield Sound("lost")
            yield Say("camera-missing")
        elif state in SHOWING and self._lost:
            self._lost = False
            yield Sound("found")
            yield Say("camera-back")

    def see(
        self, look: Looked, awaited: Taught | None, count: int | None, awaited_now: bool
    ) -> Iterator[Effect | Seen]:
        """What a frame means for the throw, of so many dice if anybody has said so. What cannot be read as it
        lies is only heard of where a throw is awaited now.

        One that comes late from a camera that was left, or was read for other dice, means nothing.
        """
        if look.by is not self.lookout or look.awaited is not awaited:
            return
        high, wide = look.frame.shape[:2]
        name = awaited.name if awaited else ""
        self._look_away(but=name)
        watcher = self._watchers[name]
        throw = watcher.see(
            look.dice,
            look.moving,
            look.at,
            (wide, high),
            doubts=look.doubts,
            awaited=count,
            darker=self.held is not None and bool(self.held.exposure),
            darkened=look.darkened,
        )
        if watcher.wants_darker and self.lookout:
            self.lookout.look_darker()
        before, self._unclear = self._unclear, watcher.state if awaited_now else State.NOTHING
        if self._unclear is not before and self._unclear in UNCLEAR:
            yield Sound("refused")
            yield Say(UNCLEAR[self._unclear])
        yield Seen(look.frame, look.dice, watcher.state, throw, look.found)

    def look_anew(self) -> None:
        """Whatever lies there is found once more."""
        self._watchers.clear()

    def elsewhere(self, demonstration: bool) -> None:
        """Another table is looked at from now on."""
        self._context.camera = CameraView(demonstration=demonstration)
        self.away()
        self._watchers.clear()

    def away(self) -> None:
        """Leave the camera; nobody waits for it. What was learned of dice before it is kept."""
        self._context.box.save()
        if self.lookout:
            self.lookout.stop()
            self._left.append(self.lookout)
            self._look_away()
        self.camera, self.lookout, self._lost = None, None, False

    def _look_away(self, but: str | None = None) -> None:
        """Let the watchers, but one, know that they do not see what moves now."""
        for name, watcher in self._watchers.items():
            if name != but:
                watcher.look_away()

    def close(self) -> None:
        """Leave the camera, and wait until it is closed."""
        self._context.box.learn()
        self.away()
        for left in self._left:
            left.join(2.5)

    # the calibration

    def expose(self, how: str) -> None:
        """Let the camera choose its exposure ("free"), hold what it has "now", or what was "saved"."""
        if self.camera is None:
            return
        if how == "now":
            self.camera.hold()
        elif how == "saved" and (lock := Lock.saved(self._context.settings.lock)):
            self.camera.hold(lock)
        else:
            self.camera.free()

    @property
    def held(self) -> Lock | None:
        """What the camera holds."""
        return self.camera.held if self.camera else None

    def keep(self, frame: NDArray[np.uint8]) -> None:
        """Keep the picture by which a drift is seen. Raises OSError."""
        keep(self._reference, frame)

    @property
    def _reference(self) -> Path:
        return reference(self._context.data, self._context.settings.camera)

    def frame_anew(self) -> None:
        """The tray lies elsewhere: look there."""
        self.drift = None
        if self.lookout:
            self.lookout.tray, self.lookout.drift = self._framed()
        self._watchers.clear()

    def drifts(self, event: Drifted) -> None:
        """Camera, tray or light have changed, or are as they were; what compares with how it was before the
        last calibration is too late.
        """
        if self.lookout and event.by is self.lookout.drift:
            self.drift = event.what

    def _framed(self) -> tuple[Tray | None, DriftWatch | None]:
        """Where the eye looks, and what sees whether that is still right."""
        if self._context.camera.demonstration:
            return None, None
        tray = Tray.of(self._context.settings.tray)
        before = kept(self._reference) if tray else None
        return tray, DriftWatch(before, tray, self.drift) if tray and before is not None else None
