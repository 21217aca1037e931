"""What a broker is told: throws, whose turn it is, scores, results; and nothing that people cannot see."""

import json
import random
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from companion import troubles
from companion.bulletin import NOTHING, SENSORS, Bulletin, discovery
from companion.config import CONFIG, MqttConfig
from companion.eye.dice import Die
from companion.eye.throws import Throw
from companion.games.book import books
from companion.language import Message, Texts
from companion.opening import open_bulletin
from companion.players import Party, Seat
from companion.screens.base import Context
from companion.store import StoreError, StoreErrorKind
from companion.table import Table
from hardware.broker import BrokerState
from tests.conftest import OpenTable
from tests.mosquitto import Listener, Mosquitto, needs_mosquitto, until

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)
CONFIGURED = MqttConfig(enabled=True, table="five")
ENGLISH = Texts("en")
ANNA_AND_FOX = Party((Seat("Anna", "red"), Seat("", "blue", "computer", "fox")))


class Recorder:
    """A broker that only listens."""

    def __init__(self) -> None:
        self.posts: list[tuple[str, dict[str, Any]]] = []
        self.closed = False

    def post(self, topic: str, text: bytes) -> None:
        self.posts.append((topic, json.loads(text)))

    def close(self) -> None:
        self.closed = True

    def told(self, what: str) -> list[dict[str, Any]]:
        """All that was told under a topic of the table, the oldest first."""
        return [text for topic, text in self.posts if topic == f"tabletop/five/{what}"]


@pytest.fixture
def table(open_table: OpenTable) -> Table:
    return open_table()


def followed(table: Table, config: MqttConfig = CONFIGURED) -> tuple[Bulletin, Recorder, Callable[[], None]]:
    """A bulletin of the table, what it tells, and how it looks once."""
    recorder = Recorder()
    bulletin = Bulletin(recorder, config, table, now=lambda: NOON)

    def look() -> None:
        bulletin.follow(table, ENGLISH)

    return bulletin, recorder, look


def begin(table: Table, name: str, party: Party | None = None, seed: bytes = b"s" * 32) -> None:
    book = books()[name]
    players = len(party.seats) if party else None
    table.begin(book, book.agree(CONFIG, players), seed, party)


def play_on(table: Table, steps: int, rng: random.Random) -> Iterator[str]:
    """Yield each move after it was played: the companion throws and deals, people choose anything."""
    for _ in range(steps):
        assert table.game
        match = table.game.match
        if match.position.over:
            return
        awaited = rng.choice(match.awaits)
        texts = match.texts(awaited) if awaited.who is not None else None
        yield table.play(rng.choice(texts)) if texts else table.throw(awaited)


def dice(*faces: int) -> tuple[Die, ...]:
    return tuple(
        Die(face, (50.0 * i, 50.0), (0.0, 0.0, 40.0, 40.0), "white", 0.9) for i, face in enumerate(faces)
    )


# the game


def test_an_empty_table_is_told_once(table: Table) -> None:
    _, recorder, look = followed(table)
    look()
    posts = [*recorder.posts]
    look()
    assert recorder.posts == posts
    assert recorder.told("game") == [NOTHING] and recorder.told("throw") == recorder.told("result") == []


def test_whose_turn_it_is_and_the_scores_are_told_with_names(table: Table) -> None:
    begin(table, "kabooom", ANNA_AND_FOX)
    _, recorder, look = followed(table)
    look()
    for _ in play_on(table, 6, random.Random(1)):
        look()
    assert table.game
    position, told = table.game.match.position, recorder.told("game")[-1]
    assert (told["v"], told["game"], told["title"], told["moves"]) == (1, "kabooom", "Kabooom!", 6)
    assert [player["name"] for player in told["players"]] == ["Anna", "Blue Fox"]
    assert [player["score"] for player in told["players"]] == list(position.scores)
    assert told["turn"] == told["players"][position.turn]["name"]
    assert [player["turn"] for player in told["players"]].index(True) == position.turn
    assert told["scores"] == f"Anna {position.scores[0]}, Blue Fox {position.scores[1]}"
    assert told["winner"] is None and not told["over"]


def test_whose_turn_it_is_is_told_while_dice_are_thrown_and_whoever_turns_a_tile_over_in_it(
    table: Table,
) -> None:
    begin(table, "big-boom-bang", Party((*ANNA_AND_FOX.seats, Seat("Ben", "green"))))
    _, recorder, look = followed(table)
    for move in ("shuffle boom gift gift" + 11 * " fuse", "roll heart heart heart scissors gift", "keep"):
        table.play(move)
        look()
    assert [told["turn"] for told in recorder.told("game")] == ["Anna", "Anna", "Blue Fox"]


def test_nothing_is_told_twice_and_an_undo_is_told(table: Table) -> None:
    begin(table, "kabooom")
    _, recorder, look = followed(table)
    for _ in play_on(table, 3, random.Random(1)):
        look()
        look()
    before = recorder.told("game")
    assert [told["moves"] for told in before] == [1, 2, 3]
    table.undo()
    look()
    assert recorder.told("game")[3:] == [before[1]]


def test_other_players_and_another_language_are_told(table: Table) -> None:
    begin(table, "kabooom", ANNA_AND_FOX)
    bulletin, recorder, look = followed(table)
    look()
    table.reseat(Party((Seat("Anna", "red"), Seat("Ben", "blue"))))
    look()
    assert recorder.told("game")[-1]["players"][1]["name"] == "Ben"
    table.reseat(ANNA_AND_FOX)
    bulletin.follow(table, Texts("de"))
    assert recorder.told("game")[-1]["players"][1]["name"] == "Fuchs Blau"
    assert any(text.get("name") == "Letzter Wurf" for _, text in recorder.posts)


def test_a_result_stays_when_the_next_game_begins_and_goes_when_it_is_taken_back(table: Table) -> None:
    begin(table, "kabooom", ANNA_AND_FOX)
    _, recorder, look = followed(table)
    for _ in play_on(table, 500, random.Random(1)):
        look()
    assert table.game and table.game.match.position.over
    (result,) = recorder.told("result")
    winners = [result["players"][player]["name"] for player in table.game.match.position.winners]
    assert result == recorder.told("game")[-1] and result["over"] and result["turn"] is None
    assert result["winner"] == ENGLISH.listed(winners)
    table.undo()
    look()
    assert recorder.told("result")[1:] == [NOTHING] and not recorder.told("game")[-1]["over"]
    table.redo()
    look()
    table.put_aside()
    look()
    assert recorder.told("result")[2:] == [result] and recorder.told("game")[-1] == NOTHING


def test_that_a_result_was_taken_back_is_told_once(table: Table) -> None:
    begin(table, "kabooom", ANNA_AND_FOX)
    _, recorder, look = followed(table)
    for _ in play_on(table, 500, random.Random(1)):
        look()
    for _ in range(3):
        table.undo()
        look()
    assert recorder.told("result")[1:] == [NOTHING]


@pytest.mark.parametrize("name", books())
def test_every_game_can_be_told_to_its_end(name: str, table: Table) -> None:
    begin(table, name)
    _, recorder, look = followed(table)
    for _ in play_on(table, 120, random.Random(3)):
        look()
    assert recorder.told("game")[-1]["game"] == name
    assert all(len(json.dumps(text)) < 1000 for _, text in recorder.posts), "small"


# what is hidden


@pytest.mark.parametrize("name", [name for name, book in books().items() if book.hidden])
def test_of_what_lies_hidden_nothing_is_told(name: str, open_table: OpenTable) -> None:
    """Two games in which all that is dealt lies in another order are told alike."""
    told = []
    for seed in (b"1" * 32, b"2" * 32):
        table = open_table()
        begin(table, name, seed=seed)
        _, recorder, look = followed(table)
        dealt = next(play_on(table, 1, random.Random(1)))
        look()
        told.append((dealt, recorder.posts))
    assert told[0][0] != told[1][0] and told[0][1] == told[1][1]


def test_a_tile_that_is_drawn_face_down_is_not_told(open_table: OpenTable) -> None:
    """Whatever colour it has that comes out of the container, the same is told (BAU-R16, BAU-R17)."""
    told = []
    for colour in range(2):
        table = open_table()
        begin(table, "bau-boom")
        _, recorder, look = followed(table)
        assert table.game
        match = table.game.match
        moves = play_on(table, 300, random.Random(5))
        while match.awaits[0].what != "draw":
            next(moves)
            look()
        draws = match.texts(match.awaits[0])
        assert draws and len(draws) > 1
        table.play(draws[colour], "companion")
        look()
        told.append(recorder.posts)
    assert told[0] == told[1]


# throws


def test_what_is_thrown_in_a_game_is_told(table: Table) -> None:
    begin(table, "bau-boom")
    _, recorder, look = followed(table)
    thrown = []
    for move in play_on(table, 40, random.Random(2)):
        look()
        if move.startswith("roll"):
            thrown.append([int(word) for word in move.split()[1:]])
    assert thrown and [text["faces"] for text in recorder.told("throw")] == thrown
    assert recorder.told("throw")[0] | {"faces": []} == {
        "v": 1,
        "faces": [],
        "source": "companion",
        "sure": True,
        "at": "2026-05-01T12:00:00+00:00",
    }


def test_symbols_are_told_as_words(table: Table) -> None:
    begin(table, "big-boom-bang")
    _, recorder, look = followed(table)
    _, roll = play_on(table, 2, random.Random(2))
    look()
    assert recorder.told("throw")[0]["faces"] == roll.split()[1:]


def test_a_throw_before_the_camera_and_its_correction_are_told(table: Table) -> None:
    _, recorder, look = followed(table)
    look()
    throw = table.log.thrown(Throw(dice(2, 5), 1.0, sure=False))
    look()
    table.log.confirm(throw)
    look()
    table.log.correct(throw, 0, 3)
    look()
    look()
    told = [(text["faces"], text["source"], text["sure"]) for text in recorder.told("throw")]
    assert told == [([2, 5], "camera", False), ([2, 5], "camera", True), ([3, 5], "camera", True)]


def test_the_same_faces_again_are_another_throw(table: Table) -> None:
    _, recorder, look = followed(table)
    for _ in range(2):
        table.log.thrown(Throw(dice(6), 1.0))
        look()
    assert len(recorder.told("throw")) == 2


def test_a_throw_that_comes_to_light_again_is_no_new_one(table: Table) -> None:
    _, recorder, look = followed(table)
    table.log.thrown(Throw(dice(3, 4), 1.0, number=1))
    look()
    table.log.thrown(Throw(dice(2), 1.0, number=2))
    look()
    table.log.withdraw(Throw((), 1.0, revises=True, number=2))
    look()
    assert [text["faces"] for text in recorder.told("throw")] == [[3, 4], [2]]


def test_the_demonstration_throws_nothing(table: Table) -> None:
    _, recorder, look = followed(table)
    table.log.thrown(Throw(dice(2, 5), 1.0), demonstration=True)
    look()
    assert recorder.told("throw") == []


def test_what_was_thrown_before_the_start_is_not_told_again(table: Table) -> None:
    table.log.thrown(Throw(dice(2, 5), 1.0))
    begin(table, "bau-boom")
    for _ in play_on(table, 10, random.Random(2)):
        pass
    _, recorder, look = followed(table)
    look()
    assert recorder.told("throw") == [] and recorder.told("game")[0]["moves"] == 10


# Home Assistant


def test_home_assistant_finds_one_device_with_its_sensors(table: Table) -> None:
    _, recorder, look = followed(table)
    look()
    found = {topic: text for topic, text in recorder.posts if topic.startswith("homeassistant/")}
    sensors = {f"homeassistant/sensor/tabletop-five/{key}/config" for key in SENSORS}
    assert set(found) == sensors | {"homeassistant/binary_sensor/tabletop-five/status/config"}
    assert {tuple(text["device"]["identifiers"]) for text in found.values()} == {("tabletop-five",)}
    assert len({text["unique_id"] for text in found.values()}) == len(found)
    told = {f"tabletop/five/{what}" for what in ("status", "throw", "game", "result")}
    assert {text["state_topic"] for text in found.values()} == told
    for topic in sensors:
        assert found[topic]["availability_topic"] == "tabletop/five/status"


def test_every_template_names_something_that_is_told(table: Table) -> None:
    told = {"throw": {"faces"}, "game": set(NOTHING), "result": set(NOTHING)}
    for _, topic, template, _ in SENSORS.values():
        (word,) = [part for part in template.split() if part.startswith("value_json.")]
        assert word.removeprefix("value_json.") in told[topic]


def test_whoever_wants_no_discovery_gets_none() -> None:
    assert not list(discovery(MqttConfig(discovery=None), ENGLISH))
    other = {topic.split("/")[0] for topic, _ in discovery(MqttConfig(discovery="ha"), ENGLISH)}
    assert other == {"ha"}


def test_twenty_tables_have_topics_of_their_own(table: Table) -> None:
    topics: list[str] = []
    for number in range(20):
        _, recorder, look = followed(table, MqttConfig(table=f"table-{number}"))
        look()
        topics += [topic for topic, _ in recorder.posts]
    assert len(topics) == len(set(topics))


# opening


def test_it_is_off_by_default(table: Table) -> None:
    notices: list[Message] = []
    assert open_bulletin(MqttConfig(), table, notices) is None and notices == []


def test_without_paho_a_notice_says_what_to_install(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "paho.mqtt", None)
    notices: list[Message] = []
    assert open_bulletin(MqttConfig(enabled=True), table, notices) is None
    assert "-m pip install 'paho-mqtt>=2.2'" in ENGLISH.say(notices[0])


@pytest.mark.parametrize("kind", StoreErrorKind)
def test_whoever_does_not_have_the_store_because_another_has_it_is_not_the_table(
    table: Table, kind: StoreErrorKind
) -> None:
    """A second companion that was started by mistake would oust the first, which has the same name."""
    table.hindrance = StoreError(kind, "so it is")
    bulletin = open_bulletin(MqttConfig(enabled=True, host="127.0.0.1", port=1), table, [])
    if bulletin:
        bulletin.close()
    assert (bulletin is None) == (kind is StoreErrorKind.LOCKED)


def test_what_the_broker_does_not_take_is_said() -> None:
    assert {state.name for state in BrokerState} == set(troubles.BROKER)
    said = troubles.broker("DENIED", "tabletop/five/game: Not authorized", CONFIGURED)
    assert said and "(tabletop/five/game: Not authorized)" in ENGLISH.say(said)


def test_a_broker_that_was_never_there_is_said_once_and_without_the_password(table: Table) -> None:
    config = MqttConfig(enabled=True, table="five", host="127.0.0.1", port=1, password="geheim")
    bulletin = open_bulletin(config, table, [])
    assert bulletin
    until(lambda: bulletin and bulletin.trouble)
    assert bulletin.trouble
    said = ENGLISH.say(bulletin.trouble)
    assert "127.0.0.1:1 cannot be reached" in said and "geheim" not in said + repr(config)
    bulletin.close()


@needs_mosquitto
def test_two_tables_tell_a_real_broker_of_their_games(open_table: OpenTable, tmp_path: Path) -> None:
    with ExitStack() as ends:
        mosquitto = Mosquitto(tmp_path)
        ends.callback(mosquitto.stop)
        listener = Listener(mosquitto.port)
        ends.callback(listener.close)
        for name, game in (("one", "kabooom"), ("two", "bau-boom")):
            table = open_table()
            config = MqttConfig(enabled=True, host="127.0.0.1", port=mosquitto.port, table=name)
            bulletin = open_bulletin(config, table, [])
            assert bulletin
            ends.callback(bulletin.close)
            begin(table, game)
            for _ in play_on(table, 10, random.Random(1)):
                bulletin.follow(table, ENGLISH)
        until(lambda: all(f"tabletop/{name}/game" in listener.heard for name in ("one", "two")))
        until(lambda: json.loads(listener.heard["tabletop/two/game"])["moves"] == 10)
        listener.hears({"tabletop/one/status": b"online", "tabletop/two/status": b"online"})
        assert json.loads(listener.heard["tabletop/one/game"])["game"] == "kabooom"
        until(lambda: sum(topic.startswith("homeassistant/") for topic in listener.heard) == 12)
        assert bulletin and bulletin.trouble is None


def test_the_table_of_a_context_is_the_one_that_is_told(context: Context) -> None:
    _, recorder, look = followed(context.table)
    begin(context.table, "container")
    look()
    assert recorder.told("game")[-1]["title"] == "Bau Boom: container"
