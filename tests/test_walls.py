"""Who may know whom: read from the imports themselves."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
SOURCES = sorted([*ROOT.glob("companion/**/*.py"), *ROOT.glob("hardware/**/*.py")])
DOORS = {"companion/app.py", "companion/cli.py", "companion/__main__.py", "companion/commands/eye.py"}


def imports(path: Path) -> set[str]:
    """Every module that a file imports, also inside functions, with relative names made absolute."""
    package = path.relative_to(ROOT).with_suffix("").parts[:-1]
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            base = ".".join(package[: len(package) - node.level + 1]) if node.level else ""
            module = ".".join(part for part in (base, node.module) if part)
            found |= {module} | {f"{module}.{alias.name}" for alias in node.names}
    return found


def knows(names: set[str], *rooms: str) -> set[str]:
    return {name for name in names for room in rooms if name == room or name.startswith(room + ".")}


@pytest.mark.parametrize("path", SOURCES, ids=lambda p: str(p.relative_to(ROOT)))
def test_rooms_know_only_whom_they_may(path: Path) -> None:
    here = path.relative_to(ROOT).as_posix()
    names = imports(path)
    if here.startswith("hardware/"):
        assert not knows(names, "companion", "pygame")
    if here.startswith("companion/eye/"):
        assert not knows(
            names,
            "companion.games",
            "companion.screens",
            "companion.app",
            "companion.store",
            "companion.config",
            "hardware",
            "pygame",
        )
    if here.startswith("companion/games/") and path.name in ("rules.py", "notation.py"):
        assert not knows(
            names,
            "pygame",
            "cv2",
            "numpy",
            "random",
            "time",
            "datetime",
            "pathlib",
            "io",
            "os",
            "hardware",
            "companion.screens",
            "companion.eye",
            "companion.app",
            "companion.store",
        )
    if here.startswith("companion/screens/"):
        assert not knows(names, "hardware", "companion.app", "companion.store", "companion.voice")
    if here not in DOORS:
        assert not knows(names, "companion.app", "companion.cli")
        if not here.startswith("hardware/"):
            assert not knows(names, "hardware")
