"""Conflicts of values: the numbers, dates and codes that a sentence has otherwise, or not at all."""

from collections.abc import Collection, Iterator, Sequence
from typing import Literal, NamedTuple

from llamaindex_rag_eval.judge.rules.profile import Profile, profile_of, weight_of_keys
from llamaindex_rag_eval.judge.rules.tokens import terms
from llamaindex_rag_eval.judge.rules.values import Value, agree, compete

Kind = Literal[
    "number", "unit", "date", "name", "negation", "antonym", "roles", "quantity", "value"
]
"""In what a claim and a sentence may differ."""


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


VALUE_KINDS: tuple[Kind, ...] = ("number", "unit", "date")
"""The kinds that are told by what values are, however the rest is worded."""
_OPENING = 6
"""Characters of a Chinese or Japanese sentence that are likely its subject."""
_CLEARLY = 0.34
"""Weight of the claim's words by which another value must stand nearer to them."""
_CLEARLY_IN_LONG = 0.8
"""The same in a sentence of more than `_FEW` segments, where much stands near by chance."""
_FEW = 3


def value_conflicts(own: Profile, theirs: Profile, question: Profile | None) -> Iterator[Conflict]:
    """Yield values that the sentence has otherwise, or in another place."""
    known = [own, *([question] if question else [])]
    for value in own.values:
        others = [each for each in theirs.values if not any(text.has(each) for text in known)]
        rivals = [each for each in others if compete(value, each)]
        if not rivals or _is_one(value):
            continue
        agreeing = [each for each in theirs.values if agree(value, each)]
        if not agreeing and not profile_of(theirs.plain).has(value):  # in digits, too
            other = min(rivals, key=lambda each: (abs(each.number - value.number), each.start))
            yield Conflict(_value_kind(value, other), own.text_of(value), theirs.text_of(other))
            continue
        rivals = [each for each in rivals if each.kind == "date" or each.number != value.number]
        if agreeing and rivals and value.kind != "code" and value.number != 1:
            anchors = own.content | (question.content if question else frozenset())
            rival = _better_place(anchors, agreeing, rivals, theirs)
            if rival:
                kind: Kind = "date" if value.kind == "date" else "roles"
                yield Conflict(kind, own.text_of(value), theirs.text_of(rival))


def absent_values(
    own: Profile, sentences: Sequence[Profile], question: Profile | None
) -> Iterator[Conflict]:
    """Yield values that neither the sentences nor the question have."""
    texts = [*sentences, *([question] if question else [])]
    for value in own.values:
        written = own.text_of(value)
        stands = any(written in text.plain or text.has(value) for text in texts)
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
    anchors: Collection[str], agreeing: Sequence[Value], rivals: Sequence[Value], theirs: Profile
) -> Value | None:
    """Return a rival value that stands nearer to what the claim is about, if there is one."""
    inside = {
        term.key for each in theirs.values for term in terms(theirs.plain[each.start : each.end])
    }
    shared = opening(theirs) | inside
    here = max(_nearness(each, anchors, theirs, shared) for each in agreeing)
    there = max(rivals, key=lambda each: _nearness(each, anchors, theirs, shared))
    own = frozenset(anchors) - inside
    if any(_is_named_later(each, there, own, theirs) for each in agreeing):
        return None
    if all(_is_named_later(there, each, own, theirs) for each in agreeing):
        return there
    gain = _nearness(there, anchors, theirs, shared) - here
    wanted = _CLEARLY if len(theirs.segments) <= _FEW else _CLEARLY_IN_LONG
    return there if gain > wanted else None


def _is_named_later(value: Value, rival: Value, wanted: frozenset[str], theirs: Profile) -> bool:
    """Return whether a value's segment has of the claim what no segment from the rival's on has.

    What such segments share may stand in the first alone: "A ticket costs €9, a day pass €12."
    """
    first, last = (theirs.segment_at(each.start) for each in (rival, value))
    earlier = {key for each in theirs.segments[first:last] for key in each.content}
    return first < last and not wanted & theirs.segments[last].content <= earlier


def opening(theirs: Profile) -> frozenset[str]:
    """Return the first words of content of a sentence: likely the subject of all its parts."""
    if theirs.cjk:
        return profile_of(theirs.plain[:_OPENING]).content
    keys = [key for key in theirs.keys if key in theirs.content]
    return frozenset(keys[:1])


def _nearness(
    value: Value, anchors: Collection[str], theirs: Profile, shared: Collection[str]
) -> float:
    """Return the weight of the claim's words beside a value, and less of those in its segment."""
    segment = theirs.segments[theirs.segment_at(value.start)]
    size = 4 if theirs.cjk else 12
    beside = terms(
        theirs.plain[max(0, value.start - size) : value.start]
        + " "
        + theirs.plain[value.end : value.end + size]
    )
    wanted = frozenset(anchors).difference(shared)
    near = {term.key for term in beside} & wanted
    return weight_of_keys(segment, wanted & segment.content) + 0.5 * len(near)
