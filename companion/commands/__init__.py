"""The work behind the doors of cli.py."""
