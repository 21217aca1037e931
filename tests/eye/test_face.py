"""The third network: of throws it is asked as well what the upper face of a die shows."""

import importlib
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.config import ASSETS
from companion.eye import face
from companion.eye.face import upper_face
from companion.eye.network import NO_PIPS, Float, Found, Image
from companion.eye.read import COCKED, LONG, NO_DIE, OF_PICTURES, OF_THROWS, Effort, look
from tests.eye.lying import LYING, in_glare, picture

reader = importlib.import_module("companion.eye.read")
UPPER = face.NO_DIE + 1  # how many things the third network tells apart


def test_it_reads_what_dice_show_that_are_known_to_lie_there() -> None:
    right = []
    for name, pieces in LYING.items():
        for piece in pieces:
            if piece["kind"] == "die":
                shares = upper_face(picture(name), tuple(piece["center"]), 50.0)
                right.append(int(np.argmax(shares)) + 1 == piece["face"])
    assert len(right) == 72 and right.count(True) >= 68


def test_a_glint_as_small_as_a_pip_is_hardly_ever_taken_for_one() -> None:
    """Rounded corners mirror lamps: a white point is put to four sides of each face's middle."""
    right = []
    for name, pieces in LYING.items():
        for piece in (piece for piece in pieces if piece["kind"] == "die"):
            x, y = piece["center"]
            for turn in np.arange(4) * np.pi / 2:
                seen = picture(name).copy()
                at = np.array([x + 15 * np.cos(turn), y + 15 * np.sin(turn)]) * 256
                cv2.circle(seen, at.round().astype(int).tolist(), 410, (255, 255, 255), -1, cv2.LINE_AA, 8)
                right.append(int(np.argmax(upper_face(seen, (x, y), 50.0))) + 1 == piece["face"])
    assert len(right) == 288 and right.count(False) <= 6


@pytest.mark.parametrize("place", [(0.0, 0.0), (399.0, 319.0), (200.0, 160.0)])
def test_what_it_says_is_a_share_for_each_face_for_none_and_for_no_die_wherever_one_looks(
    place: tuple[float, float],
) -> None:
    shares = upper_face(picture("0.jpg"), place, 60.0)
    assert len(shares) == UPPER
    assert sum(shares) == pytest.approx(1, abs=1e-3) and min(shares) >= 0


@pytest.mark.parametrize(("sure", "looks"), [(0.99, 1), (0.9, 2)])
def test_in_doubt_it_looks_into_a_mirror_as_well(
    monkeypatch: pytest.MonkeyPatch, sure: float, looks: int
) -> None:
    seen: list[Image] = []

    def ask(model: Path, cut: Image) -> Float:
        """A three, in a mirror a five; each the other one a little."""
        seen.append(cut)
        shares = np.zeros(UPPER, np.float32)
        shares[[2, 4]] = (sure, 1 - sure) if len(seen) == 1 else (1 - sure, sure)
        return shares

    monkeypatch.setattr(face, "ask", ask)
    shares = upper_face(picture("0.jpg"), (200.0, 160.0), 60.0)
    assert len(seen) == looks and sum(shares) == pytest.approx(1)
    if looks == 1:
        assert shares[2] == pytest.approx(sure)
    else:
        assert np.array_equal(seen[1], seen[0][:, ::-1]) and shares[2] == pytest.approx(shares[4])


@pytest.mark.parametrize(("effort", "asked"), [(OF_THROWS, True), (OF_PICTURES, False)])
def test_it_is_asked_of_throws_alone(effort: Effort, asked: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    heard = []

    def upper(frame: Image, centre: tuple[float, float], size: float) -> tuple[float, ...]:
        heard.append(centre)
        return upper_face(frame, centre, size)

    monkeypatch.setattr(reader, "upper_face", upper)
    look(picture("5.jpg"), effort)
    assert bool(heard) is asked


@pytest.mark.parametrize("stops", [2, 4])
def test_dice_that_dazzle_are_read_in_a_darker_picture(stops: int) -> None:
    """Half of the pieces are shown darker; in the usual picture light hides the whole face of each."""
    right = without = count = 0
    for name, pieces in LYING.items():
        frame = picture(name)
        darker = ((frame / 255.0) ** 2.2 / 2**stops) ** (1 / 2.2) * 255
        for piece in [piece for piece in pieces if piece["kind"] == "die"][::2]:
            seen = in_glare(frame, piece)
            found = Found(tuple(piece["center"]), (0, 0, 50, 50), 0.9, np.full(12, 1 / 12, np.float32))
            shot = reader._shot(seen, [darker.astype(np.uint8)], found)
            count += 1
            darkened = shot.picture is not seen
            right += darkened and reader._kind(reader._asked(shot, OF_THROWS)) + 1 == piece["face"]
            usual = reader.Shot(found, seen)
            without += reader._kind(reader._asked(usual, OF_THROWS)) + 1 == piece["face"]
    assert (count, right >= 35, without <= 7) == (36, True, True), (right, without)


def test_where_a_lamp_hides_a_part_of_a_face_with_less_light_too_a_single_pip_is_asked_for() -> None:
    """It may be what is left of a two, and be clear."""
    piece = next(each for each in LYING["0.jpg"] if each["kind"] == "die")
    frame = picture("0.jpg")
    glare, dark = in_glare(frame, piece), np.asarray(frame * 0.5, np.uint8)
    for darker, hidden in ((dark, False), (in_glare(dark, piece), True)):
        for pips in range(6):
            shares = np.eye(12, dtype=np.float32)[pips]
            found = Found(tuple(piece["center"]), (0, 0, 50, 50), 0.9, shares)
            shot = reader._shot(glare, [darker], found)
            assert shot.hidden is hidden
            assert reader._seen(glare, shot, found).known is not (hidden and pips == 0)


@pytest.mark.parametrize(("usual", "told"), [(2, False), (0, True), (NO_PIPS, True)])
def test_a_single_pip_is_asked_for_where_the_third_network_sees_more_in_the_usual_picture(
    usual: int, told: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With less light what a lamp whitens may look like the whole face of a one, in the middle of a three: to
    the first two networks even in the usual picture.
    """
    frame, darker = np.full((100, 100, 3), 200, np.uint8), np.full((100, 100, 3), 90, np.uint8)

    def shares(kind: int, kinds: int, likely: float) -> tuple[float, ...]:
        return tuple(likely if each == kind else (1 - likely) / (kinds - 1) for each in range(kinds))

    def upper(picture: Image, *_: object) -> tuple[float, ...]:
        return shares(usual, UPPER, 0.6) if picture is frame else shares(0, UPPER, 0.9)

    monkeypatch.setattr(reader, "opinion", lambda *_: shares(0, NO_DIE + 1, 0.9))
    monkeypatch.setattr(reader, "upper_face", upper)
    found = Found((50, 50), (25, 25, 75, 75), 0.9, np.array(shares(0, NO_DIE, 0.9), np.float32))
    shot = reader.Shot(found, darker, usual=found)
    die = reader._seen(frame, shot, reader._asked(shot, OF_THROWS))
    assert die.face == 1 and die.known is told


@pytest.mark.parametrize(("light", "taken"), [(0.25, 0), (0.9, 1), (1.2, 2)])
def test_a_die_is_read_in_the_picture_in_which_light_hides_nothing_of_it(light: float, taken: int) -> None:
    """The body is so bright, the pips are black; from 1.1 on it is white."""
    frame = np.full((100, 100, 3), 80, np.uint8)
    cv2.rectangle(frame, (25, 25), (75, 75), (min(255, round(light * 220)),) * 3, -1)
    for x, y in ((38, 38), (50, 50), (62, 62)):
        cv2.circle(frame, (x, y), 5, (10, 10, 10), -1, cv2.LINE_AA)
    pictures = [frame, np.asarray(frame * 0.53, np.uint8), np.asarray(frame * 0.28, np.uint8)]
    found = Found((50.0, 50.0), (25, 25, 75, 75), 0.9, np.full(12, 1 / 12, np.float32))
    shot = reader._shot(frame, pictures[1:], found)
    assert (shot.picture is pictures[taken], shot.hidden) == (True, False)
    assert reader._shot(frame, pictures[1:2], found).picture is pictures[min(taken, 1)], "there is but one"
    assert reader._shot(frame, (), found).picture is frame
    black = np.zeros_like(frame)
    assert reader._shot(frame, [pictures[1], black], found).picture is pictures[min(taken, 1)]
    assert reader._shot(frame, [black, black], found).picture is frame


def test_what_a_hand_covers_in_the_darker_pictures_alone_is_read_in_the_usual_one() -> None:
    """It came and went between two usual pictures. A short exposure sees a lamp that flickers as stripes."""
    frame, pieces = picture("0.jpg"), LYING["0.jpg"]
    level, rows = (frame / 255.0) ** 2.2 / 16, np.arange(len(frame))[:, None, None]
    striped = np.asarray((level * (0.6 + 0.4 * np.sin(rows / 15))) ** (1 / 2.2) * 255, np.uint8)
    for piece in (each for each in pieces if each["kind"] == "die"):
        found = Found(tuple(piece["center"]), (0, 0, 50, 50), 0.9, np.full(12, 1 / 12, np.float32))
        x, y = (round(v) for v in piece["center"])
        hand = cv2.ellipse(striped.copy(), (x + 42, y), (40, 50), 0, 0, 360, (45, 55, 80), -1)
        for darker, seen in ((striped, True), (np.asarray(hand, np.uint8), False)):
            assert (reader._shot(in_glare(frame, piece), [darker], found).picture is darker) is seen


def test_where_it_sees_another_face_it_counts_for_more_but_not_alone() -> None:
    second = (0.01, 0.6, 0.02, 0.01, 0.01, 0.01, 0.04, 0.1, 0.05, 0.05, 0.0, 0.0, 0.1)
    third = (0.01, 0.03, 0.91, 0.01, 0.01, 0.01, 0.01, 0.01)
    both = reader._joined(second, third, reader.THIRD)
    agreed = reader._joined((*third[:COCKED], *second[COCKED:]), third, reader.THIRD)
    assert sum(both) == pytest.approx(1)
    upper = sum(both[:COCKED])
    assert second[1] > both[1] > 1.5 * third[1] * upper, "what the second one says is not forgotten"
    assert second[2] < both[2] < 0.95 * agreed[2] / sum(agreed[:COCKED]) * upper


@pytest.mark.parametrize(
    ("first", "second", "sure", "told"),
    [
        (3, 3, 0.8, 3),  # both others see a four: the third one, not sure of its six, is no judge of that
        (3, 3, 0.97, 5),
        (3, 2, 0.8, 5),  # they do not agree
    ],
)
def test_where_both_others_agree_on_another_face_the_third_one_has_to_be_sure(
    monkeypatch: pytest.MonkeyPatch, first: int, second: int, sure: float, told: int
) -> None:
    """In a photograph that is out of focus two fours of five had been told as sixes."""

    def shares(kind: int, share: float, kinds: int) -> tuple[float, ...]:
        return tuple(share if each == kind else (1 - share) / (kinds - 1) for each in range(kinds))

    monkeypatch.setattr(reader, "opinion", lambda *_: shares(second, 0.8, NO_DIE + 1))
    monkeypatch.setattr(reader, "upper_face", lambda *_: shares(5, sure, UPPER))
    classes = np.array(shares(first, 0.9, NO_DIE), np.float32)
    asked = reader._asked(
        reader.Shot(Found((50, 50), (25, 25, 75, 75), 0.9, classes), picture("0.jpg")), OF_THROWS
    )
    assert reader._kind(asked) == told


@pytest.mark.parametrize(("second", "third"), [(0.9, 0.01), (0.3, 0.99), (0.02, 0.02)])
def test_whether_there_is_a_die_both_say(second: float, third: float) -> None:
    """Neither is sure alone, and agreed they are as sure as before."""
    none = reader._joined(_five(second), _five(third, UPPER), reader.THIRD)[NO_DIE]
    assert min(second, third) - 1e-6 <= none <= max(second, third) + 1e-6
    assert second == third or abs(none - second) > 0.1


def test_that_there_is_surely_no_die_stays_as_sure() -> None:
    none = (*(0.0,) * NO_DIE, 1.0)
    assert reader._joined(none, _five(0.0, UPPER), reader.THIRD) == pytest.approx(none, abs=reader.NEVER)


@pytest.mark.parametrize("kind", [COCKED, LONG, LONG + 3])
def test_of_what_it_does_not_know_the_second_one_says_whether_it_is_a_die(kind: int) -> None:
    """Dice that lean, and cuboids."""
    second = (*(0.88 if each == kind else 0.002 for each in range(NO_DIE)), 0.1)
    said = [reader._joined(second, _five(none, UPPER), reader.THIRD)[NO_DIE] for none in (0.01, 0.99)]
    assert said == pytest.approx([0.1, 0.1], abs=0.02)


def _five(none: float, kinds: int = NO_DIE + 1) -> tuple[float, ...]:
    """Surely no die, or else surely a five."""
    return (*((1 - none if kind == 4 else 0.0) for kind in range(kinds - 1)), none)


def test_all_that_the_eye_has_learned_is_smaller_than_three_megabytes() -> None:
    assert sum(path.stat().st_size for path in (ASSETS / "model").glob("*.onnx")) <= 3_000_000
