"""The edge to the world: camera, panel, service, broker. Knows nothing of the companion."""

import os

MAX_PIXELS = 100_000_000
"""Pictures with more pixels are refused: 100 million are 300 MB, and a Raspberry Pi has little more."""

# OpenCV and its FFmpeg read these when they are loaded, by whomever. What the user has set is kept.
os.environ.setdefault("OPENCV_IO_MAX_IMAGE_PIXELS", str(MAX_PIXELS))
os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")  # AV_LOG_QUIET
os.environ.setdefault("OPENCV_VIDEOIO_V4L_SELECT_TIMEOUT", "3")  # seconds; a stalled camera else holds 10
