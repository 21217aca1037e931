"""How many touches the games cost: `python -m tests.bench.touches`.

Plays the golden games through the screens, by touch, with the camera where the game has dice that it can
read, and prints the touches for each thing that people do: how often it was done, the mean and the most.
"""

import os

os.environ |= {"SDL_VIDEODRIVER": "dummy", "SDL_AUDIODRIVER": "dummy"}

from collections.abc import Callable, Iterable, Iterator
from itertools import chain

import pygame

from companion.screens.base import Context
from tests.bench.asked import asked
from tests.bench.table import context
from tests.screens import test_bang, test_bau_boom, test_kabooom, test_make_n_break
from tests.screens.conftest import Hand
from tests.screens.through import GOLDEN

Played = Iterable[tuple[Hand, str]]
Counts = Iterator[tuple[str, int]]  # what was done, and how many touches it took


def each(played: Played, name: Callable[[str], str]) -> Counts:
    """What every move took."""
    before = 0
    for hand, text in played:
        yield name(text), hand.touches - before
        before = hand.touches


def kabooom(text: str) -> str:
    return {"place": "a stone is set", "pass": "a pass, with its warning"}.get(
        text.split()[0], "a tower moves"
    )


def bang(text: str) -> str:
    word, *rest = text.split()
    names = {
        "roll": "a first throw",
        "keep": "to stop",
        "reveal": "a tile",
        "name": "a player is named",
    }
    return names.get(word, f"a throw again, with {len(rest)} dice chosen")


def rounds(played: Played) -> Counts:
    """Make 'n' Break: what cards and rounds took."""
    for text, touches in each(played, str):
        if text == "go" or text.startswith("built"):
            yield "a round" if text == "go" else "a card", touches


def turns(played: Played) -> Counts:
    """Bau Boom: what turns took; those in which somebody comes home are counted apart."""
    begun, kind = 0, ""
    for hand, text in played:
        if text.startswith("roll"):
            if kind:
                yield kind, hand.touches - begun
            begun, kind = hand.touches, "a turn"
        elif kind and text.split()[0] in ("place", "remove", "done"):
            kind = "a turn with building, tile by tile"


def told(title: str, counts: Counts) -> None:
    """Print it."""
    found: dict[str, list[int]] = {}
    for name, count in counts:
        found.setdefault(name, []).append(count)
    print(title)
    for name, touches in sorted(found.items()):
        mean = sum(touches) / len(touches)
        print(f"  {name:44} {len(touches):6} times   mean {mean:.2f}   most {max(touches)}")


def games(name: str, through: Callable[[Context, str], Played]) -> Iterator[Played]:
    """Every golden game of a name."""
    return (through(context("en"), path.name) for path in GOLDEN[name])


def main() -> None:
    """All games."""
    pygame.display.init()
    pygame.font.init()
    screen = (test_bang.through(context("en"), path.name, "screen") for path in GOLDEN["big-boom-bang"])
    told("BIG BOOM! BANG, virtual dice", chain.from_iterable(each(game, bang) for game in screen))
    break_games = games("make-n-break", test_make_n_break.through)
    told("Make 'n' Break", chain.from_iterable(map(rounds, break_games)))
    told("Bau Boom, with camera", chain.from_iterable(map(turns, games("bau-boom", test_bau_boom.through))))
    moves = (each(game, kabooom) for game in games("kabooom", test_kabooom.through))
    told("Kabooom!", chain.from_iterable(moves))


if __name__ == "__main__":
    asked(__doc__)
    main()
