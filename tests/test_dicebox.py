"""The box of taught dice: kept, forgotten, damaged, on a full disk."""

import os
from pathlib import Path

import numpy as np
import pytest

from companion.dicebox import DiceBox
from companion.eye.taught import ANGLES, MOST, PICTURE, RINGS, ROOM, Taught
from tests.disks import full_disk
from tests.eye.table import taught


def some(name: str = "mine", *faces: str) -> Taught:
    faces = faces or ("a", "b")
    looks = np.random.default_rng(1).normal(size=(len(faces), 3, RINGS, ANGLES)).astype(np.float32)
    return Taught(name, faces, looks, np.arange(len(faces)))


def test_what_was_taught_is_known_from_then_on(tmp_path: Path) -> None:
    DiceBox(tmp_path / "dice").keep(some())
    again = DiceBox(tmp_path / "dice").get("mine")
    assert again is not None and again.faces == ("a", "b") and (again.looks == some().looks).all()


def test_what_was_never_taught_is_not_known_and_not_damaged(tmp_path: Path) -> None:
    box = DiceBox(tmp_path / "dice")
    assert box.get("mine") is None and not box.damaged("mine")
    with pytest.raises(OSError):
        box.load("mine")


def test_a_die_can_be_taught_anew_and_forgotten(tmp_path: Path) -> None:
    box = DiceBox(tmp_path / "dice")
    box.keep(some())
    box.keep(some("mine", "x", "y", "z"))
    assert (known := box.get("mine")) and known.faces == ("x", "y", "z")
    box.forget("mine")
    box.forget("mine")
    assert box.get("mine") is None and not list((tmp_path / "dice").iterdir())


LOOK = np.full((3, RINGS, ANGLES), 7, np.float32)


def looks(box: DiceBox, name: str = "mine") -> int:
    taught = box.get(name)
    return 0 if taught is None else len(taught.of)


def test_what_was_learned_is_known_from_then_on_and_the_die_keeps_its_place(tmp_path: Path) -> None:
    box = DiceBox(tmp_path / "dice")
    for name in ("mine", "other"):
        box.keep(some(name))
        os.utime(box.file(name), (len(name), len(name)))
    box.tell("mine/b", LOOK)
    assert looks(box) == 2
    box.learn()
    assert looks(box) == 3 and looks(DiceBox(tmp_path / "dice")) == 2
    for _ in range(2):
        box.learn()
        box.save()
    again = DiceBox(tmp_path / "dice")
    for each in (box, again):
        known = each.get("mine")
        assert known is not None and known.of.tolist() == [0, 1, 1] and (known.looks[-1] == 7).all()
    assert again.names() == ("mine", "other")


def test_several_looks_are_learned_at_once_and_what_is_taken_back_is_not(tmp_path: Path) -> None:
    box = DiceBox(tmp_path / "dice")
    box.keep(some())
    box.keep(some("other"))
    one, two, three = (LOOK + n for n in range(3))
    for shown, look in (("mine/a", one), ("mine/b", two), ("other/a", three)):
        box.tell(shown, look)
    assert [box.take_back(look) for look in (two.copy(), one, one)] == [False, True, False]
    box.learn()
    assert (looks(box), looks(box, "other")) == (3, 3)
    box.tell("mine/a", one)
    box.tell("mine/b", two)
    assert box.take_back() and not box.take_back()
    box.learn()
    box.save()
    assert (looks(box), looks(box, "other")) == (3, 3)


@pytest.mark.parametrize("shown", ["mine/c", "mine", "", "gone/a", "damaged/a"])
def test_of_what_is_not_there_nothing_is_learned(tmp_path: Path, shown: str) -> None:
    box = DiceBox(tmp_path / "dice")
    box.keep(some())
    box.file("damaged").write_bytes(b"nothing")
    box.tell(shown, LOOK)
    box.learn()
    box.save()
    assert looks(box) == 2 and box.names() == DiceBox(tmp_path / "dice").names()


def test_a_die_that_another_program_has_taught_anew_meanwhile_stays_that(tmp_path: Path) -> None:
    box = DiceBox(tmp_path / "dice")
    box.keep(some())
    assert looks(box) == 2
    DiceBox(tmp_path / "dice").keep(some("mine", "b", "c", "d"))
    box.tell("mine/b", LOOK)
    box.learn()
    box.save()
    known = box.get("mine")
    assert known is not None and known.faces == ("b", "c", "d") and known.of.tolist() == [0, 1, 2, 0]


def test_what_was_said_of_the_die_before_is_not_learned_of_one_that_is_taught_in_its_place(
    tmp_path: Path,
) -> None:
    box = DiceBox(tmp_path / "dice")
    for name in ("mine", "other"):
        box.keep(some(name))
    box.tell("mine/a", LOOK)
    box.learn()
    box.tell("mine/b", LOOK)
    box.tell("other/b", LOOK)
    box.keep(some())
    box.learn()
    box.save()
    assert (looks(box), looks(box, "other")) == (2, 3) and looks(DiceBox(tmp_path / "dice")) == 2


def test_on_a_full_disk_what_was_learned_is_known_until_the_die_is_read_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    box = DiceBox(tmp_path / "dice")
    box.keep(some())
    box.tell("mine/a", LOOK)
    box.learn()
    with full_disk(monkeypatch):
        box.save()
        assert looks(box) == 3 and looks(DiceBox(tmp_path / "dice")) == 2
        assert "No space left on device" in caplog.text
        box.tell("mine/a", LOOK)
        box.learn()
        box.look_again()
        box.save()
    box.tell("mine/b", LOOK)
    box.learn()
    box.save()
    assert looks(box) == looks(DiceBox(tmp_path / "dice")) == 5, "with what is learned next all is kept"


def test_it_tells_what_is_in_it_also_what_is_damaged_or_was_put_there_by_others(tmp_path: Path) -> None:
    box = DiceBox(tmp_path / "dice")
    assert box.names() == ()
    box.keep(some("b"))
    box.keep(some("a"))
    assert set(box.names()) == {"a", "b"}
    (tmp_path / "dice" / "c.npz").write_bytes(b"nothing")
    some("d").save(tmp_path / "dice" / "d.npz")
    for age, name in enumerate("dbca"):
        os.utime(box.file(name), (age, age))
    box.look_again()
    assert box.names() == ("d", "b", "c", "a") and box.damaged("c") and box.get("d")
    box.forget("b")
    assert box.names() == ("d", "c", "a")


@pytest.mark.parametrize("damage", ["empty", "half", "bits", "other"])
def test_a_damaged_file_is_told_from_none(tmp_path: Path, damage: str) -> None:
    DiceBox(tmp_path).keep(some())
    whole = (tmp_path / "mine.npz").read_bytes()
    middle = len(whole) // 2
    damaged = {
        "empty": b"",
        "half": whole[:middle],
        "bits": whole[:middle] + bytes(b ^ 255 for b in whole[middle : middle + 400]) + whole[middle + 400 :],
        "other": b"PK\x03\x04 something else",
    }
    (tmp_path / "mine.npz").write_bytes(damaged[damage])
    box = DiceBox(tmp_path)
    assert box.get("mine") is None and box.damaged("mine")
    box.keep(some())
    assert box.get("mine") and not box.damaged("mine")


def test_a_file_without_looks_at_one_of_the_faces_is_refused(tmp_path: Path) -> None:
    whole = some()
    Taught("mine", ("a", "b", "c"), whole.looks, whole.of).save(tmp_path / "mine.npz")
    assert DiceBox(tmp_path).damaged("mine")


def test_a_full_disk_loses_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    box = DiceBox(tmp_path)
    box.keep(some())
    with full_disk(monkeypatch), pytest.raises(OSError):
        box.keep(some("mine", "x", "y"))
    for each in (box, DiceBox(tmp_path)):
        assert (known := each.get("mine")) and known.faces == ("a", "b")
    assert [path.name for path in tmp_path.iterdir()] == ["mine.npz"]


def test_a_lesson_in_which_nothing_is_known_any_more_is_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lessons, whole = DiceBox(tmp_path).lessons, some()
    nothing = Taught("mine", (), whole.looks[:0], whole.of[:0])
    with full_disk(monkeypatch):
        lessons.keep(whole)
        assert lessons.get("mine") is whole
        lessons.keep(nothing)
        assert lessons.get("mine") is None and not lessons.names()
    lessons.keep(whole)
    lessons.keep(nothing)
    assert not lessons.names()


def test_a_lesson_that_is_over_is_forgotten_at_once(tmp_path: Path) -> None:
    lessons = DiceBox(tmp_path).lessons
    lessons.keep(some())
    assert lessons.get("mine")
    lessons.forget("mine")
    assert lessons.get("mine") is None and not lessons.names()


def test_a_file_whose_name_nobody_can_read_is_no_die(tmp_path: Path) -> None:
    box = DiceBox(tmp_path / "dice")
    box.keep(some())
    box.keep(some("other"))
    box.file("other").rename(box.file(os.fsdecode(b"W\xfcrfel")))
    box.look_again()
    assert box.names() == ("mine",)


def test_there_is_room_for_more_than_any_die_takes(tmp_path: Path) -> None:
    chance, faces = np.random.default_rng(1), tuple(f"{number:050}" for number in range(20))
    looks = chance.normal(size=(MOST * len(faces), 3, RINGS, ANGLES)).astype(np.float32)
    pictures = chance.integers(0, 256, (len(faces), PICTURE, PICTURE, 3), np.uint8)
    box = DiceBox(tmp_path / "dice")
    box.keep(Taught("mine", faces, looks, np.repeat(np.arange(len(faces)), MOST), pictures))
    assert box.file("mine").stat().st_size < len(faces) * ROOM


def test_only_what_another_program_has_changed_is_read_anew(tmp_path: Path) -> None:
    """What is known of a die takes its time to be prepared."""
    box, other = DiceBox(tmp_path), DiceBox(tmp_path)
    box.keep(some())
    box.tell("mine/a", LOOK)
    box.learn()
    box.save()
    known = box.get("mine")
    assert box.get("yours") is None
    other.keep(some("yours", "c", "d"))
    other.lessons.keep(some("theirs"))
    for strange in ("._theirs", "caf\udce9"):
        (tmp_path / "lessons" / f"{strange}.npz").write_bytes(b"of another system")
    box.look_again()
    assert box.get("mine") is known and box.names() == ("mine", "yours")
    assert (theirs := box.get("yours")) and theirs.faces == ("c", "d")
    assert (begun := box.lessons.get("theirs")) and box.lessons.get("theirs") is begun
    assert box.lessons.names() == ("theirs",)
    other.keep(some())
    other.forget("yours")
    other.lessons.forget("theirs")
    box.look_again()
    assert box.get("mine") is not known and looks(box) == 2
    assert box.get("yours") is None and box.lessons.get("theirs") is None and box.names() == ("mine",)


def test_a_die_that_has_all_sides_of_another_is_the_same(tmp_path: Path) -> None:
    box = DiceBox(tmp_path)
    box.keep(taught("mine", "mouse", "fox", "hare"))
    assert box.same_as(taught("yours", "fox", "mouse")) == "mine"
    assert box.same_as(taught("yours", "fox", "wolf")) is None
    assert box.same_as(taught("mine", "fox", "mouse")) is None, "that is it"
