"""SQLite's write-ahead log, where it is damaged in a way that no power cut explains.

SQLite reads it up to the first frame whose checksum is wrong, and takes that for the end: a transaction that
was cut off. Each one before that had reached the disk. If further ones lie behind, the log is damaged, and
they would be lost without a word. (https://www.sqlite.org/fileformat2.html#the_write_ahead_log)
"""

import sys
from array import array
from dataclasses import dataclass
from itertools import islice, pairwise
from struct import Struct

from companion.store.schema import PAGE

_HEAD = Struct(">8I")  # magic, version, page size, checkpoint, two salts, two checksums
_FRAME = Struct(">6I")  # page, pages of the file after a commit, two salts, two checksums
_LITTLE, _BIG, _VERSION = 0x377F0682, 0x377F0683, 3007000  # the order of bytes in checksums
_NOWHERE = 2**31 - 1  # a page that no file has: of page 0 SQLite would read nothing, nor anything behind it
Words = tuple[int, ...]


@dataclass(frozen=True)
class _Log:
    """What a log says of itself; `sound` is how many frames SQLite reads, and -1 if it refuses all of it."""

    salts: Words
    frames: list[Words]
    sound: int

    @property
    def commits(self) -> list[int]:
        """The frames that end a transaction."""
        return [i for i, frame in enumerate(self.frames) if frame[1] and frame[2:4] == self.salts]


def is_damaged(log: bytes) -> bool:
    """Whether transactions lie behind the place up to which SQLite reads; one may have been cut off there.

    A transaction has each page once.
    """
    found = _read(log)
    behind = [commit for commit in found.commits if commit >= found.sound]
    if found.sound < 0 or not behind:
        return bool(behind)
    end = max((commit for commit in found.commits if commit < found.sound), default=-1)
    pages = [frame[0] for frame in found.frames[end + 1 : behind[-1] + 1]]
    return len(behind) > 1 or len(set(pages)) < len(pages)


def mended(log: bytes) -> bytes:
    """The log as it is, or, if it is damaged, with checksums that are right up to its last transaction,
    whatever its pages hold.
    """
    if not is_damaged(log):
        return log
    found = _read(log)
    head = (_LITTLE, _VERSION, PAGE, 0, *found.salts)
    written = bytearray(_HEAD.pack(*head, 0, 0)[:24])
    sums = _summed(written, (0, 0), little=True)
    written += _FRAME.pack(0, 0, 0, 0, *sums)[16:]
    for number, (page, pages, *_) in islice(enumerate(found.frames), found.commits[-1] + 1):
        at = _HEAD.size + number * (_FRAME.size + PAGE) + _FRAME.size
        start = _FRAME.pack(page or _NOWHERE, pages, *found.salts, 0, 0)[:16]
        sums = _summed(start[:8] + log[at : at + PAGE], sums, little=True)
        written += start + _FRAME.pack(0, 0, 0, 0, *sums)[16:] + log[at : at + PAGE]
    return bytes(written)


def _read(log: bytes) -> _Log:
    whole = max(0, len(log) - _HEAD.size) // (_FRAME.size + PAGE)
    places = [_HEAD.size + number * (_FRAME.size + PAGE) for number in range(whole)]
    frames = [_FRAME.unpack_from(log, at) for at in places]
    if not frames:
        return _Log((0, 0), [], 0)
    head = _HEAD.unpack_from(log)
    magic, sums = head[0], head[6:]
    little = magic == _LITTLE
    known = magic in (_LITTLE, _BIG) and head[1:3] == (_VERSION, PAGE)
    if not known or sums != _summed(log[:24], (0, 0), little):
        said = [frame[2:4] for frame in frames]  # behind the newest ones may be those of an older log
        first = next((one for one, two in pairwise(said) if one == two and any(one)), said[0])
        return _Log(first, frames, -1)
    salts, sound = head[4:6], 0
    for at, frame in zip(places, frames, strict=True):
        page = log[at + _FRAME.size : at + _FRAME.size + PAGE]
        sums = _summed(log[at : at + 8] + page, sums, little)
        if frame[2:4] != salts or frame[4:] != sums:
            break
        sound += 1
    return _Log(salts, frames, sound)


def _summed(content: bytes | bytearray, sums: Words, little: bool) -> Words:
    words = array("I", bytes(content))
    if little != (sys.byteorder == "little"):
        words.byteswap()
    one, other = sums
    for even, odd in zip(words[::2], words[1::2], strict=True):
        one = (one + even + other) & 0xFFFFFFFF
        other = (other + odd + one) & 0xFFFFFFFF
    return one, other
