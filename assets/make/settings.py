"""Makes config/companion.yaml from the table of settings: complete, with all defaults.

python assets/make/settings.py > config/companion.yaml
"""

from companion.config.settings import SETTINGS, comment
from companion.language import Texts

HEAD = (
    "Settings of Tabletop Companion. Every key is here with its default; a key that is left out"
    " has it too. What is changed on the screen is kept apart and goes before this file."
)


def commented_file() -> str:
    """Return the file, each setting below what it means and what is possible."""
    parts = [comment(HEAD)]
    for setting in SETTINGS:
        allowed = f"Possible: {Texts('en').say(setting.kind.allowed)}"
        line = f"{setting.key}: {setting.kind.write(setting.default)}\n"
        parts.append(comment(setting.comment) + comment(allowed) + line)
    return "\n".join(parts)


if __name__ == "__main__":
    print(commented_file(), end="")
