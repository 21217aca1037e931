"""What is shipped: every clip, sound, typeface and icon is there, is sound, and is needed."""

from collections.abc import Iterator
from itertools import chain, product
from pathlib import Path

import numpy as np
import pygame
import pytest
import yaml
from numpy.typing import NDArray

from companion.language import LANGUAGES
from companion.voice import FACES, LEAD, NUMBERS, RATE, READ_OUT, URGENT, number_phrase, throw_phrase

ASSETS = Path(__file__).resolve().parent.parent / "assets"
WORDS = yaml.safe_load((ASSETS / "voice" / "phrases.yaml").read_text(encoding="utf-8"))
SOUNDS = {"seen", "refused", "press", "count", "roll", "go", "stop", "lost", "found"} | {
    "asks", "tile", "draw", "push", "build", "heart", "turn", "boom", "win",
}  # fmt: skip
FONTS = ("Fredoka-SemiBold", "AtkinsonHyperlegible-Regular", "AtkinsonHyperlegible-Bold")
Wave = NDArray[np.float64]


@pytest.fixture
def mixer(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("SDL_AUDIODRIVER", "dummy")
    pygame.mixer.init(RATE, -16, 1, 512, allowedchanges=0)
    yield
    pygame.mixer.quit()


def waves(folder: Path) -> dict[str, Wave]:
    """Every ogg file of a folder by name, from -1 to 1."""
    raw = {path.stem: pygame.mixer.Sound(str(path)).get_raw() for path in folder.glob("*.ogg")}
    return {name: np.frombuffer(data, "<i2") / 32768 for name, data in raw.items()}


def levels(wave: Wave) -> Wave:
    """Root mean square of each 10 ms, in dBFS."""
    size = RATE // 100
    parts = wave[: len(wave) // size * size].reshape(-1, size)
    return np.asarray(10 * np.log10((parts**2).mean(axis=1) + 1e-10))


def loudness(wave: Wave) -> float:
    """Mean level of what is not silent, in dBFS."""
    level = levels(wave)
    heard = level[level > np.max(level) - 20]
    return float(10 * np.log10((10 ** (heard / 10)).mean()))


def silence(wave: Wave) -> float:
    """The longer of the silences at the two ends, in seconds."""
    heard = np.flatnonzero(levels(wave) > -60)
    return float(max(heard[0], len(levels(wave)) - 1 - heard[-1])) / 100


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_can_be_said_is_there_and_nothing_else(language: str) -> None:
    throws = chain.from_iterable(product(FACES, repeat=count) for count in range(READ_OUT + 1))
    phrases = chain(map(throw_phrase, throws), map(number_phrase, NUMBERS), [tuple(WORDS)])
    wanted = {part for part in chain.from_iterable(phrases) if isinstance(part, str)}
    assert {path.stem for path in (ASSETS / "voice" / language).iterdir()} == wanted


def test_every_phrase_has_words_in_every_language() -> None:
    assert set(LEAD) | URGENT <= set(WORDS)
    for name, words in WORDS.items():
        assert set(words) == set(LANGUAGES), name
        assert all(text.strip()[-1] in ".!?" for text in words.values()), name


def test_every_phrase_and_every_sound_is_heard_somewhere() -> None:
    code = "".join(path.read_text(encoding="utf-8") for path in (ASSETS.parent / "companion").rglob("*.py"))
    for name in {*WORDS, *SOUNDS}:
        of_a_colour = f'"{name.partition("-")[0]}-{{'
        assert f'"{name}"' in code or of_a_colour in code, name


@pytest.mark.parametrize("language", LANGUAGES)
def test_clips_are_clean_and_equally_loud(mixer: None, language: str) -> None:
    clips = waves(ASSETS / "voice" / language)
    loud = {name: loudness(wave) for name, wave in clips.items()}
    middle = float(np.median(list(loud.values())))
    assert -18 < middle < -12
    assert {name: level for name, level in loud.items() if abs(level - middle) > 2} == {}
    assert {name for name, wave in clips.items() if np.abs(wave).max() > 0.99} == set()
    assert {name for name, wave in clips.items() if silence(wave) > 0.06} == set()
    assert {name for name, wave in clips.items() if not 0.25 < len(wave) / RATE < 3.5} == set()


@pytest.mark.parametrize("language", LANGUAGES)
def test_longer_numbers_take_longer_to_say(mixer: None, language: str) -> None:
    clips = waves(ASSETS / "voice" / language)
    lengths = [len(clips[str(number)]) for number in NUMBERS]
    assert max(lengths[1:13]) < min(lengths[n] for n in range(101, 121) if n % 10 and n > 112)
    assert all(lengths[100 + n] > lengths[n] for n in range(1, 21))  # "hundred" and the same again
    assert all(len(clips[f"{a}-and-{b}"]) > lengths[a] for a in FACES for b in FACES)


def test_there_are_all_sounds_and_no_others() -> None:
    assert {path.stem for path in (ASSETS / "sounds").iterdir()} == SOUNDS


def test_sounds_are_clean_short_and_begin_and_end_softly(mixer: None) -> None:
    for name, wave in waves(ASSETS / "sounds").items():
        assert 0.1 < np.abs(wave).max() < 0.99, name
        assert 0.04 < len(wave) / RATE < 2, name
        assert np.abs(wave[:3]).max() < 0.06 and np.abs(wave[-20:]).max() < 0.01, name


def test_the_gong_is_louder_than_anything_else(mixer: None) -> None:
    loud = {name: loudness(wave) for name, wave in waves(ASSETS / "sounds").items()}
    stop = loud.pop("stop")
    assert stop > max(loud.values()) + 1


@pytest.mark.parametrize("name", FONTS)
def test_a_typeface_has_what_is_written(name: str) -> None:
    pygame.font.init()
    font = pygame.font.Font(str(ASSETS / "fonts" / f"{name}.ttf"), 40)
    text = set("Würfel Ää Öö Üü ß 0123456789 „“‚‘’ – … × − · ! ? % &") - {" "}
    pictures = {sign: pygame.image.tobytes(font.render(sign, True, "white"), "RGBA") for sign in text}
    box = pygame.image.tobytes(
        font.render("\u2192", True, "white"), "RGBA"
    )  # an arrow, which all of them lack
    assert box == pygame.image.tobytes(font.render("\u4e2d", True, "white"), "RGBA")
    assert {sign for sign, picture in pictures.items() if picture == box or not any(picture[3::4])} == set()


def test_every_typeface_comes_with_its_licence() -> None:
    for family in {name.split("-")[0] for name in FONTS}:
        licence = (ASSETS / "fonts" / f"{family}-OFL.txt").read_text(encoding="utf-8")
        assert "SIL OPEN FONT LICENSE" in licence


def test_the_icon_is_square_and_lets_the_table_shine_through() -> None:
    icon = pygame.image.load(ASSETS / "icons" / "companion.png")
    assert icon.get_size() == (256, 256)
    assert icon.get_at((0, 0)).a == 0 and icon.get_at((128, 128)).a == 255


def test_the_read_me_names_every_folder_of_assets() -> None:
    words = (ASSETS / "README.md").read_text(encoding="utf-8")
    for folder in ("voice", "sounds", "fonts", "icons"):
        assert f"`{folder}/" in words
