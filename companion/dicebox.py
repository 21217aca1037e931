"""The dice that were taught: a file each in the folder of the machine's data."""

import logging
import os
import re
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryFile

from companion.eye.taught import ROOM, Look, Taught, has_all_of

log = logging.getLogger(__name__)

NAME = re.compile(r"[\w-]{1,60}")  # of up to four bytes each: a file may have such a name

Said = tuple[str, str, Look]
"""A die, its face, and a look at that."""


class DiceBox:
    """Keeps dice that were taught. `folder` need not be there before one is kept."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.lessons = Lessons(folder / "lessons")
        self._known = _Known(folder)
        self._told: list[Said] = []
        self._unsaved: list[Said] = []
        self._names: tuple[str, ...] | None = None
        self._refusal: OSError | None = None

    def names(self) -> tuple[str, ...]:
        """The names of all dice that were taught, also of damaged ones, the newest last; not of files whose
        name nobody can read. Read once.
        """
        if self._names is None:
            self._names, self._refusal = (), None
            try:
                files = [file for file in _files(self.folder) if file.stem.isprintable() and file.exists()]
                files.sort(key=lambda path: (path.stat().st_mtime_ns, path.stem))
                self._names = tuple(path.stem for path in files)
            except OSError as error:
                log.warning("the dice that were taught cannot be read: %s", error)
                self._refusal = error
        return self._names

    @property
    def refusal(self) -> OSError | None:
        """Why nobody can say which there are, so that there are none; None if somebody can."""
        self.names()
        return self._refusal

    def look_again(self) -> None:
        """Another program may have taught one meanwhile: what has changed is read anew."""
        self._known.forget_changed()
        self._names = None
        self.lessons.look_again()

    def file(self, name: str) -> Path:
        """Where a die is kept."""
        return _file(self.folder, name)

    def load(self, name: str) -> Taught:
        """A die. Raises OSError (there is none) and ValueError (its file is damaged).

        It is called as its file is: somebody may have copied or renamed that.
        """
        return _load(self.folder, name)

    def get(self, name: str) -> Taught | None:
        """A die; None if it was not taught, or not so that it can be read. Its file is read once."""
        return self._known[name]

    def damaged(self, name: str) -> bool:
        """Whether there is a file that cannot be read."""
        return self.get(name) is None and name in self.names()

    def same_as(self, taught: Taught) -> str | None:
        """Another die that has all its sides, if there is one: nobody can tell which of them was thrown."""
        others = ((name, self.get(name)) for name in self.names() if name != taught.name)
        return next((name for name, other in others if other and has_all_of(other, taught)), None)

    def prepare(self, faces: int) -> None:
        """See that there is room for a die before anybody shows so many faces of it. Raises OSError."""
        self.folder.mkdir(parents=True, exist_ok=True)
        with TemporaryFile(dir=self.folder) as file:
            file.write(bytes(faces * ROOM))
            file.flush()

    def keep(self, taught: Taught) -> None:
        """Keep a die, in the place of one of the same name. Raises OSError, and then nothing changes."""
        taught.save(self.file(taught.name))
        self._told = [each for each in self._told if each[0] != taught.name]
        self._known[taught.name], self._names = taught, None
        self.lessons.end(taught.name)

    def tell(self, shown: str, look: Look) -> None:
        """Somebody has said that this is a look at a face (`die/face`): it will be learned, if that is not
        taken back before.
        """
        name, _, face = shown.partition("/")
        self._told.append((name, face, look))

    def take_back(self, look: Look | None = None) -> bool:
        """Nobody has said anything of this look, or of any. False if nobody had."""
        before = self._told
        self._told = [each for each in before if look is not None and each[2] is not look]
        return len(self._told) < len(before)

    def learn(self) -> None:
        """What was told is known from now on, in that light, too."""
        told, self._told = self._told, []
        for name in {each[0] for each in told}:
            if taught := self.get(name):
                self._known.learn(name, _with_looks(taught, told))
        self._unsaved += told

    def save(self) -> None:
        """Write what was learned, at a moment when nobody waits. What cannot be written is, with what is
        learned next; it is lost when the die is read again.
        """
        learned, self._unsaved = self._unsaved, []
        for name in {each[0] for each in learned}:
            known, file = self.get(name), self.file(name)
            self._known.forget_changed()
            taught = self.get(name)
            if taught is None:  # forgotten, or damaged
                continue
            if taught is not known:  # another program has taught it anew meanwhile
                taught = _with_looks(taught, learned)
            try:
                age = file.stat()  # by that they are ordered
                taught.save(file)
                os.utime(file, ns=(age.st_atime_ns, age.st_mtime_ns))
            except OSError as error:
                log.warning("what was learned of %s may be lost: %s", name, error)
                self._known.learn(name, taught)
            else:
                self._known[name] = taught

    def forget(self, name: str) -> None:
        """Know a die no more, nor what was begun to be taught of it. Raises OSError."""
        self.file(name).unlink(missing_ok=True)
        self._known[name], self._names = None, None
        self.lessons.forget(name)


class Lessons:
    """Dice that people have begun to teach: a file each with the sides that are known so far."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._unsaved: dict[str, Taught] = {}
        self._known = _Known(folder)
        self._names: tuple[str, ...] | None = None

    def names(self) -> tuple[str, ...]:
        """The names of all of them, each once, as far as anybody may look. Read once, as each of them is: a
        screen asks for them at every picture.
        """
        if self._names is None:
            names = set(self._unsaved)
            with suppress(OSError):
                names |= {file.stem for file in _files(self._folder) if NAME.fullmatch(file.stem)}
            self._names = tuple(sorted(names))
        return self._names

    def look_again(self) -> None:
        """Another program may have begun one meanwhile."""
        self._known.forget_changed()
        self._names = None

    def get(self, name: str) -> Taught | None:
        """The sides that are known of a die; None if there are none, or nobody can read them."""
        if name in self._unsaved:
            return self._unsaved[name]
        return self._known[name]

    def keep(self, begun: Taught) -> None:
        """Keep the sides that are known of a die, if there are any; if the disk takes nothing, as long as the
        program runs.
        """
        if not begun.faces:
            self.end(begun.name)
            return
        self._unsaved[begun.name], self._names = begun, None
        try:
            begun.save(_file(self._folder, begun.name))
        except OSError as error:
            log.warning("a lesson about %s is not on the disk: %s", begun.name, error)
        else:
            del self._unsaved[begun.name]
            self._known[begun.name] = begun

    def forget(self, name: str) -> None:
        """Nothing is known any more of what was begun. Raises OSError if it stays on the disk."""
        self._unsaved.pop(name, None)
        self._names = None
        _file(self._folder, name).unlink(missing_ok=True)
        self._known[name] = None

    def end(self, name: str) -> None:
        """It is over, be it that it stays on the disk."""
        try:
            self.forget(name)
        except OSError as error:
            log.warning("a lesson about %s stays on the disk: %s", name, error)


class _Known:
    """The dice in the files of a folder, each read once; None for what nobody can read."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._read: dict[str, tuple[object, Taught | None]] = {}  # what tells whether its file has changed

    def __getitem__(self, name: str) -> Taught | None:
        if name not in self._read:
            try:
                self[name] = _load(self._folder, name)
            except (OSError, ValueError):  # whoever asks why, loads it himself
                self[name] = None
        return self._read[name][1]

    def __setitem__(self, name: str, taught: Taught | None) -> None:
        self._read[name] = self._state(name), taught

    def learn(self, name: str, taught: Taught) -> None:
        """It is known otherwise than it stands in its file, for now."""
        self._read[name] = self._read[name][0], taught

    def forget_changed(self) -> None:
        """Read anew what another program has written."""
        self._read = {name: read for name, read in self._read.items() if read[0] == self._state(name)}

    def _state(self, name: str) -> object:
        with suppress(OSError):
            state = _file(self._folder, name).stat()
            return state.st_ino, state.st_ctime_ns, state.st_size
        return None


def _load(folder: Path, name: str) -> Taught:
    """A die of a name in a folder. Raises OSError and ValueError."""
    return replace(Taught.load(_file(folder, name)), name=name)


def _file(folder: Path, name: str) -> Path:
    """Where a die of a name is in a folder."""
    return folder / f"{name}.npz"


def _files(folder: Path) -> list[Path]:
    """The files of all dice in a folder. Raises OSError, unless there is no folder yet."""
    with suppress(FileNotFoundError):
        return [file for file in folder.iterdir() if file.suffix == ".npz"]
    return []


def _with_looks(taught: Taught, told: Iterable[Said]) -> Taught:
    """A die with what was told of its faces."""
    for name, face, look in told:
        if name == taught.name and face in taught.faces:
            taught = taught.with_look(face, look)
    return taught
