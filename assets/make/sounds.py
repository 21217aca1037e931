"""Make the sounds out of nothing but arithmetic: struck wood, bells and a horn.

    pip install soundfile             # besides what the companion itself needs
    python assets/make/sounds.py      # writes assets/sounds/*.ogg

Each sound is a sum of partials that die away, as struck things sound: wood dies quickly, metal slowly.
"""

from collections.abc import Callable, Sequence

import numpy as np
import soundfile
from numpy.typing import NDArray

from companion.config import ASSETS
from companion.voice import RATE

Wave = NDArray[np.float64]
Partial = tuple[float, float, float]  # multiple of the pitch, strength, multiple of the time to die away

# A bar tuned to its double octave; a block; a bell's hum, prime, tierce, quint, nominal and what is above
MARIMBA: Sequence[Partial] = ((1, 1, 1), (3.93, 0.25, 0.35), (9.2, 0.07, 0.15))
WOOD: Sequence[Partial] = ((1, 1, 1), (2.57, 0.7, 0.7), (4.7, 0.5, 0.5), (7.3, 0.25, 0.35))
BELL: Sequence[Partial] = (
    (0.5, 0.45, 1.4), (1, 1, 1), (1.19, 0.35, 0.8), (1.5, 0.35, 0.7), (2, 0.7, 0.6), (2.74, 0.35, 0.4),
    (4.1, 0.2, 0.25),
)  # fmt: skip


def seconds(length: float) -> Wave:
    """Return the time of each sample."""
    return np.arange(round(length * RATE)) / RATE


def struck(pitch: float, length: float, decay: float, partials: Sequence[Partial]) -> Wave:
    """Strike a thing of `pitch` Hz once; it falls to 1/e in `decay` seconds."""
    t = seconds(length)
    wave = sum(
        strength * np.sin(2 * np.pi * pitch * multiple * t) * np.exp(-t / (decay * time))
        for multiple, strength, time in partials
        if pitch * multiple < 0.45 * RATE
    )
    return np.asarray(wave * np.minimum(1, t / 0.002))  # a strike takes two milliseconds, or it clicks


def mixed(length: float, *parts: tuple[float, float, Wave]) -> Wave:
    """Lay (start in seconds, strength, wave) over each other."""
    out = np.zeros(round(length * RATE))
    for start, strength, wave in parts:
        first = round(start * RATE)
        room = len(out) - first
        out[first : first + len(wave)] += strength * wave[:room]
    return out


def horn(pitch: float, length: float) -> Wave:
    """Blow a warm note: the higher harmonics come later and go sooner, as in brass."""
    t = seconds(length)
    swell = np.minimum(1, t / 0.04) * np.clip((length - t) / 0.25, 0, 1)
    trembling = 0.004 * np.sin(2 * np.pi * 5.2 * t) * np.minimum(1, t / 0.4)
    phase = 2 * np.pi * pitch * (t + np.cumsum(trembling) / RATE)
    return np.asarray(sum(swell ** (1 + 0.35 * n) * np.sin(n * phase) / n**0.6 for n in range(1, 13)))


def knock(pitch: float, chance: np.random.Generator) -> Wave:
    """One edge of a die on a wooden table: the wood answers, the edge scrapes."""
    t = seconds(0.09)
    scrape = chance.normal(size=len(t)) * np.exp(-t / 0.004) * np.minimum(1, t / 0.001)
    return struck(pitch, 0.09, 0.018, WOOD) + 0.4 * scrape


def tumble() -> Wave:
    """A small die thrown on a table: ever quicker, ever softer knocks."""
    chance = np.random.default_rng(5)
    starts = np.cumsum([0, 0.085, 0.07, 0.055, 0.042, 0.032, 0.026])
    knocks = [(0.8**n * float(chance.uniform(0.8, 1)), knock(float(chance.uniform(520, 700)), chance))
              for n in range(len(starts))]  # fmt: skip
    return mixed(0.40, *((float(start), *one) for start, one in zip(starts, knocks, strict=True)))


def two_notes(first: float, second: float, apart: float, decay: float) -> Wave:
    """Two bars of a marimba, one `apart` seconds after the other: upwards asks or greets, downwards ends."""
    length = apart + 4 * decay
    return mixed(length, (0.0, 0.9, struck(first, length, decay, MARIMBA)),
                 (apart, 1.0, struck(second, 4 * decay, decay, MARIMBA)))  # fmt: skip


def gong() -> Wave:
    """Two bell strokes over a horn's major chord: heard by everybody, sudden to nobody."""
    chord = horn(261.6, 0.7) + horn(329.6, 0.7) + horn(392.0, 0.7)
    bell = struck(784, 1.5, 0.4, BELL)
    return mixed(1.5, (0.0, 1.0, bell), (0.22, 0.9, bell), (0.0, 0.3, chord))


def blast() -> Wave:
    """A cartoon explosion: a crack, a low thump that sinks, rumbling that rolls away."""
    chance, t = np.random.default_rng(11), seconds(1.4)
    noise = chance.normal(size=len(t))
    rumble = np.convolve(noise, np.hanning(60) / 30, "same") * np.exp(-t / 0.35)
    thump = np.sin(2 * np.pi * (45 * t + 110 * 0.12 * (1 - np.exp(-t / 0.12)))) * np.exp(-t / 0.3)
    return np.asarray(
        (1.2 * noise * np.exp(-t / 0.03) + 1.6 * rumble + 1.5 * thump) * np.minimum(1, t / 0.002)
    )


def slide() -> Wave:
    """Something light is pushed over a table: a breath of noise that swells and goes."""
    chance, t = np.random.default_rng(3), seconds(0.25)
    breath = np.convolve(chance.normal(size=len(t)), np.hanning(12) / 6, "same")
    return np.asarray(breath * np.sin(np.pi * t / 0.25) ** 2)


def fanfare() -> Wave:
    """Three short horns upwards, and their chord."""
    notes = (261.6, 329.6, 392.0)
    steps = [(0.14 * i, 0.7, horn(note, 0.3)) for i, note in enumerate(notes)]
    chord = [(0.46, 0.6, horn(note, 1.0)) for note in (261.6, 329.6, 392.0, 523.3)]
    return mixed(1.5, *steps, *chord)


SOUNDS: dict[str, tuple[float, Callable[[], Wave]]] = {  # name: peak in dBFS, how to make it
    "seen": (-9, lambda: struck(880, 0.22, 0.045, MARIMBA)),
    "asks": (-11, lambda: two_notes(587, 880, 0.15, 0.06)),
    "refused": (-8, lambda: two_notes(392, 294, 0.13, 0.07)),
    "press": (-14, lambda: struck(1200, 0.06, 0.008, WOOD)),
    "count": (-10, lambda: struck(659, 0.16, 0.03, MARIMBA)),
    "roll": (-6, tumble),
    "go": (-4, lambda: two_notes(523, 784, 0.13, 0.15)),
    "stop": (-1, gong),
    "tile": (
        -9,
        lambda: mixed(
            0.14,
            (0, 1, knock(760, np.random.default_rng(2))),
            (0.05, 0.6, knock(980, np.random.default_rng(4))),
        ),
    ),
    "draw": (-10, slide),
    "push": (-9, lambda: mixed(0.34, (0, 0.6, slide()), (0.22, 1, knock(430, np.random.default_rng(6))))),
    "build": (-9, lambda: two_notes(659, 988, 0.08, 0.05)),
    "heart": (-8, lambda: two_notes(494, 494, 0.18, 0.09)),
    "turn": (-11, lambda: struck(587, 0.3, 0.06, MARIMBA)),
    "boom": (-1, blast),
    "win": (-3, fanfare),
    "lost": (-8, lambda: two_notes(587, 440, 0.18, 0.12)),
    "found": (-8, lambda: two_notes(440, 587, 0.18, 0.12)),
}


def finished(wave: Wave, peak: float) -> Wave:
    """Bring the peak to so many dBFS and fade the last fifth away."""
    tail = len(wave) // 5
    wave = wave.copy()
    wave[-tail:] *= np.cos(np.linspace(0, np.pi / 2, tail)) ** 2
    return np.asarray(wave * (10 ** (peak / 20) / np.abs(wave).max()))


def main() -> None:
    """Make every sound."""
    folder = ASSETS / "sounds"
    folder.mkdir(parents=True, exist_ok=True)
    for name, (peak, make) in SOUNDS.items():
        wave = finished(make(), peak)
        path = folder / f"{name}.ogg"
        soundfile.write(path, wave, RATE, format="OGG", subtype="VORBIS", compression_level=0.3)
        print(f"{name:8} {len(wave) / RATE:.2f} s")


if __name__ == "__main__":
    main()
