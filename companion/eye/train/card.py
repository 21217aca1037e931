"""What a training is told that runs on a graphics card, which learns faster than one core shows it things."""

from argparse import ArgumentParser, ArgumentTypeError
from functools import partial


def add_options(parser: ArgumentParser) -> None:
    """`--times` (one at least) and `--workers` (none at least)."""
    one, none = partial(_at_least, 1), partial(_at_least, 0)
    parser.add_argument("--times", type=one, default=1, help="so many times as much is shown at a step")
    parser.add_argument("--workers", type=none, default=0, help="processes that make what is shown")


def _at_least(least: int, text: str) -> int:
    if not text.isdecimal() or int(text) < least:
        raise ArgumentTypeError(f"{text} is not a whole number from {least} on")
    return int(text)
