"""What a training is told that runs on a graphics card, which learns faster than one core shows it things."""

from argparse import ArgumentParser, ArgumentTypeError


def add_options(parser: ArgumentParser) -> None:
    """`--times` (one at least) and `--workers` (none at least)."""
    parser.add_argument("--times", type=_one, default=1, help="so many times as much is shown at a step")
    parser.add_argument("--workers", type=_none, default=0, help="processes that make what is shown")


def _one(text: str) -> int:
    return _at_least(1, text)


def _none(text: str) -> int:
    return _at_least(0, text)


def _at_least(least: int, text: str) -> int:
    try:
        number = int(text)
    except ValueError:
        number = least - 1
    if number < least:
        raise ArgumentTypeError(f"{text} is not a whole number from {least} on")
    return number
