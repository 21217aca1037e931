"""The process that thinks, for real: it answers, lets itself be interrupted, dies, and is there again."""

import logging
import os
import pickle
import queue
import select
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.events import Heard, Thoughts
from companion.games.book import books
from companion.mind import mind as mind_module
from companion.mind.mind import ROOT, Mind
from companion.mind.questions import BestMove, Question
from tests.mind import thinkers

KABOOOM = books()["kabooom"].options(players=2)
LONG = 60.0  # seconds after which something that must come has not come


class Asker:
    """Asks, and hears what comes."""

    def __init__(self) -> None:
        self.queue: queue.Queue[Heard] = queue.Queue()
        self.mind = Mind(self.queue.put)

    def hears(self) -> Thoughts:
        """The next answer to what is asked now."""
        while True:
            for thoughts in self.mind.hear(self.queue.get(timeout=LONG)):
                return thoughts

    def asks(self, question: Question) -> list[object]:
        """All answers to a question."""
        self.mind.ask(question)
        heard = [self.hears()]
        while not heard[-1].over:
            heard.append(self.hears())
        assert all(each.question is question for each in heard)
        return [each.answer for each in heard]

    @property
    def pid(self) -> int:
        """The process that thinks."""
        assert self.mind.child
        return self.mind.child.process.pid


@pytest.fixture
def asker() -> Iterator[Asker]:
    """Asks; whatever thinks for it ends with the test."""
    found = Asker()
    yield found
    found.mind.close()


def ended(pid: int) -> bool:
    """Wait for the end of any process."""
    try:
        watched = os.pidfd_open(pid)
    except ProcessLookupError:
        return True
    try:
        return bool(select.select([watched], [], [], LONG)[0])
    finally:
        os.close(watched)


def test_every_answer_comes_and_the_last_one_is_known_as_such(asker: Asker) -> None:
    assert asker.asks(thinkers.Question("yes")) == ["yes", "yes"]
    first = asker.pid
    assert asker.asks(thinkers.Question("no")) == ["no", "no"]
    assert asker.pid == first, "one process for all questions"


def test_nobody_is_there_before_something_is_asked(asker: Asker) -> None:
    asker.mind.ask(None)
    assert asker.mind.child is None


def test_when_the_time_is_over_it_is_pressed(asker: Asker) -> None:
    """Long before that the first answer is there, also on a busy machine."""
    assert asker.asks(thinkers.Endless(seconds=0.5))[-1] == "pressed"


def test_a_new_question_interrupts_and_nothing_more_is_heard_of_the_old_one(asker: Asker) -> None:
    asker.mind.ask(thinkers.Endless())
    assert asker.hears().answer == "first"
    assert asker.asks(thinkers.Question("new")) == ["new", "new"]


def test_what_nobody_asks_any_more_ends_too_and_answers_that_are_under_way_are_dropped(asker: Asker) -> None:
    asker.mind.ask(thinkers.Endless())
    late = asker.queue.get(timeout=LONG)
    asker.mind.ask(None)
    assert list(asker.mind.hear(late)) == []
    assert asker.asks(thinkers.Question())[-1] == "yes"


def test_who_is_killed_in_the_middle_of_a_thought_is_replaced_once(asker: Asker) -> None:
    asker.mind.ask(thinkers.Endless())
    asker.hears()
    first = asker.pid
    os.kill(first, signal.SIGKILL)
    assert asker.hears().answer == "first" and asker.pid != first
    os.kill(asker.pid, signal.SIGKILL)
    heard = asker.hears()
    assert heard.answer is None and heard.over
    assert asker.asks(thinkers.Question())[-1] == "yes", "the next question finds somebody again"


def test_who_kills_himself_at_the_first_attempt_answers_at_the_second(asker: Asker, tmp_path: Path) -> None:
    assert asker.asks(thinkers.Mortal(str(tmp_path / "died"))) == ["alive", "alive"]


def test_who_dies_while_nothing_is_asked_is_replaced_when_something_is(asker: Asker) -> None:
    asker.asks(thinkers.Question())
    pid = asker.pid
    os.kill(pid, signal.SIGKILL)
    assert ended(pid)
    assert asker.asks(thinkers.Question("again"))[-1] == "again"


def test_thinking_needs_no_folder_to_write_to(
    asker: Asker, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "none"))
    assert asker.asks(thinkers.Question()) == ["yes", "yes"]


def test_who_cannot_even_be_started_has_no_thoughts_until_he_can(
    asker: Asker, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    with monkeypatch.context() as patch, caplog.at_level(logging.ERROR):
        patch.setattr(mind_module, "COMMAND", ("/nobody",))
        assert asker.asks(thinkers.Question()) == [None]
    assert ["/nobody" in record.getMessage() for record in caplog.records] == [True]
    assert asker.asks(thinkers.Question()) == ["yes", "yes"]


def test_who_dies_and_cannot_be_replaced_has_no_thoughts(
    asker: Asker, monkeypatch: pytest.MonkeyPatch
) -> None:
    asker.mind.ask(thinkers.Endless())
    asker.hears()
    monkeypatch.setattr(mind_module, "COMMAND", ("/nobody",))
    os.kill(asker.pid, signal.SIGKILL)
    heard = asker.hears()
    assert heard.answer is None and heard.over


@pytest.mark.parametrize(
    ("question", "said"),
    [(thinkers.Wrong("why"), "ZeroDivisionError: why"), (thinkers.Silent(), "RuntimeError: no answer")],
)
def test_a_mistake_in_a_thought_is_tried_twice_and_stands_in_the_log(
    asker: Asker,
    caplog: pytest.LogCaptureFixture,
    capfd: pytest.CaptureFixture[str],
    question: Question,
    said: str,
) -> None:
    with caplog.at_level(logging.ERROR):
        assert asker.asks(question)[-1] is None
    assert [record.getMessage() for record in caplog.records] == ["thinking ended with 1"] * 2
    assert capfd.readouterr().err.count(said) == 2


def test_a_thought_that_cannot_be_pressed_is_given_up(
    asker: Asker, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    impatient = "from companion.mind import child; child.STUCK_S = 0.1; child.main()"
    monkeypatch.setattr(mind_module, "COMMAND", (sys.executable, "-c", impatient))
    assert asker.asks(thinkers.Stubborn(seconds=0.1))[-1] is None
    assert "thinkers.py" in capfd.readouterr().err, "the log says where it was"


def test_what_is_printed_in_a_thought_is_no_answer(asker: Asker) -> None:
    assert asker.asks(thinkers.Chatty("heard")) == ["heard", "heard"]


def test_who_thinks_knows_neither_screens_nor_the_eye(asker: Asker) -> None:
    """It has to be there at once and to leave room in a small machine."""
    asker.asks(BestMove("kabooom", KABOOOM, (), "hare", "seed"))
    known = asker.asks(thinkers.Knowing())[-1]
    assert isinstance(known, frozenset)
    assert not known & {"pygame", "cv2", "numpy", "sqlite3", "companion.events", "companion.screens"}


def test_close_ends_who_cannot_be_pressed(asker: Asker) -> None:
    asker.mind.ask(thinkers.Stubborn())
    asker.hears()
    process = asker.mind.child and asker.mind.child.process
    asker.mind.close()
    assert process and process.returncode is not None and asker.mind.child is None


def test_who_thinks_ends_with_a_companion_that_was_killed() -> None:
    command = [sys.executable, "-m", "tests.mind.asker"]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as companion:
        assert companion.stdout
        pid = int(companion.stdout.readline())
        companion.kill()
    assert ended(pid)


def test_a_mind_whose_companion_has_ended_ends_without_a_word() -> None:
    """It was killed while an answer was on its way."""
    nobody, answers = os.pipe()
    os.close(nobody)
    with subprocess.Popen(
        [sys.executable, "-m", "companion.mind.child"],
        cwd=ROOT, stdin=subprocess.PIPE, stdout=answers, stderr=subprocess.PIPE,
    ) as child:  # fmt: skip
        os.close(answers)
        assert child.stdin and child.stderr
        pickle.dump((1, pickle.dumps(BestMove("kabooom", KABOOOM, (), "mouse", "seed"))), child.stdin)
        child.stdin.flush()
        assert (child.wait(LONG), child.stderr.read()) == (0, b"")
