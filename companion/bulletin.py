"""The bulletin: what a broker is told of the table. Throws, the game, its results; nothing that is hidden.

The table is looked at after every turn of the loop, and what has changed is told: so an undo, a correction or
a game that is put aside needs nothing of its own. A topic holds the newest state: JSON of version `VERSION`.
"""

import json
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from typing import Any, Protocol

from companion import __version__
from companion.config import MqttConfig
from companion.language import Message, Texts, mark
from companion.players import COLOURS, Seat
from companion.screens.terms import seat_name
from companion.store import StoredMove
from companion.table import Game, Table

VERSION = 1
THROWN = ("roll", "stopper")  # the first words of moves that everybody sees: dice
NOTHING: dict[str, Any] = {
    "v": VERSION,
    "game": None,
    "title": None,
    "players": [],
    "turn": None,
    "scores": None,
    "winner": None,
    "moves": 0,
    "over": False,
}
"""The table without a game."""


class Broker(Protocol):
    """Where the bulletin goes."""

    def post(self, topic: str, text: bytes) -> None:
        """Take the newest text of a topic, without keeping anybody waiting."""

    def close(self) -> None:
        """Let the broker go."""


class Bulletin:
    """Tells a broker what has changed on the table."""

    def __init__(
        self,
        broker: Broker,
        config: MqttConfig,
        table: Table,
        trouble: Callable[[], Message | None] = lambda: None,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        """`trouble` says why nobody hears it, `now` is the time of the day.

        The throws that lie on the table have been told before.
        """
        self.broker, self._config, self._now = broker, config, now
        self._trouble = trouble
        self._language = ""
        self._told: object = None  # what was told of the game, as far as it can change
        self._result: Game | None = None  # the game whose result was told
        self._log, self._moves = _log_mark(table), _moves_mark(table)
        self._before = table.log.throws  # those that there were

    def follow(self, table: Table, t: Texts) -> None:
        """Tell what is new."""
        if t.language != self._language:
            self._language = t.language
            for topic, text in discovery(self._config, t):
                self.broker.post(topic, _written(text))
        self._follow_game(table.game, t)
        self._follow_throws(table)

    @property
    def trouble(self) -> Message | None:
        """Why nobody hears it, if somebody has to do something about that."""
        return self._trouble()

    def close(self) -> None:
        """Tell no more."""
        self.broker.close()

    def _follow_game(self, game: Game | None, t: Texts) -> None:
        state = (t.language, game, game and game.match.position, game and game.party)
        if state == self._told:
            return
        self._told = state
        told = told_of(game, t) if game else NOTHING
        self._post("game", told)
        if game and told["winner"]:
            self._result = game
            self._post("result", told)
        elif game and game is self._result:  # its last move was taken back
            self._result = None
            self._post("result", NOTHING)

    def _follow_throws(self, table: Table) -> None:
        """Tell the newest throw. What was played with it counts before what was read."""
        log, self._log = self._log, _log_mark(table)
        before, self._before = self._before, table.log.throws
        moves, self._moves = self._moves, _moves_mark(table)
        if table.game and moves != self._moves and moves[0] is table.game:
            for move in reversed(table.game.done[moves[1] :]):
                if move.text.split()[0] in THROWN:
                    self._throw(*_thrown(move), sure=True)
                    return
        throw = self._log[0]
        newer_is_gone = throw is not log[0] and throw in before
        if throw and log != self._log and not newer_is_gone:
            self._throw(list(throw.faces), throw.source, sure=not throw.asked)

    def _throw(self, faces: Sequence[int | str], source: str, sure: bool) -> None:
        at = self._now().isoformat(timespec="seconds")
        self._post("throw", {"v": VERSION, "faces": faces, "source": source, "sure": sure, "at": at})

    def _post(self, what: str, told: dict[str, Any]) -> None:
        self.broker.post(self._config.topic_of(what), _written(told))


def told_of(game: Game, t: Texts) -> dict[str, Any]:
    """Return what is told of a game: what everybody sees who looks at the table from afar."""
    match, position = game.match, game.match.position
    seats = game.party.seats or tuple(Seat("", colour) for colour in COLOURS[: match.options.players])
    names = [seat_name(t, seat) for seat in seats]
    turns = [] if position.over else turns_of(game)
    players = [
        {
            "name": name,
            "colour": seat.colour,
            "plays": seat.plays,
            "score": score,
            "turn": player in turns,
            "won": player in position.winners,
        }
        for player, (name, seat, score) in enumerate(zip(names, seats, position.scores, strict=True))
    ]
    return NOTHING | {
        "game": match.book.name,
        "title": t(match.book.title),
        "players": players,
        "turn": t.listed([names[player] for player in turns]) or None,
        "scores": ", ".join(f"{each['name']} {each['score']}" for each in players),
        "winner": t.listed([names[player] for player in position.winners]) or None,
        "moves": len(match.moves),
        "over": position.over,
    }


def turns_of(game: Game) -> list[int]:
    """Return who is to decide; while dice are thrown or tiles dealt, whose turn it is."""
    waits = {each.who for each in game.match.awaits if each.who is not None and not each.paced}
    return sorted(waits) or [game.match.position.turn]


# Home Assistant

SENSORS: dict[str, tuple[str, str, str, str]] = {
    "throw": (mark("Last throw"), "throw", "{{ value_json.faces | join(' ') }}", "mdi:dice-multiple"),
    "game": (mark("Game"), "game", "{{ value_json.title }}", "mdi:cards-playing"),
    "turn": (mark("Turn"), "game", "{{ value_json.turn }}", "mdi:account-arrow-right"),
    "scores": (mark("Scores"), "game", "{{ value_json.scores }}", "mdi:scoreboard"),
    "winner": (mark("Last winner"), "result", "{{ value_json.winner }}", "mdi:trophy"),
}
"""A name, the topic, what of it is shown, a sign. What is null is unknown to Home Assistant."""


def discovery(config: MqttConfig, t: Texts) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the topics and texts by which Home Assistant finds the table: one device with its sensors.

    Source: https://www.home-assistant.io/integrations/mqtt/#mqtt-discovery
    """
    if config.discovery is None:
        return
    for key, (name, topic, template, icon) in SENSORS.items():
        yield (
            f"{config.discovery}/sensor/{config.client}/{key}/config",
            _entity(config, t, key, name)
            | {
                "state_topic": config.topic_of(topic),
                "value_template": template,
                "json_attributes_topic": config.topic_of(topic),
                "force_update": key == "throw",  # the same faces again are another throw
                "icon": icon,
                "availability_topic": config.topic_of("status"),
            },
        )
    yield (
        f"{config.discovery}/binary_sensor/{config.client}/status/config",
        _entity(config, t, "status", mark("Connection"))
        | {
            "state_topic": config.topic_of("status"),
            "payload_on": "online",
            "payload_off": "offline",
            "device_class": "connectivity",
            "entity_category": "diagnostic",
        },
    )


def _entity(config: MqttConfig, t: Texts, key: str, name: str) -> dict[str, Any]:
    device = t.say(Message(mark("Table {name}"), {"name": config.table_name}))
    return {
        "name": t(name),
        "unique_id": f"{config.client}-{key}",
        "device": {
            "identifiers": [config.client],
            "name": device,
            "model": "Tabletop Companion",
            "sw_version": __version__,
        },
        "origin": {"name": "Tabletop Companion", "sw_version": __version__},
    }


# what has to be compared


def _log_mark(table: Table) -> tuple[Any, ...]:
    """The newest throw that was read or entered; recorded ones of the demonstration are none."""
    throw = next(iter(table.log.throws), None)
    return (throw, throw.dice, throw.asked) if throw else (None,)


def _moves_mark(table: Table) -> tuple[Game | None, int]:
    return table.game, len(table.game.done) if table.game else 0


def _thrown(move: StoredMove) -> tuple[list[int | str], str]:
    """The faces of a throw that was played, and where it comes from, in the words of the log."""
    faces = [int(word) if word.isdigit() else word for word in move.text.split()[1:]]
    return faces, "hand" if move.by == "person" else move.by


def _written(told: dict[str, Any]) -> bytes:
    return json.dumps(told, ensure_ascii=False, separators=(",", ":")).encode()
