"""The stopper's half of a round: the yellow die is thrown until 30 is reached (MNB-R10). Pure."""

from dataclasses import dataclass, replace

from companion.games.rulebook import IllegalMove

FACES = (0, 0, 0, 1, 2, 3)  # MNB-R2: three blank sides, which count nothing
GOAL = 30


@dataclass(frozen=True, slots=True)
class Stopper:
    """Every value that the stopper die has shown in this round, oldest first."""

    throws: tuple[int, ...] = ()

    @property
    def total(self) -> int:
        """What the stopper calls after the last throw (MNB-R11)."""
        return sum(self.throws)

    @property
    def over(self) -> bool:
        """Whether "Stopp!" is due: the total has reached or passed 30 (MNB-R10)."""
        return self.total >= GOAL

    def play(self, value: int) -> "Stopper":
        """The round after one more throw that shows `value` (0 is a blank side)."""
        if value not in FACES:
            raise IllegalMove("MNB-R2", "the stopper die has no side {value}", value=value)
        if self.over:
            raise IllegalMove("MNB-R10", "the round has already been stopped")
        return replace(self, throws=(*self.throws, value))
