"""What the rules know of languages: the words and patterns of `languages/xx/rules.toml`.

A language is one folder: its prompts, and this table beside them. All languages are looked for at once, as texts
mix them. The lists were written by hand from general knowledge of the languages; they are taken from no corpus and
from no one's data set.
"""

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import tomllib

_FOLDER = Path(__file__).parents[1] / "languages"


@cache
def _tables() -> Mapping[str, Mapping[str, Any]]:
    paths = sorted(_FOLDER.glob("*/rules.toml"))
    return {path.parent.name: tomllib.loads(path.read_text(encoding="utf-8")) for path in paths}


def by_language(kind: str) -> dict[str, Any]:
    """Return what each language that has an entry of this kind has there."""
    return {code: table[kind] for code, table in _tables().items() if kind in table}


def words_of(kind: str, *languages: str) -> list[str]:
    """Return the words of a kind in some languages, or in all."""
    rows = by_language(kind)
    return [word for code in languages or rows for word in rows.get(code, "").split()]


def numbers_of(kind: str) -> dict[str, float]:
    """Return what the words of a kind say as numbers, in all languages."""
    return {word: number for row in by_language(kind).values() for word, number in row.items()}


def union_of(kind: str, *without: str) -> str:
    """Return a pattern for what any language has of a kind, but for some languages.

    What begins at the edge of a word stands in one group, so that edges are looked for once.
    """
    table = {code: row for code, row in by_language(kind).items() if code not in without}
    rows = ([row] if isinstance(row, str) else row for row in table.values())
    patterns = [each for row in rows for each in row]
    at_edge = "|".join(each[2:] for each in patterns if each.startswith(r"\b"))
    elsewhere = [each for each in patterns if not each.startswith(r"\b")]
    return "(?:" + "|".join([*([rf"\b(?:{at_edge})"] if at_edge else []), *elsewhere]) + ")"


def pattern_of(
    kind: str, shape: str = "{}", flags: re.RegexFlag = re.IGNORECASE
) -> re.Pattern[str]:
    """Return a compiled pattern for what any language has of a kind; `shape` has it in place of {}."""
    return re.compile(shape.replace("{}", union_of(kind)), flags)


class Sought(NamedTuple):
    """What is looked for in many texts: in all languages, and what a text in ASCII may have of it."""

    anywhere: re.Pattern[str]
    in_ascii: re.Pattern[str]

    def search(self, text: str) -> re.Match[str] | None:
        """Return the first match, of which only the place is as in the text."""
        return self.in_ascii.search(text.lower()) if text.isascii() else self.anywhere.search(text)


def sought(kind: str) -> Sought:
    """Return what any language has of a kind, in large or small letters."""
    return Sought(pattern_of(kind), re.compile(union_of(kind, "zh", "ja")))


@cache
def function_words(*languages: str) -> frozenset[str]:
    """Return words that say little, casefolded: of some languages, or of all with an alphabet."""
    return frozenset(words_of("function", *(languages or ("en", "de"))))


@cache
def cjk_function_characters() -> frozenset[str]:
    """Return Chinese characters and Japanese kana that carry grammar rather than meaning."""
    return frozenset("".join(words_of("function", "zh", "ja")))
