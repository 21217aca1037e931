"""The doors: one short function a command."""

import argparse
import codecs
import json
import logging
import os
import re
import sys
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from gettext import gettext
from importlib import import_module
from io import TextIOWrapper
from itertools import islice
from pathlib import Path
from typing import Any, NoReturn

from companion import __version__
from companion.config import (
    ASSETS,
    KINDS,
    Value,
    WrongError,
    config_dir,
    data_dir,
    program,
    understood,
    with_camera,
)
from companion.config.document import did_you_mean
from companion.language import (
    LANGUAGES,
    Message,
    Texts,
    ToldError,
    install_for_argparse,
    mark,
    reason,
    spoken,
    system_language,
)

HANGING = ("camera", "lookout", "tiles")  # threads that may still be in OpenCV at the end
UNUSABLE = 2  # exit status: the command itself or the configuration cannot be used


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the `companion` command; return its exit status."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    texts = Texts("en")
    try:
        try:
            if not ASSETS.is_dir():  # a wheel has none
                text = mark("{folder} is missing: the companion runs from its repository only, by ./play")
                raise ToldError(Message(text, {"folder": str(ASSETS)}))
            texts = Texts(_language(words))
            return _run(words, texts)
        finally:
            sys.stdout.flush()  # as long as it can be said that this is not possible
    except ToldError as error:
        print(f"{program()}: {texts.say(error.message)}", file=sys.stderr)
        return UNUSABLE
    except KeyboardInterrupt:
        return 130
    except OSError as error:
        if not isinstance(error, BrokenPipeError):  # else whoever read our lines has had enough
            file = f"{error.filename}: " if error.filename else ""
            print(f"{program()}: {file}{texts.say(reason(error))}", file=sys.stderr)
        with suppress(OSError):  # in a test it is no file
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # what waits cannot be written
        return 1


def _run(words: Sequence[str], texts: Texts) -> int:
    install_for_argparse(texts)
    parser = _parser(texts)
    _see_that_no_option_is_misspelt(parser, words, texts)
    options = parser.parse_args(words)
    return int(options.run(options, texts))


def _by_number(error: UnicodeError) -> tuple[str, int]:
    """Letters that a stream does not know, as JSON writes them, too: what was JSON stays it."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return json.dumps(error.object[error.start : error.end])[1:-1], error.end


codecs.register_error("by number", _by_number)


def command() -> NoReturn:
    """Run the `companion` command as a program of its own, and end with its exit status.

    A read of a camera that hangs cannot be ended, nor one of tiles. OpenCV aborts if it comes back while
    Python ends, and who has started the program takes that for a failure: so then it ends at once.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:  # it was closed: no file that is opened later may take its place
            setattr(sys, name, os.fdopen(os.open(os.devnull, os.O_RDWR), mode))
    if isinstance(sys.stdin, TextIOWrapper):
        sys.stdin.reconfigure(errors="backslashreplace")
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="by number")
    # Commands say in their own words what is wrong; the screen alone keeps a log for engineers.
    logging.getLogger().addHandler(logging.NullHandler())
    status = main()
    if any(thread.name in HANGING for thread in threading.enumerate()):
        logging.shutdown()
        with suppress(OSError, ValueError):  # whoever read our lines has gone
            sys.stdout.flush()
        os._exit(status)
    sys.exit(status)


def _language(words: Sequence[str]) -> str:
    """The language asked for on the command line, before anything else is read; else the system's."""
    finder = argparse.ArgumentParser(add_help=False, exit_on_error=False, allow_abbrev=False)
    finder.add_argument("--language")
    try:
        asked = finder.parse_known_args(words)[0].language
    except argparse.ArgumentError:
        asked = None
    asked = (asked or "").lower()
    return asked if asked in LANGUAGES else system_language()


def _see_that_no_option_is_misspelt(parser: argparse.ArgumentParser, words: Sequence[str], t: Texts) -> None:
    """Leave if an option is none of any command, but much like one: argparse would wonder at its value."""
    known = _options(parser)
    for word in words:
        name = word.partition("=")[0]
        if name == "--":  # whatever follows is no option
            return
        if name.startswith("--") and " " not in word and name not in known:
            closest = did_you_mean(name, known)
            if closest:
                text = mark("unknown option '{option}': did you mean '{closest}'?")
                parser.error(t(text, option=name, closest=closest))


def _options(parser: argparse.ArgumentParser) -> set[str]:
    """Every option of a parser and of its commands."""
    found: set[str] = set()
    for action in parser._actions:
        found |= set(action.option_strings)
        if isinstance(action, argparse._SubParsersAction):
            found = found.union(*map(_options, action.choices.values()))
    return found


class _Commands(argparse._SubParsersAction):  # type: ignore[type-arg]  # it takes none when it runs
    """Commands, the help of each of which begins with what it does."""

    def add_parser(self, name: str, **more: Any) -> Any:
        """As argparse does it, which says that only in the list of all commands."""
        return super().add_parser(name, description=more.get("help"), **more)


class Parser(argparse.ArgumentParser):
    """A parser that says in one line why a command cannot be used. Options are written in full, and may stand
    before, between and behind the words of their command.
    """

    def __init__(self, prog: str | None = None, **more: Any) -> None:
        super().__init__(prog, allow_abbrev=False, **more)

    def error(self, message: str) -> NoReturn:
        """Print the reason and leave with status 2."""
        self.exit(UNUSABLE, f"{self.prog}: {message}\n")

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """As argparse does it, which wants the words of a command to stand together."""
        return super().parse_known_args(args if self._subparsers else self._sorted(args), namespace)

    def _sorted(self, words: Sequence[str]) -> list[str]:
        """The same with all options behind the other words; where two dashes end the options, before all."""
        options, others, rest = list[str](), list[str](), iter(words)
        for word in rest:
            if word == "--":
                return [*options, *others, word, *rest]
            name, equals, _ = word.partition("=")
            action = self._option_string_actions.get(name)
            if action is None:
                others.append(word)
            else:
                options += [word, *islice(rest, int(action.nargs is None and not equals))]
        return [*others, *options]

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        known = tuple(action.choices or ())
        if known and value not in known:
            closest, names = did_you_mean(str(value), known), ", ".join(known)
            text = mark("there is no command '{name}', only {known}")
            if closest:
                text = mark("there is no command '{name}': did you mean '{closest}'?")
            self.error(gettext(text).format(name=value, closest=closest, known=names))


def _parser(t: Texts) -> argparse.ArgumentParser:
    parents = [_language_option(t, None), _camera_option(t, None)]
    description = t("Reads dice, stops rounds, helps at the table. Without a command the screen opens.")
    parser = Parser(program(), description=description, parents=parents)
    parser.add_argument(
        "--version", action="version", version=__version__, help=t("show the version and exit")
    )
    parser.add_argument(
        "--size", type=_value("size", t), metavar=t("WxH"), help=t("size of the window in pixels")
    )
    whole = parser.add_mutually_exclusive_group()
    whole.add_argument("--fullscreen", action="store_true", default=None, help=t("fill the whole screen"))
    whole.add_argument("--window", dest="fullscreen", action="store_false", help=t("open a window"))
    parser.set_defaults(run=_open)
    commands = parser.add_subparsers(
        action=_Commands,
        title=t("commands"),
        metavar=f"[{t('COMMAND')}]",
        parser_class=_command_parser(t),
    )
    _add_eye(commands, t)
    _add_games(commands, t)
    return parser


# What may be said before a command and behind it: the parser of the command sets only what is said behind it.


def _language_option(t: Texts, default: str | None = argparse.SUPPRESS) -> Parser:
    option = Parser(add_help=False, argument_default=default)
    option.add_argument(
        "--language",
        type=_value("language", t),
        metavar=t("LANGUAGE"),
        help=t("auto (the system's), de or en: language of the screen and the voice"),
    )
    return option


def _camera_option(t: Texts, default: str | None = argparse.SUPPRESS) -> Parser:
    option = Parser(add_help=False, argument_default=default)
    option.add_argument(
        "--camera",
        type=_value("camera", t),
        metavar=t("CAMERA"),
        help=t("auto, csi, usb:N, csi:N, an address or a path; upside-down behind it"),
    )
    return option


def _command_parser(t: Texts) -> Any:
    """What makes the parser of a command."""
    return partial(Parser, parents=[_language_option(t)])


def _add_eye(commands: Any, t: Texts) -> None:
    read = commands.add_parser("read", help=t("read the dice or tiles in photographs"))
    read.add_argument("images", nargs="+", metavar=t("IMAGE"), help=t("a picture file"))
    read.add_argument(
        "--annotate",
        type=Path,
        metavar=t("FOLDER"),
        help=t("write each picture with what was seen into FOLDER"),
    )
    looked_for = read.add_mutually_exclusive_group()
    looked_for.add_argument(
        "--taught", metavar="NAME", help=t("say which faces of this die are seen as well")
    )
    looked_for.add_argument(
        "--tiles", action="store_true", help=t("read the tiles of Bau Boom, in the order in which they lie")
    )
    read.set_defaults(run=_command("eye", "read_pictures"))
    with_camera = [_language_option(t), _camera_option(t)]
    teach = commands.add_parser("teach", parents=with_camera, help=t("teach a die with any faces"))
    teach.add_argument("name", metavar="NAME", help=t("what the die is called"))
    teach.add_argument("--faces", required=True, metavar="A,B,…", help=t("the names of its faces"))
    teach.add_argument(
        "--pictures", type=Path, metavar=t("FOLDER"), help=t("from pictures FACE-1.jpg, FACE-2.jpg … instead")
    )
    teach.add_argument(
        "--anew", action="store_true", help=t("forget the faces that were shown when it was left half taught")
    )
    teach.set_defaults(run=_command("teach", "teach"))
    _add_bench(commands, t)
    wiring = commands.add_parser("wiring", help=t("show what is connected to which pin"))
    wiring.add_argument("--svg", type=Path, metavar=t("FILE"), help=t("draw it into FILE, too"))
    wiring.set_defaults(run=_command("wiring", "show"))
    doctor = commands.add_parser(
        "doctor",
        parents=with_camera,
        help=t("look at camera, panel, screen and machine; say what to do"),
    )
    doctor.add_argument("--json", action="store_true", help=t("for programs: one JSON object"))
    doctor.set_defaults(run=_command("doctor", "doctor"))
    sheet = commands.add_parser("tray-sheet", help=t("write the sheet for the tray, to be printed (SVG)"))
    sheet.add_argument(
        "file", nargs="?", type=Path, metavar=t("FILE"), help=t("where to; else to the terminal")
    )
    sheet.add_argument(
        "--inner", default="230x160", metavar=t("WxH"), help=t("inner size of the tray in mm; else 230x160")
    )
    sheet.set_defaults(run=_command("doctor", "tray_sheet"))


def _add_bench(commands: Any, t: Texts) -> None:
    bench = commands.add_parser("bench", help=t("measure the companion on this machine"))
    what = bench.add_subparsers(
        action=_Commands,
        title=t("what is measured"),
        metavar=t("WHAT"),
        required=True,
        parser_class=_command_parser(t),
    )
    eye = what.add_parser("eye", help=t("times and accuracy of the eye"))
    eye.add_argument("folder", type=Path, metavar=t("FOLDER"), help=t("a folder with labels.json and images"))
    eye.add_argument(
        "--varied",
        action="store_true",
        help=t("also mirror and turn the pictures, and change their size, light and noise"),
    )
    eye.set_defaults(run=_command("eye", "measure"))
    odds = what.add_parser("odds", help=t("how long every answer about a position takes"))
    odds.add_argument(
        "--positions",
        type=_whole(t),
        default=200,
        metavar="N",
        help=t("how many positions of each game; else 200"),
    )
    odds.set_defaults(run=_command("odds", "measure"))


def _add_games(commands: Any, t: Texts) -> None:
    play = commands.add_parser("play", help=t("play a game at the terminal, or go on with one"))
    _add_game(play, t, "?")
    play.add_argument(
        "--continue", dest="number", type=_whole(t), metavar="N", help=t("its number in the list of games")
    )
    play.set_defaults(run=_command("play", "play"))
    referee = commands.add_parser("referee", help=t("check the moves of a game, line by line"))
    _add_game(referee, t)
    referee.add_argument(
        "--chance", metavar=t("SEED"), help=t("throw and deal everything, always alike for a seed")
    )
    referee.set_defaults(run=_command("games", "referee"))
    perft = commands.add_parser("perft", help=t("count the sequences of legal decisions"))
    _add_game(perft, t)
    perft.add_argument("transcript", type=Path, metavar=t("FILE"), help=t("a file with the moves so far"))
    perft.add_argument("--depth", type=_whole(t), required=True, metavar="N", help=t("how many decisions"))
    _add_odds(commands, t)
    games = commands.add_parser("games", help=t("list the stored games"))
    export = commands.add_parser("export", help=t("write a stored game as text"))
    export.add_argument("number", type=_whole(t), metavar="N", help=t("its number in the list of games"))
    replay = commands.add_parser("replay", help=t("play a game that was written as text"))
    verify = commands.add_parser("verify", help=t("check that the companion has dealt what it had promised"))
    for command in (replay, verify):
        command.add_argument("file", type=Path, metavar=t("FILE"), help=t("a file with a game"))
    for name, command in {"games": games, "export": export, "replay": replay, "verify": verify}.items():
        command.set_defaults(run=_command("games", name))
    perft.set_defaults(run=_command("games", "perft"))


def _add_odds(commands: Any, t: Texts) -> None:
    odds = commands.add_parser("odds", help=t("tell the odds of a position"))
    _add_game(odds, t)
    odds.add_argument(
        "transcript",
        nargs="?",
        type=Path,
        metavar=t("FILE"),
        help=t("a file with the moves so far; - is standard input"),
    )
    task = odds.add_argument_group(t("a task of Make 'n' Break"))
    task.add_argument("--task", metavar="NAME", help=t("the task that is built, such as y07"))
    task.add_argument(
        "--show", dest="shown", type=_numbers(t), metavar="A,B,…", help=t("what its thrown pieces show")
    )
    task.add_argument("--total", type=_whole(t), metavar="N", help=t("what the stopper has called"))
    task.add_argument(
        "--pace", type=_number(t), metavar="N", help=t("how often he throws for each throw of the builder")
    )
    odds.add_argument("--json", action="store_true", help=t("one JSON object a line, for programs"))
    odds.set_defaults(run=_command("odds", "odds"))


def _whole(t: Texts) -> Callable[[str], int]:
    """A reader of a whole number, for argparse."""

    def read(text: str) -> int:
        if not re.fullmatch("[+-]?[0-9]{1,999}", text):
            raise argparse.ArgumentTypeError(t("'{text}' is no whole number", text=text))
        return int(text)

    return read


def _number(t: Texts) -> Callable[[str], float]:
    """A reader of a number, for argparse."""

    def read(text: str) -> float:
        try:
            return float(text)
        except ValueError as error:
            raise argparse.ArgumentTypeError(t("'{text}' is no number", text=text)) from error

    return read


def _numbers(t: Texts) -> Callable[[str], tuple[int, ...]]:
    """A reader of whole numbers with commas between them, for argparse."""

    def read(text: str) -> tuple[int, ...]:
        if not re.fullmatch("[0-9]{1,3}(,[0-9]{1,3})*", text):
            raise argparse.ArgumentTypeError(t("'{text}' are no numbers with commas", text=text))
        return tuple(map(int, text.split(",")))

    return read


def _add_game(command: argparse.ArgumentParser, t: Texts, count: str | None = None) -> None:
    command.add_argument(
        "game", nargs=count, metavar=t("GAME"), help=t("the name of a game, such as kabooom")
    )
    command.add_argument(
        "--players",
        type=_whole(t),
        metavar="N",
        help=t("how many play; else the fewest"),
    )
    command.add_argument(
        "--set",
        dest="chosen",
        action="append",
        default=[],
        metavar=t("KEY=VALUE"),
        help=t("a variant or an option"),
    )


def _value(key: str, t: Texts) -> Any:
    """A reader of a setting's value for argparse, with the same errors as in the configuration."""

    def read(text: str) -> Value:
        try:
            return KINDS[key].read(text, False)
        except WrongError as error:
            raise argparse.ArgumentTypeError(t.say(error.message)) from error

    return read


def _open(options: argparse.Namespace, texts: Texts) -> int:
    """Open the touchscreen program."""
    from companion.events import Proceed
    from companion.opening import (
        is_raspberry_pi,
        show_problems,
        start,
    )  # pygame; `--help` and `read` do without
    from hardware.service import supervisor

    service = supervisor()
    while (configuration := understood(config_dir(), data_dir())).mistakes:
        settings = configuration.settings
        settings = replace(settings, language=options.language or settings.language)
        texts = Texts(spoken(settings.language))
        lines = [problem.say(texts) for problem in configuration.mistakes]
        print(*lines, sep="\n", file=sys.stderr)
        nobody_reads = is_raspberry_pi() and not sys.stderr.isatty()
        chosen = show_problems(lines, settings, service) if nobody_reads else None
        if chosen is None:
            return UNUSABLE
        if chosen == Proceed():
            break
    asked = {key: getattr(options, key) for key in ("language", "camera", "size", "fullscreen")}
    changes = {key: value for key, value in asked.items() if value is not None}
    settings = configuration.settings
    settings = with_camera(settings, data_dir(), changes.get("camera", settings.camera))
    configuration = replace(configuration, settings=replace(settings, **changes))
    return start(configuration, data_dir(), service)


def _command(module: str, name: str) -> Callable[[argparse.Namespace, Texts], int]:
    """A command; what it needs (OpenCV, pygame) is imported when it is run: the others do without."""

    def run(options: argparse.Namespace, texts: Texts) -> int:
        command: Callable[[argparse.Namespace, Texts], int]
        command = getattr(import_module(f"companion.commands.{module}"), name)
        return command(options, texts)

    return run
