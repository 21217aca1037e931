"""Kabooom!, played twice: by the rule book, and by a second reading of the rules that knows nothing of it.

The second reading has a heap of real stones on every square. It is a coroutine, written from the rules by
number. Both must always ask the same of the same people, and both boards must look alike.
"""

import itertools
import random
from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion import playthrough
from companion.config import CONFIG
from companion.games.book import books
from companion.games.kabooom.rules import Options, Pass, opening
from companion.match import Match, seeded
from companion.referee import perft
from tests.games.second import answered, golden, only_these

BOOK = books()["kabooom"]
GOLDEN = sorted(Path(__file__).parents[2].glob("playthroughs/kabooom/*.txt"))
Question = tuple[int | None, list[str] | None, int | None]
"""Who is asked (None: the table), what may be answered (None: too much to list), how many tokens."""
Talk = Generator[Question, str, None]

PLANS = {
    "5x5hole": ("#####", "#####", "## ##", "#####", "#####"),
    "4x6": ("######", "######", "######", "######"),
    "3x8": ("########", "########", "########"),
}
DUELS = {"r": "rp", "p": "ps", "s": "sr", "d": ""}
"""By what, besides dynamite, a symbol is beaten (KAB-R18)."""


class Reading:
    """The second reading. A stone is its owner's number from 1 and its symbol: `1r`."""

    def __init__(self, options: Options) -> None:
        self.agreed, self.people = options, range(options.players)
        self.heaps: dict[str, list[str]] = {}  # of the squares with stones, the lowest first
        self.kits = [dict(zip("rpsd", options.supply, strict=True)) for _ in self.people]
        self.passed = self.hits = self.exploded = 0
        self.over = False
        self.squares = [
            "abcdefgh"[column] + "12345"[row]
            for row, plan in enumerate(PLANS[options.board])
            for column, sign in enumerate(plan)
            if sign == "#"
        ]

    def game(self) -> Talk:
        """Ask who is to act, and do what he answers, to the end."""
        yield from self.dealing() if self.agreed.level == "easy" else self.setting()
        for who in itertools.cycle(self.people):
            if self.passed == len(self.people) or not any(map(self.moves, self.people)):  # KAB-R22, KAB-R24
                break
            if not self.moves(who):
                self.passed += 1  # A-KAB9
                continue
            line = yield who, sorted(["pass", *self.moves(who)]), None  # KAB-R21
            if line == "pass":
                self.passed += 1
            else:
                self.hit(*line.split("-"))
        self.over = True

    def dealing(self) -> Talk:
        """KAB-R3, KAB-R7"""
        line = yield None, None, 24
        for token in line.split()[1:]:
            square, stone = token.split(":")
            self.lay(stone, square)

    def setting(self) -> Talk:
        """KAB-R8, KAB-R9, KAB-R10"""
        for who in itertools.cycle(self.people):
            free = [square for square in self.squares if square not in self.heaps]
            if not free:
                break
            left = [symbol for symbol, count in self.kits[who].items() if count]
            line = yield who, sorted(f"place {symbol} {square}" for symbol in left for square in free), None
            _, symbol, square = line.split()
            self.lay(f"{who + 1}{symbol}", square)

    def lay(self, stone: str, square: str) -> None:
        self.heaps[square] = [stone]
        kit = self.kits[int(stone[0]) - 1]
        kit[stone[1]] = max(0, kit[stone[1]] - 1)

    def moves(self, who: int) -> list[str]:
        """KAB-R12, KAB-R14 to KAB-R18, KAB-R20"""
        found = []
        for square, heap in self.heaps.items():
            for column, row in itertools.product((-1, 0, 1), repeat=2):
                target = chr(ord(square[0]) + column) + chr(ord(square[1]) + row)
                if heap[-1][0] == str(who + 1) and target != square and target in self.heaps:
                    own, other = heap[-1][1], self.heaps[target][-1][1]
                    if own == "d" or own in DUELS[other]:
                        found.append(f"{square}-{target}")
        return found

    def hit(self, origin: str, target: str) -> None:
        """KAB-R19, A-KAB2"""
        self.passed = 0
        self.hits += 1
        self.heaps[target] += self.heaps.pop(origin)
        if self.agreed.dynamite == "explode" and self.heaps[target][-1][1] == "d":
            self.exploded += len(self.heaps.pop(target))

    def picture(self) -> dict[str, Any]:
        """The state as the notation has it."""
        heaps = ((square, self.heaps[square]) for square in self.squares if square in self.heaps)
        return {
            "board": {
                square: {"owner": f"p{heap[-1][0]}", "symbol": heap[-1][1], "height": len(heap)}
                for square, heap in heaps
            },
            "supply": self.kits,
            "passes": self.passed,
        }

    def points(self) -> list[list[int]]:
        """By player, how high each tower is that counts, and for how much: pairs (KAB-R26 to KAB-R29)."""
        less = {"easy": 0, "medium": 1, "hard": 2}[self.agreed.level]
        found: list[list[int]] = [[] for _ in self.people]
        for heap in self.heaps.values():
            if heap[-1][1] != "d" and len(heap) > less:
                found[int(heap[-1][0]) - 1].append(len(heap) - less)
        return found

    def scores(self) -> tuple[int, ...]:
        return tuple(map(sum, self.points()))

    def winners(self) -> tuple[int, ...]:
        """KAB-R30, A-KAB11"""
        if not self.over:
            return ()
        best = [who for who in self.people if self.scores()[who] == max(self.scores())]
        if self.agreed.tiebreak == "highest_tower":
            highest = {who: max(self.points()[who], default=0) for who in best}
            best = [who for who in best if highest[who] == max(highest.values())]
        return tuple(best)


# Both


@st.composite
def agreed(draw: Callable[..., Any]) -> Options:
    """Options of every kind that can be agreed."""
    players = draw(st.integers(2, 4))
    supply = draw(st.lists(st.integers(0, 12), min_size=4, max_size=4))
    return Options(
        players,
        draw(st.sampled_from(["easy", "medium", "hard"])),
        draw(st.sampled_from(list(PLANS))),
        draw(st.sampled_from(["stack", "explode"])),
        tuple(supply) if sum(supply) * players >= 24 else (3, 3, 3, 3),
        draw(st.sampled_from(["set", "iid"])),
        draw(st.sampled_from(["none", "highest_tower"])),
    )


def every_decision() -> list[str]:
    """All decisions that the notation has a line for, whether or not they could ever be right."""
    squares = [column + row for row in "12345" for column in "abcdefgh"]
    return [
        "pass",
        *(f"place {symbol} {square}" for symbol in "rpsd" for square in squares),
        *(f"{one}-{other}" for one in squares for other in squares),
    ]


DECISIONS = {line: BOOK.notation.parse(line) for line in every_decision()}


def compared(match: Match, table: Reading, question: Question | None) -> None:
    """Both ask the same, and both boards look alike; what is always true is true."""
    position = match.position
    assert BOOK.notation.state(position) == table.picture()
    assert position.scores == table.scores() and position.winners == table.winners()
    assert position.over is table.over is (question is None)
    asked_now = [(awaited.who, match.texts(awaited), awaited.count) for awaited in match.awaits]
    assert asked_now == ([] if question is None else [question])
    heaps = table.heaps.values()
    if position.phase in ("hit", "over"):
        assert sum(map(len, heaps)) + table.exploded == 24 and table.hits <= 23
    for heap in heaps:
        assert heap[-1][1] == "d" or "d" not in "".join(heap)
        assert heap[-1][1] != "d" or len(heap) == 1 or match.options.dynamite == "stack"


@settings(max_examples=35)
@given(agreed(), st.integers(0, 2**32), st.sampled_from([0.0, 0.1, 0.5]))
def test_the_rule_book_and_the_second_reading_agree(options: Options, seed: int, idle: float) -> None:
    """KAB-R32, KAB-R33, A-KAB2, A-KAB6, A-KAB9, and all that the second reading names; every game ends."""
    assert not list(BOOK.faults(options))
    match, choose = Match(BOOK, options, seeded(str(seed))), random.Random(seed)
    table = Reading(options)
    talk = table.game()
    question: Question | None = next(talk)
    compared(match, table, question)
    while question is not None:
        (awaited,), (who, legal, _) = match.awaits, question
        if choose.random() < 0.03:
            only_these(match, legal or [], DECISIONS)
        if who is None or legal is None:
            line = match.throw(awaited)
        else:
            line = "pass" if "pass" in legal and choose.random() < idle else choose.choice(legal)
        assert BOOK.notation.write(BOOK.notation.parse(line)) == line
        ends = match.position.passing_ends
        assert match.play(line) == line
        question = answered(talk, line)
        assert line != "pass" or ends is (question is None)
        compared(match, table, question)


@pytest.mark.parametrize("file", GOLDEN, ids=lambda file: file.stem)
def test_golden_games_are_what_the_second_reading_says(file: Path) -> None:
    golden(file, Reading, compared)


def test_every_decision_can_be_written_and_read() -> None:
    assert len(DECISIONS) == 1 + 4 * 40 + 40 * 40
    assert all(BOOK.notation.write(move) == line for line, move in DECISIONS.items())


@pytest.mark.parametrize("level", ["easy", "medium"])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_passing_ends_the_game_only_when_it_does(level: str, players: int) -> None:
    """KAB-R23: whoever would end the game is found in every position of a game"""
    match, choose = (
        Match(BOOK, BOOK.agree(CONFIG, players, {"level": level}), seeded("r23")),
        random.Random(1),
    )
    warned = 0
    while not match.position.over:
        (awaited,) = match.awaits
        legal = match.texts(awaited)
        if "pass" in (legal or []):
            ends = BOOK.rules.play(match.position, Pass()).over
            assert match.position.passing_ends is ends
            warned += ends
            legal = [line for line in legal or [] if line != "pass"] if ends else legal
            match.play("pass" if not ends and choose.random() < 0.6 else choose.choice(legal or []))
        else:
            assert not match.position.passing_ends
            match.play(match.throw(awaited) if legal is None else choose.choice(legal))
    assert warned and not match.position.passing_ends


# Counting what is legal


def counted(options: Options, lines: list[str], depth: int) -> int:
    """How many sequences of decisions the second reading allows after some lines."""
    if depth == 0:
        return 1
    talk = Reading(options).game()
    question: Question | None = next(talk)
    for line in lines:
        question = answered(talk, line)
    legal = question[1] if question else None
    return sum(counted(options, [*lines, line], depth - 1) for line in legal or ())


@pytest.mark.parametrize("file", GOLDEN[::4], ids=lambda file: file.stem)
def test_perft_near_the_end(file: Path) -> None:
    """Sequences that end early are not counted; automatic passes are no moves."""
    match, moves = playthrough.read(file.read_text().splitlines(), CONFIG)
    lines = [line for _, line in moves][:-4]
    for line in lines:
        match.play(line)
    found = [perft(BOOK, match.position, depth) for depth in range(4)]
    assert found == [counted(match.options, lines, depth) for depth in range(4)]


def test_perft_of_the_empty_board() -> None:
    """24 squares and 4 symbols, then one square less each time; a symbol is gone after its last stone."""
    assert [perft(BOOK, opening(Options()), depth) for depth in (0, 1, 2)] == [1, 96, 96 * 92]
    assert perft(BOOK, opening(Options(supply=(12, 0, 0, 0))), 3) == 24 * 23 * 22
    one_rock = Options(2, supply=(1, 11, 0, 0))
    with_rock, without = 1 * 22 * 1, 1 * 22 * 2  # p1's second stone, on 22 squares
    assert perft(BOOK, opening(one_rock), 3) == 24 * 23 * 2 * (with_rock + without)
    assert perft(BOOK, opening(Options(level="easy")), 1) == 0


def test_the_second_reading_by_hand() -> None:
    """A deal in which a1 is the only rock, and b1 beside it the only scissors."""
    table = Reading(Options(level="easy"))
    talk = table.game()
    next(talk)
    stones = ["1r", "2s"] + ["1p", "2p"] * 11
    first = answered(talk, "deal " + " ".join(map(":".join, zip(table.squares, stones, strict=True))))
    assert first and first[0] == 0 and "a1-b1" in (first[1] or [])
    second = answered(talk, "a1-b1")
    assert table.heaps["b1"] == ["2s", "1r"] and table.scores() == (13, 11)
    assert second and second[0] == 1 and {"c1-b1", "a2-b1"} & set(second[1] or []) == {"a2-b1"}
