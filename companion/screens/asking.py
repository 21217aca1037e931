"""What a screen has asked the mind, and what has come of it so far."""

from typing import Any

from companion.events import Thoughts
from companion.mind.questions import Question


class Asked:
    """A question that is out; `about` is what it is about, as long as the screen still shows that."""

    def __init__(self, question: Question, about: object = None) -> None:
        self.question, self.about = question, about
        self.answer: Any = None  # the best so far
        self.over = False

    def hear(self, thoughts: Thoughts) -> None:
        """Take an answer, if it is one to this question."""
        if thoughts.question is self.question:
            self.answer, self.over = thoughts.answer, thoughts.over

    @property
    def failed(self) -> bool:
        """Whether nobody can answer it."""
        return self.over and self.answer is None
