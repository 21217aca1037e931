"""Who may know whom: read from the imports themselves."""

import ast
import re
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).resolve().parent.parent
SOURCES = sorted([*ROOT.glob("companion/**/*.py"), *ROOT.glob("hardware/**/*.py")])
DOORS = {
    "companion/__init__.py",
    "companion/app.py",
    "companion/gaze.py",
    "companion/opening.py",
    "companion/cli.py",
    "companion/__main__.py",
    "companion/commands/eye.py",
    "companion/commands/teach.py",
    "companion/commands/wiring.py",
    "companion/commands/doctor.py",
}


WALL = {"time.time", "time.time_ns", "time.localtime", "time.strftime", "datetime.now", "datetime.utcnow"}
WALL_ATTRIBUTES = {name.partition(".")[2] for name in WALL}


class Source(NamedTuple):
    """Every module that a file imports, also inside functions, with relative names made absolute; what
    it calls by a bare name; and the clocks on the wall that it looks at.
    """

    imports: frozenset[str]
    calls: frozenset[str]
    clocks: frozenset[str]


@cache
def source(path: Path) -> Source:
    package = path.relative_to(ROOT).with_suffix("").parts[:-1]
    found, called, clocks = set[str](), set[str](), set[str]()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            base = ".".join(package[: len(package) - node.level + 1]) if node.level else ""
            module = ".".join(part for part in (base, node.module) if part)
            found |= {module} | {f"{module}.{alias.name}" for alias in node.names}
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            called.add(node.func.id)
        elif isinstance(node, ast.Attribute) and node.attr in WALL_ATTRIBUTES:
            clocks.add(ast.unparse(node))
    return Source(frozenset(found), frozenset(called), frozenset(clocks & WALL))


def imports(path: Path) -> frozenset[str]:
    return source(path).imports


def knows(names: frozenset[str], *rooms: str) -> set[str]:
    """Those of the modules that are in one of the rooms."""
    return {name for name in names for room in rooms if name == room or name.startswith(room + ".")}


def strangers(path: Path) -> set[str]:
    """What a file imports from rooms that it may not know."""
    here, names = path.relative_to(ROOT).as_posix(), imports(path)
    found: set[str] = set()
    if here.startswith("hardware/"):
        found |= knows(names, "companion", "pygame")
    if here.startswith("companion/eye/"):
        found |= knows(
            names,
            "companion.games",
            "companion.screens",
            "companion.app",
            "companion.store",
            "companion.config",
            "hardware",
            "pygame",
        )
    if here.startswith("companion/screens/"):
        found |= knows(names, "hardware", "companion.app", "companion.store", "companion.voice")
    if here in ("companion/mind/child.py", "companion/mind/questions.py"):  # a process of its own, and small
        found |= knows(names, "companion") - knows(names, "companion.mind", "companion.games")
        found |= knows(names, "pygame", "cv2", "numpy")
    if here not in DOORS:
        found |= knows(names, "companion.app", "companion.cli")
        if not here.startswith("hardware/"):
            found |= knows(names, "hardware")
    return found


def test_rooms_know_only_whom_they_may() -> None:
    assert len(SOURCES) > 200
    assert {path: found for path in SOURCES if (found := strangers(path))} == {}


# The rule books: no clock, no random, no file, no screen

PURE = {
    "abc",
    "bisect",
    "collections",
    "dataclasses",
    "enum",
    "functools",
    "itertools",
    "math",
    "operator",
    "re",
    "string",
    "types",
    "typing",
}
GAMES = sorted(path.parent for path in ROOT.glob("companion/games/*/rules.py"))


def rule_book(game: Path) -> set[Path]:
    """A game's rules and notation, with every file of ours that they import."""
    found: set[Path] = set()
    todo = {game / "rules.py", game / "notation.py"}
    while todo:
        path = todo.pop()
        found.add(path)
        modules = (ROOT / Path(*name.split(".")) for name in knows(imports(path), "companion"))
        todo |= {
            module.with_suffix(".py") for module in modules if module.with_suffix(".py").exists()
        } - found
    return found


def test_every_game_has_a_rule_book() -> None:
    packages = {path.parent for path in ROOT.glob("companion/games/*/__init__.py")}
    assert set(GAMES) == packages
    assert all((game / "notation.py").exists() and (game / "book.py").exists() for game in packages)


@pytest.mark.parametrize("game", GAMES, ids=lambda p: str(p.name))
def test_a_rule_book_is_pure(game: Path) -> None:
    own = f"companion.games.{game.name}"
    for path in rule_book(game):
        names = imports(path)
        ours = knows(names, "companion")
        assert ours == knows(names, own, "companion.games.rulebook"), path
        assert {name.partition(".")[0] for name in names - ours} <= PURE, path
        assert not {"open", "print", "input", "eval", "exec", "__import__"} & source(path).calls, path


def test_no_game_knows_another() -> None:
    for path in ROOT.glob("companion/games/*/*.py"):
        others = {f"companion.games.{game.name}" for game in GAMES if game != path.parent}
        assert not knows(imports(path), *others), path


# Up to Python 3.12 `SimpleQueue.get` may wait for ever: if its time is up before it begins to wait, as on
# a busy machine, what is left of it is negative, and that means no limit there (_queuemodule.c)


def test_nobody_waits_at_a_queue_that_may_never_answer() -> None:
    assert [path for path in SOURCES if "SimpleQueue" in path.read_text(encoding="utf-8")] == []


# The clock on the wall jumps: what waits, measures or orders goes by the monotonic one

DATES = {"companion/store/database.py", "companion/bulletin.py"}  # they write down when something was


def test_nothing_goes_by_the_clock_on_the_wall() -> None:
    asked = {path.relative_to(ROOT).as_posix(): source(path).clocks for path in SOURCES}
    assert all(asked[here] for here in DATES)
    others = {here: found for here, found in asked.items() if found and here not in DATES}
    assert [here for here in others if not here.startswith("companion/eye/train/")] == []


def test_what_the_read_mes_start_is_there() -> None:
    """A file that needs those beside it is started as a module."""
    folders = (".", "assets", "assets/model", "hardware", "tests/board")
    words = "".join((ROOT / folder / "README.md").read_text(encoding="utf-8") for folder in folders)
    modules = set(re.findall(r"python -m ((?:companion|tests)[\w.]*)", words))
    files = {ROOT / name for name in re.findall(r"python ([\w/]+\.py)", words)}
    assert modules and all(find_spec(name) for name in modules)
    assert files and not [file for file in files if any(each.startswith("tests.") for each in imports(file))]
