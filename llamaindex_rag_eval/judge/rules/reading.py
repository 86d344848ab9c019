"""Readings: a text with its segments and its values, as two texts are compared for conflicts."""

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, NamedTuple

from llamaindex_rag_eval.judge.rules.profile import Profile, profile_of
from llamaindex_rag_eval.judge.rules.tokens import normalise, terms
from llamaindex_rag_eval.judge.rules.values import Value, values_of
from llamaindex_rag_eval.judge.rules.vocabulary import pattern_of
from llamaindex_rag_eval.judge.rules.weights import FUNCTION_WEIGHT

Kind = Literal["number", "unit", "date", "name", "negation", "antonym", "roles", "quantity"]
"""In what a claim and a sentence may differ."""

_SEGMENT = pattern_of("segment", r"[,;:](?!\d)\s*|[，；：。]|、(?=.{4})|\s[–—-]\s|{}", re.NOFLAG)
_LATIN = re.compile(r"\w+(?:['’.-]\w+)*")


class Conflict(NamedTuple):
    """One thing in which a claim differs from a sentence.

    Attributes:
        kind: In what.
        claim: What the claim says there, as far as it can be told.
        sentence: What the sentence says there, as far as it can be told.
    """

    kind: Kind
    claim: str
    sentence: str

    def __str__(self) -> str:
        """Say it in words."""
        said = f", not {self.sentence!r}" if self.sentence else ""
        return f"its {self.kind} is {self.claim!r}{said}"


class Unit(NamedTuple):
    """A word of content, or a character, with its place in a text."""

    key: str
    start: int
    end: int


@dataclass(frozen=True, eq=False, slots=True)
class Reading:
    """A text with its segments, each with its values.

    Attributes:
        text: The text, normalised.
        whole: Its profile.
        values: Its values.
        segments: The profiles of its parts between commas and conjunctions; at least one.
        starts: Where each segment begins.
        units: Its words of content in order; in Chinese and Japanese all its characters.
    """

    text: str
    whole: Profile
    values: tuple[Value, ...]
    segments: tuple[Profile, ...]
    starts: tuple[int, ...]
    units: tuple[Unit, ...]

    def segment_at(self, place: int) -> int:
        """Return the number of the segment at a place of the text."""
        return max(number for number, start in enumerate(self.starts) if start <= place)

    def text_of(self, value: Value) -> str:
        """Return a value as the text writes it."""
        return self.text[value.start : value.end]


@lru_cache(maxsize=8_192)
def reading_of(text: str) -> Reading:
    """Return the reading of a text."""
    plain = normalise(text)
    starts, pieces, start = [], [], 0
    for match in _SEGMENT.finditer(plain):
        if terms(plain[start : match.start()]):
            starts.append(start)
            pieces.append(plain[start : match.start()])
            start = match.end()
    if terms(plain[start:]) or not pieces:
        starts.append(start)
        pieces.append(plain[start:])
    segments = tuple(profile_of(piece) for piece in pieces)
    whole = profile_of(text)
    return Reading(
        plain, whole, values_of(text), segments, (0, *starts[1:]), tuple(_units(plain, whole))
    )


def _units(plain: str, whole: Profile) -> list[Unit]:
    if whole.cjk:
        return [Unit(each, at, at + 1) for at, each in enumerate(plain) if each.isalnum()]
    return [
        Unit(term.key, match.start(), match.end())
        for match in _LATIN.finditer(plain)
        for term in terms(match.group())
        if whole.weights.get(term.key, 1.0) > FUNCTION_WEIGHT
    ]
