"""What people are told until it is over or they have put it away."""

from collections.abc import Iterable

from companion.language import Message


class Notices:
    """What was `said` once and stays until it is put away, and what stands only while it is so."""

    def __init__(self, said: Iterable[Message]) -> None:
        self._said = list(said)
        self._dismissed: list[Message] = []

    def say(self, notice: Message) -> None:
        """Tell it, also if it was put away before."""
        self.again(notice)
        if notice not in self._said:
            self._said.append(notice)

    def again(self, notice: Message) -> None:
        """It happens once more: whoever has put it away is told of it once more."""
        self._dismissed = [each for each in self._dismissed if each != notice]

    def dismiss(self, notice: Message) -> None:
        """Somebody has put it away."""
        self._dismissed.append(notice)

    def shown(self, standing: Iterable[Message | None]) -> tuple[Message, ...]:
        """All that is to be shown now, with what stands; what comes again after its end is shown again."""
        present = [*self._said, *filter(None, standing)]
        self._dismissed = [notice for notice in self._dismissed if notice in present]
        return tuple(notice for notice in present if notice not in self._dismissed)
