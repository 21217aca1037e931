"""`python -m companion` is the `companion` command."""

from companion.cli import command

command()
