"""What is heard: phrases put together from spoken clips, and sounds.

A phrase becomes one piece of audio, so that its words follow each other without a gap. One phrase is
spoken and at most one waits; a newer one takes the place of the one that waits, so the voice never
lags behind the game. Playing is SDL's work: nothing here blocks, and nothing needs a thread.
"""

import logging
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

import pygame

log = logging.getLogger(__name__)
RATE = 22050  # Hz, of every clip and sound and of the mixer, so that nothing is resampled
FACES = range(1, 7)
NUMBERS = range(121)  # what there are clips for
READ_OUT = 4  # the most dice whose faces are read out: four take three seconds
OFTEN = 36  # numbers up to here are decoded ahead
BEFORE_SUM = 0.15  # seconds
# Seconds until the strike before a word has become soft enough.
LEAD = {"go": 0.3, "continue": 0.3, "stop": 0.55, "boom": 0.5}
URGENT = frozenset({"stop", "pause"})  # words that do not wait for the end of another phrase

Phrase = tuple[str | float, ...]
"""Names of clips (`assets/voice/LANGUAGE/NAME.ogg`), and pauses in seconds between them."""


def number_phrase(number: int) -> Phrase:
    """Call a number of 0..120: "twenty-one". ValueError for any other."""
    if number not in NUMBERS:
        raise ValueError(f"there is no clip for {number}, only for {NUMBERS[0]} to {NUMBERS[-1]}")
    return (str(number),)


def throw_phrase(faces: Sequence[int]) -> Phrase:
    """Speak a throw as people do, in the order given: "two, five and six, thirteen".

    One die is just its face; of more than four only the sum is said, for by then the eye is quicker
    than the ear. A sum beyond 120 is left to the screen: the phrase is empty. ValueError for a face
    outside 1..6.
    """
    if wrong := [face for face in faces if face not in FACES]:
        raise ValueError(f"no die shows {wrong[0]}")
    total = sum(faces)
    if not faces:
        return ("no-dice",)
    if total not in NUMBERS:
        return ()
    if not 2 <= len(faces) <= READ_OUT:
        return number_phrase(total)
    *first, a, b = faces
    return (*(f"{face}-then" for face in first), f"{a}-and-{b}", BEFORE_SUM, *number_phrase(total))


def word_phrase(word: str) -> Phrase:
    """Say a word or sentence of `assets/voice/phrases.yaml`, after the strike that goes before it."""
    return (LEAD[word], word) if word in LEAD else (word,)


class VoiceState(Enum):
    """Whether what should be heard is heard."""

    OK = "ok"
    OFF = "off"
    NO_DEVICE = "no device"
    CLIP_MISSING = "clip missing"


@dataclass(frozen=True, slots=True)
class VoiceStatus:
    """`detail` is the system's own message for NO_DEVICE, the file for CLIP_MISSING, empty otherwise."""

    state: VoiceState
    detail: str = ""


class Voice:
    """Speaks and sounds through the loudspeaker; what keeps it from that is its `status`, never an exception.

    `assets` is the folder with `voice` and `sounds`, `language` a folder of `voice`. `volume` (0..100) holds
    for speech and sounds; `enabled` for speech alone, so that the gong is heard also by those who want no
    voice. pygame's mixer is its own while it is open.
    """

    def __init__(self, assets: Path, language: str, volume: int = 80, enabled: bool = True) -> None:
        self._assets = assets
        self._language = language
        self._volume = volume
        self._enabled = enabled
        self._refusal = ""  # why there is no sound, in the system's words
        self.reopen()

    @property
    def status(self) -> VoiceStatus:
        """What is the matter; OFF comes first at volume 0, for who wants silence misses no device."""
        if not self._volume:
            return VoiceStatus(VoiceState.OFF)
        if not self._open:
            return VoiceStatus(VoiceState.NO_DEVICE, self._refusal)
        if self._missing:
            return VoiceStatus(VoiceState.CLIP_MISSING, str(self._missing))
        return VoiceStatus(VoiceState.OK if self._enabled else VoiceState.OFF)

    @property
    def speaking(self) -> bool:
        """Whether a phrase is being spoken, or waits: for a moment between two of them none is."""
        return self._open and (self._channel.get_queue() is not None or self._channel.get_busy())

    def say(self, phrase: Phrase, *, urgent: bool = False) -> None:
        """Speak a phrase after the present one, instead of one that waits; an urgent one interrupts."""
        if not (self._enabled and self._open):
            return
        samples = b"".join(map(self._samples, phrase))
        if samples:
            speech = pygame.mixer.Sound(buffer=samples)
            speech.set_volume(self._gain)
            if urgent:
                self.hush()  # not `play`: in pygame-ce 2.5 that frees a phrase that waits twice
            self._channel.queue(speech)

    def sound(self, name: str) -> None:
        """Play `assets/sounds/NAME.ogg` at once, beside whatever is heard."""
        if self._open and (sound := self._load(self._assets / "sounds" / f"{name}.ogg")):
            sound.set_volume(self._gain)
            sound.play()

    def hush(self) -> None:
        """Fall silent in the middle of a word, and forget the phrase that waits."""
        while self.speaking:  # in pygame-ce what waits begins when the phrase before it is stopped
            self._channel.stop()

    def prepare(self) -> bool:
        """Decode one more of the clips that are needed often; False when there is none left to decode.

        To be called in idle moments after the start and after a change of language. A clip that has not been
        prepared is decoded when it is first needed, in a few milliseconds.
        """
        path = next(self._ahead, None) if self._open else None
        if path:
            self._load(path)
        return path is not None

    def set(self, language: str, volume: int, enabled: bool) -> None:
        """These settings hold from now on; try again for a device that was missing."""
        changed = language != self._language
        self._language, self._volume, self._enabled = language, volume, enabled
        if changed:
            self._forget()
        if changed or not enabled:
            self.hush()
        if not self._open:
            self.reopen()

    def reopen(self) -> None:
        """Open the system's sound device anew, as after a loudspeaker has been plugged in."""
        before = self._refusal
        self.close()
        try:
            pygame.mixer.init(RATE, -16, 1, 512, allowedchanges=0)
        except pygame.error as error:
            self._refusal = str(error)
            if self._refusal != before:
                log.warning("there is no sound: %s", error)
            return
        pygame.mixer.set_reserved(1)  # or a sound might take the voice's channel

    def close(self) -> None:
        """Fall silent and give the device back."""
        if self._open:  # a sound that ends while pygame gives it back has ended the program (pygame 2.6)
            self.hush()
            pygame.mixer.stop()
        pygame.mixer.quit()
        self._refusal = ""
        self._forget()

    @property
    def _open(self) -> bool:
        return pygame.mixer.get_init() is not None

    @property
    def _channel(self) -> pygame.mixer.Channel:
        return pygame.mixer.Channel(0)

    @property
    def _gain(self) -> float:
        return (self._volume / 100) ** 2  # the ear takes half the amplitude for much more than half as loud

    def _forget(self) -> None:
        self._decoded: dict[Path, pygame.mixer.Sound] = {}
        self._missing: Path | None = None
        self._ahead = self._often()

    def _often(self) -> Iterator[Path]:
        yield from sorted(self._assets.glob("sounds/*.ogg"))
        for path in sorted(self._assets.glob(f"voice/{self._language}/*.ogg")):
            if not path.stem.isdigit() or int(path.stem) <= OFTEN:
                yield path

    def _samples(self, part: str | float) -> bytes:
        """Return 16-bit samples of a clip, of silence for a pause, none if the clip is missing."""
        if isinstance(part, str):
            clip = self._load(self._assets / "voice" / self._language / f"{part}.ogg")
            return clip.get_raw() if clip else b""
        return bytes(2 * round(part * RATE))

    def _load(self, path: Path) -> pygame.mixer.Sound | None:
        """Decode a file once; a file that cannot be decoded is noted in the status."""
        try:
            if path not in self._decoded:
                self._decoded[path] = pygame.mixer.Sound(str(path))
            return self._decoded[path]
        except (OSError, pygame.error):
            self._missing = path
            return None
