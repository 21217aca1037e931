"""Speak the voice clips: every phrase, number and pair of dice, in every language.

    apt-get install libttspico-utils      # SVOX Pico, from Debian's non-free component
    pip install soundfile                 # besides what the companion itself needs
    python assets/make/voice.py           # writes the clips of assets/voice/*/*.ogg that are not there yet

Numbers are spoken twice. As "7" they end a sentence; as "7-then" (and two dice as "2-and-5") they are cut
from the beginning of a longer one, so that the voice stays up where more is to come.
"""

import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import soundfile
import yaml
from numpy.typing import NDArray

from companion.config import ASSETS
from companion.voice import FACES, NUMBERS, RATE

VOICE = ASSETS / "voice"
VOICES = {"de": "de-DE", "en": "en-GB"}
AND = {"de": "und", "en": "and"}
CALL = "<pitch level='118'><speed level='80'>{}</speed></pitch>"  # for what ends in "!": higher and longer
SPEAK = {"de": "<speed level='118'>{}</speed>", "en": "<speed level='108'>{}</speed>"}  # as people count
LOUDNESS = -14.0  # dBFS, mean of what is voiced
PEAK = 10 ** (-1 / 20)
PAUSE = 0.2  # seconds; Pico rests 0.3 to 0.4 s at a comma, and no plosive closes for so long
SILENT = -46.0  # dB below the loudest; an f of Pico's lies at -40
Wave = NDArray[np.float64]

UNITS = {
    "de": "null eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn "
    "sechzehn siebzehn achtzehn neunzehn",
    "en": "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
    "sixteen seventeen eighteen nineteen",
}
TENS = {
    "de": "zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig",
    "en": "twenty thirty forty fifty sixty seventy eighty ninety",
}


def spelled(number: int, language: str) -> str:
    """Return a number of 0..199 in words: 21 is "einundzwanzig" or "twenty-one"."""
    if number >= 100:
        rest = spelled(number - 100, language) if number > 100 else ""
        return f"hundert{rest}" if language == "de" else f"one hundred{' and ' if rest else ''}{rest}"
    units = UNITS[language].split()
    if number < 20:
        return units[number]
    ten, unit = TENS[language].split()[number // 10 - 2], number % 10
    if not unit:
        return ten
    if language == "de":
        return f"{'ein' if unit == 1 else units[unit]}und{ten}"
    return f"{ten}-{units[unit]}"


def texts(language: str) -> Iterator[tuple[str, str]]:
    """Yield every clip's name and its words; of "beginning | end" only the beginning is kept."""
    phrases = yaml.safe_load((VOICE / "phrases.yaml").read_text(encoding="utf-8"))
    for name, words in phrases.items():
        yield name, words[language]
    for number in NUMBERS:
        yield str(number), spelled(number, language) + "."
    seven = spelled(7, language)
    for a in FACES:
        yield f"{a}-then", f"{spelled(a, language)}, | {seven}."
        for b in FACES:
            yield f"{a}-and-{b}", f"{spelled(a, language)} {AND[language]} {spelled(b, language)}, | {seven}."


def synthesise(words: str, language: str) -> Wave:
    """Let Pico speak; 16 kHz becomes `RATE` by its spectrum (the ends are silent, so it may be periodic)."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "said.wav"
        marked = (CALL if words.endswith("!") else SPEAK[language]).format(words)
        subprocess.run(["pico2wave", "-l", VOICES[language], "-w", str(path), marked], check=True)
        wave, rate = soundfile.read(path)
    length = round(len(wave) * RATE / rate)
    spectrum = np.fft.rfft(wave) * clear(np.fft.rfftfreq(len(wave), 1 / rate))
    return np.asarray(np.fft.irfft(spectrum, length) * (length / len(wave)))


def clear(frequency: Wave) -> Wave:
    """Return the gain at each frequency in Hz: no rumble, and consonants up to 9 dB louder: Pico is dull."""
    rise = np.clip(np.log2(np.maximum(frequency, 1) / 1500) / np.log2(4000 / 1500), 0, 1)
    return np.asarray(np.clip(frequency / 90, 0, 1) * 10 ** (9 * rise / 20))


def levels(wave: Wave, seconds: float = 0.005) -> Wave:
    """Root mean square of each successive window."""
    size = round(RATE * seconds)
    return np.asarray(np.sqrt((wave[: len(wave) // size * size].reshape(-1, size) ** 2).mean(axis=1)))


def voiced(wave: Wave) -> list[tuple[int, int]]:
    """Return the stretches (first sample, last + 1) between pauses of at least `PAUSE`."""
    size = round(RATE * 0.005)
    level = levels(wave)
    loud = np.flatnonzero(level > np.max(level) * 10 ** (SILENT / 20))
    breaks = np.flatnonzero(np.diff(loud) * 0.005 > PAUSE)
    first, last = np.r_[loud[0], loud[breaks + 1]], np.r_[loud[breaks], loud[-1]]
    return [(int(a) * size, int(b + 1) * size) for a, b in zip(first, last, strict=True)]


def cut(wave: Wave, keep_all: bool) -> Wave:
    """Trim the silence, keep only what precedes the first pause unless `keep_all`, round off the ends."""
    stretches = voiced(wave)
    if not keep_all and len(stretches) != 2:
        raise SystemExit(f"expected one pause, found the stretches {stretches}")
    begin = max(0, stretches[0][0] - round(0.010 * RATE))
    end = stretches[-1 if keep_all else 0][1] + round(0.030 * RATE)
    wave = wave[begin:end].copy()
    fade_in, fade_out = round(0.005 * RATE), round(0.025 * RATE)
    wave[:fade_in] *= np.linspace(0, 1, fade_in)
    wave[-fade_out:] *= np.linspace(1, 0, fade_out) ** 2
    return wave


def loudness(wave: Wave) -> float:
    """Root mean square of what is voiced, that is, within 20 dB of the loudest."""
    level = levels(wave, 0.02)
    return float(np.sqrt((level[level > np.max(level) * 0.1] ** 2).mean()))


def loud(wave: Wave) -> Wave:
    """Bring what is voiced to `LOUDNESS`; peaks above half of `PEAK` are bent softly below it."""
    target = gain = 10 ** (LOUDNESS / 20)
    for _ in range(5):  # bending takes a little of the loudness; give it back
        gain *= target / loudness(bent(wave * gain))
    return bent(wave * gain)


def bent(wave: Wave) -> Wave:
    """Leave |x| up to half of `PEAK` as it is and let more approach `PEAK`."""
    half, size = PEAK / 2, np.abs(wave)
    soft = half + half * np.tanh((size - half) / half)
    return np.asarray(np.sign(wave) * np.where(size <= half, size, soft))


def main() -> None:
    """Speak what is not there yet, and take away clips that nothing names any more.

    A clip whose words have changed has to be deleted first.
    """
    for language in VOICES:
        folder = VOICE / language
        folder.mkdir(parents=True, exist_ok=True)
        clips = dict(texts(language))
        missing = {name: words for name, words in clips.items() if not (folder / f"{name}.ogg").exists()}
        for name, words in missing.items():
            wave = loud(cut(synthesise(words.replace("|", ""), language), keep_all="|" not in words))
            path = folder / f"{name}.ogg"
            soundfile.write(path, wave, RATE, format="OGG", subtype="VORBIS", compression_level=0.7)
        for path in folder.glob("*.ogg"):
            if path.stem not in clips:
                path.unlink()
        print(language, len(clips), "clips,", len(missing), "of them new")


if __name__ == "__main__":
    main()
