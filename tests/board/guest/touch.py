"""A touchscreen of 800 x 480: a line "x y x y ..." in the pipe /run/touch is a finger on its way."""

import os
import time
from pathlib import Path

from evdev import AbsInfo, UInput
from evdev import ecodes as e

PIPE = Path("/run/touch")


def axis(most: int) -> AbsInfo:
    return AbsInfo(value=0, min=0, max=most, fuzz=0, flat=0, resolution=0)


AXES = (
    (e.ABS_X, axis(799)), (e.ABS_Y, axis(479)), (e.ABS_MT_SLOT, axis(9)),
    (e.ABS_MT_POSITION_X, axis(799)), (e.ABS_MT_POSITION_Y, axis(479)), (e.ABS_MT_TRACKING_ID, axis(65535)),
)  # fmt: skip


def put(screen: UInput, finger: int, x: int, y: int) -> None:
    """A finger is here now."""
    screen.write(e.EV_ABS, e.ABS_MT_TRACKING_ID, finger)
    for codes, at in (((e.ABS_MT_POSITION_X, e.ABS_X), x), ((e.ABS_MT_POSITION_Y, e.ABS_Y), y)):
        for code in codes:
            screen.write(e.EV_ABS, code, at)
    screen.write(e.EV_KEY, e.BTN_TOUCH, 1)
    screen.syn()


def lift(screen: UInput) -> None:
    screen.write(e.EV_ABS, e.ABS_MT_TRACKING_ID, -1)
    screen.write(e.EV_KEY, e.BTN_TOUCH, 0)
    screen.syn()


PIPE.unlink(missing_ok=True)
ABLE = {e.EV_KEY: [e.BTN_TOUCH], e.EV_ABS: AXES}
with UInput(ABLE, name="touchscreen", input_props=[e.INPUT_PROP_DIRECT]) as screen:
    os.mkfifo(PIPE)  # from now on there is one
    with os.fdopen(os.open(PIPE, os.O_RDWR)) as lines:  # also written by us: it never ends
        for finger, line in enumerate(lines, 1):
            places = [int(word) for word in line.split()]
            for x, y in zip(places[::2], places[1::2], strict=True):
                put(screen, finger, x, y)
                time.sleep(0.1)  # a finger stays for a moment
            lift(screen)
