"""Colours that can be told apart and read, shapes beside them, larger texts, more contrast, a dark screen."""

from dataclasses import replace
from itertools import combinations
from pathlib import Path

import numpy as np
import pygame
import pytest
from pygame import Rect, Surface

from companion.games.make_n_break.stopper_screen import stop_sign
from companion.language import Texts
from companion.players import COLOURS
from companion.screens import art, theme
from companion.screens.base import Context
from companion.screens.canvas import Align, Canvas, Look, centred
from companion.screens.home import HomeScreen
from companion.screens.notices import show
from companion.screens.stage import Stage
from companion.screens.theme import PLAYER_COLOURS, Rgb
from tests.screens.checks import SIZES, Size, check_picture, contrast, size_name
from tests.screens.every import EVERY
from tests.screens.test_pictures import LONG

ACCENTS = {
    name: getattr(theme, name) for name in ("DICE", "STOPPER", "NEUTRAL", "KABOOOM", "BANG", "BREAK", "BAU")
}


@pytest.mark.parametrize("ground", ["TABLE", "TABLE_EDGE", "CARD", "CARD_PRESSED"])
@pytest.mark.parametrize("ink", ["INK", "FAINT", "WARN"])
def test_texts_have_the_contrast_of_wcag_aa(ground: str, ink: str) -> None:
    assert contrast(getattr(theme, ground), getattr(theme, ink)) >= 4.5


@pytest.mark.parametrize("accent", ACCENTS)
def test_accents_can_be_read_on_the_table_and_written_on(accent: str) -> None:
    assert contrast(ACCENTS[accent], theme.TABLE) >= 4.5
    assert contrast(ACCENTS[accent], theme.TABLE_EDGE) >= 4.5
    assert contrast(ACCENTS[accent], theme.CARD) >= 3


@pytest.mark.parametrize("colour", COLOURS)
def test_the_signs_of_the_players_stand_out_from_table_and_cards(colour: str) -> None:
    assert contrast(PLAYER_COLOURS[colour], theme.TABLE) >= 4.5  # type: ignore[index]
    assert contrast(PLAYER_COLOURS[colour], theme.CARD) >= 3  # type: ignore[index]


def test_players_differ_in_shape_where_colours_cannot_be_told_apart() -> None:
    shapes = {colour: pygame.surfarray.array_alpha(art.player(colour, 64)) > 128 for colour in COLOURS}
    for one, other in combinations(COLOURS, 2):
        differing = np.logical_xor(shapes[one], shapes[other]).sum()
        assert differing > 0.1 * shapes[one].sum(), (one, other)


def test_high_contrast_is_black_and_white_where_the_theme_is_dark() -> None:
    look = Look(high_contrast=True)
    assert look.tone(theme.CARD) == look.tone(theme.TABLE) == (0, 0, 0)
    assert contrast(look.tone(theme.FAINT), look.tone(theme.CARD)) > 15
    assert look.tone(theme.BANG) == theme.BANG


def test_large_texts_are_larger_where_there_is_room() -> None:
    heights = []
    for look in (Look(), Look(large_text=True)):
        surface = Surface((400, 100))
        Canvas(surface, look).text("Anna", surface.get_rect(), 160, face="title")
        heights.append(pygame.surfarray.array3d(surface).max(axis=2).any(axis=0).sum())
    assert heights[1] > 1.15 * heights[0]


@pytest.mark.parametrize("high_contrast", [False, True])
def test_what_is_chosen_has_another_shape_not_only_another_brightness(
    context: Context, high_contrast: bool
) -> None:
    context.settings = replace(context.settings, high_contrast=high_contrast)
    stage = EVERY["player-computer"](context, SIZES[0])
    places = {w.key: w.rect for w in stage.widgets()}

    def corner(key: str) -> set[tuple[int, ...]]:
        x, y = places[key].topright
        part = pygame.surfarray.array3d(stage.canvas.surface)[x - 20 : x - 6, y + 6 : y + 20]
        return {tuple(pixel) for pixel in part.reshape(-1, 3).tolist()}

    stage.draw()
    for chosen, other in (("strength-fox", "strength-wolf"), ("colour-blue", "colour-yellow")):
        assert stage.canvas.look.tone(theme.INK) in corner(chosen) - corner(other)


def test_that_the_voice_is_silent_is_seen_without_reading(context: Context) -> None:
    stage, signs = EVERY["volume"](context, SIZES[0]), []
    for speaks in (True, False):
        context.settings = replace(context.settings, voice=speaks)
        signs += [w.icon for w in stage.widgets() if w.key == "voice"]
    assert len(set(signs)) == 2


def test_the_screen_saver_is_dark_and_moves(context: Context) -> None:
    stage = Stage(context, [HomeScreen(context)], Surface((800, 480)))
    frames = []
    context.now += 60 * context.settings.saver_min
    for _ in range(2):
        stage.draw()
        frames.append(pygame.surfarray.array3d(stage.canvas.surface).copy())
        context.now += 25
    assert all((frame.max(axis=2) == 0).mean() > 0.95 for frame in frames)
    assert (frames[0] != frames[1]).any()


@pytest.mark.parametrize("size", [(1024, 1280), (1200, 1280), (720, 720)])
@pytest.mark.parametrize("name", ["bau-move-four", "bau-roll", "bau-real-deal", "bang-reveal", "break-blue"])
def test_in_a_window_that_is_nearly_square_all_has_room(
    context: Context, pictures: Path, name: str, size: Size
) -> None:
    """A part of it is used, for which the screens are made; a finger finds everything where it is seen."""
    stage = EVERY[name](context, size)
    wide, high = stage.canvas.rect.size
    assert wide in (size[0], size[1] * 2 // 3) and high in (size[1], size[0] * 4 // 5)
    check_picture(context, pictures, name, stage, size, "de", small=("reveal",))


def test_letters_that_the_titles_lack_are_written_in_another_typeface(context: Context) -> None:
    canvas = EVERY["home"](context, SIZES[0]).canvas
    assert canvas.look.face("title", "Bau Boom") == "title" and canvas.look.face("title", "Doğan") == "bold"


@pytest.mark.parametrize(
    ("drop", "edge"), [(None, None), (None, (200, 210, 20)), (4, None), (4, (200, 210, 20))]
)
def test_a_large_card_looks_as_if_it_were_drawn_at_that_size(drop: int | None, edge: Rgb | None) -> None:
    quick, whole = (
        make(180, 130, 10, (40, 50, 60), edge, drop) for make in (art.card, art._card.__wrapped__)
    )
    assert pygame.image.tobytes(quick, "RGBA") == pygame.image.tobytes(whole, "RGBA")


@pytest.mark.parametrize("align", ["left", "center"])
def test_no_word_is_left_alone_in_the_last_line(align: Align) -> None:
    surface = Surface((430, 80))
    Canvas(surface).text("Welche Seite ist das? Tipp sie unten an", surface.get_rect(), 180, align=align)
    ink = pygame.surfarray.array3d(surface).max(axis=2) > 0
    upper, lower = (np.ptp(np.flatnonzero(part.any(axis=1))) for part in (ink[:, :40], ink[:, 40:]))
    assert 0.6 * upper < lower < upper / 0.6


@pytest.mark.parametrize("size", SIZES, ids=size_name)
def test_the_cry_of_the_stopper_keeps_clear_of_the_rim_of_its_sign(context: Context, size: Size) -> None:
    surface, side = Surface(size), min(size) * 4 // 5
    canvas = Canvas(surface)
    circle = centred(surface.get_rect().center, side, side)
    stop_sign(canvas, circle, "Stopp!", 30)
    x, y = np.nonzero((pygame.surfarray.array3d(surface) == theme.INK).all(axis=2))
    across, down = abs(x - circle.centerx), abs(y - circle.centery)
    assert np.maximum(np.maximum(across, down), (across + down) / 2**0.5).max() < 0.34 * side


def test_a_round_sign_is_round_at_every_size() -> None:
    ink = pygame.surfarray.array_alpha(art.icon("again", 240, theme.INK)) > 127
    x, y = np.nonzero(ink[:, 120:])  # the lower half, where there is no arrow
    far, turn = np.hypot(x - 119.5, y + 0.5), np.round(np.degrees(np.arctan2(y + 0.5, x - 119.5)))
    assert np.ptp([far[turn == degrees].max() for degrees in range(2, 178)]) < 1.5


@pytest.mark.parametrize("size", [(60, 40), (41, 41), (200, 90)])
def test_frames_are_whole_and_their_corners_smooth(size: Size) -> None:
    surface = Surface((240, 140))
    box = centred(surface.get_rect().center, *size)
    Canvas(surface, Look(high_contrast=True)).frame(box, theme.INK, 15, 60)
    shown = pygame.surfarray.array3d(surface)[..., 0]
    x, y = np.nonzero(shown)
    assert (x.min(), y.min(), x.max(), y.max()) == (box.x, box.y, box.right - 1, box.bottom - 1)
    assert not shown[box.centerx, box.centery] and not shown[box.topleft] and len(np.unique(shown)) > 5
    part = shown[box.x : box.right, box.y : box.bottom]
    assert abs(part.astype(int) - part[::-1, ::-1]).max() < 40
    ways = [part[i, : part.shape[1] // 2].max() for i in range(part.shape[0])]
    assert min(ways) == 255, "it is open somewhere"


@pytest.mark.parametrize("mark", ["doubt", "hint", "tick"])
def test_the_marks_on_what_is_to_be_touched_are_round(mark: str) -> None:
    surface = Surface((200, 200))
    surface.fill("white")
    getattr(Canvas(surface), mark)(Rect(60, 60, 80, 80))
    shown = pygame.surfarray.array3d(surface)
    highest = np.nonzero((shown != 255).any(axis=2))[1].min()
    row = shown[:, highest]
    assert len(np.unique(row[(row != 255).any(axis=1)], axis=0)) > 1, "its edge is jagged"


def test_a_long_notice_keeps_clear_of_the_edge_of_its_plate() -> None:
    surface, box = Surface((800, 480)), Rect(20, 20, 740, 84)
    show(Canvas(surface, Look(large_text=True)), box, Texts("de").say(LONG))
    ink = np.nonzero((pygame.surfarray.array3d(surface) == theme.INK).all(axis=2))[1]
    assert box.top + 6 < ink.min() and ink.max() < box.bottom - 6
