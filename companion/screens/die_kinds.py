"""The dice without pips: those of the games and those of the people, all alike; how their sides look."""

import re
import secrets
from functools import cache, lru_cache

from pygame import Rect

from companion.dicebox import DiceBox
from companion.eye.dice import Colour, Shown
from companion.eye.taught import Taught, together
from companion.games import parts
from companion.language import mark
from companion.screens.base import THIS_SIDE, DieKind
from companion.screens.canvas import Canvas, centred, inset
from companion.screens.theme import DICE, DICE_COLOURS

MOST = 6  # own dice, so that each is found and looked at quickly
OWN = re.compile("own-[0-9a-f]+")  # the name of one that was taught on the screen
OWN_DIE = mark("Own die")
ENOUGH = mark("{count} dice of your own are enough: forget one first.")
LONGEST = 24  # letters of a name that fit on a card


@cache
def of_games() -> tuple[DieKind, ...]:
    """The dice of all games that have to be taught."""
    found = [each.kind.die_kind for part in parts("screen") for each in part.ENTRIES if each.kind]
    return tuple({kind.name: kind for kind in found if kind}.values())


def own_dice(box: DiceBox) -> list[DieKind]:
    """All others that were taught, the newest last; one that cannot be read has no faces."""
    theirs = {kind.name for kind in of_games()}
    return [own_die(name, box.get(name)) for name in box.names() if name not in theirs]


def kinds(box: DiceBox) -> list[DieKind]:
    """All dice that were taught or can be."""
    return [*of_games(), *own_dice(box)]


def begun(box: DiceBox) -> list[DieKind]:
    """Dice of the people of which not all sides were shown yet, with those that were."""
    others = {kind.name for kind in kinds(box)}
    return [own_die(name, box.lessons.get(name)) for name in box.lessons.names() if name not in others]


def new_die() -> DieKind:
    """One that nobody has begun to teach. What was thrown with another before must not become its sides."""
    return own_die(f"own-{secrets.token_hex(6)}", None)


@lru_cache(maxsize=2 * MOST)
def own_die(name: str, taught: Taught | None) -> DieKind:
    """A die of the people, with the faces that were taught."""
    faces = taught.faces if taught else ()

    def paint(c: Canvas, box: Rect, face: str) -> None:
        picture = taught.picture(face) if taught else None
        if picture is not None:
            c.photo(box, picture)
        else:
            _paint_named(c, box, face if face in faces else "")

    # Those that were taught on the screen are only numbered.
    names = tuple((face, THIS_SIDE if face.isdigit() else face) for face in faces)
    shown = name if len(name) <= LONGEST else f"{name[: LONGEST - 1]}…"
    title = OWN_DIE if OWN.fullmatch(name) else shown
    return DieKind(name, title, DICE, names, paint, own=True)


def _paint_named(c: Canvas, box: Rect, name: str) -> None:
    """A face of which there is no picture: how its name begins; a question, if it has none."""
    _, ink = DICE_COLOURS["white"]
    c.die(box, 0)
    if name:
        c.text(name[:2], inset(box, box.width // 12), 0.6 * box.height / c.u, face="title", colour=ink)
    else:
        c.icon("help", inset(box, box.width // 5), ink)


def known_dice(box: DiceBox) -> Taught | None:
    """All dice that have been taught, as one; None if there are none."""
    known = [taught for kind in kinds(box) if (taught := kind.taught(box))]
    return together(*known) if known else None


def sides(box: DiceBox) -> list[tuple[Shown, ...]]:
    """All that a die may show (`die/side`), for each kind that has been taught."""
    known = [kind for kind in kinds(box) if kind.taught(box)]
    return [tuple(f"{kind.name}/{side}" for side, _ in kind.faces) for kind in known]


def paint_die(c: Canvas, box: DiceBox, place: Rect, face: Shown | None, colour: Colour = "white") -> None:
    """A die with its pips, or with the side that was taught, in the largest square in a place."""
    if not isinstance(face, str):
        c.die(place, face or 0, colour)
        return
    name, _, side = face.partition("/")
    square = centred(place.center, min(place.size), min(place.size))
    kind = next((each for each in kinds(box) if each.name == name), None)
    if kind and side in (face for face, _ in kind.faces):
        kind.paint(c, square, side)
    else:
        _paint_named(c, square, "")
