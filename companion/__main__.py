"""Where the program starts: `companion`, or `python -m companion`."""

import sys


def command() -> None:
    """Run the `companion` command. Who presses Ctrl-C while its modules are loaded knows why it has ended."""
    try:
        from companion.cli import command

        command()
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    command()
