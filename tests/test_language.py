"""Every text is there in German, with the same fields; nothing is left over; argparse speaks German too."""

import argparse
import ast
import errno
import gettext
import importlib.util
import inspect
import os
import string
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest
from babel.messages.catalog import Catalog
from babel.messages.mofile import read_mo
from babel.messages.pofile import read_po

from companion.language import (
    LANGUAGES,
    LOCALE,
    Message,
    Texts,
    install_for_argparse,
    reason,
    system_language,
)

ROOT = Path(__file__).resolve().parent.parent
PO = LOCALE / "de" / "LC_MESSAGES" / "companion.po"


def load_maker() -> ModuleType:
    spec = importlib.util.spec_from_file_location(
        "translations", ROOT / "assets" / "make" / "translations.py"
    )
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


maker = load_maker()


@pytest.fixture(scope="module")
def german() -> Catalog:
    return read(PO)


def read(file: Path) -> Catalog:
    with file.open("rb") as opened:
        return read_mo(opened) if file.suffix == ".mo" else read_po(opened, locale="de")


def translations(catalog: Catalog) -> dict[object, list[str]]:
    """Return the strings of each text: one, or those for one and for many."""

    def listed(value: object) -> list[str]:
        return list(value) if isinstance(value, (list, tuple)) else [str(value)]

    return {tuple(listed(entry.id)): listed(entry.string) for entry in catalog if entry.id}


def keys(catalog: Catalog) -> set[object]:
    return set(translations(catalog))


def test_the_catalogue_has_every_text_of_the_code_and_no_other(german: Catalog) -> None:
    """If this fails: `python assets/make/translations.py` says what is missing."""
    assert keys(german) == keys(maker.template())


def test_every_translation_is_there_and_has_the_fields_of_its_text(german: Catalog) -> None:
    faults = {str(entry.id): maker.faults(entry) for entry in german if entry.id}
    assert {text: fault for text, fault in faults.items() if fault} == {}


def test_the_compiled_catalogue_is_that_of_the_texts(german: Catalog) -> None:
    assert translations(read(PO.with_suffix(".mo"))) == translations(german)


def test_every_text_can_be_filled_in(german: Catalog) -> None:
    for entry in german:
        for text in entry.id if isinstance(entry.id, (list, tuple)) else [entry.id]:
            if "%(" not in text:
                list(string.Formatter().parse(text))  # raises for a brace too many


def found_in(code: str, tmp_path: Path) -> list[object]:
    file = tmp_path / "code.py"
    file.write_text(code, encoding="utf-8")
    return list(maker.texts_in(file))


def test_the_maker_finds_texts_in_all_their_forms(tmp_path: Path) -> None:
    code = """
t("one" " text", count=1)
self.t("two")
t.plural("a die", "{count} dice", n)
mark("three"); Message("four", {})
t("five" if x else mark("six"))
t(computed); print("no"); t(""); t.plural(one, many, n)
"""
    expected = {"one text", "two", ("a die", "{count} dice"), "three", "four", "five", "six"}
    assert set(found_in(code, tmp_path)) == expected


def test_the_maker_refuses_an_f_string(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match="1: an f-string"):
        found_in('t(f"I see {count}")', tmp_path)


@pytest.mark.parametrize(
    ("translation", "faults"),
    [
        ("{count} Würfel", []),
        ("", ["missing"]),
        ("{anzahl} Würfel", ["other fields"]),
        ("Würfel", ["other fields"]),
        ("Alle {count} sind da. Noch 1.5 s", []),
        ("Alle {count} sind da.{count} Würfel", ["run together"]),
        ("Alle sind da.Es sind {count}", ["run together"]),
    ],
)
def test_the_maker_sees_what_is_wrong_with_a_translation(translation: str, faults: list[str]) -> None:
    catalog = Catalog(locale="de")
    assert maker.faults(catalog.add("{count} dice", translation)) == faults


def test_the_maker_sees_fuzzy_translations() -> None:
    assert maker.faults(Catalog(locale="de").add("dice", "Würfel", flags=["fuzzy"])) == ["fuzzy"]


def test_the_maker_brings_a_catalogue_in_step(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "assets" / "locale" / "de" / "LC_MESSAGES"
    folder.mkdir(parents=True)
    (tmp_path / "companion").mkdir()
    (tmp_path / "companion" / "a.py").write_text('t("new"); t("kept")', encoding="utf-8")
    po = folder / "companion.po"
    po.write_text('msgid "kept"\nmsgstr "bleibt"\n\nmsgid "gone"\nmsgstr "weg"\n', encoding="utf-8")
    monkeypatch.setattr(maker, "ROOT", tmp_path)
    monkeypatch.setattr(maker, "ARGPARSE", ())
    assert maker.refresh(po) == ["assets/locale/de/LC_MESSAGES/companion.po: missing: 'new'"]
    assert keys(read(po)) == {("new",), ("kept",)}
    before = po.read_bytes()
    maker.refresh(po)
    assert po.read_bytes() == before
    assert translations(read(po.with_suffix(".mo"))) == {("kept",): ["bleibt"]}


# Texts


def test_english_texts_are_those_of_the_code() -> None:
    t = Texts("en")
    assert t.language == "en"
    assert t("I see {count} dice", count=3) == "I see 3 dice"
    assert [t.plural("one die", "{count} dice", n) for n in (0, 1, 2)] == ["0 dice", "one die", "2 dice"]


def test_german_texts_are_translated() -> None:
    t = Texts("de")
    assert t("unknown key '{key}': did you mean '{closest}'?", key="a", closest="b") == (
        "unbekannter Schlüssel „a“: Ist „b“ gemeint?"
    )


def test_a_message_within_a_message_is_translated_too() -> None:
    inner = Message("there is a tab: use spaces")
    assert Texts("de").say(Message("{key}: {what}", {"key": "x", "what": inner})) == (
        "x: hier steht ein Tabulator: Leerzeichen benutzen"
    )


def test_texts_without_fields_may_hold_braces() -> None:
    assert Texts("en").say(Message("100 % {really}")) == "100 % {really}"
    assert Texts("de")("") == ""


def test_what_people_wrote_is_not_filled_in_again() -> None:
    assert Texts("en")("'{text}'", text="{0.__class__}") == "'{0.__class__}'"


def test_numbers_are_written_as_in_the_language() -> None:
    assert [Texts(language).number(1.25) for language in ("de", "en")] == ["1,25", "1.25"]
    assert Texts("de")("{value} s", value=0.5) == "0,5 s"
    assert [Texts(language)("{value:.2f}", value=2.5) for language in ("de", "en")] == ["2,50", "2.50"]
    assert Texts("en")("{value} s", value=3.0) == "3 s"


def test_another_language_is_refused() -> None:
    with pytest.raises(ValueError, match="no texts in 'fr'"):
        Texts("fr")


@pytest.mark.parametrize(
    ("environment", "language"),
    [
        ({"LANG": "de_DE.UTF-8"}, "de"),
        ({"LANG": "de_AT.UTF-8", "LC_ALL": "en_GB.UTF-8"}, "en"),
        ({"LANG": "en_US.UTF-8", "LC_MESSAGES": "de_CH"}, "de"),
        ({"LANG": "fr_FR.UTF-8"}, "en"),
        ({"LANG": "C.UTF-8"}, "en"),
        ({"LC_ALL": "", "LANG": "de"}, "de"),
        ({}, "en"),
    ],
)
def test_the_systems_language_is_taken_if_we_speak_it(environment: dict[str, str], language: str) -> None:
    assert system_language(environment) == language


# argparse


@pytest.fixture
def domain(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give gettext's default domain back afterwards."""
    monkeypatch.setattr(gettext, "_current_domain", gettext.textdomain())
    monkeypatch.setenv("LANGUAGE", os.environ.get("LANGUAGE", ""))


@pytest.mark.usefixtures("domain")
@pytest.mark.parametrize(
    ("language", "expected"),
    [
        ("de", ["Aufruf: ", "Optionen", "Argumente", "diese Hilfe anzeigen"]),
        ("en", ["usage: ", "options", "positional arguments", "show this help message"]),
    ],
)
def test_argparse_speaks_the_language(language: str, expected: list[str]) -> None:
    install_for_argparse(Texts(language))
    parser = argparse.ArgumentParser("companion")
    parser.add_argument("image")
    assert [text for text in expected if text not in parser.format_help()] == []


@pytest.mark.usefixtures("domain")
def test_errors_of_argparse_are_german(capsys: pytest.CaptureFixture[str]) -> None:
    install_for_argparse(Texts("de"))
    parser = argparse.ArgumentParser("companion")
    parser.add_argument("--size", type=int)
    parser.add_argument("command", choices=["read", "bench"])
    said = []
    for words in ([], ["dance"], ["read", "--size", "x"], ["read", "more"], ["read", "--size"]):
        with pytest.raises(SystemExit):
            parser.parse_args(words)
        said.append(capsys.readouterr().err)
    expected = ["es fehlen Angaben", "nicht möglich", "ist nicht möglich", "unbekannte Angaben", "ein Wert"]
    assert [text for text, line in zip(expected, said, strict=True) if text not in line] == []
    assert all("Fehler:" in line for line in said)


def texts_of_argparse() -> set[object]:
    calls = (node for node in ast.walk(ast.parse(inspect.getsource(argparse))) if isinstance(node, ast.Call))
    named = (call for call in calls if isinstance(call.func, ast.Name) and call.func.id in ("_", "ngettext"))
    return {argument.value for call in named for argument in call.args if isinstance(argument, ast.Constant)}


def test_the_texts_of_argparse_are_those_that_it_has() -> None:
    """Each that we translate exists in this Python or comes with a later one."""
    ours = {text for entry in maker.ARGPARSE for text in ([entry] if isinstance(entry, str) else entry)}
    later = {
        "subcommands", "%(heading)s:", " (default: %(default)s)", "show program's version number and exit",
        "%(prog)s: warning: %(message)s\n",
        "invalid choice: %(value)r, maybe you meant %(closest)r? (choose from %(choices)s)",
    }  # fmt: skip
    assert ours - texts_of_argparse() - later == set()


def test_the_maker_runs_by_itself() -> None:
    """As a script its folder is the first on the path: its name must hide no module of Python's own."""
    folder = str(ROOT / "assets" / "make")
    code = f"import sys; sys.path.insert(0, {folder!r}); import _strptime, babel.messages.pofile"
    subprocess.run([sys.executable, "-W", "error", "-c", code], check=True)


def test_there_are_texts_for_every_language() -> None:
    assert [Texts(language).language for language in LANGUAGES] == list(LANGUAGES)


def test_why_the_system_refuses_is_said_in_the_language_of_the_table() -> None:
    full, rare = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)), OSError(errno.EXDEV, "Invalid {link}")
    loop = OSError(errno.ELOOP, os.strerror(errno.ELOOP))
    assert Texts("de").say(reason(full)) == "der Datenträger ist voll"
    assert Texts("de").say(reason(loop)) == "die Verknüpfungen verweisen im Kreis"
    assert Texts("de").say(reason(rare)) == "Invalid {link}"
    assert Texts("en").say(reason(OSError("unheard of"))) == "unheard of"
