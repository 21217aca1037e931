"""The camera: a stream of pictures from USB, CSI, files or the network, on a thread of its own."""

from .camera import Camera, Patience
from .choice import CameraChoice, CameraKind, ChoiceError, ChoiceProblem, parse
from .lock import Lock
from .picture import CameraError, CameraState, CameraStatus, Image, Picture
from .source import Source
from .still import PictureError, PictureProblem, decode

__all__ = [
    "Camera",
    "CameraChoice",
    "CameraError",
    "CameraKind",
    "CameraState",
    "CameraStatus",
    "ChoiceError",
    "ChoiceProblem",
    "Image",
    "Lock",
    "Patience",
    "Picture",
    "PictureError",
    "PictureProblem",
    "Source",
    "decode",
    "parse",
]
