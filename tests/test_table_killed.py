"""Nothing is lost: a playing process is killed 200 times, and every acknowledged move is found every time."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


@pytest.mark.parametrize("seed", ["one", "two", "three", "four"])
def test_kills_lose_nothing(seed: str, tmp_path: Path) -> None:
    command = [sys.executable, "tests/killed.py", str(tmp_path / "companion.db"), "50", seed]
    done = subprocess.run(command, cwd=ROOT, env={"PYTHONPATH": str(ROOT)}, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["kills"] == 50
    assert found["under_way"] >= 10  # killed in the middle of something, not between two things
    assert found["moves"] >= 50


def test_a_whole_companion_that_is_killed_finds_everything_again() -> None:
    """`python -m tests.bench.kills` does that a thousand times."""
    command = [sys.executable, "-m", "tests.bench.kills", "6", "quick"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout.splitlines()[-1])
    assert found["kills"] == 6 and found["starts"] >= 3 and found["stored"] >= 6
