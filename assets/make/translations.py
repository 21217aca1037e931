"""Collect the texts of the code, keep the translations in step with them, and compile them.

    python assets/make/translations.py     # fill in what it prints, in companion.po, and run it again

Exit status 1 if a translation is missing or does not fit its text.
"""

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.catalog import Message as Entry
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

from companion.config.paths import ASSETS, ROOT

LOCALE = ASSETS / "locale"
# Which calls hold texts, and in which of their arguments: t("…"), t.plural("…", "…", n), …
CALLS = {
    "t": slice(1),
    "texts": slice(1),
    "mark": slice(1),
    "Message": slice(1),
    "plural": slice(2),
    "IllegalMove": slice(1, 2),
    "NotationError": slice(1),
    "Fault": slice(1, 2),
}
# What argparse (Python 3.11 to 3.14) says to the user of a command, through gettext as well
ARGPARSE: tuple[str | tuple[str, str], ...] = (
    "usage: ",
    "options",
    "positional arguments",
    "subcommands",
    "%(heading)s:",
    " (default: %(default)s)",
    "show this help message and exit",
    "show program's version number and exit",
    "%(prog)s: error: %(message)s\n",
    "%(prog)s: warning: %(message)s\n",
    "argument %(argument_name)s: %(message)s",
    "ambiguous option: %(option)s could match %(matches)s",
    "can't open '%(filename)s': %(error)s",
    "expected one argument",
    "expected at most one argument",
    "expected at least one argument",
    ("expected %s argument", "expected %s arguments"),
    "ignored explicit argument %r",
    "invalid %(type)s value: %(value)r",
    "invalid choice: %(value)r (choose from %(choices)s)",
    "invalid choice: %(value)r, maybe you meant %(closest)r? (choose from %(choices)s)",
    "not allowed with argument %s",
    "one of the arguments %s is required",
    "the following arguments are required: %s",
    "unexpected option string: %s",
    "unknown parser %(parser_name)r (choices: %(choices)s)",
    "unrecognized arguments: %s",
)
Text = str | tuple[str, str]  # one text, or those for one and for many


def literals(node: ast.expr) -> list[str]:
    """Return the texts that an argument may be: none if it is computed elsewhere, two for `a if x else b`."""
    if isinstance(node, ast.IfExp):
        return literals(node.body) + literals(node.orelse)
    if isinstance(node, ast.JoinedStr):
        raise ValueError("an f-string cannot be translated: use fields")
    return [node.value] if isinstance(node, ast.Constant) and isinstance(node.value, str) else []


def texts_of_call(call: ast.Call) -> list[Text]:
    """Return the texts in one call of `CALLS`, nothing for any other call."""
    name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    where = CALLS.get(name, slice(0))
    found = [literals(argument) for argument in call.args[where]]
    if not found or len(call.args) < where.stop:
        return []
    if len(found) == 1:
        return [text for text in found[0] if text]
    return [(one, many) for one, many in zip(*found, strict=True)]


def texts_in(path: Path) -> Iterator[Text]:
    """Yield every text of a Python file that is to be translated."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call):
            try:
                yield from texts_of_call(node)
            except ValueError as error:
                raise SystemExit(f"{path}:{node.lineno}: {error}") from error


def template() -> Catalog:
    """Return all texts of the program, with the files where they are found and without translations."""
    found: dict[Text, set[str]] = {text: {"argparse"} for text in ARGPARSE}
    for path in sorted((ROOT / "companion").rglob("*.py")):
        for text in texts_in(path):
            found.setdefault(text, set()).add(path.relative_to(ROOT).as_posix())
    catalog = Catalog(project="Tabletop Companion")
    for text, places in sorted(found.items(), key=lambda item: (sorted(item[1]), str(item[0]))):
        catalog.add(text, locations=[(place, 0) for place in sorted(places)])
    return catalog


def fields(text: str) -> set[str]:
    """Return the fields of a text: `{count}` of str.format, `%(prog)` of argparse. Of its `%(value)r`, which
    has quotes of its own, a translation makes „%(value)s“.
    """
    return set(re.findall(r"\{\w*[^{}]*\}|%(?:\(\w+\))?(?=[rsd])", text))


def faults(entry: Entry) -> list[str]:
    """Return what keeps a translation from being used: missing, fuzzy, other fields than its text, or
    sentences that run together, as of two translations.
    """
    texts = entry.id if isinstance(entry.id, (list, tuple)) else (entry.id,)
    strings = [
        string or ""
        for string in (entry.string if isinstance(entry.string, (list, tuple)) else (entry.string,))
    ]
    if not all(strings) or len(strings) != len(texts):
        return ["missing"]
    wanted = [fields(text) for text in texts]
    other = any(fields(string) not in wanted for string in strings)
    joined = any(re.search(r"[a-zäöüß][.!?;][A-ZÄÖÜ{]", string) for string in strings)
    return ["fuzzy"] * entry.fuzzy + ["other fields"] * other + ["run together"] * joined


def read(path: Path) -> Catalog:
    """Return the catalogue in a .po file."""
    with path.open("rb") as file:
        return read_po(file, locale=path.parent.parent.name)


def refresh(path: Path) -> list[str]:
    """Bring a .po file in step with the code, compile it beside itself, and return what is left to do."""
    catalog, found = read(path), template()
    found.creation_date = catalog.creation_date  # or the file would change each day
    catalog.update(found, no_fuzzy_matching=True)
    with path.open("wb") as file:
        write_po(file, catalog, width=110, ignore_obsolete=True, include_lineno=False)
    with path.with_suffix(".mo").open("wb") as file:
        write_mo(file, catalog)
    return [
        f"{path.relative_to(ROOT)}: {fault}: {entry.id!r}"
        for entry in catalog
        if entry.id
        for fault in faults(entry)
    ]


def main() -> int:
    """Refresh every language; print what is left to translate."""
    left = [line for path in sorted(LOCALE.glob("*/LC_MESSAGES/companion.po")) for line in refresh(path)]
    print("\n".join(left) or "Every text is translated.")
    return 1 if left else 0


if __name__ == "__main__":
    sys.exit(main())
