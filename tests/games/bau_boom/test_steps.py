"""What people are told to do with the real barrows and tiles."""

from dataclasses import replace
from typing import Any

import pytest

from companion.games.bau_boom import notation, steps
from companion.games.bau_boom.position import Go, Lay, Leave, Refill, Roll
from companion.games.bau_boom.steps import Card, Frame
from companion.match import Match
from tests.screens.through import GOLDEN, golden

FILES = [path.name for path in GOLDEN["bau-boom"]]


def frames_of(match: Match, moves: list[str]) -> list[Frame]:
    """A game as it went."""
    for text in moves:
        match.play(text)
    positions: list[Any] = list(match.positions)
    parsed = map(notation.parse, match.moves)
    return [Frame(*each) for each in zip(parsed, positions, positions[1:], strict=False)]


def of_file(file: str) -> list[Frame]:
    return frames_of(*golden("bau-boom", file))


@pytest.mark.parametrize("file", FILES)
def test_every_tile_that_moves_is_told_of(file: str) -> None:
    """BAU-R28: a barrow that changes, a tile that leaves the trail, tiles that are laid: each has its card"""
    for frame in of_file(file):
        signs = [card.sign for card in steps.cards([frame])]
        pushed = [
            p
            for p, (a, b) in enumerate(zip(frame.before.barrows, frame.after.barrows, strict=True))
            if a.at != b.at and p != frame.before.turn
        ]
        told = [player for card in steps.cards([frame]) if card.sign == "push" for player in card.players]
        assert sorted(told) == pushed
        fewer = sum(map(len, (b.tiles for b in frame.after.barrows))) - sum(
            map(len, (b.tiles for b in frame.before.barrows))
        )
        if isinstance(frame.move, Roll):
            assert signs == []
        if isinstance(frame.move, Refill):
            assert signs[0] == "lay"
            new = {s for s, t in enumerate(frame.after.trail) if t and not frame.before.trail[s]}
            assert steps.fresh([frame]) >= new
        if fewer < 0:
            assert {"anteater", "back", "build"} & set(signs)


@pytest.mark.parametrize("file", FILES)
def test_it_is_known_of_each_tile_in_a_barrow_whether_it_was_drawn(file: str) -> None:
    frames = of_file(file)
    for end in range(1, len(frames) + 1):
        for player, barrow in enumerate(frames[end - 1].after.barrows):
            assert len(steps.from_container(frames[:end], player)) == len(barrow.tiles)


def played(*lines: str) -> list[Card]:
    """The cards of the last turn of a game whose trail begins red, yellow, green, blue, red ..."""
    match, moves = golden("bau-boom", "pushed-ladybug-anteater.txt")
    return steps.cards(steps.turn(frames_of(match, [moves[0], *lines])))


def test_at_the_beginning_the_tiles_are_laid_out() -> None:
    (card,) = played()
    assert card.sign == "lay" and len(card.tiles) == 30


def test_who_is_pushed_is_told_how_far_and_what_it_brings() -> None:
    """BAU-R20, BAU-R21: onto a ladybug"""
    cards = played(
        "roll 1 1", "move 2", "leave", "roll 2 2", "move 4", "take",
        "roll 1 1", "move 2", "take", "draw yellow",
    )  # fmt: skip
    assert [(card.sign, card.players) for card in cards] == [("push", (1,)), ("take", (1,)), ("drawn", (1,))]
    assert cards[0].spaces == 1


def test_a_card_about_a_barrow_names_no_colour() -> None:
    """BAU-R16"""
    for file in FILES:
        for frame in of_file(file):
            for card in steps.cards([frame]):
                if card.sign in ("push", "take", "drawn", "anteater", "return", "stay"):
                    assert card.tiles == ()


def test_an_anteater_gets_a_tile_only_if_there_is_one() -> None:
    """BAU-R19, A-BAU7"""
    assert played("roll 2 6", "move 8") == []
    cards = played("roll 1 1", "move 1", "take", "roll 1 2", "move 2", "leave", "roll 3 4", "move 7")
    assert cards == [Card("anteater", (0,))]


def test_what_goes_back_after_building_is_one_card() -> None:
    """BAU-R33, BAU-R34: left-overs, and the tile that is paid"""
    frames = of_file("base-2.txt")
    done = next(i for i, frame in enumerate(frames) if steps.cards([frame])[:1] and
                steps.cards([frame])[0].sign == "back")  # fmt: skip
    cards = steps.cards(frames[done : done + 2])
    assert [card.sign for card in cards] == ["back"]
    assert len(cards[0].tiles) == len(frames[done].before.barrows[cards[0].player].tiles) + 1


def test_whoever_is_told_how_far_to_move_is_told_no_more_than_the_start_allows() -> None:
    """BAU-R25: surplus pips are lost"""
    cut = 0
    for file in FILES:
        for frame in of_file(file):
            if isinstance(frame.move, Go):
                player = frame.before.due.player
                old, new = (position.barrows[player].at for position in (frame.before, frame.after))
                card = steps.cards([replace(frame, by="companion")])[0]
                assert (card.sign, (old + card.spaces) % len(frame.before.trail)) == ("drive", new)
                cut += card.spaces < frame.move.number
    assert cut


@pytest.mark.parametrize("file", FILES)
def test_what_has_to_be_fetched_before_it_is_built_is_what_was_drawn(file: str) -> None:
    frames = of_file(file)
    for end, frame in enumerate(frames, 1):
        if not isinstance(frame.move, Lay):
            continue
        player = frame.before.due.player
        drawn = [sum(steps.from_container(frames[:number], player)) for number in (end - 1, end)]
        fetched = steps.fetched(frames[:end], player, 1)
        assert fetched == ({frame.move.place} if drawn[1] < drawn[0] else set())


@pytest.mark.parametrize("file", FILES)
def test_younger_children_are_told_that_a_tile_stays_and_others_know_it(file: str) -> None:
    for frame in of_file(file):
        if isinstance(frame.move, Leave):
            player, younger = frame.before.due.player, frame.before.options.variant == "younger"
            stays = Card("stay", (player,))
            assert (stays in steps.cards([frame])) is younger
            assert steps.cards([replace(frame, by="companion")]).count(stays) == 1


def test_what_is_to_be_laid_in_one_turn_is_one_card() -> None:
    """BAU-R36, R45: on the space that was left, and after an arrival on all others; there are rings on all"""
    one, other = Card("lay", tiles=("red",)), Card("lay", tiles=("blue", "red"))
    assert one.joined(other) == Card("lay", tiles=("red", "blue", "red"))
