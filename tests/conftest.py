"""What many tests need: SDL without a display, a table in memory, a place for pictures to look at."""

import gc
import os
import shutil
import sqlite3
from collections import OrderedDict
from collections.abc import Callable, Generator, Iterator
from contextlib import ExitStack, closing
from functools import lru_cache, wraps
from pathlib import Path
from threading import Lock

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
os.environ.setdefault("SDL_AUDIODRIVER", "dummy")
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # a hundred processes would compile the same anew

import cv2
import pygame
import pytest
import yaml
from hypothesis import settings

from companion.config import Settings
from companion.dicebox import DiceBox
from companion.eye import network, sign
from companion.eye.network import Float
from companion.language import Texts
from companion.screens import art
from companion.screens.base import Context
from companion.store import Store, database
from companion.table import Table

OpenTable = Callable[..., Table]  # path | None, class of the store

settings.register_profile("untimed", deadline=None)  # how fast a machine is proves nothing
settings.load_profile("untimed")

MEMORY, ROOM = Path("/dev/shm"), 1 << 30  # bytes
ANSWERS = 1000  # of networks that are kept, of 100 kB on average
PICTURES = Path(__file__).parent / "pictures"


def pytest_configure() -> None:
    """The store waits for the disk after every move; files in memory, if there is room, spare tests that."""
    if MEMORY.is_dir() and shutil.disk_usage(MEMORY).free > ROOM:
        os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(MEMORY))


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """All tests stay until the end: nothing of them need be looked through for garbage, now or later."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


@pytest.hookimpl(wrapper=True, optionalhook=True)
def pytest_xdist_auto_num_workers() -> Generator[None, int, int]:
    """One more than there are cores: some tests wait for a camera, a process or the clock."""
    return (yield) + 1


@pytest.fixture(scope="session", autouse=True)
def display() -> Iterator[None]:
    """SDL without a screen."""
    pygame.display.init()
    pygame.font.init()
    yield
    pygame.quit()


@pytest.fixture(scope="session", autouse=True)
def files_of_games() -> Iterator[None]:
    """Hundreds of tests open them, and what they say is the same."""
    compose, known = yaml.SafeLoader.get_single_node, dict[str, yaml.Node | None]()

    def once(loader: yaml.SafeLoader) -> yaml.Node | None:
        text = loader.buffer
        if text not in known:
            known[text] = compose(loader)
        return known[text]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(yaml.SafeLoader, "get_single_node", once)
        yield


@pytest.fixture(scope="session", autouse=True)
def stores_in_memory() -> Iterator[None]:
    """Thousands of tests open an empty one, and all are made alike."""
    migrate, lock = database._migrate, Lock()

    def copied(connection: sqlite3.Connection) -> None:
        _, _, file = connection.execute("PRAGMA database_list").fetchone()
        if file or database._pragma(connection, "user_version"):
            migrate(connection)
            return
        with lock:
            made.backup(connection)

    with (
        closing(sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)) as made,
        pytest.MonkeyPatch.context() as patch,
    ):
        migrate(made)
        patch.setattr(database, "_migrate", copied)
        yield


@pytest.fixture(scope="session", autouse=True)
def tables_of_all_sizes() -> Iterator[None]:
    """A companion keeps what its one screen needs; the tests have four sizes, and two contrasts."""
    with pytest.MonkeyPatch.context() as patch:
        for name, kept in (("table", 8), ("shadow", 64)):
            patch.setattr(art, name, lru_cache(maxsize=kept)(getattr(art, name).__wrapped__))
        yield


@pytest.fixture(scope="session", autouse=True)
def answers_given_before() -> Iterator[None]:
    """Many tests show the same pictures, and the networks see the same in them."""
    answer, known, one = network.answer, OrderedDict[tuple[Path, tuple[int, ...], int], Float](), Lock()

    @wraps(answer)
    def once(model: Path, blob: Float) -> Float:
        picture = (model, blob.shape, hash(blob.tobytes()))
        with one:
            said = known.pop(picture, None)
        if said is None:
            said = answer(model, blob)
            said.flags.writeable = False
        with one:
            known[picture] = said
            if len(known) > ANSWERS:
                known.popitem(last=False)
        return said

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(network, "answer", once)
        patch.setattr(sign, "answer", once)
        yield


@pytest.fixture(scope="session", autouse=True)
def one_thread() -> None:
    """There are as many tests at a time as cores: OpenCV's threads would only wait for each other."""
    cv2.setNumThreads(1)


@pytest.fixture(scope="session", autouse=True)
def nobody_left() -> Iterator[None]:
    """No process that thinks outlives the tests."""
    yield
    tasks = Path(f"/proc/{os.getpid()}/task").glob("*/children")
    children = [Path(f"/proc/{pid}/cmdline") for task in tasks for pid in task.read_text().split()]
    assert not [child for child in children if child.exists() and b"companion.mind" in child.read_bytes()]


@pytest.fixture
def open_table() -> Iterator[OpenTable]:
    """Opens tables, in a file or in memory; what was not closed is closed at the end."""
    with ExitStack() as stack:
        yield lambda path=None, kind=Store: Table(stack.enter_context(kind.open(path)))


@pytest.fixture
def context(open_table: OpenTable, tmp_path: Path) -> Context:
    """What screens share, in German, with an empty table in memory; the clock stands at 100 s."""
    box = DiceBox(tmp_path / "dice")
    return Context(Texts("de"), Settings(), open_table(), now=100.0, data=tmp_path, box=box)


@pytest.fixture
def pictures() -> Path:
    """The folder in which tests leave pictures for people to look at."""
    PICTURES.mkdir(exist_ok=True)
    return PICTURES
