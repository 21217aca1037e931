"""What the eye is taught with, as far as that needs neither a renderer nor a learner."""

import errno
import json
import sys
from collections import Counter
from functools import lru_cache
from pathlib import Path
from typing import IO

import cv2
import numpy as np
import pytest

from companion.bench import LabelsError
from companion.eye.network import Float, Image
from companion.eye.train import __main__ as recipe
from companion.eye.train import artwork, compose
from companion.eye.train.artwork import (
    FACE,
    draw_domino,
    draw_plate,
    draw_plug,
    draw_set,
    draw_style,
    lit,
    pips,
    square,
)
from companion.eye.train.artwork import _marks as draw_marks
from companion.eye.train.compose import (
    CLASSES,
    FINE,
    GENTLE,
    TILE,
    Scenes,
    defocused,
    draw_flat,
    draw_tile,
    glints,
    jagged,
    photograph,
    shaded,
    shine,
    turned,
    veil,
    write,
)
from companion.eye.train.numbered import write_known, write_whole
from companion.eye.train.photos import draw_photo, photos
from companion.language import Texts


@pytest.fixture(autouse=True)
def no_photographs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Those come with a library that only the recipe needs."""
    noise = np.random.default_rng(0).integers(0, 255, (200, 300, 3), dtype=np.uint8)
    monkeypatch.setattr("companion.eye.train.tables._photographs", lambda: [noise])


@pytest.fixture(autouse=True)
def one_scene(monkeypatch: pytest.MonkeyPatch) -> None:
    """A recipe has thousands and keeps nothing of their light; here one is used dozens of times."""
    monkeypatch.setattr(compose, "_shade", lru_cache(maxsize=2)(compose._shade))


def random(seed: int = 1) -> np.random.Generator:
    return np.random.default_rng(seed)


@pytest.mark.parametrize("value", range(1, 7))
def test_a_face_has_as_many_pips_as_it_says_and_none_touch(value: int) -> None:
    for seed in range(60):
        mask = (pips(value, draw_marks(random(seed), "pips")) > 0.5).astype(np.uint8)
        parts, _ = cv2.connectedComponents(mask)
        assert parts - 1 == value


def test_opposite_sides_add_up_to_seven_and_pips_can_be_told_from_the_body() -> None:
    for seed in range(8):
        style = draw_style(random(seed))
        assert all(style.values[i] + style.values[i + 1] == 7 for i in (0, 2, 4))
        assert style.atlas.shape == (2 * FACE, 3 * FACE, 4)
        ink, body = (
            style.atlas[part][:, :3] for part in (style.atlas[..., 3] > 0.9, style.atlas[..., 3] == 0)
        )
        assert np.linalg.norm(np.median(ink, axis=0) - np.median(body, axis=0)) > 0.1


def test_pips_are_lighter_or_darker_than_the_body_or_of_quite_another_hue() -> None:
    body, light = (0.2, 0.4, 0.8), np.array([0.3, 0.59, 0.11])
    inks = [artwork.draw_ink(random(seed), body) for seed in range(400)]
    alike = [ink for ink in inks if abs(light @ ink - light @ body) < 0.1]
    assert len(alike) > 10, "red pips on a blue die"
    assert all(np.linalg.norm(np.subtract(ink, body)) > artwork.APART for ink in alike)


def test_pips_can_be_told_from_both_halves_of_a_die_cast_of_two_colours(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(artwork, "PATTERNS", {"halves": 1.0})
    two = 0
    for seed in range(10):
        style = draw_style(random(seed))
        marked = style.atlas[..., 3] > 0.9
        pips, body = style.atlas[marked][:, :3], style.atlas[style.atlas[..., 3] == 0][:, :3]
        like = np.linalg.norm(body - np.median(pips, axis=0), axis=1) < 0.1
        assert like.mean() < 0.1, seed
        two += bool((np.abs(body - np.median(body, axis=0)).sum(axis=1) > 0.3).mean() > 0.1)
    assert two > 5, "most show a good part of both"


def test_what_is_cast_in_a_die_goes_on_around_its_edges() -> None:
    noise = artwork.solid(random(), 1.0)
    right, back = noise[square(0)], noise[square(2)]  # they share the edge where x and y are largest
    edges = [face[side] for face in (right, back) for side in (0, -1, np.s_[:, 0], np.s_[:, -1])]
    close = [
        float(np.abs(one - other).max())
        for one in edges[:4]
        for way in edges[4:]
        for other in (way, way[::-1])
    ]
    assert min(close) < 0.05 < np.median(close)


def test_pips_that_are_red_can_be_told_from_a_red_body(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(artwork, "BODIES", [body for body in artwork.BODIES if body[0] == "red"])
    for seed in range(40, 60):  # 49 was such a die
        style = draw_style(random(seed))
        assert style.colour == "red"
        one = style.atlas[square(style.values.index(1))]
        colours = [np.median(one[part][:, :3], axis=0) for part in (one[..., 3] > 0.9, one[..., 3] == 0)]
        assert np.linalg.norm(colours[0] - colours[1]) > 0.1, seed


def test_of_hard_sets_the_pips_are_harder_to_see() -> None:
    def apart(hard: float, seed: int) -> float:
        atlas = draw_set(random(seed), "pips", hard).atlas
        marked = atlas[..., 3] > 0.5
        pips, body = atlas[marked][:, :3], atlas[~marked][:, :3]
        return float(np.linalg.norm(pips.mean(axis=0) - body.mean(axis=0)) / (0.05 + body.std()))

    usual, hard = ([apart(part, seed) for seed in range(8)] for part in (0.0, 1.0))
    assert np.mean(hard) < 0.85 * np.mean(usual)


def test_of_odd_sets_the_pips_lie_nearer_to_each_other_or_farther_apart(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def spread(odd: float) -> float:
        monkeypatch.setattr(artwork, "ODD", odd)
        return float(np.median([artwork.spread(draw_set(random(seed), "pips", 0.0)) for seed in range(12)]))

    usual = spread(0.0)
    assert spread(1.0) < usual - 2  # most of them nearer ...
    monkeypatch.setattr(artwork, "NEARER", 0.0)
    assert spread(1.0) > usual + 2  # ... and the others farther apart


def test_the_columns_of_a_six_are_often_nearer_to_each_other_than_its_rows_reach() -> None:
    shapes = []
    for seed in range(40):
        y, x = np.nonzero(pips(6, draw_marks(random(seed), "pips")) > 0.5)
        shapes.append(float(np.ptp(x) / np.ptp(y)))
    assert min(shapes) < 0.75 and max(shapes) > 1.0


def test_the_pips_of_a_two_are_not_always_as_far_apart_as_those_of_a_four() -> None:
    def across(value: int, seed: int) -> int:
        return int(np.ptp(np.nonzero(pips(value, draw_marks(random(seed), "pips")) > 0.5)[1]))

    nearer = [across(2, seed) < 0.9 * across(4, seed) for seed in range(40)]
    assert 5 < nearer.count(True) < 35


def test_pips_are_drilled_where_they_are_printed_and_deepest_in_the_middle() -> None:
    for seed in range(10):
        style = draw_style(random(seed))
        assert ((style.relief > 0) == (style.atlas[..., 3] > 0.5)).all()
        one = style.relief[square(style.values.index(1))]
        edge = one[(one > 0) & (cv2.erode(one, np.ones((3, 3), np.uint8)) == 0)]
        assert style.relief.max() == pytest.approx(1) and np.median(edge) < one.max() <= 1


def test_through_clear_dice_pips_of_other_sides_are_seen_fainter_than_those_of_a_face(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    shown = 0
    monkeypatch.setattr(artwork, "DEEP", 1.0)
    for seed in range(20):
        monkeypatch.setattr(artwork, "CLEAR", 0.0)
        dense = draw_style(random(seed))
        monkeypatch.setattr(artwork, "CLEAR", 1.0)
        clear = draw_style(random(seed))
        assert np.array_equal(clear.atlas[..., 3], dense.atlas[..., 3])
        painted, body = (dense.atlas[..., 3] == value for value in (1, 0))
        assert np.array_equal(clear.atlas[painted], dense.atlas[painted])
        ink = np.median(dense.atlas[painted][:, :3], axis=0)
        before, after = (np.linalg.norm(style.atlas[body][:, :3] - ink, axis=1) for style in (dense, clear))
        shown += bool((after < 0.8 * before).mean() > 0.005)
        assert np.median(after / before) > 0.6
    assert shown > 12, "black dice let no light through"


def test_what_is_no_die_is_longer_than_wide() -> None:
    for seed in range(20):
        plate = draw_plate(random(seed))
        assert plate.shape[1:] == (FACE, 3) and len(plate) > 1.3 * FACE
        assert 0 <= plate.min() <= plate.max() <= 1 and np.ptp(plate, axis=(0, 1)).any()


def test_a_plug_is_metal_with_two_holes_that_sticks_out_of_something_as_wide_or_wider() -> None:
    for seed in range(10):
        plug, mask = draw_plug(random(seed))
        assert plug.shape == (*mask.shape, 3) and mask.shape[1] == FACE < len(mask)
        assert 0 <= plug.min() <= plug.max() <= 1
        assert (mask[-FACE // 2 :] == 1).all() and (mask[:, FACE // 4 : -FACE // 4] == 1).all()
        metal = plug[: FACE // 2 + 10].reshape(-1, 3)
        metal = metal[(metal < 1).any(axis=1)]  # where it does not shine
        colours, counts = np.unique(metal, axis=0, return_counts=True)
        hole = (plug == colours[np.argmax(counts)]).all(axis=2)
        parts = cv2.connectedComponents(hole.astype(np.uint8))[0] - 1  # the rest is one, too
        assert parts in (2, 4), "two holes, perhaps two springs"


def test_the_pips_of_a_domino_are_sunk_or_raised_and_light_shows_which() -> None:
    for seed in range(8):
        face, relief = draw_domino(random(seed))
        assert face.shape == (2 * FACE, FACE, 3) and relief.shape == face.shape[:2]
        bright, dark = (lit(face, relief, depth, 0.0).sum(axis=2) for depth in (-1.0, 1.0))
        assert ((lit(face, relief, 0.0, 0.0) - face) == 0).all()
        flat = cv2.dilate(relief, np.ones((21, 21))) == 0
        assert (bright[flat] == dark[flat]).all() and (relief.max() == 0 or (bright != dark).any())


def test_drawn_dice_lie_where_the_truth_says_and_all_faces_come() -> None:
    seen: Counter[int] = Counter()
    for seed in range(16):
        tile, dice = draw_flat(random(seed), TILE, 40)
        assert tile.shape == (TILE, TILE, 3) and dice.shape[1] == 8
        assert (dice[:, :2] > 0).all() and (dice[:, :2] < TILE).all()
        assert set(dice[:, 6]) <= {-1, *range(len(CLASSES))}
        seen.update(int(kind) for kind in dice[:, 6])
    assert set(range(6)) <= set(seen)


def test_a_mirrored_lamp_makes_a_die_brighter_and_leaves_what_is_far_away() -> None:
    for seed in range(10):
        light = np.full((120, 160, 3), 0.2, np.float32)
        shine(random(seed), light, (50.0, 60.0), 30)
        assert light.min() >= 0.2 and light[40:80, 30:70].max() > 0.25
        assert np.abs(light[:, 120:] - 0.2).max() < 1e-3


def test_glints_are_as_small_as_pips_and_lie_on_the_die_that_mirrors_the_lamp() -> None:
    for seed in range(20):
        light = np.zeros((200, 200, 3), np.float32)
        glints(random(seed), light, (110.0, 90.0), 80)
        row, column = np.nonzero(light.max(axis=2) > 0.1)
        assert len(row) and np.hypot(column - 110, row - 90).max() < 80
        assert cv2.connectedComponents((light.max(axis=2) > 0.1).astype(np.uint8))[0] - 1 <= 3


def test_a_veil_only_adds_light_and_falls_alike_on_a_finer_picture() -> None:
    for seed in range(20):
        coarse, fine = (veil(random(seed), np.zeros((side, side, 3))) for side in (96, 192))
        assert coarse.min() >= 0 and 0 < coarse.max() < 0.6
        less = cv2.resize(fine, (96, 96), interpolation=cv2.INTER_AREA)
        assert float(np.abs(less - coarse).max()) < 0.02


def test_what_was_made_smaller_without_care_has_its_edges_where_they_were_but_in_steps() -> None:
    row, column = np.mgrid[:96, :96].astype(np.float32)
    edge = np.repeat((column > 0.7 * row + 10)[..., None], 3, axis=2).astype(np.float32)
    for seed in range(5):
        stepped = jagged(random(seed), edge)
        assert stepped.shape == edge.shape and abs(float((stepped - edge).mean())) < 0.01
        assert 0.001 < float(np.abs(stepped - edge).mean()) < 0.02


@pytest.mark.parametrize("radius", [0.6, 4.0, 12.5])
def test_out_of_focus_a_point_is_a_disc_and_no_light_is_lost(radius: float) -> None:
    light = np.zeros((61, 61, 3), np.float32)
    light[30, 30] = (3, 2, 1)
    disc = defocused(light, radius)
    assert disc.sum(axis=(0, 1)) == pytest.approx([3, 2, 1], rel=1e-4)
    away = np.hypot(*np.mgrid[-30:31, -30:31])
    assert np.ptp(disc[away <= radius - 0.5, 0]) < 1e-4 and disc[away >= radius + 0.5].max() < 1e-6


def rendered(folder: Path) -> Path:
    """A scene as the renderer leaves one: a white die with a black pip on a grey table, from above."""
    picture = np.full((384, 480, 3), 120, np.uint8)
    ids = np.zeros((384, 480, 3), np.uint8)
    cv2.rectangle(picture, (200, 150), (280, 230), (240, 240, 240), -1)
    cv2.circle(picture, (240, 190), 9, (10, 10, 10), -1)
    cv2.rectangle(ids, (200, 150), (280, 230), (0, 0, 1), -1)
    corners = [[200, 150], [280, 150], [280, 230], [200, 230]]
    die = {
        "id": 1, "kind": "pips", "face": 1, "colour": "white", "lean": 0.0, "centre": [240, 190],
        "top": corners,
    }  # fmt: skip
    folder.mkdir()
    cv2.imwrite(str(folder / "00000.png"), picture)
    cv2.imwrite(str(folder / "00000.id.png"), ids)
    known = {"whole": False, "lift": 90, "dice": [die]}
    (folder / "00000.json").write_text(json.dumps(known))
    return folder


def without_and_with(
    part: str, monkeypatch: pytest.MonkeyPatch, seed: int, scenes: Scenes
) -> tuple[Image, Image, Float]:
    """A tile without something that is part of some, the same with it, and the dice of both."""
    monkeypatch.setattr(compose, part, 0.0)
    without, dice = draw_tile(random(seed), scenes)
    monkeypatch.setattr(compose, part, 1.0)
    with_it, same = draw_tile(random(seed), scenes)
    assert np.array_equal(dice, same)
    return without, with_it, dice


def test_a_rendered_die_comes_to_lie_on_any_table_and_its_truth_goes_with_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.eye.train.compose.DRAWN", 0.0)
    scenes = Scenes(rendered(tmp_path / "scenes"))
    tables, told = [], 0
    for seed in range(15):
        tile, dice = draw_tile(random(seed), scenes)
        assert tile.shape == (TILE, TILE, 3) and tile.dtype == np.uint8
        tables.append(tuple(tile[0, 0]))
        for x, y, *_, kind, _ in dice.tolist():
            if kind == 0 and 20 < x < TILE - 20 and 20 < y < TILE - 20:
                told += 1
    assert told >= 5 and len(set(tables)) > 10


def test_what_lies_out_of_focus_is_the_same_but_not_as_sharp(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scenes, softer = Scenes(rendered(tmp_path / "scenes")), 0
    monkeypatch.setattr(compose, "photograph", lambda _, light, hard: light)  # noise is not out of focus
    monkeypatch.setattr(compose, "PLAIN", 0.0)
    for seed in range(8):
        sharp, soft, _ = without_and_with("NEAR", monkeypatch, seed, scenes)
        edges, less = (cv2.Laplacian(tile.astype(np.float32), cv2.CV_32F).std() for tile in (sharp, soft))
        assert less <= edges
        softer += bool(less < edges)
    assert softer >= 6, "the disc of a tiny die is no larger than a pixel"


def test_shade_takes_some_light_from_a_part_of_a_picture_and_falls_alike_on_a_finer_one() -> None:
    both = 0
    for seed in range(60):
        coarse, fine = (shaded(random(seed), np.full((side, side, 3), 0.5)) / 0.5 for side in (96, 192))
        assert coarse.min() > 0.1 and coarse.max() <= 1
        both += int(coarse.max() > 0.95 and coarse.min() < 0.8)
        less = cv2.resize(fine, (96, 96), interpolation=cv2.INTER_AREA)
        assert float(np.abs(less - coarse).mean()) < 0.03
    assert both > 35


def test_most_pictures_of_most_people_show_what_there_is() -> None:
    """A pip of half a face's light is told from it in nearly all tiles that are not as hard as can be."""
    light = np.full((96, 96, 3), 0.6, np.float32)
    light[40:56, 40:56] = 0.3
    seen = dict.fromkeys((1.0, GENTLE), 0)
    for seed in range(60):
        for hard in seen:
            picture = photograph(random(seed), light, hard).astype(np.float32)
            seen[hard] += int(picture[16:32, 16:32].mean() - picture[42:54, 42:54].mean() > 30)
    assert seen[GENTLE] > 54 and seen[GENTLE] > seen[1.0]


def test_a_few_cameras_hang_anyhow_and_the_others_nearly_upright() -> None:
    turns = np.array([turned(random(seed), 12) for seed in range(600)])
    upright = (np.abs(turns) <= 12) | (turns >= 348)
    assert 0.04 < float(np.mean(~upright)) < 0.2
    assert np.all((turns >= -12) & (turns < 360))


def test_dice_of_other_scenes_lie_among_them_and_what_they_cover_is_not_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is asked for is seen: the black pip in the middle of a white face."""
    monkeypatch.setattr(compose, "photograph", lambda _, light, hard: light)
    for part in ("DRAWN", "SHINES", "NEAR"):
        monkeypatch.setattr(compose, part, 0.0)
    scenes, count, covered = Scenes(rendered(tmp_path / "scenes")), Counter[float](), 0
    for seed in range(12):
        for crowded in (0.0, 1.0):
            monkeypatch.setattr(compose, "CROWDED", crowded)
            tile, dice = draw_tile(random(seed), scenes)
            count[crowded] += len(dice)
            covered += int(crowded * (dice[:, 6] < 0).sum())
            large = dice[(dice[:, 6] == 0) & (dice[:, 2:4].sum(axis=1) > 24)]
            for x, y, left, *_ in large.tolist():
                pip, face = tile[round(y), round(x)], tile[round(y), round(x - 0.5 * left)]
                assert pip.mean() < 0.5 * face.mean()
    assert count[1.0] > 1.5 * count[0.0] and covered


def test_what_is_no_die_lies_beside_dice_and_covers_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sheet = np.full((2 * FACE, FACE, 3), (1, 0, 1), np.float32)  # its light is the only one without green
    monkeypatch.setattr(compose, "NO_DICE", {"sheet": lambda _: (sheet, sheet[..., 0])})
    monkeypatch.setattr(compose, "photograph", lambda _, light, hard: light)
    for part in ("DRAWN", "CROWDED", "SHINES", "GLINTS", "NEAR"):
        monkeypatch.setattr(compose, part, 0.0)
    scenes, lain, seen = Scenes(rendered(tmp_path / "scenes")), 0, 0
    for seed in range(30):
        _, tile, dice = without_and_with("BESIDE", monkeypatch, seed, scenes)
        green = tile[..., 1] / tile.max(axis=2).clip(1e-3)
        lain += int((green < 0.01).sum() > 9)
        for x, y, left, *_ in dice[(dice[:, 6] == 0) & (dice[:, 2:4].sum(axis=1) > 12)]:
            assert green[round(y), round(x - 0.5 * left)] > 0.5
            seen += 1
    assert lain > 15 and seen > 15


def test_fine_tiles_show_the_same_twice_as_large(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for part in ("DRAWN", "CROWDED"):  # what is drawn on them depends on how large they are
        monkeypatch.setattr(compose, part, 0.0)
    scenes = Scenes(rendered(tmp_path / "scenes"))
    compared = 0
    for seed in range(10):
        (_, dice), (fine, same) = (draw_tile(random(seed), scenes, side) for side in (TILE, FINE * TILE))
        assert fine.shape == (FINE * TILE, FINE * TILE, 3)
        if not len(dice) or dice[0, :2].max() > TILE - 1.1:  # px: a mirror has pixels, too
            continue
        if dice[0, 2:4].sum() * FINE < 1.7 * 80:  # no scene is shown much larger than rendered
            assert same[0, :6] == pytest.approx(FINE * dice[0, :6], abs=1.1)
            compared += 1
    assert compared >= 5


def test_the_same_seed_writes_the_same_tiles(tmp_path: Path) -> None:
    for name in ("a", "b"):
        write(
            tmp_path / name,
            3,
            7,
            lambda chance: ((t := draw_flat(chance, TILE, 30))[0].astype(np.uint8), t[1]),
        )
    assert (np.load(tmp_path / "a" / "dice.npy") == np.load(tmp_path / "b" / "dice.npy")).all()
    assert np.load(tmp_path / "a" / "tiles.npy").shape == (3, TILE, TILE, 3)


def test_photographs_of_other_sources_are_not_learned_from(tmp_path: Path) -> None:
    (tmp_path / "images").mkdir()
    for name in ("ours", "theirs"):
        cv2.imwrite(str(tmp_path / "images" / f"{name}.png"), np.full((300, 400, 3), 90, np.uint8))
    die = {"face": 4, "center": [200, 150], "box": [170, 120, 230, 180]}
    entries = [{"file": f"{name}.png", "source": name, "dice": [die]} for name in ("ours", "theirs")]
    (tmp_path / "labels.json").write_text(json.dumps({"images": entries}))
    (known,) = photos(tmp_path, ["ours"])
    assert known.path.name == "ours.png"
    tile, dice = draw_photo(random(3), [known])
    assert tile.shape == (TILE, TILE, 3) and (dice[:, 6] == 3).sum() + (dice[:, 6] == -1).sum() == len(dice)


def test_all_photographs_are_learned_from_unless_sources_are_named(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "mine.png"), np.full((300, 400, 3), 90, np.uint8))
    die = {"face": 4, "center": [200, 150], "box": [170, 120, 230, 180]}
    (tmp_path / "labels.json").write_text(json.dumps({"images": [{"file": "mine.png", "dice": [die]}]}))
    assert len(photos(tmp_path)) == 1
    with pytest.raises(LabelsError) as told:
        photos(tmp_path, ["theirs"])
    assert "names no picture" in Texts("en").say(told.value.message)


def test_what_is_known_of_pictures_is_kept_only_if_they_are_whole(tmp_path: Path) -> None:
    picture, known = tmp_path / "00000.png", tmp_path / "00000.json"
    cv2.imwrite(str(picture), np.random.default_rng(1).integers(0, 255, (40, 60, 3), np.uint8))
    whole = picture.read_bytes()
    for torn in (b"", whole[:40]):
        picture.write_bytes(torn)
        with pytest.raises(OSError, match="disk full"):
            write_known(known, {"dice": 1}, picture)
        assert not known.exists()
    picture.write_bytes(whole)
    write_known(known, {"dice": 1}, picture)
    assert json.loads(known.read_text()) == {"dice": 1} and len([*tmp_path.iterdir()]) == 2


def test_what_is_half_written_is_no_file_to_learn_from(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(file: IO[bytes], **arrays: object) -> None:
        file.write(b"PK")
        raise OSError(errno.ENOSPC, "full")

    with monkeypatch.context() as patch:
        patch.setattr("numpy.savez", full)
        with pytest.raises(OSError, match="full"):
            write_whole(tmp_path / "learn-000.npz", kinds=np.zeros(3))
    assert not [*tmp_path.glob("*.npz")]
    write_whole(tmp_path / "learn-000.npz", kinds=np.zeros(3))
    assert [path.name for path in tmp_path.iterdir()] == ["learn-000.npz"]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--lights", "0"], "0 is not a whole number from 1 on"),
        (["--times", "0"], "0 is not a whole number from 1 on"),
        (["--workers", "-1"], "-1 is not a whole number from 0 on"),
        (["--workers", "some"], "some is not a whole number from 0 on"),
        ([], "cannot be imported"),
    ],
)
def test_what_the_recipe_cannot_do_it_says_before_it_begins(
    arguments: list[str],
    says: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(sys, "argv", ["train", str(tmp_path / "all"), *arguments])
    monkeypatch.setattr(recipe, "find_spec", lambda name: None)
    with pytest.raises(SystemExit):
        recipe.main()
    assert says in capsys.readouterr().err and not (tmp_path / "all").exists()


def test_where_nothing_is_that_a_step_needs_it_says_so(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match=r"there is no \*.json in .*nowhere"):
        Scenes(tmp_path / "nowhere")
