"""Prints what pyproject.toml asks pip for on the board, a requirement a line."""

import tomllib
from pathlib import Path

from packaging.requirements import Requirement

BOARD = {"python_version": "3.13", "python_full_version": "3.13.5", "platform_machine": "aarch64"}

with (Path(__file__).resolve().parent.parent.parent / "pyproject.toml").open("rb") as file:
    asked = tomllib.load(file)
for text in (*asked["build-system"]["requires"], *asked["project"]["dependencies"]):
    requirement = Requirement(text)
    if requirement.marker is None or requirement.marker.evaluate(BOARD):
        print(f"{requirement.name}{requirement.specifier}")
