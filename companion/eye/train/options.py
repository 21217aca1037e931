"""What several steps of the recipe are told in the same words."""

from argparse import ArgumentParser, ArgumentTypeError
from functools import partial
from pathlib import Path
from typing import NamedTuple


def add_card(parser: ArgumentParser) -> None:
    """`--times` and `--workers`, for a graphics card, which learns faster than one core shows it things."""
    parser.add_argument("--times", type=some, default=1, help="so many times as much is shown at a step")
    parser.add_argument("--workers", type=any_number, default=0, help="processes that make what is shown")


class Start(NamedTuple):
    """The training to begin with: what that one surely says rightly is to stay, if it is `loyal`."""

    path: Path
    loyal: bool


def add_start(parser: ArgumentParser, name: str) -> None:
    """`--first` and `--loyal`, one of which may be given: a training (a file of this name) to begin with."""
    either = parser.add_mutually_exclusive_group()
    add = partial(either.add_argument, dest="start", metavar=name)
    add("--first", type=freely, help="what to begin with")
    add("--loyal", type=_loyally, help="the same; what that one surely says rightly is to stay as it is")


def freely(path: str) -> Start:
    """A training to begin with, to which nothing is loyal."""
    return Start(Path(path), loyal=False)


def _loyally(path: str) -> Start:
    return Start(Path(path), loyal=True)


def _at_least(least: int, text: str) -> int:
    if not text.isdecimal() or int(text) < least:
        raise ArgumentTypeError(f"{text} is not a whole number from {least} on")
    return int(text)


some = partial(_at_least, 1)
any_number = partial(_at_least, 0)
