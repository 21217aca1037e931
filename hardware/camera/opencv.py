"""OpenCV, set up once for cameras: silent about what we expect to fail, and never waiting for long.

OpenCV and its FFmpeg read these variables when they are first used, so they stand here, before `cv2` is
imported. Values that the user has set already are kept.
"""

import ctypes
import os
from functools import cache

MAX_PIXELS = 100_000_000
"""Pictures with more pixels are refused: 100 million are 300 MB, and a Raspberry Pi has little more."""

os.environ.setdefault("OPENCV_IO_MAX_IMAGE_PIXELS", str(MAX_PIXELS))
os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")  # AV_LOG_QUIET
os.environ.setdefault("OPENCV_VIDEOIO_V4L_SELECT_TIMEOUT", "3")  # seconds; a stalled camera else holds 10

import cv2  # noqa: E402

__all__ = ["MAX_PIXELS", "cv2", "quiet"]


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
