"""BIG BOOM! BANG, played twice: by the rule book, and by a second reading of its rules.

The second reading knows nothing of the rule book. It is a coroutine, written from the rules by number: a
round is a loop, BOOM an exception that breaks it off, a gift tile a reveal within a reveal. Both must always
ask the same of the same people, and both tables must look alike.
"""

import itertools
import random
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.config import CONFIG
from companion.games.big_boom_bang.rules import Options, Position, legal
from companion.games.book import books
from companion.match import Match, seeded
from companion.referee import perft
from tests.games.second import answered, golden, only_these

BOOK = books()["big-boom-bang"]
GOLDEN = sorted(Path(__file__).parents[2].glob("playthroughs/big-boom-bang/*.txt"))
FACES = ["bomb", "scissors", "heart", "gift"]
Question = tuple[int | None, list[str] | None, int | None, tuple[int, ...] | None]
"""Who is asked (None: the table), what may be answered (None: too much), how many tokens, which dice."""
Talk = Generator[Question, str, None]


class BoomError(Exception):
    """A tile went BOOM; the argument is who revealed it."""


def subsets(dice: list[int]) -> Iterator[set[int]]:
    """All subsets, the empty one too."""
    for size in range(len(dice) + 1):
        yield from map(set, itertools.combinations(dice, size))


def throws_again(shown: dict[int, str], keep: bool) -> set[tuple[int, ...]]:
    """Every set of dice that may be thrown again: what is no bomb as one likes, then bombs, each paid for
    by a scissors of its own that goes along; with `keep` by one that lies anywhere (BANG-R8 to R14)."""
    bombs = [die for die, face in shown.items() if face == "bomb"]
    others = [die for die in shown if die not in bombs]
    found = set()
    for free in subsets(others):
        payers = [die for die in (others if keep else free) if shown[die] == "scissors"]
        for paid in subsets(bombs):
            if list(itertools.zip_longest(paid, payers))[: len(paid)] == list(
                zip(paid, payers, strict=False)
            ):
                found.add(tuple(sorted(free | paid)))
    return found - {()}


class Reading:
    """The second reading."""

    def __init__(self, options: Options) -> None:
        self.agreed, self.people = options, list(range(options.players))
        self.hearts, self.supply = [2 for _ in self.people], 15 - 2 * options.players  # BANG-R4
        self.active = self.owed = 0
        self.over = False
        self.reveals = self.depth = 0
        self.cleared()

    def cleared(self) -> None:
        """No tiles lie there yet, no dice either."""
        self.tiles: list[str] = []
        self.open: list[int] = []
        self.owed = 0
        self.gathered()

    def gathered(self) -> None:
        """The dice are in the hand."""
        self.dice: dict[int, str | None] = dict.fromkeys(range(1, 6))
        self.throws = 0

    def game(self) -> Talk:
        while not self.over:
            line = yield None, None, 14, None
            self.tiles, self.reveals = line.split()[1:], 0
            try:
                yield from self.round()
            except BoomError as boom:
                (hit,) = boom.args
                self.hearts[hit] -= 1  # BANG-R25
                self.supply += 1
                self.cleared()
                self.active = hit if self.hearts[hit] else self.left_of(hit)  # BANG-R27, BANG-R33, A-BANG10
                self.over = sum(map(bool, self.hearts)) == 1  # BANG-R34

    def round(self) -> Talk:
        """Turns without an end: only BOOM ends them (BANG-R31)."""
        while True:
            yield from self.turn()
            self.active = self.left_of(self.active)
            self.gathered()

    def left_of(self, player: int) -> int:
        """A-BANG9"""
        *_, last = self.people
        player = 0 if player == last else player + 1
        return player if self.hearts[player] else self.left_of(player)

    def turn(self) -> Talk:
        yield from self.throwing()
        faces = list(self.dice.values())
        if faces.count("heart") >= 3 and self.hearts[self.active] < 3:  # BANG-R17, BANG-R18
            self.hearts[self.active] += 1
            self.supply -= 1
        bombs, gifts = faces.count("bomb"), faces.count("gift")
        self.owed = bombs + gifts
        for _ in range(bombs):  # BANG-R20
            yield from self.reveal(self.active, 0)
        neighbours = [*self.people[self.active + 1 :], *self.people[: self.active]]
        opponents = itertools.cycle(player for player in neighbours if self.hearts[player])
        for _ in range(gifts):  # BANG-R28, BANG-R29
            yield from self.reveal(next(opponents), 0)

    def throwing(self) -> Talk:
        """BANG-R6, BANG-R7"""
        for number in (1, 2, 3):
            hand = tuple(die for die, face in self.dice.items() if face is None)
            line = yield None, None, len(hand), hand
            self.dice.update(zip(hand, line.split()[1:], strict=True))
            self.throws = number
            if number == 3:
                break
            shown = {die: face for die, face in self.dice.items() if face}
            again = throws_again(shown, self.agreed.scissors == "keep")
            answers = sorted(f"reroll {' '.join(map(str, dice))}" for dice in again)
            line = yield self.active, ["keep", *answers], None, None
            if line == "keep":
                break
            self.dice.update(dict.fromkeys(map(int, line.split()[1:])))

    def reveal(self, player: int, depth: int) -> Talk:
        """One tile, and, where a gift lies, another by whom its revealer names (BANG-R20 to R24)."""
        hidden = [place for place in range(1, 15) if place not in self.open]
        line = yield player, sorted(f"reveal {place}" for place in hidden), None, None
        place = int(line.split()[1])
        self.open.append(place)
        self.reveals, self.owed, self.depth = self.reveals + 1, self.owed - 1, depth
        tile = self.tiles[place - 1]
        if tile == "boom":
            raise BoomError(player)
        if tile == "gift":
            self.owed += 1
            others = [f"name p{other + 1}" for other in self.people if other != player and self.hearts[other]]
            line = yield player, others, None, None
            yield from self.reveal(int(line.removeprefix("name p")) - 1, depth + 1)

    def picture(self) -> dict[str, Any]:
        """The state as the notation has it."""
        return {
            "active": f"p{self.active + 1}",
            "hearts": self.hearts,
            "supply": self.supply,
            "dice": list(self.dice.values()),
            "throws": self.throws,
            "open": {str(place): self.tiles[place - 1] for place in self.open},
            "tiles": self.tiles,
            "owed": self.owed,
        }


# Both


@st.composite
def agreed(draw: Callable[..., Any]) -> Options:
    """Options of every kind that can be agreed."""
    more = draw(st.lists(st.sampled_from(FACES), min_size=2, max_size=2))
    faces = draw(st.permutations(FACES + more))
    scissors = draw(st.sampled_from(["reroll", "keep"]))
    return Options(draw(st.integers(3, 5)), scissors, tuple(faces))


def every_decision() -> list[str]:
    """All decisions that the notation has a line for, and some of what the table does."""
    sets = sorted(filter(None, map(tuple, subsets([1, 2, 3, 4, 5]))))
    return [
        *("keep", *(f"reroll {' '.join(map(str, dice))}" for dice in sets)),
        *(f"reveal {place}" for place in range(1, 15)),
        *(f"name p{player}" for player in range(1, 6)),
        *("roll" + " gift" * 6, "shuffle" + " fuse" * 14),
    ]


DECISIONS = {line: BOOK.notation.parse(line) for line in every_decision()}


def compared(match: Match, table: Reading, question: Question | None) -> None:
    """Both ask the same, and both tables look alike; what is always true is true."""
    position = match.position
    assert BOOK.notation.state(position) == table.picture()
    assert position.scores == tuple(table.hearts)
    assert position.over is table.over is (question is None)
    alive = tuple(player for player in table.people if table.hearts[player])
    assert position.winners == (alive if question is None else ())
    asked_now = [(each.who, match.texts(each), each.count, each.dice) for each in match.awaits]
    assert asked_now == ([] if question is None else [question])
    assert sum(table.hearts) + table.supply == 15 and table.supply >= 0
    assert all(0 <= hearts <= 3 for hearts in table.hearts)
    assert table.depth <= 2 and table.reveals <= 14
    if len(table.open) == 13:
        (last,) = set(range(1, 15)) - set(table.open)
        assert table.tiles[last - 1] == "boom"


@settings(max_examples=25)
@given(agreed(), st.integers(0, 2**32), st.sampled_from([0.1, 0.5, 1.0]))
def test_the_rule_book_and_the_second_reading_agree(options: Options, seed: int, content: float) -> None:
    """BANG-R18, BANG-R19, BANG-R23, BANG-R36, and all that the second reading names."""
    assert not list(BOOK.faults(options))
    match, choose = Match(BOOK, options, seeded(str(seed))), random.Random(seed)
    table = Reading(options)
    talk = table.game()
    question: Question | None = next(talk)
    compared(match, table, question)
    for _ in range(600):
        if question is None:
            break
        (awaited,), (who, allowed, *_) = match.awaits, question
        if choose.random() < 0.05:
            only_these(match, allowed or [], DECISIONS)
        if who is None or allowed is None:
            line = match.throw(awaited)
        else:
            line = "keep" if "keep" in allowed and choose.random() < content else choose.choice(allowed)
        assert BOOK.notation.write(BOOK.notation.parse(line)) == line
        assert match.play(line) == line
        question = answered(talk, line)
        compared(match, table, question)


@pytest.mark.parametrize("file", GOLDEN, ids=lambda file: file.stem)
def test_golden_games_are_what_the_second_reading_says(file: Path) -> None:
    golden(file, Reading, compared)


@pytest.mark.parametrize("scissors", ["reroll", "keep"])
@pytest.mark.parametrize("players", [3, 4, 5])
def test_one_heart_a_round_until_one_player_is_left(players: int, scissors: str) -> None:
    """BANG-R34, BANG-R35, BANG-R36: between two shuffles exactly one heart is lost; every game ends"""
    match = Match(BOOK, BOOK.agree(CONFIG, players, {"scissors": scissors}), seeded("hearts"))
    choose, rounds = random.Random(players), 0
    while not match.position.over:
        (awaited,) = match.awaits
        hearts = sum(match.position.hearts)
        shuffled = awaited.what == "shuffle"
        match.play(match.throw(awaited) if awaited.who is None else choose.choice(match.texts(awaited) or []))
        lost = max(0, hearts - sum(match.position.hearts))
        assert lost == (match.position.phase in ("shuffle", "over")), "a heart is lost where a round ends"
        rounds += shuffled
    losses = [
        sum(before.scores) - sum(now.scores)
        for before, now in itertools.pairwise(match.positions)
        if sum(before.scores) > sum(now.scores)
    ]
    assert losses == [1] * rounds and rounds >= 2 * (players - 1)


@pytest.mark.parametrize("keep", [False, True])
def test_every_throw_again_of_every_throw(keep: bool) -> None:
    """BANG-R8 to BANG-R14: all 4^5 throws, all 32 sets of dice"""
    options = Options(scissors="keep" if keep else "reroll")
    for dice in itertools.product(FACES, repeat=5):
        position = Position(options, "choose", (2, 2, 2), dice=dice, throws=1)
        found = [BOOK.notation.write(move) for move in legal(position)]
        again = throws_again(dict(enumerate(dice, 1)), keep)
        assert sorted(found) == ["keep", *sorted(f"reroll {' '.join(map(str, each))}" for each in again)]


def test_every_decision_can_be_written_and_read() -> None:
    assert len(DECISIONS) == 1 + 31 + 14 + 5 + 2
    assert all(BOOK.notation.write(move) == line for line, move in DECISIONS.items())


def test_perft_stops_where_the_table_throws() -> None:
    """One bomb, two gift dice: p1 reveals one of 14 tiles, p2 one of 13, p3 one of 12."""
    match = Match(BOOK, Options(3))
    match.play("shuffle" + " fuse" * 11 + " gift gift boom")
    assert perft(BOOK, match.position, 1) == 0, "the dice come first"
    match.play("roll bomb gift gift scissors scissors")
    assert perft(BOOK, match.position, 1) == 1 + 16 - 1 + 12, "16 sets without the bomb, 12 with a scissors"
    match.play("keep")
    gifts, boom = 2, 1
    assert perft(BOOK, match.position, 1) == 14
    assert perft(BOOK, match.position, 2) == (14 - gifts - boom) * 13 + gifts * 2
    assert perft(BOOK, match.position, 3) == 11 * ((13 - gifts - boom) * 12 + gifts * 2) + gifts * 2 * 13
