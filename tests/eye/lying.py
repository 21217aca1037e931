"""Rendered throws of Make 'n' Break's dice and cuboids, and what lies in each."""

import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from companion.eye.network import Image
from companion.eye.train.numbered import load

PIECES = Path(__file__).parent / "pieces"
LYING: dict[str, list[dict[str, Any]]] = json.loads((PIECES / "pieces.json").read_text())


def picture(name: str) -> Image:
    """One of the throws."""
    return load(PIECES / name)


def in_glare(frame: Image, piece: dict[str, Any]) -> Image:
    """The frame, in which this piece mirrors a lamp."""
    x, y = (round(v) for v in piece["center"])
    return np.asarray(cv2.ellipse(frame.copy(), (x, y), (26, 26), 0, 0, 360, (252, 253, 254), -1), np.uint8)
