"""A family that does with its hands what the cards of Bau Boom say, and nothing else, has on its table what
the companion counts. What the companion has drawn is in nobody's hands until it is built.
"""

import random
from collections import Counter
from itertools import compress

import pytest

from companion.games.bau_boom import notation, steps
from companion.games.bau_boom.hill import COLOURS, Colour, Place, colour_of
from companion.games.bau_boom.position import Go, Position, Take
from companion.games.bau_boom.screen import BauScreen
from companion.games.bau_boom.steps import Card
from tests.screens.conftest import TableGame

TURNS = 40


class Hands:
    """Real tiles and barrows."""

    def __init__(self, position: Position) -> None:
        players = range(position.options.players)
        self.options = position.options
        self.trail: list[Colour | None] = [None for _ in position.trail]
        self.at = [0 for _ in players]
        self.loads: list[list[Colour]] = [[] for _ in players]
        self.hills: list[set[Place]] = [set() for _ in players]
        self.box = Counter(dict(zip(COLOURS, position.options.tiles, strict=True)))

    def drive(self, player: int, spaces: int) -> None:
        at = self.at[player] + spaces
        self.at[player] = at if at < len(self.trail) else 0

    def take(self, player: int) -> None:
        self.loads[player].append(self.pick_up(player))

    def pick_up(self, player: int) -> Colour:
        tile = self.trail[self.at[player]]
        assert tile
        self.trail[self.at[player]] = None
        return tile

    def build(self, player: int, place: Place, fetched: bool) -> None:
        colour = colour_of(self.options.plan(player), place)
        assert colour
        if fetched:
            self.box[colour] -= 1
        elif self.at[player]:
            assert self.pick_up(player) == colour
        else:
            self.loads[player].remove(colour)
        self.hills[player].add(place)

    def give_back(self, card: Card) -> None:
        self.box.update(card.tiles)
        loose = list(card.tiles)
        for place in card.places:
            self.hills[card.player].remove(place)
            loose.remove(colour_of(self.options.plan(card.player), place) or "red")
        for colour in loose:
            self.loads[card.player].remove(colour)

    def do(self, screen: BauScreen, card: Card) -> None:
        """What a card says."""
        match card.sign:
            case "drive" | "push":
                for player in card.players:
                    self.drive(player, card.spaces)
            case "take":
                for player in card.players:
                    self.take(player)
            case "anteater" if not screen.eaten(card):
                self.box[self.loads[card.player].pop()] += 1
            case "build":
                for place in card.places:
                    self.build(card.player, place, place in screen.fetched(card))
            case "back":
                self.give_back(card)
            case "lay":
                for space in steps.fresh(screen.turn_frames):
                    assert self.trail[space] is None
                    self.trail[space] = screen.position.trail[space]
                self.box.subtract(card.tiles)

    def choose(self, screen: BauScreen, player: int, text: str) -> None:
        """What a person does himself, who has chosen it."""
        move, due = notation.parse(text), screen.position.due
        if player not in screen.told and isinstance(move, Go):
            self.drive(player, move.number)
        elif player not in screen.told and isinstance(move, Take) and due.what == "tile" and not due.forced:
            self.take(player)


@pytest.mark.parametrize("variant", ["base", "younger", "clever"])
def test_whoever_does_what_the_cards_say_has_what_the_screen_shows(
    table_game: TableGame, variant: str
) -> None:
    """BAU-R12 to R45"""
    plays = ["person", "computer", "person"]
    screen = table_game("bau-boom", 3, {"variant": variant}, plays=plays)
    hands, chance, match = Hands(screen.position), random.Random(variant), screen.match
    for _ in range(TURNS):
        begun = False
        while not screen.position.over and (not begun or match.awaits[0].what != "roll"):
            (awaited,), begun = match.awaits, True
            if awaited.who is None:
                text = match.throw(awaited)
            else:
                text = screen.forced(awaited) or chance.choice(match.texts(awaited))
                hands.choose(screen, awaited.who, text)
            screen.context.table.play(text, "companion" if awaited.who in screen.told else "person")
        if screen.position.over:
            return
        for card in screen.cards_of(screen.turn_frames):
            hands.do(screen, card)
        position, box = screen.position, hands.box.copy()
        for player, barrow in enumerate(position.barrows):
            drawn = screen.from_container(player)
            assert hands.loads[player] == list(compress(barrow.tiles, (not each for each in drawn)))
            box.subtract(compress(barrow.tiles, drawn))
        assert hands.trail == list(position.trail)
        assert hands.at == [barrow.at for barrow in position.barrows]
        assert hands.hills == [set(covered) for covered in position.covered]
        assert box == dict(zip(COLOURS, position.container, strict=True))
