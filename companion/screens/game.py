"""What the screens of all games have in common: whose turn it is, what is awaited, what goes by itself.

A game's own screen is a `GameScreen`. It draws the board and offers what can be touched; moves are played
here, stored before they are shown, taken back and made again. Chance that the companion provides, and the
moves of computers, come by themselves; a hint is thought about like a computer's move.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any, ClassVar

from pygame import Rect

from companion.events import ButtonName, Event, LampName, LookAnew, Say, Seen, Sound, Thoughts, Tick
from companion.eye.dice import Die
from companion.eye.throws import State, Throw
from companion.games import parts
from companion.games.rulebook import Awaited, Refusal
from companion.language import Message, mark
from companion.players import Mover, Seat
from companion.screens.base import Act, Context, Go, Step, Widget
from companion.screens.canvas import Canvas
from companion.screens.dice import STATES, UNCLEAR
from companion.screens.end import EndScreen
from companion.screens.lesson import lesson
from companion.screens.pause import HelpScreen, PauseScreen
from companion.screens.playing import PlayingScreen
from companion.screens.stage import body, title_box, tool
from companion.screens.stuck import StuckScreen
from companion.screens.terms import Choice, Prompt
from companion.screens.theme import FAINT, HINT, INK, WARN, Rgb

BAR = 60  # units: the height of the prompt where it has a line of its own
LIES = (State.RESTING, State.NOTHING)  # all that is there lies still
BACK = 4.0  # seconds for which it is said that the camera is there again
AS_BEFORE = Message(mark("The dice lie as before: throw them, or enter them"))
THOUGHT = 0.7  # seconds until a computer moves, or the end it brought is shown: one sees what happened


class GameScreen(PlayingScreen):
    """One game on the table. A subclass says in its attributes what the set-up has to know of the game."""

    icon: ClassVar[str]
    asks: ClassVar[str]  # the question who begins, a text to translate; none where it makes no difference
    seat_choice: ClassVar[Choice | None] = None  # one that each player may make; the default is `auto`

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self.until = context.now  # nothing goes by itself before: something is still seen to move
        self._ended = False
        self.waiting: Throw | None = None  # a throw that nobody could take yet
        self.early = False  # whether that, or the one that was taken last, came before it was awaited
        self._rests = False  # whether all its dice still lie there
        self._state = State.NOTHING  # what goes on on the table
        self._lost_at = -math.inf  # when the camera was gone last
        self._open: Throw | None = None  # what waits, is asked about or was refused: any other one is over
        self._stirs = False  # whether anything has moved since
        self._read: tuple[Throw | None, object] = None, None  # the last one that was a move, and that move
        self.typed: tuple[int | str, ...] = ()  # dice that people have entered, until they or others are read

    # its dice, where they have no pips

    @property
    def dice_known(self) -> bool:
        """Whether the dice of the box have been taught, so that the camera can read them."""
        return self.die_kind is not None and self.die_kind.taught(self.context.box) is not None

    def teaches(self) -> Iterator[Step]:
        """Teach them now; the game waits."""
        assert self.die_kind is not None
        return lesson(self, self.die_kind)

    def learns_from(self, die: Die) -> None:
        """Somebody has said that one of them shows what the eye took it for: if it still lies there, the eye
        learns that.
        """
        if self._rests and self.die_kind and die.look is not None:
            self.context.box.tell(f"{self.die_kind.name}/{die.sign}", die.look)

    # for the subclass to say

    @classmethod
    def family(cls) -> dict[str, type["GameScreen"]]:
        """Return this game, and those that can be chosen in its stead, by name."""
        others = [name for c in cls.choices if c.of == "book" for name, _ in c.options]
        known = {
            each.kind.book.name: each.kind for part in parts("screen") for each in part.ENTRIES if each.kind
        }
        return {cls.book.name: cls} | {name: known[name] for name in others}

    @classmethod
    def seat_default(cls, values: Mapping[str, str]) -> str:
        """What a player gets who leaves the `seat_choice` open, given the values of the choices."""
        raise NotImplementedError

    def prompt(self) -> Prompt:
        """What now?"""
        raise NotImplementedError

    def board(self, canvas: Canvas) -> Sequence[Widget]:
        """What can be touched of the game, inside `area`."""
        raise NotImplementedError

    def paint_board(self, canvas: Canvas) -> None:
        """Draw the game, inside `area`."""
        raise NotImplementedError

    def after(self, text: str, before: Any) -> Iterator[Step]:
        """What is heard and seen of a move that was played; `before` is the position before it."""
        yield Sound("press")

    def deals(self, awaited: Awaited[Any]) -> bool:
        """Whether the companion provides what the table is to provide, without being asked."""
        return awaited.what in ("shuffle", "deal", "refill", "draw") or self.rolls

    def hinted(self, move: str) -> tuple[str, ...]:
        """The keys of what is to be touched for a move: they are marked when it is the hint."""
        return (move,)

    @property
    def real_dice(self) -> bool:
        """Whether people throw dice of their own in this game that the camera can read."""
        return False

    @property
    def wants_eye(self) -> bool:  # type: ignore[override]
        """While they do, whoever's turn it is: a camera takes its time to begin, and what is thrown meanwhile
        is found lying there.
        """
        return self.real_dice and not self.position.over

    @property
    def awaits_throw(self) -> bool:
        """Whether dice before the camera are what is awaited now."""
        return self.wants_eye

    def seen(self, throw: Throw) -> Iterator[Step]:
        """A throw that is awaited, before the camera: play it, ask about it, or refuse it with a `trouble`;
        if none of these, it is no throw. It may be `early`.
        """
        yield from ()

    def spares_dice(self, text: str) -> bool:
        """Whether a move has nothing to do with the dice that are awaited beside it: they still are."""
        return False

    def slow(self, throw: Throw) -> bool:
        """Whether that is what somebody has entered by hand, which a slow eye reads only now."""
        return False

    def reread(self, throw: Throw) -> None:
        """A throw is read anew that is over: somebody has said what it shows, has gone on from it, or has
        taken it back.
        """

    def stirred(self) -> None:
        """Something moves before the camera."""

    def cleared(self) -> None:
        """There are no dice to be seen any more."""

    @property
    def asks_dice(self) -> bool:
        """Whether something is asked of dice that lie there."""
        return False

    def unask(self) -> None:
        """Ask nothing of them any more."""

    def words(self, refusal: Refusal) -> Message:
        """Why the rules refuse a move."""
        return Message(refusal.text, refusal.fields)

    @property
    def begun(self) -> bool:
        """Whether something was chosen by touch that is no move yet: undo lets go of it first."""
        return False

    def reset(self) -> None:
        """Forget what was begun by touch but is no move yet: the position has changed under it."""

    def reopen(self, text: str) -> None:
        """A person's move was taken back: what many touches have entered for it is not to be entered anew."""

    # what happens

    def handle(self, event: Event) -> Iterator[Step]:
        """What the camera sees, what has been thought, and what goes by itself."""
        if isinstance(event, Seen):
            yield from self._sees(event)
        elif isinstance(event, Thoughts) and self._thinking:
            self._thinking.hear(event)
        elif isinstance(event, Tick):
            if self.context.camera.lost:
                self._lost_at = event.now
            yield from self.go_on()

    # the dice before the camera

    def _sees(self, event: Seen) -> Iterator[Step]:
        """Whatever is thrown waits until it can be taken, or something else is thrown."""
        self._state = event.state
        self._rests = event.state is State.RESTING and (event.throw is not None or self._is_whole(event))
        if event.state is State.MOVING:
            self._stirs = True
            self.stirred()
        if event.state is State.NOTHING:
            self.cleared()
        if event.throw:
            self.waiting = event.throw
            if not event.throw.revises:
                self._open, self._stirs, self.early = event.throw, False, False
            yield from self._take()
        elif self._was_refused and self._stirs and event.state in LIES and not self._is_whole(event):
            self._closes()
            if event.state is State.RESTING:  # one was taken away, as it was said: the others are the throw
                yield LookAnew()

    def _take(self) -> Iterator[Step]:
        """Take the throw that waits, if it lies there and can be taken now. Read anew, one that is not over
        is as good as new; one that is over may only change what was decided last, if that was read from it.
        """
        throw = self.waiting
        if throw is None or self.paused or not self._rests:
            return
        if not same(throw, self._open):
            self.waiting = None
            if self._is_move(throw):
                yield from self._replaces(throw)
            else:
                self.reread(throw)
        elif self._is_known(throw):
            self._closes()
        elif self.awaits_throw:
            self.unask()
            self.waiting, self.trouble, self._open = None, None, throw
            yield from self.seen(throw)
            self._settle()
        else:
            self.early = True

    def _replaces(self, throw: Throw) -> Iterator[Step]:
        """The throw was another one. What was read first stays if nothing else is known for sure; what people
        have decided since, so does.
        """
        if not (throw.sure and self.dice_awaited in (None, len(throw.dice))):
            return
        since = []
        while (last := self.game.done[-1]) is not self._read[1]:
            since.append(last)
            self.context.table.undo()
        self.context.table.undo()
        self.waiting = self._open = throw
        steps = list(self._take())
        if self.game.undone:
            for _ in (throw, *since):
                self.context.table.redo()
            self._closes()
            return
        for move in reversed(since):
            with suppress(Refusal):  # a round may be over by now
                if self.spares_dice(move.text):
                    self.context.table.play(move.text, move.by)
        yield from steps

    def _is_whole(self, event: Seen) -> bool:
        """Whether all dice of what waits, or is asked about, lie there: what was taken up is thrown again."""
        return self._open is None or max(len(event.dice), len(event.found)) >= len(self._open.dice)

    def _is_move(self, throw: Throw) -> bool:
        """Whether it was read from this throw what was decided last, but for what has nothing to do with
        dice, and whatever a computer has made of it.
        """
        read, move = self._read
        decided = (each for each in reversed(self.game.done) if each.by != "companion")
        last = next((each for each in decided if not self.spares_dice(each.text)), None)
        return last is move and same(throw, read)

    def _is_known(self, throw: Throw) -> bool:
        """Whether people have entered it already, or had declined it before it was found lying there."""
        declined = throw.found and _written(throw) == self.game.draft
        return declined or self.slow(throw)

    @property
    def _was_refused(self) -> bool:
        """Whether a throw lies there that could not be taken: not the one before, which still lies there."""
        return self._open is not None and not (self.waiting or self.asks_dice or self.trouble == AS_BEFORE)

    def _settle(self) -> None:
        """The throw is over, unless it waits, is asked about or was refused."""
        if not (self.waiting or self.asks_dice or self.trouble):
            self._open = None

    def _closes(self) -> None:
        """It is over, whatever was asked or refused."""
        self.unask()
        self.waiting = self.trouble = self._open = None

    def declines(self) -> Iterator[Step]:
        """What is asked about is no throw, and is none if it is found lying there."""
        if self._open:
            self.context.table.keep(_written(self._open))
        self._closes()
        yield Sound("press")

    def play(self, text: str, by: Mover = "person") -> Iterator[Step]:
        """Play a move; what the rules refuse is said."""
        before, spares, draft = self.position, self.spares_dice(text), self.game.draft
        try:
            proper = self.context.table.play(text, by)
        except Refusal as refusal:
            self.trouble = self.words(refusal)
            yield Sound("refused")
            return
        if spares:  # dice that were declined, refused or are asked about still are
            self.context.table.keep(draft)
        else:
            self.trouble = None
        if by == "camera":
            self._read, self.typed = (self._open, self.game.done[-1]), ()
        self.reset()
        yield from self.after(proper, before)
        self._settle()
        if self.idle or (self.position.over and by == "companion"):
            self.until = max(self.until, self.context.now + THOUGHT)
        yield from self.go_on()

    def plays(self, text: str) -> Act:
        """The act of a widget that plays a move."""
        return lambda: self.play(text)

    def throws(self, awaited: Awaited[Any]) -> Act:
        """The act of a widget that lets the companion throw."""
        return lambda: self.play(self.match.throw(awaited), "companion")

    def go_on(self) -> Iterator[Step]:
        """Play what goes by itself, unless something is still seen to move."""
        if self.paused:
            return
        yield from self._take()
        yield from self._think()
        if self.context.now < self.until:
            return
        if self.stuck is not None:
            stuck = StuckScreen(self, self.stuck)
            self._thinking = None  # it tries again when that is closed
            yield Go(stuck)
            return
        if self.position.over:
            if not self._ended:
                yield from self.end()
            return
        move = self._by_itself()
        if move:
            yield from self.play(*move)

    def _by_itself(self) -> tuple[str, Mover] | None:
        awaited = self.awaited()
        if awaited is None:
            return None
        if awaited.who is None:
            return (self.match.throw(awaited), "companion") if self.deals(awaited) else None
        text = self.forced(awaited) or self._thought_of()
        return (text, "companion") if text else None

    def end(self) -> Iterator[Step]:
        """The game is over; who has won is heard once."""
        winners = self.position.winners
        if not self._ended:
            yield Sound("win")
            yield Say(f"wins-{self.seats[winners[0]].colour}" if len(winners) == 1 else "wins-several")
        self._ended, self.trouble = True, None
        yield Go(EndScreen(self, type(self)))

    # back and forth

    @property
    def can_undo(self) -> bool:
        """Whether something is asked or begun, or people have played anything, that can be taken back."""
        played = any(move.by != "companion" for move in self.game.done)
        return self.asks_dice or self.begun or played

    def undo(self) -> Iterator[Step]:
        """Take back what is asked or begun; or else the last decision of a person, with all that followed."""
        if self.asks_dice:
            yield from self.declines()
            return
        if self.begun:
            self.trouble = None
            self.reset()
            yield Sound("press")
            return
        if not self.can_undo:
            yield Sound("refused")
            return
        self._back()
        self._turned()
        if (last := self.game.undone[-1]).by == "person":
            self.reopen(last.text)
        yield Sound("press")

    def redo(self) -> Iterator[Step]:
        """Make the decision again that was taken back last, with all that followed from it."""
        sound = Sound("press" if self.game.undone else "refused")
        self._forth()
        self._turned()
        yield sound

    def _back(self) -> None:
        while (move := self.context.table.undo()) and move.by == "companion":
            pass

    def _forth(self) -> None:
        while self.context.table.redo() and self.game.undone and self.game.undone[-1].by == "companion":
            pass

    def _turned(self) -> None:
        self.trouble, self._ended, self.until, self.typed = None, False, self.context.now, ()
        self.context.box.take_back()
        self.unask()
        self.reset()
        self._settle()

    def press(self, button: ButtonName) -> Iterator[Step] | None:
        """Undo takes back; confirm means nothing while nobody is to do anything."""
        if button == "confirm" and self.idle:
            return iter(())
        return self.undo() if button == "undo" else None

    def lamps(self) -> dict[ButtonName, LampName]:
        """Undo is lit while there is something to take back, confirm while somebody is to do anything."""
        return {"undo": "on" if self.can_undo else "off", "confirm": "off" if self.idle else "on"}

    @property
    def idle(self) -> bool:
        """Whether nobody is to do anything at the board: a computer is."""
        return self.rolls or self.computer is not None

    @property
    def confirm_answers(self) -> object:
        """That the best guess is right; or nothing, but then it does nothing else either."""
        return self._asked or self.idle or None

    @property
    def _asked(self) -> Throw | None:
        """The throw of which something is asked."""
        return self._open if self.asks_dice else None

    def leave(self) -> Iterator[Step]:
        """The game stays on the table, and this screen is made anew; but what is over, and was seen to be, is
        off the table. What was said of dice is learned; those that are not taken yet are to be found again by
        whoever comes back.
        """
        self.context.box.learn()
        if self._open:
            yield LookAnew()
        yield from self._forget()
        if self._ended and self.position.over:
            self.context.table.put_aside()

    def reseat(self, player: int, seat: Seat) -> Iterator[Step]:
        """What was begun by touch is not theirs."""
        yield from super().reseat(player, seat)
        if self.begun:
            self.reset()

    # where things are

    @property
    def tools(self) -> int:  # type: ignore[override]
        """Pause, undo, and the hint where there are any."""
        return 3 if self.strengths() else 2

    def area(self, canvas: Canvas) -> Rect:
        """Below the prompt, where that has a line of its own."""
        whole = body(canvas)
        bar = canvas.px(BAR) if canvas.portrait else 0
        return Rect(whole.x, whole.y + bar, whole.width, whole.height - bar)

    def _prompt_box(self, c: Canvas) -> Rect:
        if c.portrait:
            area = self.area(c)
            return Rect(area.x, area.y - c.px(BAR), area.width, c.px(BAR))
        return title_box(c, self.tools + bool(self.context.notices))

    def widgets(self, canvas: Canvas) -> Sequence[Widget]:
        """The board's, while people may touch it; then the way to the rules, the hint, undo and the pause."""
        signs = [
            Widget("help", self._prompt_box(canvas), self._help, style="drawn"),
            Widget("pause", tool(canvas, 1), self._pause, icon="menu", style="quiet"),
        ]
        if self.can_undo:
            box, means = tool(canvas, 2), self._asked
            signs.insert(1, Widget("undo", box, self.undo, icon="undo", style="quiet", means=means))
        if self.mine and self.strengths():
            box, asked = tool(canvas, 3), self.thinking is not None
            signs.insert(1, Widget("hint", box, self._hint, icon="lamp", style="quiet", means=asked))
        board = [] if self.idle else self.board(canvas)
        marked = self.hinted(self.hint.move) if self.hint else ()
        return [*(each._replace(hinted=True) if each.key in marked else each for each in board), *signs]

    def _help(self) -> Iterator[Step]:
        if self.position.over:  # what now? who has won
            yield from self.end()
            return
        yield Go(HelpScreen(self.context, self.guide, self.page(), self))

    def _pause(self) -> Iterator[Step]:
        yield Go(PauseScreen(self))

    # what is shown

    def paint_title(self, canvas: Canvas, box: Rect) -> None:
        """What now? Where the header is too narrow for that, the name of the game."""
        if canvas.portrait:
            canvas.text(self.context.t(self.title), box, 30, face="title", colour=self.accent)
        else:
            self._paint_prompt(canvas, box)

    def paint(self, canvas: Canvas) -> None:
        """The prompt and the board."""
        if canvas.portrait:
            self._paint_prompt(canvas, self._prompt_box(canvas))
        self.paint_board(canvas)

    def _paint_prompt(self, c: Canvas, box: Rect) -> None:
        prompt, side = self.shown(), c.px(38)
        place = Rect(box.x + c.px(8), box.centery - side // 2, side, side)
        if prompt.player is not None:
            place = c.seat(place, self.seats[prompt.player]).move(side + c.px(8), 0)
        c.icon(prompt.icon, place, HINT if prompt.icon == "lamp" else self.accent)
        place = place.move(side + c.px(8), 0)
        sign = Rect(box.right - c.px(34), box.centery - c.px(13), c.px(26), c.px(26))
        c.icon("help", sign, FAINT)
        wrong = self._wrong
        reason, colour = _sentence(self.context.t.say(wrong)) if wrong else "", WARN
        if eye := self._eye_sign:
            sign = sign.move(-c.px(36), 0)
            c.icon(eye[0], sign, eye[2])
            reason, colour = (reason, WARN) if reason else eye[1:]
        words = Rect(place.x, box.y, sign.x - place.x - c.px(6), box.height)
        half = box.height // 2
        line = Rect(0, 0, 20 * c.width, half)
        wide = c.text_width(self.context.t.say(prompt.text), line, 20, face="bold") if reason else 0
        if reason and max(wide, c.text_width(reason, line, 23)) <= words.width:
            c.text(reason, words.move(0, half).clip(box), 23, align="left", colour=colour)
            words.height = half
        elif wrong:  # then it has all the room
            c.text(reason, words, 26, align="left", colour=WARN)
            return
        c.text(self.context.t.say(prompt.text), words, 26, face="bold", align="left", colour=INK)

    @property
    def _wrong(self) -> Message | None:
        """Why there is no throw yet, or why the last touch or throw was no move."""
        unclear = self._state in UNCLEAR and self.awaits_throw and not self.context.camera.trouble
        return Message(STATES[self._state][1]) if unclear else self.trouble

    @property
    def _eye_sign(self) -> tuple[str, str, Rgb] | None:
        """That the camera sees nothing, and that it is back: a sign, words, and their colour."""
        if not self.wants_eye:
            return None
        if self.context.camera.lost:
            return "no-camera", self.context.t("The camera is gone"), WARN
        if self.context.camera.blind:  # who has none plays without, but who has one may wait for it
            seen = self.context.camera.pictures
            return "no-camera", self.context.t("The camera sees nothing") if seen else "", WARN
        if self.context.now - self._lost_at < BACK:
            return "camera", self.context.t("The camera is back"), self.accent
        return None

    def shown(self) -> Prompt:
        """What now? Or the hint, if somebody has asked for one."""
        if not self.thinking or not self.mine:
            return self.prompt()
        awaited = self.awaited()
        assert awaited is not None
        words = self.hint.why if self.hint else Message("Let me think …")
        return Prompt(words, awaited.who, "lamp")


def same(throw: Throw, other: Throw | None) -> bool:
    """Whether it is the same throw, read anew."""
    return other is not None and throw.number == other.number


def _written(throw: Throw) -> str:
    """A throw that was declined, as a draft."""
    return " ".join(["no", *sorted(str(die.shows) for die in throw.dice)])


def _sentence(words: str) -> str:
    """The words with a capital letter at their beginning; but the name of a square is written as it is."""
    return words if words[1:2].isdigit() else words[:1].upper() + words[1:]
