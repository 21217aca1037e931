"""Golden games, played through the screens."""

from pathlib import Path

from companion.config import CONFIG
from companion.match import Match, seeded
from companion.players import COLOURS, Party, Seat
from companion.playthrough import read
from companion.screens.base import Context
from companion.screens.game import GameScreen

PLAYTHROUGHS = Path(__file__).parents[1] / "playthroughs"
GOLDEN = {folder.name: sorted(folder.glob("*.txt")) for folder in PLAYTHROUGHS.iterdir()}
NAMES = ("Anna", "Ben", "Cleo", "Dario", "Emilia")


def golden(name: str, file: str) -> tuple[Match, list[str]]:
    """The opening of a golden game and its moves, written properly."""
    match, moves = read((PLAYTHROUGHS / name / file).read_text(encoding="utf-8").splitlines(), CONFIG)
    write, parse = match.book.notation.write, match.book.notation.parse
    return match, [write(parse(text)) for _, text in moves]


def moves_of(name: str, file: str) -> list[str]:
    """The moves of a golden game."""
    return golden(name, file)[1]


def put_on_table(
    context: Context, kind: type[GameScreen], file: str, manner: dict[str, str] | None = None
) -> tuple[GameScreen, list[str]]:
    """Begin a golden game on the table, in which chance does what it did there; its screen and its moves."""
    match, moves = golden(kind.book.name, file)
    seats = tuple(Seat(NAMES[i], COLOURS[i]) for i in range(match.options.players))
    game = context.table.begin(kind.book, match.options, seeded(file), Party(seats, manner or {}))
    game.match.throw = lambda awaited: moves[len(game.match.moves)]  # type: ignore[method-assign]
    return kind(context), moves
