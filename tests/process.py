"""What a program uses, as Linux tells it; without a number this one."""

from pathlib import Path


def memory(process: int | str = "self", key: str = "VmRSS") -> float:
    """What it holds in memory now, or has held at most (VmHWM), in MB."""
    lines = Path(f"/proc/{process}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(key)) / 1024


def handles(process: int | str = "self") -> int:
    """How many files it has open."""
    return len(list(Path(f"/proc/{process}/fd").iterdir())) - (process == "self")  # but for the list itself


def threads(process: int | str = "self") -> int:
    """How many threads it has, those of its libraries too."""
    return len(list(Path(f"/proc/{process}/task").iterdir()))
