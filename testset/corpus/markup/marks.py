"""The marks of formats: tables of patterns, words and names, which the readers here read."""

import re
from functools import cache
from importlib.resources import files
from typing import Any

import tomllib


def patterns_of(format_: str) -> dict[str, re.Pattern[str]]:
    """Return the patterns of a format by their names."""
    return {
        name: re.compile("".join(parts)) for name, parts in _tables()[format_]["patterns"].items()
    }


def words_of(format_: str) -> dict[str, frozenset[str]]:
    """Return the sets of words of a format by their names."""
    return {name: frozenset(words) for name, words in _tables()[format_]["words"].items()}


def names_of(format_: str) -> dict[str, str]:
    """Return the names that every document of a format knows, each with what it stands for."""
    return dict(_tables()[format_]["names"])


@cache
def _tables() -> dict[str, Any]:
    return tomllib.loads(files(__package__).joinpath("marks.toml").read_text(encoding="utf-8"))
