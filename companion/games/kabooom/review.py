"""Which moves have decided a game of Kabooom!: those that looked worst one answer ahead. Pure."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from companion.games.kabooom import notation
from companion.games.kabooom.opponent import after_answer
from companion.games.kabooom.rules import Hit, Options, legal, opening, play
from companion.games.thought import Pressed
from companion.language import Message

SHOWN = 3  # moves at most


@dataclass(frozen=True, slots=True)
class Deciding:
    """A move that cost a player so many points: its index among the moves, and a better one."""

    number: int
    played: str
    better: str
    points: float
    player: int
    why: Message


def deciding(options: Options, moves: Sequence[str], pressed: Pressed) -> Iterator[tuple[Deciding, ...]]:
    """Yield the dearest mistakes found so far, the dearest first, until all moves have been looked at."""
    position, found = opening(options), list[Deciding]()
    for number, text in enumerate(moves):
        move = notation.parse(text)
        if position.phase == "hit" and not pressed():
            player, choices = position.turn, legal(position)
            values = {choice: after_answer(play(position, choice), player) for choice in choices}
            better = max(choices, key=lambda choice: (values[choice], isinstance(choice, Hit)))
            cost = values[better] - values[move]
            if cost:
                why = Message("This looks best after the next answer")
                found.append(Deciding(number, text, notation.write(better), cost, player, why))
                found = sorted(found, key=lambda each: -each.points)[:SHOWN]
                yield tuple(found)
        position = play(position, move)
