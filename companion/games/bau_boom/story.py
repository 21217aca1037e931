"""What a screen of Bau Boom knows of the game: how it came here, and what people have begun to enter."""

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

from companion.events import ASKS, Say, Sound
from companion.eye.arrange import arrange
from companion.eye.throws import PLACE, Throw
from companion.eye.tiles import Tile
from companion.games.bau_boom import notation, plan, sight, steps
from companion.games.bau_boom.choices import dealt, empty
from companion.games.bau_boom.dice_entry import DiceEntry
from companion.games.bau_boom.hill import Colour, Place
from companion.games.bau_boom.odds import NAMES
from companion.games.bau_boom.position import Draw, Position
from companion.games.bau_boom.sight import Sight
from companion.games.bau_boom.steps import Card, Frame
from companion.games.bau_boom.tile_look import TileLook
from companion.games.rulebook import IllegalMove, Refusal
from companion.language import Message, mark
from companion.players import Mover, PlayerColour
from companion.screens.base import Act, Context, Go, Step
from companion.screens.game import AS_BEFORE, GameScreen, same
from companion.throwlog import LoggedThrow

REFUSED = {  # what the rules say, in few words: beside what is asked there is little room
    "now decide about the tile on the space": mark("First this tile"),
    "now decide about the tile from the container": mark("First this tile"),
    "now a tile is drawn from the container": mark("First draw a tile"),
    "now you build until nothing fits any more": mark("Now you build"),
    "now a tile of the hill is paid": mark("Now a tile goes back"),
    "only a free place of the tile's own colour takes it": mark("A tile lies there already"),
    "both places below must be covered first": mark("First both below it"),
    "no tile lies on {row}.{number}": mark("No tile lies there"),
    "this tile must be taken": mark("You have to take it"),
}
LOOK = 3.0  # seconds for which a drawn tile lies face up for its owner


class BauGame(GameScreen):
    """The game, without anything that is drawn."""

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self.open_hand = False  # whether the owner of a drawn tile has decided to build it
        self.looked = (-math.inf, 0)  # when a drawn tile was turned over, and on which card
        self.glimpse: tuple[int, ...] = ()  # dice that were seen and are too few or too many
        self.logged: LoggedThrow | None = None  # the throw in play, if the camera has read it
        self.asked: LoggedThrow | None = None  # a throw that waits for a person to say whether it is right
        self.handled = False  # whether anything has moved since dice were `typed`: perhaps they are gone
        self.chosen: int | None = None  # what is being corrected: the tile of a sight or barrow, a space
        self.left: Throw | None = None  # what is no throw any more, or none yet, unless it was taken up since
        self.accepting: int | None = None  # who builds and pays as proposed, as long as that goes on
        self._frames: list[Frame] = []

    @property
    def position(self) -> Position:
        """The position."""
        position = self.game.match.position
        assert isinstance(position, Position)
        return position

    @property
    def colours(self) -> list[PlayerColour]:
        """The colours of the players."""
        return [seat.colour for seat in self.seats]

    @property
    def rolls(self) -> bool:
        """People throw for computers: when they have done what the one before has chosen."""
        return False

    @property
    def told(self) -> frozenset[int]:
        """The players for whom the computer chooses; people carry it out."""
        return frozenset(player for player in range(len(self.seats)) if self.by_computer(player))

    @property
    def real(self) -> bool:
        """Whether people draw from the real container."""
        return self.manner("container") == "real"

    @property
    def entered(self) -> tuple[Colour, ...]:
        """The tiles that people have drawn so far, in the order of the spaces."""
        return sight.entered(self.game.draft)

    @property
    def sight(self) -> Sight | None:
        """What the camera has seen of the tiles and nobody has confirmed yet, if any of it is left."""
        found = sight.read(self.game.draft)
        return found if found and found.words else None

    @property
    def filled(self) -> list[int]:
        """The spaces that get a tile now, in the order of the trail."""
        position = self.position
        return dealt(position) if position.due.what == "deal" else empty(position, position.due)

    @property
    def asks_dice(self) -> bool:
        """The best guess waits for an answer."""
        return self.asked is not None

    def unask(self) -> None:
        """Nor is anything known of dice that were seen."""
        self.glimpse, self.asked = (), None

    @property
    def lying(self) -> dict[int, Colour]:
        """What lies on the spaces that get a tile, as far as it was entered or the camera has seen it."""
        found = self.sight
        entered = self.entered if found is None or found.kind == "rows" else ()
        colours = (*entered, *(found.colours if found else ()))
        return {space: colour for space, colour in zip(self.filled, colours, strict=False) if colour}

    @property
    def told_so_far(self) -> Position:
        """The position with that on the trail, except what is a mistake: no container holds it."""
        position = self.position
        for space, colour in self.lying.items() if self.game.draft else ():
            with suppress(IllegalMove):
                position = position.laid_out([space], (colour,))
        return position

    def words(self, refusal: Refusal) -> Message:
        """Why the rules refuse a move; colours have names."""
        if refusal.text in REFUSED:
            return Message(REFUSED[refusal.text])
        names = dict[object, Message](NAMES.items())
        return Message(refusal.text, {key: names.get(value, value) for key, value in refusal.fields.items()})

    @property
    def begun(self) -> bool:
        """A drawn tile is to be built, or one that was entered or seen was touched to be corrected."""
        asked = self.sight.doubts if self.sight else ()
        return self.open_hand or (self.chosen is not None and self.chosen not in asked)

    def reset(self) -> None:
        """Nothing is looked at any more."""
        self.open_hand, self.looked = False, (-math.inf, 0)
        self.logged = self.chosen = None
        self.unask()

    # how it came here

    @property
    def frames(self) -> list[Frame]:
        """Every move so far; what is kept of them grows and shrinks with the game."""
        positions: list[Any] = list(self.match.positions)
        kept = self._frames
        while kept and (len(kept) >= len(positions) or kept[-1].after is not positions[len(kept)]):
            kept.pop()
        for number in range(len(kept), len(positions) - 1):
            move = notation.parse(self.match.moves[number])
            kept.append(Frame(move, positions[number], positions[number + 1], self.game.done[number].by))
        return kept

    @property
    def turn_frames(self) -> list[Frame]:
        """The moves since the last throw."""
        return steps.turn(self.frames)

    @property
    def cards(self) -> list[Card]:
        """What is to be done with the real things; and what may still be looked at."""
        now = self.cards_of(self.turn_frames)
        drawn = [card.players for card in now if card.sign == "drawn"]
        return [*(card for card in self._still_secret() if card.players not in drawn), *now]

    def _still_secret(self) -> Iterator[Card]:
        """The tiles that were drawn before the last throw, by somebody who has not thrown since: he may look
        at his, however quick the next one is (BAU-R17).
        """
        for player in () if self.real else set(range(len(self.seats))) - self.told:
            if Card("drawn", (player,)) in self.cards_of(steps.earlier(self.frames, player)):
                drawn, before = self.from_container(player), self._draw(player).barrows[player].tiles
                if drawn[-1:] == (True,) and len(drawn) == len(before):  # he still has it
                    yield Card("drawn", (player,))

    def cards_of(self, frames: Sequence[Frame]) -> list[Card]:
        """What is to be done with them after these moves."""
        found = steps.cards(frames)
        if self.real:  # whoever draws has laid the tiles already
            return [card for card in found if card.sign != "lay"]
        return [held for card in found if (held := self._at_hand(card, len(frames)))]

    def _at_hand(self, card: Card, last: int) -> Card | None:
        """A card without the tiles that only the companion knew: nobody can give them back."""
        if card.sign != "back":
            return card
        tiles = Counter(card.tiles) - steps.unfetched(self.frames, card.player, last)
        return replace(card, tiles=tuple(tiles.elements())) if tiles else None

    def from_container(self, player: int) -> tuple[bool, ...]:
        """Which tiles of a barrow only the companion knows: people have not got them yet."""
        drawn = steps.from_container(self.frames, player)
        return tuple(each and not self.real for each in drawn)

    def eaten(self, card: Card) -> bool:
        """Whether the tile that an anteater gets is one that only the companion knows."""
        if card.sign != "anteater" or self.real:
            return False
        before = steps.from_container(self.frames[: -len(self.turn_frames)], card.player)
        return bool(before) and before[-1]

    def fetched(self, card: Card) -> set[Place]:
        """The places on a card whose tiles only the companion knew: people have not got them yet."""
        if card.sign != "build" or self.real:
            return set()
        return steps.fetched(self.frames, card.player, len(self.turn_frames)).intersection(card.places)

    # what is looked at

    def looked_at(self, number: int) -> bool:
        """Whether the tile on a card lies face up now."""
        when, card = self.looked
        return card == number and self.context.now - when < LOOK

    def secret(self, player: int) -> Colour:
        """The tile that a player has drawn last; only for his eyes."""
        return self._draw(player).barrows[player].tiles[-1]

    def _draw(self, player: int) -> Position:
        """The position after a player's last draw."""
        draws = (f for f in reversed(self.frames) if isinstance(f.move, Draw))
        return next(f.after for f in draws if f.before.due.player == player)

    def looks(self, number: int) -> Iterator[Step]:
        """Turn a drawn tile over, or cover it again."""
        self.looked = (-math.inf, 0) if self.looked_at(number) else (self.context.now, number)
        yield Sound("tile")

    # what people enter who draw from the real container

    def lay(self, colour: Colour) -> Iterator[Step]:
        """Take down the tile on the next empty space of the trail; with the last one it is a move."""
        awaited = self.awaited()
        assert awaited is not None
        entered, self.trouble = (*self.entered, colour), None
        yield Sound("tile")
        if awaited.what == "draw" or len(entered) == awaited.count:
            yield from self.play(f"{awaited.what} {' '.join(entered)}")
            if self.trouble and entered[1:]:  # any of them may be the wrong one
                self.context.table.keep(sight.after(" ".join(entered[:-1]), Sight("rows", entered)))
        else:
            self.context.table.keep(" ".join(entered))

    def lays(self, colour: Colour) -> Act:
        """The act of a widget that enters one tile."""
        return lambda: self.lay(colour)

    def unlay(self) -> Iterator[Step]:
        """Take back the last tile that was entered."""
        self.trouble = None
        self.context.table.keep(" ".join(self.entered[:-1]))
        yield Sound("press")

    @property
    def can_undo(self) -> bool:
        """A tile that was entered and what the camera has seen of them can be taken back too."""
        return bool(self.entered or self.sight) or super().can_undo

    def undo(self) -> Iterator[Step]:
        """What was begun; what the camera has seen of tiles, but first the last correction of that; the last
        tile that was entered; or else the last decision.
        """
        if self.begun:
            yield from super().undo()
        elif (earlier := sight.before(self.game.draft)) or self.sight:
            self.context.table.keep(earlier or " ".join(self.entered))
            self.chosen, self.trouble = None, None
            yield Sound("press")
        elif self.entered:
            yield from self.unlay()
        else:
            yield from super().undo()

    def reopen(self, text: str) -> None:
        """The tiles that people had laid lie there: each can be corrected, and all be confirmed again."""
        what, *colours = text.split()
        if self.real and what in ("deal", "refill"):
            self.context.table.keep(" ".join(("rows", *colours)))

    def chooses(self, number: int) -> Iterator[Step]:
        """A tile is to be corrected, or not after all."""
        self.chosen = None if self.chosen == number else number
        yield Sound("press")

    def recolours(self, colour: Colour) -> Act:
        """The act of a widget that gives the chosen tile another colour."""
        return lambda: self._recolour(colour)

    def _recolour(self, colour: Colour) -> Iterator[Step]:
        """The chosen tile was entered with another colour, however long ago: all that was played since still
        is.
        """
        number, place = self._entered_as()
        what, *colours = self.match.moves[number].split()
        colours[place] = colour
        try:
            self.context.table.amend(number, " ".join((what, *colours)))
        except Refusal:  # of a move that was right when it was played
            self.trouble = Message(mark("That does not go with what was played since"))
            yield Sound("refused")
            return
        self.reset()
        yield Sound("tile")

    def _entered_as(self) -> tuple[int, int]:
        """By which move the chosen tile was entered, and as which of those that it names."""
        due, chosen = self.position.due, self.chosen
        assert chosen is not None
        if due.what in ("roll", "tile"):
            space = chosen if due.what == "roll" else self.position.barrows[due.player].at
            return steps.laid_out(self.frames, space)
        return steps.entered(self.frames, due.player, chosen if due.what == "build" else -1)

    # what the camera sees of the tiles

    def looks_at_tiles(self) -> Iterator[Step]:
        """Show what the camera sees, and let it read the tiles."""
        yield Go(TileLook(self, self.saw))

    def saw(self, tiles: tuple[Tile, ...]) -> Iterator[Step]:
        """Keep the tiles in a picture, the surest first, to be checked."""
        options = self.position.options
        laid, kinds = arrange(tiles[: sum(options.tiles)]), options.trail
        found = sight.seen(laid, kinds, self.filled, self.entered)
        if found is None:
            self.trouble = Message(mark("I see no tiles"))
            yield Sound("refused")
            return
        most = sight.room(kinds) if found.kind == "ring" else len(self.filled) - len(self.entered)
        yield from self._shows(found, sight.after(self.game.draft, found) if self.sight else str(found))
        if len(laid.tiles) > most:
            fields = {"count": len(laid.tiles), "most": most}
            self.trouble = Message(mark("I see {count} tiles, but there is room for {most}"), fields)

    def corrects(self, found: Sight) -> Iterator[Step]:
        """What was seen is this, as a person says."""
        yield from self._shows(found, sight.after(self.game.draft, found))

    def _shows(self, found: Sight, draft: str) -> Iterator[Step]:
        """The next thing to look at is the first that is in doubt."""
        self.trouble = None
        self.context.table.keep(draft)
        self.chosen = next(iter(found.doubts), None)
        yield Sound("tile")

    def confirms(self) -> Iterator[Step]:
        """What was seen is right: a move, if no tile is to come."""
        awaited = self.awaited()
        assert awaited is not None
        colours = list(self.lying.values())
        if len(colours) == awaited.count:
            yield from self.play(f"{awaited.what} {' '.join(colours)}")
        else:
            self.context.table.keep(" ".join(colours))
            self.chosen = None
            yield Sound("tile")

    # what the panels offer

    def accepts(self) -> Iterator[Step]:
        """Build and pay as proposed: one decision of a person, from which all the rest follows."""
        player = self.accepting = self.position.due.player
        by: Mover = "person"
        while self._at_work(player):
            yield from self.play(notation.write(plan.proposed(self.position)), by)
            by = "companion"
        self.accepting = None

    def _at_work(self, player: int | None) -> bool:
        position = self.position
        return not position.over and position.due.what in ("build", "pay") and position.due.player == player

    def builds_drawn(self) -> Iterator[Step]:
        """Build a drawn tile, which everybody may see from now on; where to, if there is a choice."""
        lays = [text for text in self.match.texts(self.match.awaits[0]) or [] if text != "take"]
        if len(lays) == 1:
            yield from self.play(lays[0])
        else:
            self.open_hand = True
            yield Sound("press")

    def enters(self, dice: tuple[int, int] | None = None) -> Iterator[Step]:
        """Let people enter two dice, or that which the eye does not see, or correct them."""
        if dice:
            yield Go(DiceEntry(self, self.answers if self.asked else self.corrected, dice))
        else:
            seen = self.glimpse if len(self.glimpse) == 1 else ()
            yield Go(DiceEntry(self, self.entered_by_hand, seen))

    def entered_by_hand(self, dice: tuple[int, int]) -> Iterator[Step]:
        """Two real dice were thrown, and a person says what they show."""
        self.typed, self.handled = dice, False  # however the camera reads them
        yield from self.play(f"roll {dice[0]} {dice[1]}")
        if self.waiting:  # it has already, and a hand lies over them
            self._keeps(self.waiting)
            self._closes()

    def answers(self, dice: tuple[int, int]) -> Iterator[Step]:
        """What is asked shows these dice: the best guess, or what a person says instead."""
        logged, self.waiting = self.asked, None  # however the camera reads them meanwhile
        assert logged is not None
        self.typed = ()
        yield from self.play(f"roll {dice[0]} {dice[1]}")
        self.context.table.log.settle(logged, dice)
        self.logged = logged

    def corrected(self, dice: tuple[int, int]) -> Iterator[Step]:
        """The throw in play was another one; its dice lie where they lay."""
        logged, left = self.logged, self.left
        if logged:
            self.context.table.log.settle(logged, dice)
        if self.typed:
            self.typed = dice
        self.context.table.undo()
        yield from self.play(f"roll {dice[0]} {dice[1]}")
        self.logged, self.left = logged, left

    # what the camera sees

    @property
    def awaits_throw(self) -> bool:
        """Somebody is to throw."""
        return self.awaited("roll") is not None

    def seen(self, throw: Throw) -> Iterator[Step]:
        """Two dice that lie still are a throw; an eye that is not sure asks first.

        What was thrown before it was awaited, or lay there before anybody looked, is asked about, too:
        perhaps it was not meant. So are dice like those that were entered, or thrown before, which may lie
        there still.
        """
        faces, perhaps = tuple(die.face for die in throw.dice), throw.found or self.early
        if perhaps and self._handed_on(throw, faces):
            return
        if self._has_stayed(throw):  # one after the other is thrown
            self.trouble = AS_BEFORE
            return
        if sorted(faces) == sorted(self.typed):
            perhaps = self.early = True
        perhaps |= bool(self.left) and sorted(faces) == sorted(self.position.dice)
        if len(faces) == 2 and throw.sure and not perhaps:
            yield from self.play(f"roll {faces[0]} {faces[1]}", "camera")  # first: the power may be cut
            self.logged = self._logs(throw)
            return
        logged = self._logs(replace(throw, sure=throw.sure and not perhaps))
        if perhaps and logged.pips != faces and self._handed_on(throw, logged.pips):
            return
        faces = logged.pips  # as people have said, if it was known already
        if len(faces) == 2:
            self.asked, self.left = logged, throw if perhaps else self.left
            yield from ASKS
        else:
            self.trouble, self.glimpse = _too_few_or_many(len(faces)), faces
            yield Sound("refused")
            yield Say("throw-two")

    def _handed_on(self, throw: Throw, faces: Sequence[int]) -> bool:
        """Whether these are the dice of the throw before, most likely, which the next player has got. That is
        said, as it may have been another throw, unless they just lay there.
        """
        handed_on = sorted(faces) == sorted(self.position.dice) and (throw.found or bool(self.left))
        if handed_on:
            self.left = throw
            self.trouble = None if throw.found else AS_BEFORE
        return handed_on

    def _has_stayed(self, throw: Throw) -> bool:
        """Whether a die of this throw lies there since the one before."""
        if self.left is None or same(throw, self.left):
            return False
        stayed = [throw.dice[number] for number in throw.stayed]
        return any(
            die.face == other.face and die.apart(other) < PLACE for die in stayed for other in self.left.dice
        )

    def stirred(self) -> None:
        """What is read from now on may have been thrown since."""
        self.handled = True

    def cleared(self) -> None:
        """They were taken up, and what comes then has been thrown."""
        self.left = None

    def _turned(self) -> None:
        """One of the dice may be thrown again."""
        super()._turned()
        self.left = None

    def slow(self, throw: Throw) -> bool:
        """What was entered, if nothing has moved since."""
        if not self.typed or self.handled or throw.found:
            return False
        self._keeps(throw)
        return True

    def _keeps(self, throw: Throw) -> None:
        """What is read of the dice that were entered is kept as people have said; and where they lie."""
        dice, self.typed, self.left = self.typed, (), throw
        logged = self._logs(throw)
        same = sorted(logged.pips) == sorted(dice)
        self.context.table.log.settle(logged, logged.pips if same else dice)

    def reread(self, throw: Throw) -> None:
        """It is taken down."""
        self._logs(throw)

    def _logs(self, throw: Throw) -> LoggedThrow:
        return self.context.table.log.thrown(throw, self.context.camera.demonstration)


def _too_few_or_many(count: int) -> Message:
    if count == 1:
        return Message(mark("I see one die, two are needed"))
    return Message(mark("I see {count} dice, two are needed"), {"count": count})
