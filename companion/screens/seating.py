"""Who sits where before a game begins."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from companion.games.thought import Strength
from companion.players import COLOURS, PlayerColour, Seat, animal

AUTO = "auto"


@dataclass(frozen=True, slots=True)
class Row:
    """A player to be, and what he has chosen for himself."""

    seat: Seat
    pick: str = AUTO


class Seating:
    """The players in the order of their turns; `known` says whether the first of them begins.

    Whenever anything about them changes, `changed` is called.
    """

    def __init__(
        self,
        seats: Sequence[Seat],
        numbers: range,
        strengths: Sequence[Strength],
        known: bool,
        picks: Sequence[str] = (),
        changed: Callable[[], None] = lambda: None,
    ) -> None:
        """As many of the seats as a game for `numbers` of players takes; computers as strong as they can be.

        `picks` is what the players of the same seats have chosen for themselves the last time.
        """
        allowed = [seat for seat in seats if strengths or seat.plays == "person"][: numbers[-1]]
        while len(allowed) < numbers[0]:
            allowed.append(Seat("", free_colour(allowed)))
        same = allowed == list(seats)
        chosen = picks if same and len(picks) == len(allowed) else [AUTO] * len(allowed)
        if strengths:
            allowed = [replace(seat, strength=animal(seat.strength, strengths)) for seat in allowed]
        self.rows = [Row(seat, pick) for seat, pick in zip(allowed, chosen, strict=True)]
        self.numbers, self.strengths, self._changed = numbers, strengths, changed
        self.known = known and same

    @property
    def seats(self) -> tuple[Seat, ...]:
        """The players; a name ends with its last letter, and has single blanks."""
        return tuple(replace(row.seat, name=" ".join(row.seat.name.split())) for row in self.rows)

    def add(self) -> int:
        """Let one more sit down; return the row."""
        self.rows.append(Row(Seat("", free_colour(self.seats))))
        self.known = False
        self._changed()
        return len(self.rows) - 1

    def remove(self, number: int) -> None:
        """Let the player of a row go."""
        del self.rows[number]
        self.known = False
        self._changed()

    def change(self, number: int, seat: Seat) -> None:
        """Let another player sit in a row; whoever has his colour takes the one that becomes free. Who has no
        name goes by his colour.
        """
        before = self.rows[number].seat
        old = before.colour
        if (before.name or before.colour) != (seat.name or seat.colour):
            self.known = False
        for i, row in enumerate(self.rows):
            if i != number and row.seat.colour == seat.colour:
                self.rows[i] = replace(row, seat=replace(row.seat, colour=old))
        self.rows[number] = replace(self.rows[number], seat=seat)
        self._changed()

    def pick(self, number: int, value: str) -> None:
        """Let a player choose something for himself."""
        self.rows[number] = replace(self.rows[number], pick=value)
        self._changed()

    def move(self, number: int, by: int) -> int:
        """Let a player sit so many places on; return the new row."""
        other = (number + by) % len(self.rows)
        self.rows[number], self.rows[other] = self.rows[other], self.rows[number]
        self.known = False
        self._changed()
        return other

    def begin_with(self, first: int) -> None:
        """The player of this row begins; the order stays."""
        self.rows = [*self.rows[first:], *self.rows[:first]]
        self.known = True


def free_colour(seats: Sequence[Seat]) -> PlayerColour:
    """The first colour that nobody has."""
    taken = {seat.colour for seat in seats}
    return next(colour for colour in COLOURS if colour not in taken)
