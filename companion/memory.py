"""How the C library deals with memory."""

import ctypes
import sys

_M_MMAP_THRESHOLD, _M_ARENA_MAX = -3, -8  # <malloc.h> of the GNU C library
LARGE = 256 * 1024  # bytes


def return_large_pieces() -> None:
    """Let memory of 256 KiB and more go back to the system as soon as it is free.

    By itself the GNU C library soon keeps pieces of up to 32 MiB, and a heap for every thread: pictures that
    are drawn four times too large, and cameras that come and go, leave tens of megabytes that nobody uses
    (mallopt(3)). Other C libraries are left alone.
    """
    if sys.platform == "linux":
        mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
        if mallopt is not None:
            mallopt(_M_MMAP_THRESHOLD, LARGE)
            mallopt(_M_ARENA_MAX, 2)
