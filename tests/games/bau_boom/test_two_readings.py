"""Bau Boom, played twice: by the rule book, and by a second reading of the rules that knows nothing of it.

The second reading is a coroutine, written from the rules by number, that changes what lies on the table as
it goes. Both must always ask the same of the same people, and both tables must look alike.
"""

import itertools
import random
from collections import Counter
from collections.abc import Generator, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from companion.games.bau_boom.position import Options, Size, trail
from companion.games.book import books
from companion.match import Match, seeded
from tests.games.second import answered, golden, only_these

BOOK = books()["bau-boom"]
GOLDEN = sorted(Path(__file__).parents[2].glob("playthroughs/bau-boom/*.txt"))
COLOURS = ["red", "yellow", "green", "blue"]
Question = tuple[int | None, list[str] | None, int | None]
"""Who is asked (None: the table), what may be answered (None: too much to list), how many tokens."""
Talk = Generator[Question, str, None]


class WonError(Exception):
    """Somebody has covered his last place."""


class Reading:
    """The second reading."""

    def __init__(self, options: Options) -> None:
        self.agreed, self.people = options, range(options.players)
        self.kinds: list[str] = list(options.trail)
        self.trail: list[str | None] = [None] * len(self.kinds)
        self.at = [0 for _ in self.people]
        self.barrows: list[list[str]] = [[] for _ in self.people]
        self.container = dict(zip(COLOURS, options.tiles, strict=True))
        normal: Size = 15 if options.variant == "clever" else 10
        self.sizes = list(options.hills) or [normal for _ in self.people]
        sides = {10: options.plans10, 15: options.plans15}
        self.plans: list[dict[str, str]] = [
            {
                f"{row}.{number}": colour
                for row, colours in enumerate(sides[size][player], 1)
                for number, colour in enumerate(colours, 1)
            }
            for player, size in enumerate(self.sizes)
        ]
        self.covered: list[set[str]] = [set() for _ in self.people]
        self.winner: int | None = None

    def game(self) -> Talk:
        """BAU-R3 to R5, R10, R39."""
        try:
            spaces = [space for space, kind in enumerate(self.kinds) if kind in ("normal", "ladybug")]
            self.lay(spaces, (yield None, None, len(spaces)))
            for player in itertools.cycle(self.people):
                yield from self.turn(player)
        except WonError:
            return

    def turn(self, player: int) -> Talk:
        """BAU-R11 to R13, R20, R23, R25, R27, R41, R45, R47, R48, A-BAU9, A-BAU18, A-BAU19."""
        variant = self.agreed.variant
        throws = sorted(f"roll {one} {other}" for one in range(1, 7) for other in range(1, 7))
        one, other = map(int, (yield None, throws, 2).split()[1:])
        numbers = {one, other} | ({one + other} if variant != "younger" else set())
        numbers |= {abs(one - other)} if variant == "clever" else set()
        answer = yield player, sorted(f"move {number}" for number in numbers), None
        number = int(answer.split()[1])
        if number == 0:
            if self.agreed.zero_triggers:
                yield from self.effect(player, False)
            return
        left, line, place = self.at[player], [player], self.at[player] + number
        while (place := place if place < len(self.kinds) else 0) and place in self.at:
            who = self.at.index(place)
            self.at[line[-1]] = place
            line.append(who)
            place += number if variant == "clever" else 1
            self.at[who] = -1  # in the air
        self.at[line[-1]] = place
        if variant == "younger":
            yield from self.refill([left])
        for who in reversed(line):
            yield from self.effect(who, who != player)

    def effect(self, player: int, pushed: bool) -> Talk:
        """BAU-R14, R17 to R19, R21, R22, R24, R26, A-BAU5 to A-BAU8, A-BAU10."""
        here = self.at[player]
        if self.kinds[here] == "start":
            yield from self.arrival(player)
        elif self.kinds[here] == "anteater":
            if self.barrows[player]:
                self.container[self.barrows[player].pop()] += 1
        elif self.kinds[here] == "ladybug":
            yield from self.tile(player, True)
            if any(self.container.values()):
                held = sorted(f"draw {colour}" for colour in COLOURS if self.container[colour])
                colour = (yield None, held, None).split()[1]
                self.container[colour] -= 1
                self.barrows[player].append(colour)
                if self.agreed.variant == "younger":
                    self.settle(player, (yield from self.answer(player, colour, True)))
        else:
            yield from self.tile(player, pushed)

    def tile(self, player: int, forced: bool) -> Talk:
        """BAU-R15, R21, R24, R42 to R44."""
        colour = self.trail[self.at[player]]
        if colour:
            answer = yield from self.answer(player, colour, forced)
            if answer != "leave":
                self.trail[self.at[player]] = None
                self.barrows[player].append(colour)
                self.settle(player, answer)

    def answer(self, player: int, colour: str, forced: bool) -> Generator[Question, str, str]:
        """What becomes of a tile; away: it fits nowhere, and nobody is asked (A-BAU20)."""
        younger = self.agreed.variant == "younger"
        choices = self.fitting(player, [colour]) if younger else []
        if forced and younger and not choices:
            return "away"
        choices += ["take"] if forced or not younger else []
        choices += [] if forced else ["leave"]
        return (yield player, sorted(choices), None)

    def settle(self, player: int, answer: str) -> None:
        """The tile on top of the barrow stays there, or goes where the answer says."""
        if answer.startswith("place"):
            self.barrows[player].pop()
            self.build(player, answer)
        elif answer == "away" and self.agreed.young_forced == "return":
            self.container[self.barrows[player].pop()] += 1

    def arrival(self, player: int) -> Talk:
        """BAU-R29, R32 to R38, R49, R50, A-BAU12 to A-BAU17."""
        while True:
            choices = self.fitting(player, self.barrows[player]) or ["done"]
            answer = yield player, choices, None
            if answer == "done":
                break
            self.barrows[player].remove(answer.split()[1])
            self.build(player, answer)
        left, self.barrows[player] = self.barrows[player], []
        self.container = {c: count + left.count(c) for c, count in self.container.items()}
        owed = len(left) if self.agreed.penalty_per_tile else min(1, len(left))
        for _ in range(min(owed, len(self.covered[player]))):
            answer = yield player, sorted(f"remove {place}" for place in self.payable(player)), None
            place = answer.split()[1]
            self.covered[player].remove(place)
            self.container[self.plans[player][place]] += 1
        yield from self.refill(range(len(self.kinds)))

    def refill(self, spaces: Iterable[int]) -> Talk:
        """BAU-R36 to R38."""
        wanted = [s for s in spaces if self.kinds[s] in ("normal", "ladybug") and not self.trail[s]]
        free = [space for space in wanted if space not in self.at][: sum(self.container.values())]
        if free:
            self.lay(free, (yield None, None, len(free)))

    def lay(self, spaces: list[int], line: str) -> None:
        for space, colour in zip(spaces, line.split()[1:], strict=True):
            self.container[colour] -= 1
            self.trail[space] = colour

    def fitting(self, player: int, colours: Iterable[str]) -> list[str]:
        """BAU-R30, R31."""
        covered = self.covered[player]

        def carried(place: str) -> bool:
            row, number = map(int, place.split("."))
            return row == 1 or {f"{row - 1}.{number}", f"{row - 1}.{number + 1}"} <= covered

        places = {place: c for place, c in self.plans[player].items() if place not in covered}
        return sorted(f"place {c} {place}" for place, c in places.items() if c in colours and carried(place))

    def payable(self, player: int) -> Iterator[str]:
        """A-BAU13."""
        for place in self.covered[player]:
            row, number = map(int, place.split("."))
            above = {f"{row + 1}.{number}", f"{row + 1}.{number - 1}"}
            if self.agreed.penalty_tile == "any" or not above & self.covered[player]:
                yield place

    def build(self, player: int, answer: str) -> None:
        """BAU-R39, R40, R49, A-BAU21."""
        self.covered[player].add(answer.split()[2])
        if self.covered[player] == set(self.plans[player]) and not (
            self.agreed.variant == "clever" and self.barrows[player]
        ):
            self.winner = player
            raise WonError

    def picture(self) -> dict[str, Any]:
        """What lies on the table."""
        return {
            "trail": list(self.trail),
            "kinds": self.kinds,
            "barrows": [{"at": at, "tiles": t} for at, t in zip(self.at, self.barrows, strict=True)],
            "container": self.container,
            "hills": [
                {"size": size, "plan": plan, "covered": sorted(covered)}
                for size, plan, covered in zip(self.sizes, self.plans, self.covered, strict=True)
            ],
        }


# Both are played


@st.composite
def boxes(draw: st.DrawFn) -> Options:
    """Any box and agreement with which a game may begin."""
    spaces = draw(st.integers(5, 40))
    special = draw(st.permutations(range(1, spaces)))
    players = draw(st.integers(2, 4))
    sizes: st.SearchStrategy[Size] = st.sampled_from([10, 15])
    hills = draw(st.lists(sizes, min_size=players, max_size=players) | st.just([]))
    options = Options(
        players,
        draw(st.sampled_from(["base", "younger", "clever"])),
        tuple(hills),
        trail(spaces, tuple(special[2 : 2 + draw(st.integers(0, spaces // 3))]), tuple(special[:2])),
        penalty_tile=draw(st.sampled_from(["exposed", "any"])),
        penalty_per_tile=draw(st.booleans()),
        zero_triggers=draw(st.booleans()),
        young_forced=draw(st.sampled_from(["barrow", "return"])),
    )
    assume(not list(BOOK.faults(options)))
    return options


def lines() -> list[str]:
    """Decisions and throws of every form, whether or not they could ever be right."""
    places = [f"{row}.{number}" for row in range(1, 6) for number in range(1, 6)]
    return [
        *("take", "leave", "done", "roll 1 2", "deal red", "refill red", "refill" + " red" * 99),
        *(f"move {number}" for number in range(13)),
        *(f"draw {colour}" for colour in COLOURS),
        *(f"remove {place}" for place in places),
        *(f"place {colour} {place}" for colour in COLOURS for place in places),
    ]


DECISIONS = {line: BOOK.notation.parse(line) for line in lines()}


def decided(choose: random.Random, table: Reading, who: int, legal: list[str], folly: float) -> str:
    """What a player does: with some folly anything, else he takes and builds what his hill needs."""
    if choose.random() < folly:
        return choose.choice(legal)
    if legal == ["leave", "take"]:
        colour = table.trail[table.at[who]]
        free = {c for place, c in table.plans[who].items() if place not in table.covered[who]}
        return "take" if colour in free and colour not in table.barrows[who] else "leave"
    return choose.choice([line for line in legal if line.startswith("place")] or legal)


def counted(table: dict[str, Any]) -> Counter[str]:
    """All tiles on the table."""
    count = Counter(tile for tile in table["trail"] if tile) + Counter(table["container"])
    for barrow in table["barrows"]:
        count += Counter(barrow["tiles"])
    for hill in table["hills"]:
        count += Counter(hill["plan"][place] for place in hill["covered"])
    return count


def compared(match: Match, table: Reading, question: Question | None) -> None:
    """Both ask the same, and both tables look alike."""
    state = BOOK.notation.state(match.position)
    assert state == table.picture()
    assert counted(state) == dict(zip(COLOURS, match.options.tiles, strict=True))
    standing = [at for at in table.at if at]
    assert len(standing) == len(set(standing))
    asked_now = [(awaited.who, match.texts(awaited), awaited.count) for awaited in match.awaits]
    assert asked_now == ([] if question is None else [question])
    assert match.position.winners == (() if table.winner is None else (table.winner,))


@settings(max_examples=15)
@given(boxes(), st.integers(0, 2**32), st.sampled_from([0.0, 0.05, 0.3, 1.0]))
def test_the_rule_book_and_the_second_reading_agree(options: Options, seed: int, folly: float) -> None:
    """BAU-R27, BAU-R28, and all that the second reading names."""
    match, choose = Match(BOOK, options, seeded(str(seed))), random.Random(seed)
    table = Reading(options)
    talk = table.game()
    question: Question | None = next(talk)
    compared(match, table, question)
    for _ in range(800):
        if question is None:
            break
        (awaited,), (who, legal, _) = match.awaits, question
        for move in awaited.moves or ():
            assert BOOK.notation.parse(BOOK.notation.write(move)) == move
        if legal is not None and choose.random() < 0.01:
            only_these(match, legal, DECISIONS)
        line = match.throw(awaited) if who is None else decided(choose, table, who, legal or [], folly)
        assert match.play(line) == line
        question = answered(talk, line)
        compared(match, table, question)


@pytest.mark.parametrize("file", GOLDEN, ids=lambda file: file.stem)
def test_golden_games_are_what_the_second_reading_says(file: Path) -> None:
    golden(file, Reading, compared)
