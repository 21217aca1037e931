"""What the value of a setting may be: how it is read, written, shown, and stepped through by touch."""

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Protocol
from urllib.parse import urlsplit

from companion.config.document import NULLS, WrongError, did_you_mean
from companion.language import Message, verbatim

Value = str | bool | int | float | tuple[float, ...] | None

_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")
_SIZE = re.compile(r"(\d{1,5})[xX×](\d{1,5})")
_CAMERAS = ("auto", "usb:0", "usb:1", "csi")  # that may be chosen on the screen
_UPSIDE_DOWN = " upside-down"  # behind a camera that hangs so
_PASSWORD = re.compile(r"(\w*(?:pas|pw|token)\w*=)[^&/?# ]*", re.IGNORECASE)  # as hardware.camera has it
_PLAIN = re.compile(r"[A-Za-z0-9]([A-Za-z0-9_./:?=&-]*[A-Za-z0-9/])?")
_HELD = re.compile(r"(exposure|gain|white_balance|focus)=\d+(\.\d+)?(,\d+(\.\d+)?)?")
_BOOLEANS = {"yes": "true", "on": "true", "no": "false", "off": "false"}  # YAML 1.1 has them as well


class FileKind(Protocol):
    """A kind of value that a setting can have."""

    @property
    def allowed(self) -> Message:
        """What may be written."""

    def read(self, text: str, plain: bool) -> Value:
        """Return the value that a text means, or raise `WrongError`."""

    def write(self, value: Value) -> str:
        """Return `value` as YAML."""


class MenuKind(FileKind, Protocol):
    """A kind of value that can be changed on the screen."""

    def show(self, value: Value) -> Message:
        """Return `value` as the settings screen names it."""

    def step(self, value: Value, by: int, own: Value) -> Value:
        """Return the value after (`by` 1) or before (-1) this one; numbers end, words go round.

        `own` is what the user has written: it stays among them, whatever it is.
        """


class Menu:
    """A kind whose values go round at a touch, in the order of its `menu`."""

    @property
    def menu(self) -> tuple[Value, ...]:
        """The values that may be chosen on the screen."""
        raise NotImplementedError

    def step(self, value: Value, by: int, own: Value) -> Value:
        """Return the neighbour, round and round; what is not on the menu stands last."""
        everything = tuple(dict.fromkeys((*self.menu, own, value)))
        return everything[(everything.index(value) + by) % len(everything)]


def refuse_null(text: str, plain: bool) -> None:
    """Raise `WrongError` for a key without a value."""
    if plain and text in NULLS:
        raise WrongError(Message("there is no value: write one, or remove the line"))


def impossible(text: str, allowed: Message) -> WrongError:
    """Return that a text means no value, and what is to be written."""
    return WrongError(
        Message("'{text}' is not possible; write {allowed}", {"text": text, "allowed": allowed})
    )


def none_of(text: str, known: Collection[str]) -> WrongError:
    """Return that a text is no word that is known, and which one was meant, if one resembles it."""
    fields = {"text": text, "closest": did_you_mean(text, known), "allowed": verbatim(", ".join(known))}
    if fields["closest"] is None:
        return WrongError(Message("'{text}' is not possible; write one of: {allowed}", fields))
    return WrongError(
        Message("'{text}' is not possible: did you mean '{closest}'? Possible are: {allowed}", fields)
    )


@dataclass(frozen=True)
class Choice(Menu):
    """One word of a few. `words` gives each its value, `shown` its name on the screen, if it is there."""

    words: Mapping[str, Value]
    shown: Mapping[str, Message] = field(default_factory=dict)

    @property
    def allowed(self) -> Message:
        """The words."""
        return verbatim(", ".join(self.words))

    @property
    def menu(self) -> tuple[Value, ...]:
        """The values in the order of their words."""
        return tuple(self.words.values())

    def read(self, text: str, plain: bool) -> Value:
        """Return the value of a word; true may be written yes or on, false no or off."""
        refuse_null(text, plain)
        word = text.lower()
        if "true" in self.words:
            word = _BOOLEANS.get(word, word)
        if word not in self.words:
            raise none_of(text, self.words)
        value = self.words[word]
        if not plain and not isinstance(value, str):
            raise WrongError(Message("write {word} without quotes", {"word": word}))
        return value

    def write(self, value: Value) -> str:
        """Return the word for `value`, or raise `ValueError`."""
        for word, meant in self.words.items():
            if meant == value:
                return word
        raise ValueError(f"{value!r} is none of {', '.join(self.words)}")

    def show(self, value: Value) -> Message:
        """Return the name of `value`."""
        return self.shown[self.write(value)]


@dataclass(frozen=True)
class Number:
    """A number from `low` to `high`, a whole one if `step_width` is whole. `shown` has the field {value}."""

    low: float
    high: float
    step_width: float
    shown: str = "{value}"

    @property
    def whole(self) -> bool:
        """Whether only whole numbers are possible."""
        return isinstance(self.step_width, int)

    @property
    def allowed(self) -> Message:
        """The range."""
        return Message("a number from {low} to {high}", {"low": f"{self.low:g}", "high": f"{self.high:g}"})

    def read(self, text: str, plain: bool) -> float:
        """Return the number that is written in decimal, with a point."""
        refuse_null(text, plain)
        if not plain:
            raise WrongError(Message("write the number without quotes"))
        if re.fullmatch(r"\d+,\d+", text):
            raise WrongError(Message("write {better} with a point", {"better": text.replace(",", ".")}))
        if not _NUMBER.fullmatch(text):
            raise impossible(text, self.allowed)
        if re.match(r"[+-]?0\d", text):
            raise WrongError(
                Message("'{text}' could be meant octal: write it without the leading zero", {"text": text})
            )
        return self._checked(text, float(text))

    def write(self, value: Value) -> str:
        """Return the number in decimal."""
        return repr(value)

    def show(self, value: Value) -> Message:
        """Return the number with its unit."""
        return Message(self.shown, {"value": value})

    def step(self, value: Value, by: int, own: Value) -> Value:
        """Return the next number of the menu above or below `value`; the ends stop it."""
        assert isinstance(value, (int, float))
        if by > 0:
            return min((step for step in self._steps if step > value), default=self._steps[-1])
        return max((step for step in self._steps if step < value), default=self._steps[0])

    @property
    def _steps(self) -> tuple[float, ...]:
        count = round((self.high - self.low) / self.step_width)
        steps = (self.low + i * self.step_width for i in range(count + 1))
        return tuple(int(step) if self.whole else round(step, 3) for step in steps)

    def _checked(self, text: str, number: float) -> float:
        if not self.low <= number <= self.high:
            raise WrongError(
                Message("{text} is out of range; write {allowed}", {"text": text, "allowed": self.allowed})
            )
        if self.whole and number != int(number):
            raise WrongError(Message("{text} is not a whole number", {"text": text}))
        return int(number) if self.whole else number


@dataclass(frozen=True)
class Pin(Number):
    """A GPIO line by its BCM number, or null where nothing is connected."""

    low: float = 0
    high: float = 27
    step_width: float = 1

    def read(self, text: str, plain: bool) -> int | None:  # type: ignore[override]
        """Return the number, None for null."""
        return None if plain and text in NULLS else int(super().read(text, plain))


class Size:
    """A window of WIDTHxHEIGHT pixels as a pair, or None for auto."""

    allowed = Message(
        "auto, or WIDTHxHEIGHT from {least} to {most}", {"least": "320x240", "most": "7680x4320"}
    )

    def read(self, text: str, plain: bool) -> tuple[int, int] | None:
        """Return (width, height)."""
        refuse_null(text, plain)
        if text == "auto":
            return None
        match = _SIZE.fullmatch(text)
        size = (int(match[1]), int(match[2])) if match else (0, 0)
        if not (320 <= size[0] <= 7680 and 240 <= size[1] <= 4320):
            raise impossible(text, self.allowed)
        return size

    def write(self, value: Value) -> str:
        """Return WIDTHxHEIGHT or auto."""
        return f"{value[0]}x{value[1]}" if isinstance(value, tuple) else "auto"


class Camera(Menu):
    """Where the pictures come from; only its shape is checked here."""

    allowed = Message(
        "auto, csi, usb:NUMBER, csi:NUMBER, an address (http://, https://, rtsp://) or a path; upside-down"
        " behind it"
    )
    menu: tuple[Value, ...] = (*_CAMERAS, *(camera + _UPSIDE_DOWN for camera in reversed(_CAMERAS)))

    def read(self, text: str, plain: bool) -> str:
        """Return the text if it has one of the shapes; what is said of another one repeats no password."""
        refuse_null(text, plain)
        if not self._possible(text):
            raise impossible(_PASSWORD.sub(r"\1…", re.sub("(?<=://).*@", "…@", text)), self.allowed)
        return text

    def write(self, value: Value) -> str:
        """Return the text, in quotes where YAML needs them."""
        text = str(value)
        return text if _PLAIN.fullmatch(text) else "'" + text.replace("'", "''") + "'"

    def show(self, value: Value) -> Message:
        """Return the camera's name; of an address all but its user and password."""
        text = _PASSWORD.sub(r"\1…", re.sub(r"(?<=://)[^/?#]*@", "", str(value)))
        if text.endswith(_UPSIDE_DOWN):
            return Message("{camera}, upside down", {"camera": self.show(text.removesuffix(_UPSIDE_DOWN))})
        if text.startswith("usb:"):
            return Message("USB camera {number}", {"number": int(text[4:]) + 1})
        names = {"auto": Message("automatic"), "csi": Message("Raspberry Pi camera")}
        return names.get(text, verbatim(text))

    @staticmethod
    def _possible(text: str) -> bool:
        """Whether `hardware.camera` can open it, which may not be asked here: a test sees that both agree."""
        text = text.removesuffix(_UPSIDE_DOWN)
        if not text.isprintable():
            return False
        if "://" not in text:
            return is_path(text) or bool(re.fullmatch(r"auto|csi|(usb|csi):[0-9]{1,3}", text))
        try:
            address = urlsplit(text)
            known = address.scheme in ("http", "https", "rtsp") and " " not in text
            return known and bool(address.hostname) and address.port != 0
        except ValueError:  # a port that is no number, a bracket too few
            return False


def is_path(source: str) -> bool:
    """Whether a setting of the camera is a path, if it is one at all."""
    return bool(re.search(r"[/\\.~]", source)) and not re.match(r"(usb|csi):|.*://", source)


class Corners:
    """Four corners as eight numbers, the parts of the picture's width and height; None for none."""

    allowed = Message("none, or eight numbers from 0 to 1")

    def read(self, text: str, plain: bool) -> tuple[float, ...] | None:
        """Return x, y, x, y …, clockwise from the upper left."""
        refuse_null(text, plain)
        if text == "none":
            return None
        parts = text.split()
        if len(parts) != 8 or not all(_NUMBER.fullmatch(part) for part in parts):
            raise impossible(text, self.allowed)
        numbers = tuple(float(part) for part in parts)
        if not all(0 <= number <= 1 for number in numbers):
            raise impossible(text, self.allowed)
        if not self._clockwise(numbers):
            raise WrongError(Message("the corners must go clockwise from the upper left"))
        return numbers

    @staticmethod
    def _clockwise(numbers: tuple[float, ...]) -> bool:
        corners = list(zip(numbers[::2], numbers[1::2], strict=True))
        following = zip(corners, corners[1:] + corners[:1], corners[2:] + corners[:2], strict=True)
        return all(
            (bx - ax) * (cy - by) > (by - ay) * (cx - bx) for (ax, ay), (bx, by), (cx, cy) in following
        )

    def write(self, value: Value) -> str:
        """Return the numbers, or none."""
        return " ".join(f"{v:g}" for v in value) if isinstance(value, tuple) else "none"


class Held:
    """The values that the camera holds, as words `name=number`; None for none."""

    allowed = Message("none, or words such as exposure=156 gain=12")

    def read(self, text: str, plain: bool) -> str | None:
        """Return the words if they have that shape."""
        refuse_null(text, plain)
        if text == "none":
            return None
        if not all(_HELD.fullmatch(part) for part in text.split()) or not text.strip():
            raise impossible(text, self.allowed)
        return " ".join(text.split())

    def write(self, value: Value) -> str:
        """Return the text, or none."""
        return str(value) if value else "none"
