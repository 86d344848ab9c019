"""Readings: a text with its segments and values, and the values that another text has otherwise."""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, NamedTuple

from llamaindex_rag_eval.judge.rules.profile import (
    FUNCTION_WEIGHT,
    Profile,
    profile_of,
    weight_of_keys,
)
from llamaindex_rag_eval.judge.rules.tokens import normalise, placed_terms, terms
from llamaindex_rag_eval.judge.rules.values import Value, agree, compete, has_value, values_of
from llamaindex_rag_eval.judge.rules.vocabulary import pattern_of

Kind = Literal[
    "number", "unit", "date", "name", "negation", "antonym", "roles", "quantity", "value"
]
"""In what a claim and a sentence may differ."""

_SEGMENT = pattern_of("segment", r"[,;:](?!\d)\s*|[，；：。]|、(?=.{4})|\s[–—-]\s|{}", re.NOFLAG)


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
        """Say it in a sentence."""
        if not self.sentence:
            return f"It says {self.claim!r}, which no source says."
        return f"It says {self.claim!r}; the source says {self.sentence!r}."


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

    def segment_at(self, offset: int) -> int:
        """Return the number of the segment at a place of the text."""
        return max(number for number, start in enumerate(self.starts) if start <= offset)

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
        Unit(term.key, start, end)
        for term, start, end in placed_terms(plain)
        if whole.weights.get(term.key, 1.0) > FUNCTION_WEIGHT
    ]


VALUE_KINDS: tuple[Kind, ...] = ("number", "unit", "date")
"""The kinds that are told by what values are, however the rest is worded."""
_OPENING = 6
"""Characters of a Chinese or Japanese sentence that are likely its subject."""
_CLEARLY = 0.34
"""Weight of the claim's words by which another value must stand nearer to them."""
_CLEARLY_IN_LONG = 0.8
"""The same in a sentence of more than `_FEW` segments, where much stands near by chance."""
_FEW = 3


def value_conflicts(own: Reading, theirs: Reading, question: Profile | None) -> Iterator[Conflict]:
    """Yield values that the sentence has otherwise, or in another place."""
    known = [own.text, *([question.text] if question else [])]
    others = [each for each in theirs.values if not any(has_value(text, each) for text in known)]
    for value in own.values:
        rivals = [each for each in others if compete(value, each)]
        if not rivals or _is_one(value):
            continue
        agreeing = [each for each in theirs.values if agree(value, each)]
        if not agreeing and not has_value(theirs.text, value):
            other = min(rivals, key=lambda each: (abs(each.number - value.number), each.start))
            yield Conflict(_value_kind(value, other), own.text_of(value), theirs.text_of(other))
            continue
        rivals = [each for each in rivals if each.kind == "date" or each.number != value.number]
        if agreeing and rivals and value.kind != "code" and value.number != 1:
            anchors = own.whole.content | (question.content if question else frozenset())
            rival = _better_place(anchors, agreeing, rivals, theirs)
            if rival:
                kind: Kind = "date" if value.kind == "date" else "roles"
                yield Conflict(kind, own.text_of(value), theirs.text_of(rival))


def absent_values(
    own: Reading, sentences: Sequence[str], question: Profile | None
) -> Iterator[Conflict]:
    """Yield values that neither the sentences nor the question have."""
    texts = [*sentences, *([question.text] if question else [])]
    plain = " ".join(map(normalise, texts))
    for value in own.values:
        stands = own.text_of(value) in plain or any(has_value(text, value) for text in texts)
        if not stands and not _is_one(value):
            yield Conflict("value", own.text_of(value), "")


def _is_one(value: Value) -> bool:
    """Return whether a value is a bare "one", which hardly ever counts anything."""
    return value.kind == "number" and value.number == 1 and not value.readings


def _value_kind(value: Value, other: Value) -> Kind:
    if value.kind == "code":
        return "name"
    if "date" in (value.kind, other.kind):
        return "date"
    same = abs(value.number - other.number) < 1e-9
    if same and value.bound * other.bound < 0:
        return "antonym"
    measured = {name for name, _ in value.readings}, {name for name, _ in other.readings}
    return "unit" if same and value.readings and measured else "number"


def _better_place(
    anchors: Collection[str], agreeing: Sequence[Value], rivals: Sequence[Value], theirs: Reading
) -> Value | None:
    """Return a rival value that stands nearer to what the claim is about, if there is one."""
    inside = {
        term.key for each in theirs.values for term in terms(theirs.text[each.start : each.end])
    }
    shared = opening(theirs) | inside
    here = max(_nearness(each, anchors, theirs, shared) for each in agreeing)
    there = max(rivals, key=lambda each: _nearness(each, anchors, theirs, shared))
    gain = _nearness(there, anchors, theirs, shared) - here
    wanted = _CLEARLY if len(theirs.segments) <= _FEW else _CLEARLY_IN_LONG
    return there if gain > wanted else None


def opening(theirs: Reading) -> frozenset[str]:
    """Return the first words of content of a sentence: likely the subject of all its parts."""
    if theirs.whole.cjk:
        return profile_of(theirs.text[:_OPENING]).content
    keys = [key for key in theirs.whole.keys if key in theirs.whole.content]
    return frozenset(keys[:1])


def _nearness(
    value: Value, anchors: Collection[str], theirs: Reading, shared: Collection[str]
) -> float:
    """Return the weight of the claim's words beside a value, and less of those in its segment."""
    segment = theirs.segments[theirs.segment_at(value.start)]
    size = 4 if theirs.whole.cjk else 12
    beside = terms(
        theirs.text[max(0, value.start - size) : value.start]
        + " "
        + theirs.text[value.end : value.end + size]
    )
    wanted = frozenset(anchors).difference(shared)
    near = {term.key for term in beside} & wanted
    return weight_of_keys(segment, wanted & segment.content) + 0.5 * len(near)
