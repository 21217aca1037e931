"""The voice: what is said for a throw, and what really leaves the loudspeaker."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from unittest.mock import Mock

import pygame
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.voice import (
    NUMBERS,
    RATE,
    URGENT,
    Phrase,
    Voice,
    VoiceState,
    VoiceStatus,
    number_phrase,
    throw_phrase,
    word_phrase,
)

ROOT = Path(__file__).resolve().parent.parent
ASSETS = ROOT / "assets"


@pytest.fixture
def voice(monkeypatch: pytest.MonkeyPatch) -> Iterator[Voice]:
    """A voice that speaks into the void, at the void's own pace."""
    monkeypatch.setenv("SDL_AUDIODRIVER", "dummy")
    speaker = Voice(ASSETS, "de", volume=50)
    yield speaker
    speaker.close()


# what is said


@pytest.mark.parametrize(
    ("faces", "clips"),
    [
        ((4,), ("4",)),
        ((2, 5), ("2-and-5", "7")),
        ((5, 2), ("5-and-2", "7")),
        ((2, 5, 6), ("2-then", "5-and-6", "13")),
        ((1, 1, 1, 1), ("1-then", "1-then", "1-and-1", "4")),
        ((6, 6, 6, 6, 6), ("30",)),
        ((), ("no-dice",)),
        ((6,) * 21, ()),
    ],
)
def test_a_throw_is_spoken_as_people_speak_it(faces: tuple[int, ...], clips: tuple[str, ...]) -> None:
    assert tuple(part for part in throw_phrase(faces) if isinstance(part, str)) == clips


def test_a_short_pause_comes_before_the_sum() -> None:
    pause = throw_phrase((2, 5))[-2]
    assert isinstance(pause, float) and 0 < pause < 0.5


@given(st.lists(st.integers(1, 6), max_size=20))
def test_every_throw_of_up_to_twenty_dice_is_said_with_its_sum_last(faces: list[int]) -> None:
    assert throw_phrase(faces)[-1] == (str(sum(faces)) if faces else "no-dice")


def test_what_cannot_be_said_is_refused() -> None:
    with pytest.raises(ValueError, match="121"):
        number_phrase(121)
    with pytest.raises(ValueError, match="-1"):
        number_phrase(-1)
    with pytest.raises(ValueError, match="no die shows 7"):
        throw_phrase((1, 7))


def test_the_gong_is_not_talked_over() -> None:
    assert word_phrase("corrected") == ("corrected",)
    assert word_phrase("continue") == (*word_phrase("go")[:1], "continue")
    lead, word = word_phrase("stop")
    assert isinstance(lead, float) and lead > 0 and word == "stop" in URGENT


# what is heard, and what keeps it from being heard


def test_it_speaks_and_falls_silent(voice: Voice) -> None:
    assert voice.status.state is VoiceState.OK and not voice.speaking
    voice.say(throw_phrase((2, 5)))
    assert voice.speaking
    voice.hush()
    assert not voice.speaking


def test_a_sound_is_heard_beside_the_voice(voice: Voice) -> None:
    voice.sound("stop")
    assert pygame.mixer.get_busy() and not voice.speaking


def test_nothing_is_heard_any_more_when_the_device_is_given_back(
    voice: Voice, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else pygame frees what its own thread is just about to use, when a sound ends in that moment."""
    heard, give_back = list[bool](), pygame.mixer.quit

    def ended() -> None:
        heard.append(bool(pygame.mixer.get_init()) and pygame.mixer.get_busy())
        give_back()

    monkeypatch.setattr(pygame.mixer, "quit", ended)
    for number in (2, 5):
        voice.say(number_phrase(number))
    voice.sound("stop")
    voice.close()
    assert heard == [False]


def test_voice_and_sounds_are_as_loud_as_they_are_set(voice: Voice) -> None:
    """At half the volume they have a quarter of the amplitude."""
    for volume, amplitude in ((50, 0.25), (100, 1.0)):
        voice.set("de", volume, True)
        voice.hush()
        voice.say(number_phrase(120))
        voice.sound("stop")
        channels = [pygame.mixer.Channel(number) for number in range(pygame.mixer.get_num_channels())]
        assert [each.get_sound().get_volume() for each in channels if each.get_busy()][:2] == [amplitude] * 2


def test_switched_off_it_says_nothing_but_the_gong_is_heard(voice: Voice) -> None:
    voice.say(number_phrase(120))
    voice.set("de", 80, False)
    assert voice.status.state is VoiceState.OFF and not voice.speaking
    voice.say(number_phrase(7))
    assert not voice.speaking
    voice.sound("stop")
    assert pygame.mixer.get_busy()


def test_another_language_is_heard_at_once(voice: Voice) -> None:
    voice.say(word_phrase("camera-missing"))
    voice.set("en", 80, True)
    assert not voice.speaking
    voice.say(number_phrase(21))
    assert voice.speaking and voice.status.state is VoiceState.OK


def test_at_volume_nought_it_is_off(voice: Voice) -> None:
    voice.set("de", 0, True)
    assert voice.status.state is VoiceState.OFF


def test_who_wants_no_voice_but_the_gong_misses_a_loudspeaker(monkeypatch: pytest.MonkeyPatch) -> None:
    """Else none that is connected later would be found."""
    monkeypatch.setenv("SDL_AUDIODRIVER", "there-is-none")
    assert Voice(ASSETS, "de", enabled=False).status.state is VoiceState.NO_DEVICE
    assert Voice(ASSETS, "de", volume=0).status.state is VoiceState.OFF


def test_without_a_sound_device_it_says_so_and_finds_one_later(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("SDL_AUDIODRIVER", "there-is-none")
    voice = Voice(ASSETS, "de")
    assert voice.status.state is VoiceState.NO_DEVICE and voice.status.detail
    voice.reopen()
    assert [record.getMessage() for record in caplog.records] == [f"there is no sound: {voice.status.detail}"]
    voice.say(throw_phrase((2, 5)))
    voice.sound("seen")
    voice.hush()
    assert not voice.speaking and not voice.prepare()
    monkeypatch.setenv("SDL_AUDIODRIVER", "dummy")
    voice.set("de", 60, True)
    assert voice.status == VoiceStatus(VoiceState.OK)
    voice.close()
    voice.say(throw_phrase((2, 5)))  # after the end, too
    assert not voice.speaking


@pytest.mark.parametrize("harm", ["absent", "garbage"])
def test_a_missing_clip_is_named_and_the_rest_is_said(voice: Voice, tmp_path: Path, harm: str) -> None:
    shutil.copytree(ASSETS / "voice" / "de", tmp_path / "voice" / "de")
    clip = tmp_path / "voice" / "de" / "7.ogg"
    clip.unlink() if harm == "absent" else clip.write_bytes(b"OggS" + bytes(100))
    broken = Voice(tmp_path, "de")
    broken.say(throw_phrase((2, 5)))
    assert broken.speaking
    assert broken.status.state is VoiceState.CLIP_MISSING and broken.status.detail == str(clip)
    broken.sound("absent")
    assert broken.status.detail.endswith("absent.ogg")


def test_a_phrase_of_missing_clips_is_silent(voice: Voice) -> None:
    voice.say(("no such clip",))
    voice.say(())
    assert not voice.speaking


def test_clips_are_decoded_ahead_one_at_a_time(voice: Voice) -> None:
    steps = 1
    while voice.prepare():
        steps += 1
    assert steps > 36 and voice.status.state is VoiceState.OK and not voice.prepare()
    voice.set("en", 80, True)
    assert voice.prepare()


# what really comes out, sample by sample

PLAY = """
import sys
from ast import literal_eval
from pathlib import Path
from threading import Event
import pygame
from companion.voice import Voice

voice = Voice(Path(sys.argv[1]), sys.argv[2], volume=100)
pygame.mixer.pause()  # so that all is said before the first is heard, however slow this machine
for phrase, urgent in literal_eval(sys.argv[3]):
    voice.say(phrase, urgent=urgent)
    pygame.mixer.pause()
pygame.mixer.unpause()
tick = Event()
while voice.speaking:
    tick.wait(0.01)
voice.close()
"""


def heard(tmp_path: Path, language: str, *phrases: tuple[Phrase, bool]) -> bytes:
    """Say (phrase, urgent) ... in another process and return the samples, without silence around them."""
    out = tmp_path / "heard.raw"
    disk = {"SDL_AUDIODRIVER": "disk", "SDL_DISKAUDIOFILE": str(out), "SDL_DISKAUDIODELAY": "10"}
    command = [sys.executable, "-c", PLAY, str(ASSETS), language, repr(phrases)]
    subprocess.run(command, env=os.environ | disk, cwd=ROOT, check=True, timeout=60)
    return out.read_bytes().strip(b"\0")


def clips(voice: Voice, language: str, phrase: Phrase) -> bytes:
    """The samples of the files that a phrase names, one after another."""
    parts = []
    for part in phrase:
        if isinstance(part, str):
            parts.append(pygame.mixer.Sound(ASSETS / "voice" / language / f"{part}.ogg").get_raw())
        else:
            parts.append(bytes(2 * round(part * RATE)))
    return b"".join(parts).strip(b"\0")


def test_two_and_five_seven_comes_out_without_a_gap(voice: Voice, tmp_path: Path) -> None:
    samples = heard(tmp_path, "en", (throw_phrase((2, 5)), False))
    assert 1.0 < len(samples) / 2 / RATE < 2.5
    assert samples == clips(voice, "en", throw_phrase((2, 5)))


def test_what_waits_is_replaced_by_what_is_newer(voice: Voice, tmp_path: Path) -> None:
    # The first one lasts, before it is heard, until the others are said on however busy a machine.
    totals = [(2.0, *number_phrase(3)), number_phrase(5), number_phrase(8)]
    samples = heard(tmp_path, "de", *((total, False) for total in totals))
    first, last = clips(voice, "de", totals[0]), clips(voice, "de", totals[2])
    assert samples.startswith(first) and samples.endswith(last)
    gap = len(samples) - len(first) - len(last)
    assert gap / 2 / RATE < 0.1  # no room for the five


def test_between_two_phrases_it_is_not_taken_to_be_silent(
    voice: Voice, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The mixer's own thread may have to wait before it begins with the second one."""
    voice.say((2.0,))
    voice.say(number_phrase(8))
    monkeypatch.setattr(Voice, "_channel", channel := Mock(wraps=pygame.mixer.Channel(0)))
    channel.get_busy = lambda: False
    assert voice.speaking


def test_an_urgent_word_interrupts(voice: Voice, tmp_path: Path) -> None:
    long, stop = number_phrase(NUMBERS[-1]), ("stop",)
    samples = heard(tmp_path, "de", (long, False), (long, False), (stop, True))
    assert samples == clips(voice, "de", stop)
