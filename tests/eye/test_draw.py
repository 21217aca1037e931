from dataclasses import replace

import numpy as np
import pytest

from companion.eye import Die, annotate


def die(face: int, box: tuple[float, float, float, float]) -> Die:
    return Die(face, ((box[0] + box[2]) / 2, (box[1] + box[3]) / 2), box, "white", 0.9)


def test_the_frame_itself_is_not_drawn_on() -> None:
    frame = np.full((200, 300, 3), 120, np.uint8)
    picture = annotate(frame, [die(3, (50, 60, 110, 120))])
    assert (frame == 120).all()
    assert (picture != frame).any()


def test_without_dice_nothing_is_drawn() -> None:
    frame = np.full((200, 300, 3), 120, np.uint8)
    assert np.array_equal(annotate(frame, []), frame)


def test_what_is_drawn_is_black_and_white_on_any_table() -> None:
    for grey in (0, 120, 255):
        drawn = annotate(np.full((200, 300, 3), grey, np.uint8), [die(3, (50, 60, 110, 120))])
        assert {0, 255} <= set(drawn.ravel().tolist())


def test_each_face_looks_different() -> None:
    frame = np.full((200, 300, 3), 120, np.uint8)
    pictures = {annotate(frame, [die(face, (50, 60, 110, 120))]).tobytes() for face in range(1, 7)}
    assert len(pictures) == 6


def test_what_is_not_known_bears_a_question_mark() -> None:
    frame = np.full((200, 300, 3), 120, np.uint8)
    sure = die(3, (50, 60, 110, 120))
    plain, asked = (annotate(frame, [each]) for each in (sure, replace(sure, known=False)))
    beside = np.argwhere((plain != asked).any(axis=2))
    assert len(beside) > 50 and (beside[:, 0] < 70).all(), "on the plate above the die only"


def test_lines_and_numbers_grow_with_the_die() -> None:
    frame = np.full((900, 900, 3), 120, np.uint8)
    small = (annotate(frame, [die(4, (200, 200, 240, 240))]) != frame).any(axis=2).sum()
    large = (annotate(frame, [die(4, (200, 200, 600, 600))]) != frame).any(axis=2).sum()
    assert large > 20 * small


@pytest.mark.parametrize("box", [(0, 0, 5, 5), (290, 190, 299, 199), (0, 0, 299, 199), (250, 0, 299, 60)])
def test_dice_at_the_border_of_the_frame_are_labelled_too(box: tuple[float, float, float, float]) -> None:
    frame = np.full((200, 300, 3), 120, np.uint8)
    assert (annotate(frame, [die(2, box)]) == 255).all(axis=2).sum() >= 20


def test_tiny_frames() -> None:
    assert annotate(np.zeros((1, 1, 3), np.uint8), [die(1, (0, 0, 0, 0))]).shape == (1, 1, 3)
