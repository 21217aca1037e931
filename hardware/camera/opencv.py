"""OpenCV and the libraries under it, silent about what we expect to fail."""

import ctypes
import os
from functools import cache

import cv2


@cache
def quiet() -> None:
    """Keep the words of OpenCV and of the libraries under it off the terminal: that a camera is not there or
    a picture is damaged we say ourselves, in the user's language.

    4.x has `cv2.setLogLevel`, 5.0 has `cv2.utils.logging`.
    """
    if hasattr(cv2, "setLogLevel"):
        cv2.setLogLevel(0)
    else:
        cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_SILENT)
    process = ctypes.CDLL(None)
    if hasattr(process, "gnu_get_libc_version"):
        # libjpeg and libpng print to C's `stderr`, which this library lets us exchange; Python's is another.
        # What other libraries print there is not heard any more either, as ALSA's words: their errors are.
        process.fopen.restype = ctypes.c_void_p
        stderr = ctypes.c_void_p.in_dll(process, "stderr")
        stderr.value = process.fopen(os.devnull.encode(), b"w") or stderr.value
