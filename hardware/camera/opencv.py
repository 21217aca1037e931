"""OpenCV, set up once for cameras: silent about what we expect to fail, and never waiting for long.

OpenCV and its FFmpeg read these variables when they are first used, so they stand here, before `cv2` is
imported. Values that the user has set already are kept.
"""

import os

MAX_PIXELS = 100_000_000
"""Pictures with more pixels are refused: 100 million are 300 MB, and a Raspberry Pi has little more."""

os.environ.setdefault("OPENCV_IO_MAX_IMAGE_PIXELS", str(MAX_PIXELS))
os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")  # AV_LOG_QUIET
os.environ.setdefault("OPENCV_VIDEOIO_V4L_SELECT_TIMEOUT", "3")  # seconds; a stalled camera else holds 10

import cv2  # noqa: E402

__all__ = ["MAX_PIXELS", "cv2", "quiet"]


def quiet() -> None:
    """Keep OpenCV's own warnings off the terminal: a camera that is not there is no news to the user.

    4.x has `cv2.setLogLevel`, 5.0 has `cv2.utils.logging`.
    """
    if hasattr(cv2, "setLogLevel"):
        cv2.setLogLevel(0)
    else:
        cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_SILENT)
