"""The error of a command that cannot be used as it was given."""

from companion.config import Problem
from companion.language import Message, Texts


class UnusableError(Exception):
    """A command that cannot be used; says why, in one line."""

    def __init__(self, *reasons: Message | Problem) -> None:
        super().__init__(*reasons)
        self.reasons = reasons

    def say(self, texts: Texts) -> str:
        """Return the reasons in a language."""
        said = (each.say(texts) if isinstance(each, Problem) else texts.say(each) for each in self.reasons)
        return "; ".join(said)
