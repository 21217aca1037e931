"""The commands, as programs and people use them."""

import errno
import io
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import cv2
import numpy as np
import pytest

from companion import cli
from companion.__main__ import command
from companion.bench import (
    Labelled,
    LabelsError,
    Score,
    calibration,
    framed,
    labelled,
    row,
    score,
    spread,
)
from companion.bench import table as bench_table
from companion.cli import main
from companion.commands.eye import dicebox
from companion.config import Configuration
from companion.events import Proceed, Restart
from companion.eye import Die
from companion.eye.tiles import TileColour
from companion.language import Texts
from companion.screens.die_kinds import MOST
from companion.varied import VARIATIONS, Variation
from hardware.camera import decode
from hardware.camera.picture import Image
from tests.disks import full_disk
from tests.eye.lying import PIECES
from tests.eye.table import stopper
from tests.eye.test_tiles import plain
from tests.hardware.test_still import turned


def table(size: tuple[int, int] = (640, 480)) -> np.ndarray:
    """A table with one large white five."""
    image = np.full((size[1], size[0], 3), (52, 88, 60), np.uint8)
    x, y = size[0] // 2, size[1] // 2
    cv2.rectangle(image, (x - 70, y - 70), (x + 70, y + 70), (225, 235, 238), -1)
    for dx, dy in ((-35, -35), (35, -35), (0, 0), (-35, 35), (35, 35)):
        cv2.circle(image, (x + dx, y + dy), 14, (25, 25, 28), -1, cv2.LINE_AA)
    return np.asarray(cv2.GaussianBlur(image, (0, 0), 1.0), np.uint8)


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is taught here is nobody's."""
    monkeypatch.setenv("COMPANION_DATA", str(tmp_path / "data"))


@pytest.fixture
def five(tmp_path: Path) -> Path:
    cv2.imwrite(str(tmp_path / "five.png"), table())
    return tmp_path / "five.png"


def lines(capsys: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_read_prints_one_object_a_picture(five: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["read", str(five), str(five)]) == 0
    first, second = lines(capsys)
    assert first["image"] == str(five) and set(first) == {"image", "dice", "ms"}
    (die,) = first["dice"]
    assert die["face"] == 5 and die["colour"] == "white" and 0 <= die["confidence"] <= 1
    assert abs(die["center"][0] - 320) < 5 and abs(die["center"][1] - 240) < 5
    x0, y0, x1, y1 = die["box"]
    assert 230 < x0 < 270 and 150 < y0 < 190 and 370 < x1 < 410 and 290 < y1 < 330
    assert second["dice"] == first["dice"]


def test_what_cannot_be_read_is_said_and_the_others_are_read(
    five: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "telephone.heic").write_bytes(b"\0\0\0\x18ftypheic no picture")
    names = [str(tmp_path / "telephone.heic"), str(tmp_path / "missing.png"), str(tmp_path), str(five)]
    assert main(["--language", "en", "read", *names]) == 1
    out = lines(capsys)
    assert [("error" in line) for line in out] == [True, True, True, False]
    assert "JPEG and PNG can" in out[0]["error"]
    assert out[1]["error"] == "there is no such file"


@pytest.mark.parametrize(
    ("name", "image"),
    [
        ("grey.png", cv2.cvtColor(table(), cv2.COLOR_BGR2GRAY)),
        ("transparent.png", np.dstack([table(), np.full((480, 640), 255, np.uint8)])),
        ("one.png", np.zeros((1, 1, 3), np.uint8)),
        ("deep.png", table().astype(np.uint16) * 257),
        ("large.jpg", cv2.cvtColor(table((800, 600)), cv2.COLOR_BGR2GRAY)),
    ],
)
def test_pictures_of_every_kind(
    name: str, image: np.ndarray, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    if name == "large.jpg":
        image = cv2.resize(image, (8000, 6000), interpolation=cv2.INTER_NEAREST)
    cv2.imwrite(str(tmp_path / name), image)
    assert main(["read", str(tmp_path / name)]) == 0
    (line,) = lines(capsys)
    assert [d["face"] for d in line["dice"]] == ([] if name == "one.png" else [5])


@pytest.mark.parametrize("limit", [None, "1000"])
def test_pictures_that_say_they_are_huge_are_not_even_tried(limit: str | None, tmp_path: Path) -> None:
    """OpenCV reads its limit when it is loaded: a program of its own shows whether it was set by then."""
    (tmp_path / "more-than-anybody-wants.ppm").write_bytes(b"P6\n30000 30000\n255\n")
    if limit:
        for kind in ("png", "jpg", "bmp", "tiff", "webp", "jp2"):
            cv2.imwrite(str(tmp_path / f"more-than-a-user-wants.{kind}"), table())
    huge = sorted(map(str, tmp_path.iterdir()))
    read = [sys.executable, "-m", "companion", "--language", "en", "read", *huge]
    name = "OPENCV_IO_MAX_IMAGE_PIXELS"
    there = {key: value for key, value in os.environ.items() if key != name} | (
        {name: limit} if limit else {}
    )
    done = subprocess.run(read, env=there, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (1, "")
    errors = {line["image"]: line["error"] for line in map(json.loads, done.stdout.splitlines())}
    assert errors == dict.fromkeys(huge, "this picture is too large")


DAMAGED = "is missing or damaged: install the companion again."


@pytest.mark.parametrize("content", [None, b"", b"no model at all"])
def test_a_damaged_model_is_named(
    content: bytes | None,
    five: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    model = tmp_path / "eye.onnx"
    if content is not None:
        model.write_bytes(content)
    monkeypatch.setattr("companion.eye.network.MODEL", model)
    assert main(["--language", "en", "read", str(five)]) == 2
    assert f"{model} {DAMAGED}" in capsys.readouterr().err


@pytest.mark.parametrize("content", [None, b"", b"no texts at all"])
def test_damaged_texts_are_named_in_english(
    content: bytes | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "de" / "LC_MESSAGES" / "companion.mo"
    if content is not None:
        file.parent.mkdir(parents=True)
        file.write_bytes(content)
    monkeypatch.setattr("companion.language.LOCALE", tmp_path)
    assert main(["--language", "de", "games"]) == 2
    assert f"{file} {DAMAGED}" in capsys.readouterr().err


def test_without_its_files_it_says_what_it_runs_from(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("companion.cli.ASSETS", tmp_path / "assets")
    assert main(["--language", "de", "games"]) == 2
    assert "runs from its repository only" in capsys.readouterr().err


def test_annotate_writes_the_picture_with_what_was_seen(five: Path, tmp_path: Path) -> None:
    assert main(["read", str(five), str(five), "--annotate", str(tmp_path / "out")]) == 0
    written = sorted(p.name for p in (tmp_path / "out").iterdir())
    assert written == ["five-1.png", "five.png"]
    drawn = cv2.imread(str(tmp_path / "out" / "five.png"))
    assert drawn is not None and drawn.shape == (480, 640, 3) and (drawn != table()).any()


def test_annotate_where_nothing_can_be_written_is_said(
    five: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--language", "en", "read", str(five), "--annotate", str(five / "under-a-file")]) == 1
    (line,) = lines(capsys)
    assert "could not be written" in str(line["error"]) and line["dice"]


def test_annotate_leaves_no_part_of_a_picture_on_a_full_disk(
    five: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with full_disk(monkeypatch):
        assert main(["--language", "de", "read", str(five), "--annotate", str(tmp_path / "out")]) == 1
    (line,) = lines(capsys)
    assert "der Datenträger ist voll" in str(line["error"]) and not [*(tmp_path / "out").iterdir()]


def test_each_line_comes_as_soon_as_its_picture_is_read(
    five: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A program that drives the reader gets an answer while the rest is still to be read."""
    told, before = tmp_path / "told", list[int]()

    def decoded(path: Path) -> Image:
        before.append(told.read_text().count("\n"))
        return decode(path)

    monkeypatch.setattr("companion.commands.eye.decode", decoded)
    with told.open("w") as out:
        monkeypatch.setattr("sys.stdout", out)
        assert main(["read", str(five), str(five)]) == 0
    assert before == [0, 1]


def test_a_reader_whose_listener_has_gone_ends_quietly(five: Path) -> None:
    command = [sys.executable, "-m", "companion", "read", *[str(five)] * 40]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as reader:
        assert reader.stdout is not None and reader.stderr is not None
        reader.stdout.readline()
        reader.stdout.close()
        assert reader.stderr.read() == ""


def test_a_command_says_what_is_wrong_in_its_own_words_alone(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("no folder")
    words = [sys.executable, "-m", "companion", "--language", "de", "read", "--taught", "x", "x.png"]
    done = subprocess.run(words, capture_output=True, text=True)
    assert done.stderr == "companion: Die Datei von x ist nicht lesbar: ein Teil des Pfads ist kein Ordner\n"


def test_json_is_json_where_only_ascii_can_be_written() -> None:
    words = [sys.executable, "-m", "companion", "--language", "en", "read", "/missing/\u00fc\U0001f3b2.png"]
    only = {**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "1"}
    done = subprocess.run(words, capture_output=True, text=True, encoding="ascii", env=only)
    assert json.loads(done.stdout)["image"] == "/missing/\u00fc\U0001f3b2.png"


@pytest.mark.parametrize("folder", [Path("~/.local/share"), RuntimeError("could not determine the home")])
@pytest.mark.parametrize("words", ["", "games", "play kabooom", "teach x --faces a,b", "doctor"])
def test_who_has_no_home_is_told_what_to_do(
    words: str,
    folder: Path | RuntimeError,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.delenv("COMPANION_DATA")
    monkeypatch.setattr("companion.config.paths.user_data_path", Mock(side_effect=[folder]))
    assert main(["--language", "en", *words.split()]) == 2
    assert "this user has no home: say in COMPANION_DATA" in capsys.readouterr().err


def test_who_interrupts_it_while_it_is_loaded_sees_no_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    class Interrupted:
        def find_spec(self, name: str, *_: object) -> None:
            raise KeyboardInterrupt

    monkeypatch.setattr(sys, "meta_path", [Interrupted()])
    monkeypatch.delitem(sys.modules, "companion.cli")
    with pytest.raises(SystemExit) as ended:
        command()
    assert ended.value.code == 130


@pytest.mark.parametrize(
    ("words", "says"),
    [("perft", "count the sequences of legal decisions"), ("bench eye", "times and accuracy of the eye")],
)
def test_the_help_of_a_command_says_what_it_does(
    words: str, says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        main(["--language", "en", *words.split(), "--help"])
    assert says in capsys.readouterr().out


@pytest.mark.parametrize("words", ["--help", "--version", "wiring", "referee kabooom"])
@pytest.mark.parametrize(
    ("number", "complaint"), [(errno.ENOSPC, "companion: the disk is full\n"), (errno.EPIPE, "")]
)
def test_what_is_not_written_before_the_end_is_no_traceback(
    words: str,
    number: int,
    complaint: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    class Away(io.StringIO):
        def flush(self) -> None:
            raise OSError(number, os.strerror(number))

    monkeypatch.setattr("sys.stdout", Away())
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"place r a1\n")))
    assert main(["--language", "en", *words.split()]) == 1
    assert capsys.readouterr().err == complaint


def test_no_file_takes_the_place_of_a_stream_that_was_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    def ends() -> int:
        for stream in (sys.stdin, sys.stdout, sys.stderr):
            assert not stream.isatty()
            stream.close()
        return 3

    for name in ("stdin", "stdout", "stderr"):
        monkeypatch.setattr(sys, name, None)
    monkeypatch.setattr(cli, "main", ends)
    with pytest.raises(SystemExit) as left:
        cli.command()
    assert left.value.code == 3


@pytest.mark.parametrize(
    "words", ["--language de read", "read --language de", "--language en read --language de"]
)
def test_the_language_can_be_said_before_a_command_and_behind_it(
    words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*words.split(), str(tmp_path / "missing.png")]) == 1
    assert lines(capsys)[0]["error"] == "diese Datei gibt es nicht"


@pytest.mark.parametrize(
    "arguments", [["--size", "big"], ["--camera", ""], ["bench", "ear"], ["--language", "fr"]]
)
def test_what_makes_no_sense_is_refused_in_one_line(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as caught:
        main(arguments)
    assert caught.value.code == 2
    assert "Traceback" not in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("--lang de games", "unknown option '--lang': did you mean '--language'?"),
        ("games --langu=de", "unknown option '--langu': did you mean '--language'?"),
        ("bench odds --pos 3", "unknown option '--pos': did you mean '--positions'?"),
        ("read --annotated x --xyz y", "unknown option '--annotated': did you mean '--annotate'?"),
        ("games --xyz", "unrecognized arguments: --xyz"),
        ("games --annotate x", "unrecognized arguments: --annotate"),
    ],
)
def test_an_option_is_written_in_full(words: str, says: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(words.split())
    said = capsys.readouterr()
    assert caught.value.code == 2 and not said.out and says in said.err and said.err.count("\n") == 1


@pytest.mark.parametrize(
    "words",
    [
        "",
        "rot",
        "reed",
        "bench ear",
        "games 7",
        "games --x",
        "games --langu=en",
        "read",
        "read --tiles=3 a.png",
        "read --taught a --tiles b.png",
        "perft kabooom a --depth x",
        "odds kabooom --players",
        "--size groß",
        "--size=",
        "--camera=",
        "--camera nirgends",
        "doctor --camera=",
        "--language fr",
        "--language=",
    ],
)
def test_all_german_quotes_are_german(
    words: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LC_ALL", "de_DE.UTF-8")
    monkeypatch.setattr("companion.cli._open", lambda *_: 2)
    with suppress(SystemExit):
        assert main(words.split()) == 2
    said = capsys.readouterr().err
    assert not set("'\"‚‘") & set(said) and "Zeile" not in said and said.count("\n") == bool(words)


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("reed x.png", "there is no command 'reed': did you mean 'read'?"),
        ("bench 7", "there is no command '7', only eye, odds"),
        ("--camera= doctor", "'' is not possible; write auto, csi, usb:NUMBER, csi:NUMBER, an address"),
        ("--language fr games", "'fr' is not possible; write one of: auto, de, en"),
    ],
)
def test_it_is_said_what_is_possible_instead(
    words: str, says: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LC_ALL", "C")
    with pytest.raises(SystemExit):
        main(words.split())
    assert says in capsys.readouterr().err


def test_people_are_told_to_type_what_they_have_typed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LC_ALL", "C")
    monkeypatch.setenv("COMPANION_DATA", str(tmp_path))
    monkeypatch.delenv("COMPANION_PROGRAM", raising=False)
    for name in ("companion", "./play"):
        with pytest.raises(SystemExit):
            main(["reed"])
        main(["export", "7"])
        said = capsys.readouterr().err.splitlines()
        assert said[0].startswith(f"{name}: there is no command")
        assert said[1] == f"{name}: there is no game 7; see: {name} games"
        monkeypatch.setenv("COMPANION_PROGRAM", "./play")


@pytest.mark.parametrize(
    "words",
    [
        "odds big-boom-bang --json moves.txt",
        "odds --json big-boom-bang --players 3 moves.txt",
        "--language en odds big-boom-bang moves.txt --players 3 --json",
        "odds --language AUTO big-boom-bang --json -- moves.txt",
    ],
)
def test_options_stand_before_between_and_behind_the_words_of_a_command(
    words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(words.split()) == 2, "it is read, hence missed"
    assert "moves.txt" in capsys.readouterr().err


def test_behind_two_dashes_anything_is_a_name(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--language", "en", "read", "--", "--lang"]) == 1
    assert lines(capsys)[0]["error"] == "there is no such file"
    with pytest.raises(SystemExit):  # before them it is an option
        main(["--language", "en", "read", "--json", "--", "x.png"])
    assert "--json" in capsys.readouterr().err


def test_help_speaks_german(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--language", "de", "--help"])
    text = capsys.readouterr().out
    assert "Würfel" in text and "usage" not in text and "show this help" not in text


def test_help_says_what_is_done_without_a_command(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--language", "en", "--help"])
    text = " ".join(capsys.readouterr().out.split())
    assert "[COMMAND]" in text and "Without a command the screen opens." in text


def test_mistakes_of_the_configuration_are_named_and_nothing_is_started(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "companion.yaml").write_text("volume: loud\nvioce: true\n")
    (tmp_path / "panel.yaml").write_text("buttons: {confirm: 99}\n")
    monkeypatch.setenv("COMPANION_CONFIG", str(tmp_path))
    monkeypatch.setenv("COMPANION_DATA", str(tmp_path / "data"))
    assert main(["--language", "en"]) == 2
    said = capsys.readouterr().err
    assert (
        "companion.yaml:1" in said
        and "companion.yaml:2" in said
        and "voice" in said
        and "panel.yaml:1" in said
    )
    assert not (tmp_path / "data").exists()


@pytest.mark.parametrize(("chosen", "status", "begun"), [(Proceed(), 0, 1), (Restart(), 2, 0), (None, 2, 0)])
def test_on_a_raspberry_pi_where_nobody_reads_mistakes_it_can_be_played_without_what_is_wrong(
    chosen: Proceed | Restart | None,
    status: int,
    begun: int,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (tmp_path / "companion.yaml").write_text("volume: loud\nvoice: no\n")
    monkeypatch.setenv("COMPANION_CONFIG", str(tmp_path))
    monkeypatch.setenv("COMPANION_DATA", str(tmp_path / "data"))
    answers, played = [chosen, None], list[Configuration]()

    def begin(found: Configuration, *_: object) -> int:
        played.append(found)
        return 0

    monkeypatch.setattr("companion.opening.is_raspberry_pi", lambda: True)
    monkeypatch.setattr("companion.opening.show_problems", lambda *_: answers.pop(0))
    monkeypatch.setattr("companion.opening.start", begin)
    assert main(["--language", "en"]) == status and len(played) == begun
    assert not [found for found in played if found.settings.voice or not found.mistakes]
    assert len(answers) == (0 if chosen == Restart() else 1)


def test_mistakes_are_told_in_the_language_that_was_chosen_on_the_screen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The system speaks English on a Raspberry Pi whose locale nobody has changed."""
    (tmp_path / "companion.yaml").write_text("volume: loud\nlanguage: en\n")
    (tmp_path / "settings.yaml").write_text("language: de\n")
    for name, value in {"LC_ALL": "C", "COMPANION_CONFIG": tmp_path, "COMPANION_DATA": tmp_path}.items():
        monkeypatch.setenv(name, str(value))
    assert main([]) == 2
    assert "„loud“ ist nicht möglich" in capsys.readouterr().err
    assert main(["--language", "en"]) == 2
    assert "'loud' is not possible" in capsys.readouterr().err


@pytest.fixture
def all_cores() -> Iterator[None]:
    """The test may keep to one core; the others go on with all."""
    affinity = os.sched_getaffinity(0)
    yield
    os.sched_setaffinity(0, affinity)


@pytest.mark.usefixtures("all_cores")
def test_bench_measures_a_folder(five: Path, capsys: pytest.CaptureFixture[str]) -> None:
    truth = {
        "images": [
            {"file": "five.png", "dice": [{"face": 5, "center": [320, 240], "box": [250, 170, 390, 310]}]}
        ]
    }
    (five.parent / "labels.json").write_text(json.dumps(truth))
    assert main(["--language", "en", "bench", "eye", str(five.parent)]) == 0
    said = capsys.readouterr().out
    assert "640x480: median" in said and "1280x720: median" in said
    assert "all 1 100.0 % 1 100.0 % 100.0 % –" in " ".join(said.split())
    assert "1 reading, 100.0 % right" in said
    assert "mirrored" not in said


@pytest.mark.usefixtures("all_cores")
def test_bench_varies_the_pictures_if_it_shall(five: Path, capsys: pytest.CaptureFixture[str]) -> None:
    truth = [{"face": 5, "center": [320, 240], "box": [250, 170, 390, 310]}]
    (five.parent / "labels.json").write_text(json.dumps({"images": [{"file": "five.png", "dice": truth}]}))
    assert main(["--language", "en", "bench", "eye", str(five.parent), "--varied"]) == 0
    said = [" ".join(line.split()) for line in capsys.readouterr().out.splitlines()]
    for name in (
        "as they are",
        "mirrored",
        "half as large",
        "with noise",
        "half in the shade",
        "in weak light",
        "upside down",
    ):
        assert f"{name} 1 100.0 % 1 100.0 % 100.0 % –" in said
    assert f"all that is varied {len(VARIATIONS)} 100.0 % {len(VARIATIONS)} 100.0 % 100.0 % –" in said


@pytest.mark.parametrize("variation", VARIATIONS, ids=lambda each: each.name.text)
def test_dice_lie_in_a_varied_picture_where_the_truth_says(variation: Variation) -> None:
    """A red die on green: its box in the varied picture is red, and nothing else is."""
    frame = np.full((120, 200, 3), (0, 160, 0), np.uint8)
    frame[20:60, 30:80] = (0, 0, 200)
    (die,) = variation.dice([{"face": 1, "center": [54.5, 39.5], "box": [30, 20, 79, 59]}], frame.shape)
    varied = variation.picture(frame)
    red = varied[..., 2].astype(int) - varied[..., 1] > 0.3 * varied.max()
    y, x = np.nonzero(red)
    assert die["box"] == pytest.approx((x.min(), y.min(), x.max(), y.max()), abs=2)
    assert die["center"] == pytest.approx((x.mean(), y.mean()), abs=1)
    assert red.sum() == pytest.approx(50 * 40 * variation.size**2, rel=0.05)


BOX = {"face": 3, "center": [1, 2], "box": [1, 2, 3, 4]}


def labels_of(**wrong: object) -> str:
    return json.dumps({"images": [{"file": "a.png", "dice": [BOX, BOX | wrong]}]})


@pytest.mark.parametrize(
    ("labels", "says"),
    [
        (None, "es gibt keine labels.json"),
        ("", "Zeile 1 von labels.json ist kein JSON"),
        ('{"images":\n [\n{]}', "Zeile 3 von labels.json ist kein JSON"),
        ("[1]", "labels.json nennt keine „images“"),
        ('{"images": []}', "labels.json nennt keine „images“"),
        ('{"images": [{"dice": []}]}', "Bild 1 von labels.json: „file“"),
        ('{"images": [{"file": "a.png"}]}', "Bild a.png von labels.json: „dice“"),
        ('{"images": [{"file": "a.png", "dice": [], "tags": 7}]}', "Bild a.png von labels.json: „tags“"),
        ('{"images": [{"file": "a.png", "dice": [3]}]}', "Bild a.png von labels.json: „box“"),
        (labels_of(box=[260, 160, 80, 80]), "Bild a.png von labels.json: „box“"),
        (labels_of(box=[1, 2, 1, 2]), "Bild a.png von labels.json: „box“"),
        (labels_of(box=[float("nan")] * 4), "Bild a.png von labels.json: „box“"),
        (labels_of(box=[1, 2, 3]), "Bild a.png von labels.json: „box“"),
        (labels_of(box="1234"), "Bild a.png von labels.json: „box“"),
        ('{"images": [{"file": null, "dice": []}]}', "Bild 1 von labels.json: „file“"),
        (labels_of(center=["x", 2]), "Bild a.png von labels.json: „center“"),
        (labels_of(center=[float("nan"), 2]), "Bild a.png von labels.json: „center“"),
        (labels_of(face="x"), "Bild a.png von labels.json: „face“"),
        (labels_of(face=float("inf")), "Bild a.png von labels.json: „face“"),
        *((labels_of(face=face), "Bild a.png von labels.json: „face“") for face in (0, 7, 5.5, True)),
        (labels_of(), "Bild a.png von labels.json ist nicht da"),
        ('{"images": [{"file": "a\\u0000.png", "dice": []}]}', "Bild 1 von labels.json: „file“"),
        ('{"images": [{"file": "\\ud800.png", "dice": []}]}', "Bild 1 von labels.json: „file“"),
        ('{"images": [{"file": "a", "dice": [], "source": "\\ud800"}]}', "Bild a von labels.json: „source“"),
        ("[" * 10**5, "labels.json ist kein JSON"),
        (json.dumps({"images": [{"file": "a" * 300, "dice": []}]}), "aaa von labels.json ist nicht da"),
    ],
)
@pytest.mark.usefixtures("all_cores")
def test_bench_without_usable_labels_says_what_is_wrong_and_where(
    labels: str | None, says: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    if labels is not None:
        (tmp_path / "labels.json").write_text(labels)
    with pytest.raises(LabelsError):
        labelled(tmp_path)
    assert main(["--language", "de", "bench", "eye", str(tmp_path)]) == 2
    assert says in capsys.readouterr().err


@pytest.mark.usefixtures("all_cores")
def test_bench_waits_for_no_pipe(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    os.mkfifo(tmp_path / "labels.json")
    assert main(["--language", "de", "bench", "eye", str(tmp_path)]) == 2
    assert "labels.json ist keine Datei" in capsys.readouterr().err


def test_labels_may_begin_with_a_mark_of_their_byte_order(five: Path) -> None:
    """As editors on Windows write it."""
    text = json.dumps({"images": [{"file": "five.png", "dice": []}]})
    (five.parent / "labels.json").write_text(text, encoding="utf-8-sig")
    assert [picture.path for picture in labelled(five.parent)] == [five]


@pytest.mark.parametrize("shape", [(1, 20000, 3), (20000, 1, 3), (1, 1, 3), (480, 640, 3)])
def test_a_picture_of_any_shape_fills_a_frame(shape: tuple[int, int, int]) -> None:
    frame = framed(np.full(shape, 7, np.uint8), (640, 480))
    assert frame.shape == (480, 640, 3) and (frame == 7).all()


@pytest.mark.usefixtures("all_cores")
def test_bench_names_the_picture_that_cannot_be_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "labels.json").write_text('{"images": [{"file": "torn.png", "dice": []}]}')
    (tmp_path / "torn.png").write_bytes(b"torn")
    assert main(["--language", "de", "bench", "eye", str(tmp_path)]) == 2
    said = capsys.readouterr().err
    assert "torn.png: das ist kein lesbares Bild" in said and "keines seiner Bilder ist lesbar" in said


@pytest.mark.usefixtures("all_cores")
def test_bench_measures_on_the_other_pictures_if_one_cannot_be_read(
    five: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    die = {"face": 5, "center": [320, 240], "box": [250, 170, 390, 310]}
    images = [{"file": "torn.png", "dice": []}, {"file": "five.png", "dice": [die]}]
    (five.parent / "labels.json").write_text(json.dumps({"images": images}))
    (five.parent / "torn.png").write_bytes(b"torn")
    assert main(["--language", "en", "bench", "eye", str(five.parent)]) == 1
    said = capsys.readouterr()
    assert "torn.png: this is no picture that can be read" in said.err
    assert "all 1 100.0 % 1 100.0 % 100.0 % –" in " ".join(said.out.split())


def test_one_tag_may_stand_alone_and_no_source_is_none(tmp_path: Path) -> None:
    entry: dict[str, object] = {"file": "a.png", "dice": [], "tags": "glare", "source": None}
    (tmp_path / "labels.json").write_text(json.dumps({"images": [entry]}))
    (tmp_path / "a.png").touch()
    (picture,) = labelled(tmp_path)
    assert (picture.tags, picture.source) == (("glare",), "")


@pytest.mark.parametrize("variation", VARIATIONS, ids=lambda each: each.name.text)
@pytest.mark.parametrize("size", [(1, 1), (1, 40), (40, 1)])
def test_the_smallest_picture_can_be_varied(variation: Variation, size: tuple[int, int]) -> None:
    frame = np.full((*size, 3), 100, np.uint8)
    assert variation.picture(frame).size > 0


def test_figures_are_written_as_the_language_writes_numbers() -> None:
    german = Texts("de")
    exact = Score(1, 1, 1, True, ((0.95, True),))
    assert "Median 13,0 ms" in spread((640, 480), [12.5, 13.0, 13.5], german)
    assert "100,0 %" in row(german, "x", [exact])
    assert "0,95" in next(calibration([exact], german))


def a_die(face: int, x: float) -> Die:
    return Die(face, (x, 10.0), (x - 5, 5, x + 5, 15), "white", 1.0)


def test_the_score_counts_a_reading_once_and_leaves_ignored_dice_out() -> None:
    def truth(face: int, x: float, **more: bool) -> dict[str, object]:
        return {"face": face, "center": [x, 10], "box": [x - 5, 5, x + 5, 15], **more}

    picture = Labelled(Path("x"), (truth(3, 10), truth(4, 50), truth(6, 90, ignore=True)))
    got = score(picture, [a_die(3, 12), a_die(3, 8), a_die(5, 50), a_die(1, 91)])
    assert (got.true, got.read, got.hits, got.exact) == (2, 3, 1, False)
    assert score(picture, [a_die(3, 12), a_die(4, 47)]).exact
    assert got.sure == ((1.0, True), (1.0, False), (1.0, False))
    assert row(Texts("en"), "x", [got]).split() == ["x", "1", "0.0", "%", "2", "50.0", "%", "33.3", "%", "–"]


def test_what_hits_a_die_counts_though_a_die_left_out_touches_it() -> None:
    picture = Labelled(
        Path("x"),
        (
            {"face": 3, "center": [10, 10], "box": [5, 5, 15, 15]},
            {"box": [12, 5, 22, 15], "ignore": True},
        ),
    )
    assert score(picture, [a_die(3, 11)]).exact
    assert score(picture, [a_die(3, 11), a_die(3, 17), a_die(6, 20)]).exact
    missed = score(picture, [a_die(3, 17)])
    assert (missed.read, missed.hits, missed.exact) == (0, 0, False)


def test_the_report_tells_of_each_source_and_each_condition() -> None:
    shown = Labelled(
        Path("x"), ({"face": 3, "center": [10, 10], "box": [5, 5, 15, 15]},), "kitchen", ("lamp",)
    )
    empty = Labelled(Path("y"), (), "cellar", ("lamp", "coins"))
    scores = [(shown, score(shown, [a_die(3, 10)])), (empty, score(empty, [a_die(3, 10)]))]
    lines = {line.split()[0]: line.split() for line in bench_table(scores, Texts("en"))}
    assert lines["kitchen"][1:] == ["1", "100.0", "%", "1", "100.0", "%", "100.0", "%", "–"]
    assert lines["cellar"][-1] == lines["#coins"][-1] == "1.00"
    assert lines["all"][1] == lines["#lamp"][1] == "2"


def test_a_frame_is_filled_and_cut_to_its_middle() -> None:
    assert framed(table(), (1280, 720)).shape == (720, 1280, 3)
    assert framed(table((100, 300)), (640, 480)).shape == (480, 640, 3)


def test_read_tiles_prints_them_in_their_order(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    colours: list[TileColour] = ["green", "red", "blue", "yellow"]
    cv2.imwrite(str(tmp_path / "row.png"), plain(colours))
    assert main(["read", "--tiles", str(tmp_path / "row.png"), "--annotate", str(tmp_path / "seen")]) == 0
    (line,) = lines(capsys)
    assert set(line) == {"image", "tiles", "order", "ms"} and line["order"] == "rows"
    assert [tile["colour"] for tile in line["tiles"]] == colours
    first = line["tiles"][0]
    assert len(first["corners"]) == 4 and 0 <= first["confidence"] <= 1
    assert abs(first["center"][0] - 60) < 2 and abs(first["center"][1] - 120) < 2
    assert (tmp_path / "seen" / "row.png").exists()


def test_tiles_are_read_as_a_picture_is_shown_however_its_camera_was_held(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    colours: list[TileColour] = ["red", "yellow", "blue", "green"]
    on_its_side = np.ascontiguousarray(np.rot90(plain(colours)))  # shown turned to the right by a quarter
    path = turned(tmp_path / "phone.jpg", on_its_side)
    assert main(["read", "--tiles", str(path)]) == 0
    line = json.loads(capsys.readouterr().out)
    assert [tile["colour"] for tile in line["tiles"]] == colours


def test_a_telephones_picture_is_read_as_it_is_shown(
    five: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shown = cv2.imread(str(five))
    assert shown is not None
    path = turned(tmp_path / "phone.jpg", np.ascontiguousarray(np.rot90(shown)).astype(np.uint8))
    assert main(["read", str(five), str(path)]) == 0
    known, seen = (line["dice"][0] for line in lines(capsys))
    assert seen["face"] == known["face"]
    assert np.allclose(seen["center"], known["center"], atol=3)


def test_read_tiles_of_a_table_without_any(five: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (five.parent / "garbage.jpg").write_bytes(b"\xff\xd8 no picture")
    assert main(["--language", "de", "read", "--tiles", str(five), str(five.parent / "garbage.jpg")]) == 1
    empty, broken = lines(capsys)
    assert empty["tiles"] == [] and "error" in broken


def test_dice_with_pips_are_no_blank_sides_of_a_die_that_was_taught(
    capsys: pytest.CaptureFixture[str],
) -> None:
    dicebox().keep(stopper())
    assert main(["read", "--taught", "stopper", str(PIECES / "0.jpg")]) == 0
    (line,) = lines(capsys)
    assert line["dice"] and line["taught"] == []


def test_who_asks_for_a_die_that_was_not_taught_hears_which_were(
    five: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--language", "en", "read", "--taught", "nope", str(five)]) == 2
    assert "Taught were" not in capsys.readouterr().err
    dicebox().keep(stopper())
    assert main(["--language", "en", "read", "--taught", "nope", str(five)]) == 2
    said = capsys.readouterr().err
    assert "nope was not taught" in said and "Dice that were taught: stopper" in said


@pytest.mark.parametrize("name", ["../stopper", "", "a\0b"])
def test_a_path_is_no_name_of_a_die(name: str, five: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--language", "en", "read", "--taught", name, str(five)]) == 2
    assert "A name has letters, digits and dashes" in capsys.readouterr().err


def test_the_face_that_is_named_twice_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--language", "en", "teach", "mine", "--faces", "bomb,heart,gift,heart"]) == 2
    assert "'heart' stands there twice" in capsys.readouterr().err


def test_where_a_die_can_be_forgotten_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    for number in range(MOST):
        dicebox().keep(replace(stopper(), name=f"die-{number}"))
    assert main(["--language", "en", "teach", "mine", "--faces", "a,b"]) == 2
    assert "forget one first. On the screen: settings, “Teach dice”" in capsys.readouterr().err


def test_a_name_that_is_no_text_is_told_as_well_as_can_be(
    tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    name = os.fsdecode(os.fsencode(tmp_path) + b"/die\xff.png")
    Path(name).write_bytes(cv2.imencode(".png", np.zeros((60, 80, 3), np.uint8))[1].tobytes())
    assert main(["read", name]) == 0
    line = json.loads(capsysbinary.readouterr().out.decode("utf-8"))
    assert line["image"].endswith("/die\\xff.png") and line["dice"] == []


def test_tiles_and_a_die_that_was_taught_are_not_read_at_once(
    five: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as left:
        main(["--language", "en", "read", "--tiles", "--taught", "crown", str(five)])
    assert left.value.code == 2 and "not allowed with" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("name", "at_once"), [("camera", True), ("lookout", True), ("tiles", True), ("doctor", False)]
)
def test_a_camera_that_hangs_or_an_eye_at_work_does_not_disturb_the_end(name: str, at_once: bool) -> None:
    """What waits in OpenCV would abort the program if it came back while Python ends."""
    program = f"""
import atexit, threading
from companion import cli
threading.Thread(target=threading.Event().wait, args=(20,), name={name!r}, daemon=True).start()
atexit.register(print, "Python has ended")
cli.main = lambda: print("said") or 3
cli.command()
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    assert done.returncode == 3
    assert done.stdout.splitlines() == ["said"] + ["Python has ended"] * (not at_once)


# Drawings


@pytest.fixture(params=[["tray-sheet"], ["wiring", "--svg"]], ids=" ".join)
def drawing(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[list[str], Path]:
    """A command that writes a drawing, and where."""
    return ["--language", "de", *request.param], tmp_path / "new" / "drawing.svg"


def test_a_drawing_is_on_the_disk_whole_or_not_at_all(
    drawing: tuple[list[str], Path], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    command, file = drawing
    with full_disk(monkeypatch):
        assert main([*command, str(file)]) == 1
    assert list(file.parent.iterdir()) == []
    assert capsys.readouterr().err == "companion: der Datenträger ist voll\n"


def test_a_drawing_goes_where_a_link_or_a_pipe_leads(drawing: tuple[list[str], Path], tmp_path: Path) -> None:
    command, file = drawing
    link, pipe = tmp_path / "link", tmp_path / "pipe"
    link.symlink_to(file)
    os.mkfifo(pipe)
    end = os.open(pipe, os.O_RDWR)
    assert [main([*command, str(path)]) for path in (link, pipe)] == [0, 0]
    assert link.is_symlink() and os.read(end, 1 << 16) == file.read_bytes()
    os.close(end)
