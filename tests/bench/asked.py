"""What a benchmark is told on its command line."""

from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter


def asked(text: str | None, **usual: int | float | str) -> Namespace:
    """The arguments of a benchmark, in order, each with what it is if it is not given; `text` is its help."""
    parser = ArgumentParser(description=text, formatter_class=RawDescriptionHelpFormatter)
    for name, value in usual.items():
        parser.add_argument(name, nargs="?", type=type(value), default=value, help=f"usually {value}")
    return parser.parse_args()
