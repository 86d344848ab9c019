"""The commands by their names: the table `commands.toml`, read once."""

from collections.abc import Mapping
from functools import reduce
from pathlib import Path

import tomllib
from cyclopts import App

_TABLE = tomllib.loads(Path(__file__).with_name("commands.toml").read_text(encoding="utf-8"))

FIRST: Mapping[str, Mapping[str, str]] = _TABLE["first"]
"""Title of a group in `rag-eval --help` -> command -> the arguments of its example, in order."""

ABOUT: Mapping[str, str] = {name: group["about"] for name, group in _TABLE["groups"].items()}
"""Command of commands -> what they are about."""

GROUPS: Mapping[str, Mapping[str, str]] = {
    name: group["commands"] for name, group in _TABLE["groups"].items()
}
"""Command of commands -> the same of theirs; one of its own name is what it does by itself."""

PATHS: Mapping[str, tuple[str, ...]] = {
    **{name: (name,) for commands in FIRST.values() for name in commands},
    **{
        name: (group, name) if name != group else (name,)
        for group, commands in GROUPS.items()
        for name in commands
    },
}
"""Command -> the words by which it is called."""

MODULES = {name: module for module, names in _TABLE["modules"].items() for name in names.split()}
"""Command -> its module, where that has another name."""

RARE = frozenset(_TABLE["rare"].split())
"""Options that help leaves out."""


def command_at(app: App, name: str) -> App:
    """Return the command of an application that has this name; its module is imported."""
    return reduce(App.__getitem__, PATHS[name], app)
