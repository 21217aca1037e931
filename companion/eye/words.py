"""What is said while a die is taught, and how the colours of tiles are called."""

from companion.eye.teaching import Hint
from companion.eye.tiles import TileColour
from companion.language import mark

HINTS: dict[Hint, str] = {
    Hint.GOOD: mark("Good! Turn it a little, and let it lie."),
    Hint.NOTHING: mark("Lay the die where the camera sees it."),
    Hint.MANY: mark("Only this one die, please."),
    Hint.MOVES: mark("Let it lie, and take your hand away."),
    Hint.KNOWN: mark("This side I know already: {face}."),
    Hint.STRANGE: mark("That is another side than before."),
}

TILE_NAMES: dict[TileColour, str] = {
    "red": mark("Red"),
    "yellow": mark("Yellow"),
    "green": mark("Green"),
    "blue": mark("Blue"),
}
