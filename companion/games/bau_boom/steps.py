"""What people do with the real barrows and tiles after a move, card by card. Pure.

A card tells nothing of what lies face down: a tile in a barrow is a tile like any other.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import compress
from typing import Literal

from companion.games.bau_boom.hill import Colour, Place, colour_of
from companion.games.bau_boom.position import (
    Deal,
    Done,
    Draw,
    Go,
    Lay,
    Leave,
    Move,
    Position,
    Refill,
    Remove,
    Roll,
    Take,
)
from companion.players import Mover

Sign = Literal["drive", "push", "take", "drawn", "anteater", "back", "build", "lay", "return", "stay"]


@dataclass(frozen=True, slots=True)
class Frame:
    """A move, the positions before and after it, and who has made it."""

    move: Move
    before: Position
    after: Position
    by: Mover = "person"


@dataclass(frozen=True, slots=True)
class Card:
    """Something to do: by whom, with which tiles that lie open, on which places of his hill, or by how many
    spaces.
    """

    sign: Sign
    players: tuple[int, ...] = ()
    tiles: tuple[Colour, ...] = ()
    places: tuple[Place, ...] = ()
    spaces: int = 0

    @property
    def player(self) -> int:
        """Whom it is about, if it is one player."""
        return self.players[0]

    def joined(self, other: "Card") -> "Card | None":
        """Both in one: what one player builds or gives back, what all lay out, what several are to do alike;
        None otherwise.
        """
        if self.sign != other.sign:
            return None
        if self.sign in ("build", "back", "lay") and self.players == other.players:
            return replace(self, tiles=self.tiles + other.tiles, places=self.places + other.places)
        if self.sign in ("push", "take") and (self.spaces, self.tiles) == (other.spaces, other.tiles):
            return replace(self, players=self.players + other.players)
        return None


def turn(frames: Sequence[Frame]) -> list[Frame]:
    """Return what has happened since the last throw."""
    return list(frames[_thrown(frames) :])


def earlier(frames: Sequence[Frame], player: int) -> list[Frame]:
    """Return what has happened between a player's last throw and the last throw of all."""
    return list(frames[_thrown(frames, player) : max(0, _thrown(frames) - 1)])


def _thrown(frames: Sequence[Frame], player: int | None = None) -> int:
    """Return how many frames there are up to the last throw, or to the last one of a player."""
    for count in range(len(frames), 0, -1):
        frame = frames[count - 1]
        if isinstance(frame.move, Roll) and player in (None, frame.before.turn):
            return count
    return 0


def cards(frames: Sequence[Frame]) -> list[Card]:
    """Return what is to be done after some moves."""
    found: list[Card] = []
    for frame in frames:
        if (
            isinstance(frame.move, Lay) and frame.before.due.what == "drawn"
        ):  # built: it is no secret any more
            found = [
                card for card in found if (card.sign, card.players) != ("drawn", (frame.before.due.player,))
            ]
        new = [*_chosen(frame), *_asked(frame), *_followed(frame)]
        if isinstance(frame.move, Remove):  # built in this turn and paid again: there is nothing to be shown
            kept = [_without(card, frame.before.due.player, frame.move.place) for card in found]
            new = new if kept == found else [replace(card, places=()) for card in new]
            found = [card for card in kept if card.sign != "build" or card.places]
        for card in new:
            for i, same in enumerate(found):
                if joined := same.joined(card):
                    found[i] = joined
                    break
            else:
                found.append(card)
    return found


def _without(card: Card, player: int, place: Place) -> Card:
    if card.sign != "build" or card.players != (player,):
        return card
    return replace(card, places=tuple(each for each in card.places if each != place))


def _chosen(frame: Frame) -> Iterator[Card]:
    """What people have to do for a computer: whoever chooses for himself knows it, and has done it."""
    player, before = frame.before.due.player, frame.before
    if frame.by != "companion":
        return
    match frame.move:
        case Go():
            yield Card("drive", (player,), spaces=_driven(frame, player))
        case Take() if before.due.what == "tile" and not before.due.forced:
            tile = before.trail[before.barrows[player].at]
            yield Card("take", (player,), (tile,) if tile else ())
        case Leave() if before.options.variant != "younger":
            yield Card("stay", (player,))


def _asked(frame: Frame) -> Iterator[Card]:
    """What the move itself means, for whom it is about."""
    player, before = frame.before.due.player, frame.before
    match frame.move:
        case Lay(_, place):
            yield Card("build", (player,), places=(place,))
        case Done() if before.barrows[player].tiles:
            yield Card("back", (player,), before.barrows[player].tiles)
        case Remove(place):
            colour = colour_of(before.options.plan(player), place)
            yield Card("back", (player,), (colour,) if colour else (), (place,))
        case Draw():
            yield _drawn(frame, player)
        case Deal(colours) | Refill(colours):
            yield Card("lay", tiles=colours)
        case Leave() if before.options.variant == "younger":
            yield Card("stay", (player,))


def _drawn(frame: Frame, player: int) -> Card:
    """A drawn tile goes into the barrow, unless it fits nowhere and is put away (A-BAU20)."""
    kept = len(frame.after.barrows[player].tiles) > len(frame.before.barrows[player].tiles)
    return Card("drawn" if kept else "return", (player,))


def _followed(frame: Frame) -> Iterator[Card]:
    """What pushed barrows and their new spaces bring, and what happened by itself."""
    before, after = frame.before, frame.after
    own = isinstance(frame.move, Take | Leave | Draw | Lay | Done | Remove)
    mine = before.due.player if own else None
    for player, (old, new) in enumerate(zip(before.barrows, after.barrows, strict=True)):
        if old.at != new.at and player != before.turn:
            yield Card("push", (player,), spaces=_driven(frame, player))
        if player != mine and len(new.tiles) < len(old.tiles):
            yield Card("anteater", (player,))
        elif len(new.tiles) > len(old.tiles) and not (player == mine and isinstance(frame.move, Take | Draw)):
            yield Card("take", (player,))
        elif _vanished(frame, new.at) and not (player == mine and isinstance(frame.move, Take | Lay)):
            yield Card("return", (player,))
    if isinstance(frame.move, Take) and before.due.forced and before.due.what == "tile":
        yield Card("take", (before.due.player,))


def _driven(frame: Frame, player: int) -> int:
    """How many spaces a barrow has come on: no more than there are to the start (BAU-R25)."""
    old, new = (position.barrows[player].at for position in (frame.before, frame.after))
    return (new - old) % len(frame.before.trail)


def _vanished(frame: Frame, space: int) -> bool:
    """Whether a tile on a space is gone."""
    return frame.before.trail[space] is not None and frame.after.trail[space] is None


def fresh(frames: Sequence[Frame]) -> frozenset[int]:
    """Return the spaces that tiles were laid on."""
    laid = [frame for frame in frames if isinstance(frame.move, Deal | Refill)]
    return frozenset(
        space
        for frame in laid
        for space, (old, new) in enumerate(zip(frame.before.trail, frame.after.trail, strict=True))
        if new and not old
    )


def from_container(frames: Sequence[Frame], player: int) -> list[bool]:
    """Return for each tile in a barrow whether it was drawn, and not picked up on the trail."""
    return [_drew(frames[number], player) for number in _came(frames, player)]


def entered(frames: Sequence[Frame], player: int, tile: int) -> tuple[int, int]:
    """Return by which move a tile in a barrow came on the table, and as which of those that it names."""
    number = _came(frames, player)[tile]
    if _drew(frames[number], player):
        return number, 0
    return laid_out(frames[:number], frames[number].after.barrows[player].at)


def laid_out(frames: Sequence[Frame], space: int) -> tuple[int, int]:
    """Return by which move the tile on a space was laid there, and as which of those that it names."""
    number = next(n for n in reversed(range(len(frames))) if frames[n].before.trail[space] is None)
    return number, sorted(fresh(frames[number : number + 1])).index(space)


def _drew(frame: Frame, player: int) -> bool:
    return isinstance(frame.move, Draw) and frame.before.due.player == player


def _came(frames: Sequence[Frame], player: int) -> list[int]:
    """Return for each tile in a barrow the number of the frame in which it came there."""
    found: list[int] = []
    for number in range(_emptied(frames, player), len(frames)):
        frame = frames[number]
        old, new = frame.before.barrows[player].tiles, frame.after.barrows[player].tiles
        if new == old:  # as in most of them
            continue
        laid = _laid(frame, player)
        if laid is not None:
            del found[laid]
        elif frame.before.due.player == player and isinstance(frame.move, Done):
            found.clear()
        elif len(new) > len(old):
            found.append(number)
        elif len(new) < len(old):
            found.pop()
    return found


def fetched(frames: Sequence[Frame], player: int, last: int) -> set[Place]:
    """Return the places that a player has covered, by the `last` moves, with tiles that he had drawn."""
    found = set[Place]()
    for number in range(len(frames) - last, len(frames)):
        move, laid = frames[number].move, _laid(frames[number], player)
        if isinstance(move, Lay) and laid is not None and from_container(frames[:number], player)[laid]:
            found.add(move.place)
    return found


def unfetched(frames: Sequence[Frame], player: int, last: int) -> Counter[Colour]:
    """Return the tiles that a player gives back, by the `last` moves, without ever having had them in his
    hands: he had drawn them, and they are left over, or were built and paid in one go.
    """
    found, start = Counter[Colour](), len(frames) - last
    for number in range(start, len(frames)):
        move, before = frames[number].move, frames[number].before
        if before.due.player != player:
            continue
        if isinstance(move, Done):
            found.update(compress(before.barrows[player].tiles, from_container(frames[:number], player)))
        elif isinstance(move, Remove) and move.place in fetched(frames[:number], player, number - start):
            found.update(filter(None, [colour_of(before.options.plan(player), move.place)]))
    return found


def _laid(frame: Frame, player: int) -> int | None:
    """Which tile of his barrow a player lays; None if he lays none, or one that lies on the trail."""
    before = frame.before
    if not isinstance(frame.move, Lay) or before.due.player != player or before.due.what == "tile":
        return None
    tiles = before.barrows[player].tiles
    return tiles.index(frame.move.colour) if before.due.what == "build" else len(tiles) - 1


def _emptied(frames: Sequence[Frame], player: int) -> int:
    """Return the number of the last frame before which a barrow was empty."""
    start = len(frames)
    while start and (start == len(frames) or frames[start].before.barrows[player].tiles):
        start -= 1
    return start
