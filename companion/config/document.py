"""A YAML file becomes keys and values with their lines; every mistake is noted, none ends the reading.

Values are read as they are written, not as YAML 1.1 would guess (`no` a boolean, `010` an eight):
what a key expects decides what its text means.
"""

import difflib
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from pathlib import Path
from typing import Any, Protocol

import yaml

from companion.config.paths import CONFIG
from companion.language import Message, Texts, ToldError, reason

TOLD = 5  # mistakes that are told at once where there is not room for all
NULLS = ("", "~", "null", "Null", "NULL")
# How what PyYAML says begins, and what helps more
_YAML = {
    "mapping values are not allowed": Message(
        "there is a colon too many: put the value in quotes, or check the indentation"
    ),
    "could not find expected ':'": Message("a colon and a space are missing after the key"),
    "found unexpected end of stream": Message("a quotation mark is opened here and never closed"),
    "but found another document": Message("a second document begins here; only one is allowed"),
    "expected ',' or": Message("a bracket is opened here and not closed, or a comma is missing"),
    "expected <block end>": Message("this does not fit what stands above: check the indentation"),
    "found unknown escape": Message(
        "put the value in single quotes: within double ones \\ means another sign"
    ),
}
_NO_YAML = Message("this is not valid YAML: put the value in quotes, or check the indentation")
NO_TEXT = Message("this is no text file: it holds control characters")
_BEGUN = ("could not find expected ':'", "found unexpected end of stream", "expected ',' or")  # and not ended


@dataclass(frozen=True, slots=True)
class Problem:
    """One mistake: where it is (`line` from 1, None for the file as a whole) and what to do."""

    file: Path
    line: int | None
    message: Message

    @property
    def place(self) -> str:
        """The file, and the line if it is in one."""
        return f"{self.file}:{self.line}" if self.line else str(self.file)

    def say(self, texts: Texts) -> str:
        """Return the mistake in the user's language, with its place in front."""
        return f"{self.place}: {texts.say(self.message)}"


class ConfigError(ToldError):
    """The configuration has mistakes: all of them, as `problems`."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        super().__init__(texts_of(problems))
        self.problems = tuple(problems)


class WrongError(ToldError):
    """A value that its key does not allow; `message` says what would be right."""


def texts_of(problems: Sequence[Problem]) -> Message:
    """Return the first mistakes, with their places, and how many more there are."""
    told = [
        Message("{place}: {what}", {"place": problem.place, "what": problem.message})
        for problem in problems[:TOLD]
    ]
    if len(problems) > TOLD:
        told.append(Message("and {count} more", {"count": len(problems) - TOLD}))
    return reduce(lambda what, more: Message("{what}; {more}", {"what": what, "more": more}), told)


def _is_torn(text: str) -> bool:
    """Whether half a sign stands in it, which nobody can write."""
    return re.search("[\ud800-\udfff]", text) is not None


class Kind(Protocol):
    """What a value must be."""

    def read(self, text: str, plain: bool) -> object:
        """Return the value that a text means (`plain`: written without quotes), or raise `WrongError`; of a
        file that it names `ConfigError`.
        """


def did_you_mean(text: str, known: Collection[str]) -> str | None:
    """Return the known word that resembles `text` most, if one does; of two letters none: on is not none."""
    return next(iter(difflib.get_close_matches(text.lower(), known, 1)), None) if len(text) > 2 else None


def unknown_key(key: str, known: Collection[str]) -> Message:
    """Return that a key is none of those that are known, and which one was meant, if one resembles it."""
    if closest := did_you_mean(key, known):
        return Message("unknown key '{key}': did you mean '{closest}'?", {"key": key, "closest": closest})
    return Message("unknown key '{key}'; known are: {known}", {"key": key, "known": ", ".join(known)})


class Document:
    """One YAML file that is being read; the mistakes found in it are its `problems`.

    A file that is missing is a mistake unless it is `optional`.
    """

    def __init__(self, file: Path, optional: bool = False) -> None:
        self.file = file
        self.optional = optional
        self._problems: list[Problem] = []
        self._read = ""

    @property
    def problems(self) -> list[Problem]:
        """The mistakes found so far, from the first line to the last."""
        return sorted(self._problems, key=lambda problem: problem.line or 0)

    def note(self, where: yaml.Node | int | None, message: Message) -> None:
        """Remember a mistake at a node or in a line (from 1)."""
        line = where.start_mark.line + 1 if isinstance(where, yaml.Node) else where
        self._problems.append(Problem(self.file, line, message))

    def take_over(self, problems: Iterable[Problem]) -> None:
        """Remember the mistakes of a file that this one names."""
        self._problems += problems

    def root(self) -> yaml.Node | None:
        """Return the contents of the file; None if it is empty or cannot be read, which is noted."""
        text = self._text()
        self._read = text or ""
        if text is None:
            return None
        try:
            loader = yaml.SafeLoader(text)
            try:
                return loader.get_single_node()
            except (OverflowError, ValueError):  # an escape beyond Unicode, which PyYAML does not look for
                self.note(loader.line + 1, _YAML["found unknown escape"])
        except yaml.reader.ReaderError as error:
            line = text.count("\n", 0, error.position) + 1
            self.note(line, NO_TEXT)
        except yaml.MarkedYAMLError as error:
            self._note_syntax(error)
        except RecursionError:
            self.note(None, Message("the brackets are nested too deeply"))
        return None

    def source(self, key: yaml.Node, value: yaml.Node) -> str:
        """Return an entry as it is written, indented as far as it was."""
        return self._read[key.start_mark.index : value.end_mark.index].rstrip()

    def entries(self, node: yaml.Node | None, known: Collection[str]) -> dict[str, yaml.Node]:
        """Return the values of a mapping by their keys; unknown and repeated keys are noted."""
        found: dict[str, yaml.Node] = {}
        if node is None:
            return found
        if not isinstance(node, yaml.MappingNode):
            self.note(node, Message("expected lines of the form 'key: value'"))
            return found
        for key, value in node.value:
            name = str(key.value)
            if not isinstance(key, yaml.ScalarNode):
                self.note(key, Message("a key must be one word"))
            elif _is_torn(name):
                self.note(key, _YAML["found unknown escape"])
            elif name not in known:
                self.note(key, unknown_key(name, known))
            elif name in found:
                first = found[name].start_mark.line + 1
                self.note(
                    key,
                    Message(
                        "'{key}' stands here a second time, first in line {line}",
                        {"key": name, "line": first},
                    ),
                )
            else:
                found[name] = value
        return found

    def values(self, entries: Mapping[str, yaml.Node], kinds: Mapping[str, Kind]) -> dict[str, Any]:
        """Return what the entries mean by `kinds`; a wrong value is noted and left out."""
        found = {}
        for key in (key for key in entries if key in kinds):
            try:
                found[key] = self._value(entries[key], kinds[key])
            except WrongError as error:
                self.note(entries[key], Message("{key}: {what}", {"key": key, "what": error.message}))
            except ConfigError as error:
                self.take_over(error.problems)
        return found

    def _value(self, node: yaml.Node, kind: Kind) -> object:
        if not isinstance(node, yaml.ScalarNode):
            raise WrongError(Message("one value is expected here, not a list or a mapping"))
        if _is_torn(node.value):
            raise WrongError(_YAML["found unknown escape"])
        return kind.read(node.value, node.style is None)

    def _text(self) -> str | None:
        try:
            if self.file.exists() and not self.file.is_file():
                self.note(None, Message("this is a folder or a device, not a file"))
                return None
            data = self.file.read_bytes()
            return data.decode("utf-8-sig").replace("\N{NO-BREAK SPACE}", " ")  # nobody sees the difference
        except FileNotFoundError:
            if not self.optional:
                missing = Message(
                    "the file is missing: put one there; those of the companion are in {folder}",
                    {"folder": str(CONFIG)},
                )
                self.note(None, missing)
        except UnicodeDecodeError as error:
            self.note(data.count(b"\n", 0, error.start) + 1, Message("this is no text in UTF-8"))
        except OSError as error:
            self.note(None, Message("the file cannot be read: {reason}", {"reason": reason(error)}))
        except ValueError:
            self.note(None, Message("no file can have that name"))
        return None

    def _note_syntax(self, error: yaml.MarkedYAMLError) -> None:
        said, mark = str(error.problem), error.problem_mark
        if said.startswith(_BEGUN) and error.context_mark is not None:
            mark = error.context_mark  # where it began, rather than where it was noticed
        message = next((helps for begins, helps in _YAML.items() if said.startswith(begins)), _NO_YAML)
        if said.startswith(("found character", "found undefined alias")):
            # of an alias only its sign: what follows may be a password that lacks its quotes
            character = "*" if "alias" in said else said.split("'")[1]
            message = Message("the character {character} must stand in quotes", {"character": character})
            if character == "\\t":
                message = Message("there is a tab: use spaces")
        self.note(mark.line + 1 if mark else None, message)
