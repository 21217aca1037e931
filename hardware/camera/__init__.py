"""The camera: a stream of pictures from USB, CSI, files or the network, on a thread of its own."""

from .camera import Camera, Patience
from .choice import CameraKind, parse
from .lock import Lock
from .picture import CameraError, CameraState, CameraStatus, Image, Picture
from .still import PictureError, PictureProblem, decode

__all__ = [
    "Camera",
    "CameraError",
    "CameraKind",
    "CameraState",
    "CameraStatus",
    "Image",
    "Lock",
    "Patience",
    "Picture",
    "PictureError",
    "PictureProblem",
    "decode",
    "parse",
]
