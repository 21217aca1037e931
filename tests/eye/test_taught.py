"""Dice with any faces: taught by a few looks, known again in other light, and unknown ones left alone."""

from collections import Counter
from dataclasses import replace
from functools import lru_cache
from itertools import islice
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from companion.dicebox import DiceBox
from companion.eye.network import Found, find
from companion.eye.read import look as look_at
from companion.eye.signs import signed
from companion.eye.taught import (
    CLEAR,
    KNOWN,
    MOST,
    NO_PICTURES,
    PICTURE,
    TAUGHT,
    Taught,
    away,
    look,
    picture,
    spectra,
    teach,
    tell,
    together,
    turned,
)
from companion.eye.teaching import LOOKS, Hint, Progress, Teacher
from tests.bench.taught import darker_views, taught, told, views

Image = NDArray[np.uint8]
SHEETS = Path(__file__).parent / "symbols"
SIGNS = "AXO7"


@lru_cache(maxsize=64)
def drawn(sign: str, turn: float = 0.0, light: float = 1.0, at: tuple[int, int] = (160, 120)) -> Image:
    """A white die with a sign on its face, seen from above."""
    face = np.full((100, 100, 3), (225, 235, 240), np.uint8)
    if sign:
        size, _ = cv2.getTextSize(sign, cv2.FONT_HERSHEY_DUPLEX, 2.2, 6)
        place = ((100 - size[0]) // 2, (100 + size[1]) // 2)
        cv2.putText(face, sign, place, cv2.FONT_HERSHEY_DUPLEX, 2.2, (40, 40, 60), 6, cv2.LINE_AA)
    frame = np.full((240, 320, 3), (60, 90, 50), np.uint8)
    matrix = np.asarray(cv2.getRotationMatrix2D((49.5, 49.5), turn, 0.6), np.float64)
    matrix[:, 2] += (at[0] - 49.5, at[1] - 49.5)
    mask = cv2.warpAffine(np.full((100, 100), 255, np.uint8), matrix, (320, 240))[..., None] / 255.0
    body = cv2.warpAffine(face, matrix, (320, 240), flags=cv2.INTER_AREA)
    picture = np.asarray(np.clip((frame * (1 - mask) + body * mask) * light, 0, 255), np.uint8)
    picture.flags.writeable = False
    return picture


def found(at: tuple[int, int] = (160, 120), sure: float = 0.9) -> Found:
    """A die where `drawn` puts it."""
    classes = np.zeros(8, np.float32)
    classes[6] = 1
    x, y = at
    return Found((float(x), float(y)), (x - 31.0, y - 31.0, x + 31.0, y + 31.0), sure, classes, sure)


@pytest.fixture(scope="module")
def letters() -> Taught:
    shown = [
        (n, drawn(sign, turn), (160.0, 120.0), 62.0) for n, sign in enumerate(SIGNS) for turn in (0, 100, 220)
    ]
    return teach("letters", list(SIGNS), shown)


@pytest.mark.parametrize("sign", SIGNS)
@pytest.mark.parametrize("light", [0.4, 0.8, 1.05])
def test_a_face_is_known_in_any_turn_and_light_and_a_little_beside(
    letters: Taught, sign: str, light: float
) -> None:
    for turn in range(0, 360, 70):
        told = tell(letters, drawn(sign, turn, light), (162.0, 118.0), 66.0)
        assert told.known and told.face == sign and not told.plain


@pytest.mark.parametrize("sign", SIGNS)
@pytest.mark.parametrize("beside", [(7, 0), (-7, 0), (0, 7), (0, -7), (5, 5), (-5, -5)])
def test_a_face_is_known_where_it_was_found_a_tenth_of_its_size_beside_its_middle(
    letters: Taught, sign: str, beside: tuple[int, int]
) -> None:
    x, y = 160.0 + beside[0], 120.0 + beside[1]
    for turn in range(0, 360, 70):
        told = tell(letters, drawn(sign, turn, 0.8), (x, y), 66.0)
        assert told.known and told.face == sign


@pytest.mark.parametrize("sign", ["E", "", "W", "H"])
def test_a_face_that_was_not_taught_stays_unknown(letters: Taught, sign: str) -> None:
    assert not tell(letters, drawn(sign, 40), (160.0, 120.0), 62.0).known


def mirroring(sign: str, turn: float) -> Image:
    """The same with a lamp that is mirrored in half of the face."""
    frame = drawn(sign, turn).astype(np.float32)
    y, x = np.mgrid[:240, :320]
    half = 0.6 * (x - 160) + 0.8 * (y - 120) > 0
    frame[half] = frame[half] * 0.06 + 225
    return np.asarray(np.clip(frame, 0, 255), np.uint8)


@pytest.mark.parametrize("sign", "AO")
def test_a_look_more_and_a_face_is_known_in_that_light_too(letters: Taught, sign: str) -> None:
    before = tell(letters, mirroring(sign, 10), (160, 120), 62.0)
    assert (before.face, before.known) == (sign, False)
    more = letters.with_look(sign, before.look)
    for turn in (10, 20, 30):
        now = tell(more, mirroring(sign, turn), (160, 120), 62.0)
        assert (now.face, now.known) == (sign, True)
    for other in SIGNS.replace(sign, ""):
        assert tell(more, drawn(other, 50), (160, 120), 62.0).face == other


def test_of_a_face_the_looks_by_which_it_was_taught_stay_and_the_newest(letters: Taught) -> None:
    number, looks = 2, [np.full_like(letters.looks[0], n) for n in range(40)]
    more = letters
    for look_ in looks:
        more = more.with_look(SIGNS[number], look_)
        assert (more.of == number).sum() <= MOST
    kept = list(more.looks[more.of == number])
    first = [*letters.looks[letters.of == number], *looks][:TAUGHT]
    assert [
        np.array_equal(a, b) for a, b in zip(kept, [*first, *looks[-(MOST - TAUGHT) :]], strict=True)
    ] == ([True] * MOST)
    others = more.of != number
    assert np.array_equal(more.looks[others], letters.looks[letters.of != number])
    with pytest.raises(ValueError):
        more.with_look("?", looks[0])


def test_the_turn_between_two_looks_is_known() -> None:
    one, other = (spectra(look(drawn("A", turn), (160.0, 120.0), 62.0)[None]) for turn in (10, 70))
    assert away(one, other)[0] < 0.3 and turned(one, other) == pytest.approx(60, abs=6)


def test_what_was_taught_is_kept_and_a_damaged_file_is_refused(letters: Taught, tmp_path: Path) -> None:
    letters.save(tmp_path / "letters.npz")
    again = Taught.load(tmp_path / "letters.npz")
    assert (again.name, again.faces) == (letters.name, letters.faces)
    assert (again.looks == letters.looks).all() and (again.of == letters.of).all()
    whole = (tmp_path / "letters.npz").read_bytes()
    for damaged in (b"", b"no die", whole[: len(whole) // 2]):
        (tmp_path / "letters.npz").write_bytes(damaged)
        with pytest.raises((ValueError, OSError)):
            Taught.load(tmp_path / "letters.npz")


def test_whose_numbers_are_none_is_refused(letters: Taught, tmp_path: Path) -> None:
    odd = replace(letters, of=np.full(len(letters.of), np.nan))
    odd.save(tmp_path / "letters.npz")
    with pytest.raises(ValueError, match="no die that was taught"):
        Taught.load(tmp_path / "letters.npz")


def test_each_face_has_a_picture_and_a_file_from_before_there_were_any_is_read(
    letters: Taught, tmp_path: Path
) -> None:
    letters.save(tmp_path / "letters.npz")
    again = Taught.load(tmp_path / "letters.npz")
    for sign in SIGNS:
        picture, kept = letters.picture(sign), again.picture(sign)
        assert picture is not None and picture.shape == (PICTURE, PICTURE, 3) and picture.std() > 20
        assert kept is not None and (kept == picture).all()
    old = {"name": "letters", "faces": np.array(list(SIGNS)), "looks": letters.looks, "of": letters.of}
    np.savez_compressed(tmp_path / "old.npz", **old)  # type: ignore[arg-type]
    assert Taught.load(tmp_path / "old.npz").picture("A") is None
    np.savez_compressed(tmp_path / "odd.npz", **old, pictures=letters.pictures[1:])  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="pictures"):
        Taught.load(tmp_path / "odd.npz")


def test_what_was_looked_at_while_it_was_taught_is_what_is_known_of_it() -> None:
    lesson = Lesson()
    for sign in "AX":
        for turn in (0, 80, 160):
            lesson.show(sign, turn, 0.9)
    lesson.teacher.finish()
    taught = lesson.teacher.taught()
    known = np.concatenate([each.spectra for each in lesson.teacher._taken], axis=-1)
    assert np.abs(known - spectra(taught.looks)).max() < 1e-3


def test_several_kinds_are_told_as_one_as_well_as_each_by_itself(letters: Taught) -> None:
    others = [
        teach(name, list(name), [(n, drawn(sign, 10), (160.0, 120.0), 62.0) for n, sign in enumerate(name)])
        for name in ("BGK", "PRS", "245")
    ]
    kinds = together(letters, *others)
    assert kinds.mixed and len(kinds.faces) == 13
    seen = 0
    for kind in (letters, *others):
        for sign in kind.faces:
            lies = drawn(sign, 130, 0.8), (162.0, 118.0), 66.0
            told = tell(kinds, *lies)
            every = sorted((tell(each, *lies).away, each.name) for each in (letters, *others))
            if told.known or (every[0][0] < KNOWN and every[0][0] < CLEAR * every[1][0]):
                nearest = tell(next(each for each in (letters, *others) if each.name == every[0][1]), *lies)
                assert told.known == nearest.known and told.face == f"{every[0][1]}/{nearest.face}"
                seen += 1
    assert seen >= 5


# Showing face after face


class Lesson:
    """A teacher and its clock."""

    def __init__(self) -> None:
        self.teacher, self.now = Teacher("letters", list(SIGNS)), 0.0

    def show(self, sign: str, turn: float, seconds: float = 0.6) -> Progress:
        for _ in range(round(seconds * 10)):
            self.now += 0.1
            self.teacher.see(drawn(sign, turn), [found(), found(sure=0.4)], self.now)  # the same, seen twice
        return self.teacher.progress


def test_each_face_is_shown_in_some_turns_and_then_the_next() -> None:
    lesson = Lesson()
    for number, sign in enumerate(SIGNS):
        assert lesson.teacher.progress.face == number
        for turn in (0, 80, 160):
            lesson.show(sign, turn, 0.9)
    assert lesson.teacher.progress.face == len(SIGNS) and lesson.now < 60
    taught = lesson.teacher.taught()
    for sign in SIGNS:
        told = tell(taught, drawn(sign, 250, 0.7), (160.0, 120.0), 62.0)
        assert told.known and told.face == sign


def test_the_face_that_still_lies_there_is_not_taken_for_the_next() -> None:
    lesson = Lesson()
    for turn in (0, 80, 160):
        lesson.show("A", turn, 0.9)
    progress = lesson.show("A", 200, 3)
    assert progress == Progress(1, 0.0, Hint.KNOWN, 0)
    assert lesson.show("X", 0).hint is Hint.GOOD


def test_a_face_that_was_shown_long_before_is_not_taken_for_another() -> None:
    lesson = Lesson()
    for sign in "AX":
        for turn in (0, 80, 160):
            lesson.show(sign, turn, 0.9)
    assert lesson.show("A", 33, 2) == Progress(2, 0.0, Hint.KNOWN, 0)


def test_whoever_turns_the_die_over_too_early_teaches_nothing_wrong() -> None:
    lesson = Lesson()
    part = lesson.show("A", 0, 1.0).part
    progress = lesson.show("X", 0, 3.0)
    assert progress == Progress(0, part, Hint.STRANGE) and 0 < part < 1
    lesson.teacher.again()
    assert lesson.teacher.progress.part == 0
    for turn in (0, 80, 160):
        lesson.show("X", turn, 0.9)
    assert lesson.teacher.progress.face == 1


def test_one_look_at_something_else_spoils_no_face() -> None:
    lesson = Lesson()
    for turn in (0, 80, 160):
        lesson.show("A", turn, 0.9)
    assert 0 < lesson.show("O", 0, 0.3).part < 0.2, "the hand has turned it meanwhile"
    for turn in (0, 80, 160):
        lesson.show("X", turn, 0.9)
    assert lesson.teacher.progress.face == 2
    shown = lesson.teacher.picture(1)
    assert shown is not None and (shown == picture(drawn("X"), (160.0, 120.0), found().size)).all()
    assert lesson.show("O", 0).part > 0


def test_the_face_that_still_lies_there_is_not_taken_for_the_next_after_a_wrong_look_either() -> None:
    lesson = Lesson()
    for turn in (0, 80, 160):
        lesson.show("A", turn, 0.9)
    lesson.show("O", 0, 0.3)
    progress = lesson.show("A", 200, 3)
    assert progress == Progress(1, 0.0, Hint.KNOWN, 0)


def test_a_die_may_have_fewer_faces_than_were_asked_for() -> None:
    lesson = Lesson()
    for sign in "AX":
        assert not lesson.teacher.enough
        for turn in (0, 80, 160):
            lesson.show(sign, turn, 0.9)
    lesson.show("O", 0, 0.8)
    assert lesson.teacher.enough and lesson.teacher.picture(2) is not None
    lesson.teacher.finish()
    assert lesson.teacher.done and lesson.show("7", 0) == Progress(2)
    taught = lesson.teacher.taught()
    assert taught.faces == ("A", "X") and set(taught.of) == {0, 1} and len(taught.pictures) == 2


def test_of_faces_that_are_taken_anew_none_is_known_before_it_was_shown() -> None:
    lesson = Lesson()
    for sign in "AX7":
        for turn in (0, 80, 160):
            lesson.show(sign, turn, 0.9)
    for face in (0, 2):
        lesson.teacher.again(face)
        assert lesson.teacher.progress == Progress(face), "the one that was chosen, though more are missing"
    assert [lesson.teacher.known(face) for face in range(3)] == [False, True, False]
    assert not lesson.teacher.enough and lesson.teacher.taught().faces == (SIGNS[1],)


def test_a_side_half_shown_is_asked_for_again_once_another_was_taken_anew() -> None:
    lesson = Lesson()
    for turn in (0, 80, 160):
        lesson.show("A", turn, 0.9)
    assert lesson.show("X", 0).part > 0
    lesson.teacher.again(0)
    for turn in (0, 80, 160):
        lesson.show("A", turn, 0.9)
    assert (lesson.teacher.progress.face, lesson.teacher.progress.part) == (1, 0.0)


def test_of_what_has_begun_to_be_taught_only_the_sides_that_it_is_to_have_are_known(letters: Taught) -> None:
    teacher = Teacher("letters", ["new", SIGNS[1]], letters)
    assert teacher.progress.face == 0 and teacher.known(1) and teacher.taught().faces == (SIGNS[1],)
    unseen = replace(letters, pictures=NO_PICTURES)
    assert not Teacher("letters", SIGNS, unseen).known(1), "nobody could tell it from others on the screen"


def test_of_a_side_that_was_only_half_shown_nothing_is_kept() -> None:
    lesson = Lesson()
    for turn in (0, 80, 160):
        lesson.show("A", turn, 0.9)
    assert lesson.show("X", 0).part > 0
    taught = lesson.teacher.taught()
    assert taught.faces == ("A",) and set(taught.of) == {0} and len(taught.looks) == len(taught.of)


def test_what_was_just_laid_down_may_still_roll() -> None:
    lesson = Lesson()
    lesson.show("A", 0)
    part = lesson.teacher.progress.part
    lesson.teacher.see(drawn("A"), [], lesson.now + 1)
    again = lesson.teacher.see(drawn("A"), [found()], lesson.now + 2)
    assert again == Progress(0, part, Hint.MOVES)


def test_without_turning_it_takes_longer_and_ends_too() -> None:
    lesson = Lesson()
    assert 0 < lesson.show("A", 0, 2.0).part < 1
    assert lesson.show("A", 0, 4.0).face == 1
    for turn in (0, 80, 160):
        lesson.show("X", turn, 0.9)
    assert 0 < lesson.show("O", 0, 2.0).part < 1, "the one before was turned"
    lesson.teacher.again()
    for turn in (0, 80, 160):
        lesson.show("O", turn, 0.3)
    lesson.teacher.again()
    assert 0 < lesson.show("O", 0, 2.0).part < 1, "it was turned, but that is forgotten"


def test_a_die_that_moves_or_does_not_lie_alone_teaches_nothing() -> None:
    lesson = Lesson()
    for i in range(2 * LOOKS):
        lesson.now += 0.3
        lesson.teacher.see(drawn("A", 0, at=(100 + 8 * i, 120)), [found((100 + 8 * i, 120))], lesson.now)
        lesson.teacher.see(drawn("A"), [found(), found((60, 60))], lesson.now + 0.1)
        assert lesson.teacher.progress == Progress(0, 0.0, Hint.MANY)
    lesson.teacher.see(drawn("A"), [], lesson.now)
    assert lesson.teacher.progress == Progress(0, 0.0, Hint.NOTHING)
    lesson.teacher.see(drawn("A"), [found()], lesson.now)
    assert lesson.teacher.progress == Progress(0, 0.0, Hint.MOVES)
    lesson.teacher.see(drawn("A"), [found(), found((60, 60), sure=0.2)], lesson.now + 1)
    assert lesson.teacher.progress.hint is Hint.GOOD, "what is hardly a die is none"


# Rendered dice: taught in one light, read in another, from another height


SETS = sorted({path.name.partition("-")[0] for path in SHEETS.glob("*.jpg")})


@pytest.mark.parametrize("name", SETS)
def test_rendered_symbols_are_known_again_in_other_light_from_another_height(name: str) -> None:
    kind, told = taught(SHEETS / f"{name}-teach.jpg"), list[tuple[str, list[str]]]()
    for face, frame in islice(views(SHEETS / f"{name}-read.jpg"), 0, None, 2):
        dice, _ = signed(frame, look_at(frame), kind)
        told.append((str(face), [die.sign for die in dice if die.known]))
    assert len(told) == 12
    assert not [(face, signs) for face, signs in told if set(signs) - {face}], "none is told wrongly"
    assert sum(signs == [face] for face, signs in told) >= 9


def test_rendered_symbols_can_all_be_taught_though_some_are_a_little_alike() -> None:
    teacher, now = Teacher("stars", list("012345")), 0.0
    for face, frame in views(SHEETS / "1-teach.jpg"):
        seen = find(frame)
        for _ in range(LOOKS if face == teacher.progress.face else 0):
            now += 0.3
            progress = teacher.see(frame, seen, now)
            assert progress.hint is not Hint.KNOWN or progress.like == face, "it is another one"
    assert teacher.done


@pytest.mark.parametrize(("less_light", "right"), [(True, 8), (False, 3)])
def test_signs_in_a_lamps_light_are_read_with_less_or_else_asked_for(less_light: bool, right: int) -> None:
    """A lamp is mirrored in each face, as white as its sign; two of the signs are much alike."""
    kind, count = taught(SHEETS / "lamp" / "12-teach.jpg"), Counter[str]()
    read = SHEETS / "lamp" / "12-read.jpg"
    shown = zip(views(read), darker_views(read), strict=True)
    for (face, frame), darker in islice(shown, 1, None, 2):
        count[told(frame, kind, face, darker if less_light else ())] += 1
    assert count["right"] >= right and count["wrong"] == 0 and count.total() == 12


def test_there_are_three_rendered_sets() -> None:
    assert len(SETS) >= 3


def test_whichever_byte_of_its_file_is_wrong_it_is_a_die_or_said_to_be_none(
    letters: Taught, tmp_path: Path
) -> None:
    path = tmp_path / "letters.npz"
    letters.save(path)
    sound = path.read_bytes()
    places = [*range(len(sound) - 700, len(sound), 5), *range(0, 300, 5)]
    refused = 0
    for place in places:
        bad = bytearray(sound)
        bad[place] ^= 1 << (place // 5 % 8)
        path.write_bytes(bad)
        try:
            Taught.load(path)
        except ValueError:
            refused += 1
    assert refused > len(places) / 4


@pytest.mark.parametrize("field", ["faces", "of", "looks", "pictures", "name"])
def test_fields_of_any_other_shape_are_refused(letters: Taught, tmp_path: Path, field: str) -> None:
    path = tmp_path / "letters.npz"
    kept = {
        "name": np.array(letters.name),
        "faces": np.array(letters.faces),
        "looks": letters.looks,
        "of": letters.of,
        "pictures": letters.pictures,
    }
    wrong = [np.array(3), np.zeros((2, 2)), np.array(["x"] * 3)]
    nothing = {"faces": np.array([], "U1"), "looks": letters.looks[:0], "of": letters.of[:0]}
    np.savez_compressed(path, **{**kept, **nothing, "pictures": letters.pictures[:0]})  # type: ignore[arg-type]
    with pytest.raises(ValueError):
        Taught.load(path)
    for value in wrong if field != "name" else []:
        np.savez_compressed(path, **{**kept, field: value})  # type: ignore[arg-type]
        with pytest.raises(ValueError):
            Taught.load(path)
    del kept[field]
    np.savez_compressed(path, **kept)  # type: ignore[arg-type]
    if field == "pictures":  # dice that were taught before these were kept
        assert not len(Taught.load(path).pictures)
    else:
        with pytest.raises(ValueError):
            Taught.load(path)


def test_a_die_is_called_as_its_file_is(letters: Taught, tmp_path: Path) -> None:
    box = DiceBox(tmp_path)
    box.keep(letters)
    box.file(letters.name).rename(box.file("animals"))
    box.look_again()
    assert box.names() == ("animals",) and box.load("animals").name == "animals"


def test_no_die_is_taught_where_none_can_be_kept(tmp_path: Path) -> None:
    (tmp_path / "dice").write_text("a file")
    with pytest.raises(OSError):
        DiceBox(tmp_path / "dice").prepare(6)
    DiceBox(tmp_path / "room").prepare(6)
    assert list((tmp_path / "room").iterdir()) == []
