"""Makes the tables in `assets/odds`: who wins BIG BOOM! BANG, for all dice that can be agreed.

    python assets/make/odds.py                  # what is not there yet; a minute or two for each
    python assets/make/odds.py 2-1-1-2-keep     # these, anew

How they are computed stands in `companion/games/big_boom_bang/solving.py`; another version of NumPy may
round a few chances to the next whole number. A file has, packed by gzip, for two to five players in the
game, each state of hearts (the first player's the most significant, from 1), fuses (0 to 11) and gifts
(0 to 2) that lie hidden: the chance to win of each player but the last, from the one on whose turn it is, as
a whole number of 65535 parts; first the lower bytes of them all, then the higher ones.
"""

import sys
import time
from itertools import combinations
from pathlib import Path

from companion.games.big_boom_bang.rules import FACES, PLAYERS, Options
from companion.games.big_boom_bang.solving import solve
from companion.games.big_boom_bang.winning import Table, path_of


def agreements() -> dict[Path, Options]:
    """All dice with each symbol (A-BANG1) and both readings of the scissors (A-BANG2), by their file."""
    found = {}
    for cuts in combinations(range(1, 6), 3):
        counts = [high - low for low, high in zip((0, *cuts), (*cuts, 6), strict=True)]
        faces = tuple(face for face, count in zip(FACES, counts, strict=True) for _ in range(count))
        for scissors in ("reroll", "keep"):
            options = Options(scissors=scissors, faces=faces)  # type: ignore[arg-type]
            found[path_of(options.faces, scissors)] = options
    return found


def main(names: list[str]) -> None:
    """Make what is named, or all that is missing."""
    known = agreements()
    if strange := set(names) - {path.stem for path in known}:
        sys.exit(f"no such dice: {', '.join(sorted(strange))}; for example: {next(iter(known)).stem}")
    for path, options in known.items():
        if path.stem in names or not (names or path.exists()):
            begin = time.perf_counter()
            Table(solve(options, PLAYERS[-1])).save(path)
            print(
                f"{path.name}: {path.stat().st_size} bytes, {time.perf_counter() - begin:.0f} s", flush=True
            )


if __name__ == "__main__":
    main(sys.argv[1:])
