"""What every screen is checked for, in all its views; and a picture of it to look at."""

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pygame
from pygame import Rect, Surface

import companion.screens.canvas as canvas_module
from companion.language import Texts
from companion.screens.base import Context, Screen
from companion.screens.canvas import Canvas
from companion.screens.home import HomeScreen
from companion.screens.stage import Stage
from companion.screens.theme import INK, Face, Rgb, font

Size = tuple[int, int]
SIZES: list[Size] = [(800, 480), (1280, 720), (720, 1280), (480, 320)]
# Each size once: German, whose words are the longer ones, where room is scarce, and English where it is not.
VIEWS: list[tuple[Size, str]] = [(size, "en" if size == (1280, 720) else "de") for size in SIZES]
TURNED = (480, 800)  # the seven-inch screen, set upright
TARGET = 47  # units: 9 mm on a seven-inch screen of 800 x 480
SMALLEST = 20  # pixels that a line of text is high there
READABLE = 3.0  # contrast that a large text must have at least, by WCAG 2.1; `test_looks` asks for more
NAMES = ("key-", "forget-", "all", "a1-", "a4-", "a5-")  # they bear a letter, a name or a move
Make = Callable[[Context], Screen]


def size_name(size: Size) -> str:
    """As it stands in the name of a picture."""
    return f"{size[0]}x{size[1]}"


def view_name(part: Size | str) -> str:
    """The parts of a view as they stand in the name of a test."""
    return part if isinstance(part, str) else size_name(part)


def staged(context: Context, screen: Screen, size: Size, below: Screen | None = None) -> Stage:
    """A stage with this screen on top of the home screen, and of one `below` it."""
    stack: list[Screen] = [] if isinstance(screen, HomeScreen) else [HomeScreen(context)]
    stack += [below] if below else []
    return Stage(context, [*stack, screen], Surface(size))


def pixels(stage: Stage) -> bytes:
    """What it draws: the same bytes for the same picture."""
    stage.draw()
    return stage.canvas.surface.get_buffer().raw


@contextmanager
def texts_watched() -> Iterator[list[tuple[str, int, bool]]]:
    """Notes every text that is drawn: its words, its height in pixels, and whether all of it fits."""
    found: list[tuple[str, int, bool]] = []
    original = canvas_module._fitted

    def fitted(words: str, face: Face, pixels: int, width: int, height: int) -> tuple[int, tuple[str, ...]]:
        written, lines = original(words, face, pixels, width, height)
        fits = len(lines) * written <= max(height, written) and all(
            font(face, written).size(line)[0] <= width for line in lines
        )
        found.append((words, written, fits))
        return written, lines

    with patch.object(canvas_module, "_fitted", fitted):
        yield found


def luminance(colour: Rgb) -> float:
    """Relative luminance as WCAG 2.1 defines it."""
    parts = [c / 255 / 12.92 if c / 255 <= 0.04045 else ((c / 255 + 0.055) / 1.055) ** 2.4 for c in colour]
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]


def contrast(one: Rgb, other: Rgb) -> float:
    """Contrast ratio of WCAG 2.1, from 1 to 21."""
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@contextmanager
def grounds_watched() -> Iterator[list[tuple[str, float]]]:
    """Notes every text that is drawn, and its contrast to what is in the middle of its box.

    What is written twice in a row has an outline, and is noted as it is written first.
    """
    found: list[tuple[str, float]] = []
    original = Canvas.text

    def text(canvas: Canvas, words: str, box: Rect, *size: float, colour: Rgb = INK, **style: Any) -> None:
        if words and canvas.rect.collidepoint(box.center) and [words] != [before for before, _ in found[-1:]]:
            red, green, blue, _ = canvas.surface.get_at(box.center)
            found.append((words, contrast(canvas.look.tone(colour), (red, green, blue))))
        original(canvas, words, box, *size, colour=colour, **style)

    with patch.object(Canvas, "text", text):
        yield found


def check_screen(
    context: Context,
    pictures: Path,
    name: str,
    screen: Screen,
    below: Screen | None = None,
    small: tuple[str, ...] = (),
) -> None:
    """Check one screen's picture in all views; with larger texts and more contrast where room is scarce:
    who needs the one may need the other.
    """
    for size, language in VIEWS:
        check_picture(context, pictures, name, staged(context, screen, size, below), size, language, small)
    usual, size = context.settings, SIZES[0]
    context.settings = replace(usual, large_text=True, high_contrast=True)
    stage = staged(context, screen, size, below)
    check_picture(context, pictures, f"large-{name}", stage, size, "de", small)
    context.settings = usual


def check_picture(
    context: Context,
    pictures: Path,
    name: str,
    stage: Stage,
    size: Size,
    language: str,
    small: tuple[str, ...] = (),
) -> None:
    """Draw it, save the picture, and look for what is cut, too small, twice or on top of something else.

    Widgets whose key begins with a word of `small` may be smaller: there are many of them by nature.
    """
    context.t = Texts(language)
    with texts_watched() as texts, grounds_watched() as grounds:
        stage.draw()
    pygame.image.save(stage.canvas.surface, pictures / f"{name}-{language}-{size_name(size)}.jpg")
    assert pygame.surfarray.pixels3d(stage.canvas.surface)[::8, ::8].std() > 3
    assert [words for words, _, fits in texts if not fits] == [], "cut"
    if size != (480, 320):
        assert [(words, high) for words, high, _ in texts if high < SMALLEST] == [], "too small to read"
    assert [(words, ratio) for words, ratio in grounds if ratio < READABLE] == [], "as bright as its ground"
    widgets = stage.widgets()
    twice = [key for key, count in Counter(widget.key for widget in widgets).items() if count > 1]
    assert twice == [], "a touch of the one does what the other is there for"
    bare = [w.key for w in widgets if not (w.icon or w.style == "drawn" or w.key.startswith(NAMES))]
    assert bare == [], f"a child of five cannot read {bare}"
    for widget in widgets:
        assert stage.canvas.rect.contains(widget.rect), widget
        if not widget.key.startswith(small):
            assert min(widget.rect.size) >= stage.canvas.px(TARGET), widget
    shown = [widget for widget in widgets if widget.key != "toast"]  # which lies over others for a while
    for one, other in combinations(shown, 2):
        assert not one.rect.colliderect(other.rect), (one.key, other.key)
