"""Names of other tools that are no metrics: what of ours each is, or what to write instead."""

from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

import tomllib

TABLE: Mapping[str, Any] = tomllib.loads(
    Path(__file__).with_suffix(".toml").read_text(encoding="utf-8")
)
ROOT = __package__.rpartition(".")[0]

HERE: Mapping[str, Mapping[str, tuple[str, str]]] = {
    tool: {
        theirs: (f"{ROOT}.{module}", ours or theirs)
        for module, names in tables["here"].items()
        for theirs, _, ours in (name.partition("=") for name in names.split())
    }
    for tool, tables in TABLE.items()
    if "here" in tables
}
"""Tool -> name -> our module and the name there."""


def absent(tool: str, name: str) -> str:
    """Return the message for what a tool has and this package does not: what to write instead."""
    instead = TABLE[tool]["nearest"].get(name)
    return f"{name!r} of {tool} is not here" + (f": {instead}" if instead else "")


def here(tool: str, name: str) -> Any:
    """Return what a tool has under this name; `None` if the table does not have it.

    Raises:
        ImportError: It is not here; the message says what to write.
    """
    if name in TABLE[tool]["nearest"]:
        raise ImportError(absent(tool, name))
    if name not in HERE[tool]:
        return None
    module, ours = HERE[tool][name]
    return getattr(import_module(module), ours)
