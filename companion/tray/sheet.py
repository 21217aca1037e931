"""The sheet for the floor of the tray: plain and matt, with a printed marker in each corner.

The markers are ArUco's (S. Garrido-Jurado et al., "Automatic generation and detection of highly reliable
fiducial markers under occlusion", 2014), 4 x 4 bits within a black border, numbered clockwise from the upper
left.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from html import escape

import cv2

from companion.language import Texts

PAPER = (297.0, 210.0)  # mm: A4, lying
EDGE = 5.0  # mm that printers leave white
MODULES = 6  # of a marker's side: four bits and the border
WRONG = 2  # of its 16 bits may be misread, as where a picture is soft: any two differ in 7, however turned
MARKER, QUIET = 15.0, 2.5  # mm: a marker, and the white between it and the edges, as wide as its modules
SMALLEST = 60.0  # mm: a tray in which two dice can be thrown
BOX = tuple[float, float, float, float]  # x, y, width, height


class SheetError(ValueError):
    """No sheet of this size can be printed on the paper."""


@lru_cache(maxsize=1)
def dictionary() -> "cv2.aruco.Dictionary":
    """The four markers that are printed and looked for."""
    known = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    return cv2.aruco.Dictionary(known.bytesList[:4], known.markerSize, WRONG)


@dataclass(frozen=True)
class Sheet:
    """A sheet of `wide` x `high` mm, the inner size of the tray."""

    wide: float = 230.0
    high: float = 160.0

    def __post_init__(self) -> None:
        most = (PAPER[0] - 2 * EDGE, PAPER[1] - 2 * EDGE)
        if not (SMALLEST <= self.wide <= most[0] and SMALLEST <= self.high <= most[1]):
            raise SheetError(f"{self.wide:g}x{self.high:g}")

    def markers(self) -> list[BOX]:
        """The square of each marker in mm, from the sheet's upper left corner."""
        right, below = self.wide - QUIET - MARKER, self.high - QUIET - MARKER
        corners = ((QUIET, QUIET), (right, QUIET), (right, below), (QUIET, below))
        return [(x, y, MARKER, MARKER) for x, y in corners]

    def bits(self) -> Iterator[BOX]:
        """What is white within the markers, row by row, in mm."""
        step = MARKER / MODULES
        for number, (left, top, _, _) in enumerate(self.markers()):
            rows = cv2.aruco.generateImageMarker(dictionary(), number, MODULES)
            for row, cells in enumerate(rows):
                for column, cell in enumerate(cells):
                    if cell:
                        yield left + column * step, top + row * step, step, step

    def svg(self, t: Texts) -> str:
        """The page, in true size."""
        width, height = PAPER
        left, top = (width - self.wide) / 2, (height - self.high) / 2
        black = "".join(_rect(box, left, top, "#000") for box in self.markers())
        white = "".join(_rect(box, left, top, "#fff") for box in self.bits())
        note = escape(
            t(
                "Print at true size (100 %), matt paper. {wide} x {high} mm. Cut along the line, lay it"
                " in the tray.",
                wide=f"{self.wide:g}",
                high=f"{self.high:g}",
            )
        )
        cut = f'<rect x="{left:g}" y="{top:g}" width="{self.wide:g}" height="{self.high:g}"'
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}mm" height="{height:g}mm"'
            f' viewBox="0 0 {width:g} {height:g}">\n'
            f'<rect width="{width:g}" height="{height:g}" fill="#fff"/>\n'
            f'{cut} fill="none" stroke="#888" stroke-width="0.2" stroke-dasharray="2 2"/>\n'
            f'<g shape-rendering="crispEdges">{black}{white}</g>\n'
            f'<text x="{width / 2:g}" y="{height - EDGE - 1:g}" font-family="sans-serif" font-size="3.5"'
            f' text-anchor="middle" fill="#555">{note}</text>\n'
            "</svg>\n"
        )


def _rect(box: BOX, left: float, top: float, fill: str) -> str:
    x, y, w, h = box
    return f'<rect x="{left + x:.3f}" y="{top + y:.3f}" width="{w:.3f}" height="{h:.3f}" fill="{fill}"/>'
