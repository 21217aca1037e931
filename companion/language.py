"""What is written on the screens and by the commands, in the language of the table.

The texts stand in the code, in English; their translations in `assets/locale` (made by
`assets/make/translations.py`). Modules below the screens do not translate: they return a `Message`.
"""

import errno
import gettext
import os
import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from companion.disk import FULL

LANGUAGES = ("de", "en")
LOCALE = Path(__file__).resolve().parent.parent / "assets" / "locale"
DOMAIN = "companion"


def mark(text: str) -> str:
    """Return `text` unchanged; its literal is collected for translation."""
    return text


@dataclass(frozen=True, slots=True)
class Message:
    """A text that is still to be said in somebody's language: the English one and its fields.

    A field that is itself a `Message` is translated too.
    """

    text: str
    fields: Mapping[str, object] = field(default_factory=dict)


class ToldError(Exception):
    """What is wrong, to be told to a person: the `message` says it."""

    def __init__(self, message: Message) -> None:
        super().__init__(message)
        self.message = message

    def __str__(self) -> str:
        return Texts("en").say(self.message)


class DamagedFileError(ToldError):
    """A file of the program itself cannot be used."""

    def __init__(self, file: Path) -> None:
        text = mark("{file} is missing or damaged: install the companion again.")
        super().__init__(Message(text, {"file": str(file)}))


_AS_IT_IS = "{text}"


def verbatim(text: str) -> Message:
    """Return a message that is the same in every language: a name, an address, a list of words."""
    return Message(_AS_IT_IS, {"text": text})


_REASONS = {
    **dict.fromkeys(FULL, mark("the disk is full")),
    errno.EROFS: mark("nothing can be written there"),
    errno.EACCES: mark("this user is not allowed to"),
    errno.EPERM: mark("this user is not allowed to"),
    errno.ENOENT: mark("it is not there"),
    errno.EEXIST: mark("something of that name is there already"),
    errno.EISDIR: mark("it is a folder"),
    errno.ENOTDIR: mark("a part of the path is no folder"),
    errno.ENAMETOOLONG: mark("the name is too long"),
    errno.ELOOP: mark("the links lead in a circle"),
    errno.EIO: mark("the disk does not answer as it should"),
}


def reason(error: OSError) -> Message:
    """Return why the system did not do something; what is rare in the system's own words."""
    known = _REASONS.get(error.errno or 0)
    return Message(known) if known else verbatim(error.strerror or str(error))


class _Number(float):
    """A number that is written without needless zeros unless its field asks for them: `{seconds:.1f}`."""

    point = "."

    def __format__(self, spec: str) -> str:
        return super().__format__(spec or "g").replace(".", self.point)


class _GermanNumber(_Number):
    point = ","


class Texts:
    """The texts of one language: `t = Texts("de")`, then `t("I see {count} dice", count=3)`.

    Raises `DamagedFileError` if they cannot be read; there are always English ones.
    """

    def __init__(self, language: str) -> None:
        if language not in LANGUAGES:
            raise ValueError(f"no texts in {language!r}, only in {', '.join(LANGUAGES)}")
        self.language = language
        self._number = _GermanNumber if language == "de" else _Number
        self._translations = gettext.NullTranslations()  # the texts of the code themselves
        if language != "en":
            try:
                self._translations = gettext.translation(DOMAIN, LOCALE, [language])
            except (OSError, ValueError, LookupError, struct.error) as error:
                file = LOCALE / language / "LC_MESSAGES" / f"{DOMAIN}.mo"
                raise DamagedFileError(file) from error

    def __call__(self, text: str, /, **fields: object) -> str:
        """Return `text` in this language, its `{fields}` filled in as by `str.format`."""
        return self._fill(self._translations.gettext(text) if text else "", fields)

    def plural(self, one: str, many: str, count: int, /, **fields: object) -> str:
        """Return `one` or `many`, whichever this language uses for `count`, which is a field as well."""
        return self._fill(self._translations.ngettext(one, many, count), {"count": count, **fields})

    def say(self, message: Message) -> str:
        """Return the text of `message` in this language."""
        return self(message.text, **message.fields)

    def listed(self, names: Sequence[str]) -> str:
        """Return names as one says them: Anna, Ben and Cleo."""
        if len(names) < 2:
            return "".join(names)
        return self(mark("{names} and {last}"), names=", ".join(names[:-1]), last=names[-1])

    def number(self, value: float, spec: str = "") -> str:
        """Return a number as it is written in this language: 1.2, in German 1,2; `spec` as for `format`."""
        return format(self._number(value), spec)

    def _fill(self, text: str, fields: Mapping[str, object]) -> str:
        if not fields:
            return text
        return text.format_map({name: self._written(value) for name, value in fields.items()})

    def _written(self, value: object) -> object:
        if isinstance(value, Message):
            return self.say(value)
        return self._number(value) if isinstance(value, float) else value


def system_language(environment: Mapping[str, str] = os.environ) -> str:
    """Return the language that the system is set to, English if we do not speak it."""
    names = (environment.get(name, "") for name in ("LC_ALL", "LC_MESSAGES", "LANG"))
    language = next(filter(None, names), "")[:2].lower()
    return language if language in LANGUAGES else "en"


def spoken(setting: str) -> str:
    """Return the language of a setting; auto is the system's."""
    return system_language() if setting == "auto" else setting


def install_for_argparse(texts: Texts) -> None:
    """Let argparse speak the language of `texts`.

    It asks gettext's default domain for its texts, and gettext asks LANGUAGE first.
    """
    os.environ["LANGUAGE"] = texts.language
    gettext.bindtextdomain(DOMAIN, str(LOCALE))
    gettext.textdomain(DOMAIN)
