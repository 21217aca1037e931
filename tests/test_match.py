"""A match: moves as text, the way back, and chance that neither people nor the companion can steer."""

import hashlib
import random
from collections import Counter

import pytest

from companion.config import CONFIG
from companion.games.book import books
from companion.games.rulebook import IllegalMove, NotationError
from companion.match import Match, seeded

BANG = books()["big-boom-bang"]


def bang(seed: str = "one") -> Match:
    return Match(BANG, BANG.agree(CONFIG), seeded(seed))


def played(match: Match, steps: int, choose: random.Random) -> Match:
    for _ in range(steps):
        (awaited,) = match.awaits
        texts = match.texts(awaited)
        match.play(match.throw(awaited) if texts is None else choose.choice(texts))
    return match


def test_a_refused_line_changes_nothing() -> None:
    match = played(bang(), 3, random.Random(1))
    before = match.position, match.moves
    for line in ("", "roll", "shuffle fuse", "reveal 99", "name p9"):
        with pytest.raises((IllegalMove, NotationError)):
            match.play(line)
    assert (match.position, match.moves) == before


def test_moves_are_taken_back_to_the_opening() -> None:
    match = played(bang(), 20, random.Random(2))
    positions, moves = match.positions, match.moves
    for position, move in zip(reversed(positions[:-1]), reversed(moves), strict=True):
        assert match.take_back() == move
        assert match.position == position
    with pytest.raises(IndexError):
        match.take_back()


def test_the_same_position_brings_the_same_throw_again() -> None:
    """Taking back and throwing again is no way to better dice."""
    match = played(bang(), 12, random.Random(3))
    while match.awaits[0].who is not None:
        played(match, 1, random.Random(3))
    first = match.throw(match.awaits[0])
    match.play(first)
    match.take_back()
    assert match.throw(match.awaits[0]) == first
    moves = match.moves
    for _ in range(5):
        match.take_back()
    for move in moves[-5:]:
        match.play(move)
    assert match.throw(match.awaits[0]) == first


def test_a_seed_is_a_game_and_another_seed_another() -> None:
    one, again, other = (played(bang(seed), 30, random.Random(4)) for seed in ("a", "a", "b"))
    assert one.moves == again.moves != other.moves


def test_throws_are_fair() -> None:
    """Chi-square over the six sides, five degrees of freedom at most: 25.7 is passed once in 10,000 times."""
    faces = Counter[str]()
    for seed in range(1200):
        match = bang(str(seed))
        match.play(match.throw(match.awaits[0]))
        faces.update(match.throw(match.awaits[0]).split()[1:])
    sides = Counter(BANG.agree(CONFIG).faces)
    chi = sum((faces[face] - 1000 * count) ** 2 / (1000 * count) for face, count in sides.items())
    assert chi < 25.7


def test_every_order_of_the_tiles_is_as_likely() -> None:
    places = Counter[int]()
    for seed in range(2800):
        match = bang(str(seed))
        places[match.throw(match.awaits[0]).split()[1:].index("boom")] += 1
    assert len(places) == 14
    assert (
        sum((count - 200) ** 2 / 200 for count in places.values()) < 45
    )  # 13 degrees of freedom, 1 in 20,000


# The commitment


def test_the_companion_binds_itself_before_it_deals() -> None:
    match = bang()
    bound = match.commitment(match.awaits[0])
    assert bound is not None
    match.play(match.throw(match.awaits[0]))
    assert match.moves[0] == bound.text
    assert hashlib.sha256(f"{bound.text} {bound.salt}".encode()).hexdigest() == bound.digest
    assert len(bytes.fromhex(bound.salt)) == 32


def test_each_deal_has_a_salt_of_its_own_and_dice_are_thrown_openly() -> None:
    match, choose = bang(), random.Random(5)
    while not match.position.over:
        played(match, 1, choose)
    deals = list(match.deals())
    assert [match.moves[index] for index, *_ in deals] == [bound.text for _, bound, _ in deals]
    assert all(bound.text.startswith("shuffle") and over for _, bound, over in deals)
    rounds = sum(move.startswith("shuffle") for move in match.moves)
    assert len({bound.salt for _, bound, _ in deals}) == len(deals) == rounds >= 4  # a heart a round


def test_what_was_dealt_in_a_round_that_is_over_may_be_told_whoever_deals_next() -> None:
    match, choose = bang(), random.Random(5)
    while not (len(match.moves) > 1 and match.awaits[0].what == "shuffle"):
        assert not any(over for *_, over in match.deals())
        played(match, 1, choose)
    match.play("shuffle boom gift gift" + " fuse" * 11)
    ((index, _, over),) = match.deals()
    assert index == 0 and over


def test_what_people_deal_binds_nobody() -> None:
    match = bang()
    match.play("shuffle boom gift gift" + " fuse" * 11)
    assert list(match.deals()) == []


def test_what_is_dealt_face_up_needs_no_promise() -> None:
    """Whoever sees all of it at once learns nothing from a number that is fixed with it."""
    book = books()["bau-boom"]
    match = Match(book, book.agree(CONFIG, 2), b"k" * 32)
    match.play(match.throw(match.awaits[0]))
    assert match.moves[0].startswith("deal ") and list(match.deals()) == []


def test_without_a_secret_the_dice_are_real() -> None:
    match = Match(BANG, BANG.agree(CONFIG))
    with pytest.raises(ValueError, match="real"):
        match.throw(match.awaits[0])
    match.play("shuffle boom gift gift" + " fuse" * 11)
    assert list(match.deals()) == []
