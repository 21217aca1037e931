"""What was learned about Kabooom!: weights for `judge.py`, written by `tests/bench/kabooom_learn.py`."""

WEIGHTS: dict[str, str] = {}


def weights(setting: str, count: int) -> tuple[int, ...]:
    """Return the weights of a level and a reading of dynamite."""
    return tuple(map(int, WEIGHTS[setting].split())) if setting in WEIGHTS else (0,) * count
