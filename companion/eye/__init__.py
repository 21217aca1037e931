"""A frame (H x W x 3, uint8, BGR) becomes dice; frames become one settled throw."""

from companion.eye.dice import COLOURS, Die
from companion.eye.draw import annotate
from companion.eye.read import read

__all__ = ["COLOURS", "Die", "annotate", "read"]
