"""Conflicts: in what a claim differs from a sentence about the same thing.

One word makes a true sentence false: another number, unit, date or name, a negation, an opposite,
"all" for "most", or two things in each other's place. Each is looked for where the sentence speaks
of what the claim speaks of.
"""

from collections.abc import Iterator
from functools import lru_cache
from typing import get_args

from rapidfuzz import fuzz

from llamaindex_rag_eval.judge.rules.evidence import credit_among
from llamaindex_rag_eval.judge.rules.lexicon import (
    antonyms,
    around_negations,
    count_negations,
    denies_otherwise,
    exclusive,
    quantities,
)
from llamaindex_rag_eval.judge.rules.parts import exchanged, other_name
from llamaindex_rag_eval.judge.rules.phrases import without_polarity
from llamaindex_rag_eval.judge.rules.profile import Profile, profile_of, weight_of_keys
from llamaindex_rag_eval.judge.rules.reading import (
    Conflict as Conflict,
    Kind as Kind,
    Reading,
    reading_of,
    value_conflicts,
)

KINDS: tuple[Kind, ...] = get_args(Kind)
"""In what a claim and a sentence may differ."""
WORDED_ALIKE = 0.6
"""Likeness of the characters of two texts below which order tells nothing of parts played: the one
puts in its own way what the other says."""
_EDGE = " .。!！"
_FEW = 3
_FEWEST = 3
_ALL = 4
"""What `quantities` calls "all"."""
_ALIKE = 0.5
_UNLIKE = 0.25
_COPIED = 0.85


@lru_cache(maxsize=8_192)
def conflicts_between(claim: str, sentence: str, *, question: str = "") -> tuple[Conflict, ...]:
    """Return in what a claim differs from a sentence, as far as rules can tell.

    Args:
        claim: A statement, or with its question a short answer.
        sentence: A sentence that may be about the same thing; of a text, the one that has most of
            the claim.
        question: What the claim answers, if anything; its words say what a short answer is about.

    Returns:
        The conflicts, by the order of `KINDS`; empty if there is none, or if the two texts are
        not about the same thing.

    Example:
        >>> conflicts_between("Ito built the lock in 1920.", "Ito built the lock in 1890.")
        (Conflict(kind='date', claim='1920', sentence='1890'),)
        >>> conflicts_between("12 kilograms", "It weighs 12 kg.", question="What does it weigh?")
        ()
    """
    own, theirs = reading_of(without_polarity(claim)), reading_of(sentence)
    about = profile_of(question) if question else None
    if _is_quoted(own, theirs) or (not question and _share(own.whole, theirs.whole) < _UNLIKE):
        return ()
    alike = fuzz.partial_ratio(own.text, theirs.text) >= 100 * WORDED_ALIKE
    conflicts = [
        *value_conflicts(own, theirs, about),
        *_polarity(own, theirs, about),
        *_quantity(own, theirs),
        *(exchanged(own, theirs) if alike and _share(own.whole, theirs.whole) >= _ALIKE else ()),
        *other_name(own, theirs, about),
    ]
    first: dict[Kind, Conflict] = {}
    for each in conflicts:
        first.setdefault(each.kind, each)
    return tuple(first[kind] for kind in KINDS if kind in first)


def _is_quoted(own: Reading, theirs: Reading) -> bool:
    """Return whether a claim is the sentence, or a part of it that stands alone, word for word."""
    said = own.text.strip(_EDGE)
    parts = {segment.text.strip(_EDGE) for segment in theirs.segments}
    return said in theirs.text and (2 * len(said) >= len(theirs.text) or said in parts)


def _matching(own: Profile, theirs: Reading) -> list[Profile]:
    """Return the segments of a sentence that have most of a part of the claim; at least one."""
    shares = [_share(own, segment) for segment in theirs.segments]
    pairs = zip(theirs.segments, shares, strict=True)
    return [segment for segment, share in pairs if share >= max(shares) - 0.1]


def _share(own: Profile, segment: Profile) -> float:
    shared = [key for key in own.content if key in segment.weights]
    table = antonyms()
    turned = [key for key in own.content if key in table and table[key] & segment.weights.keys()]
    return weight_of_keys(own, {*shared, *turned}) / (weight_of_keys(own, own.content) or 1.0)


def _polarity(own: Reading, theirs: Reading, question: Profile | None) -> Iterator[Conflict]:
    """Yield a part of the claim that denies what the sentence says, or says its opposite."""
    near = _share(own.whole, theirs.whole) >= _COPIED <= _share(theirs.whole, own.whole)
    denied = near and own.whole.negated != theirs.whole.negated
    turns = not (denies_otherwise(own.text) or denies_otherwise(theirs.text))
    if turns and denied and not any(_opposites(own.whole, theirs.whole, theirs.whole)):
        yield Conflict("negation", own.text.strip(), theirs.text.strip())
    small = any(len(part.content) < _FEWEST for part in own.segments)
    for part in (own.whole,) if small else own.segments:
        short = question is not None and len(part.content) < min(_FEWEST, len(question.content))
        about = profile_of(f"{question.text} {part.text}") if question and short else part
        matching = _matching(about, theirs)
        spread = max(_share(about, each) for each in matching) < _ALIKE
        if spread:
            matching = [theirs.whole]
        if _share(about, matching[0]) < _ALIKE:
            continue
        against = [each for each in matching if bool(each.negated) != bool(about.negated)]
        turned = [pair for each in matching for pair in _opposites(part, each, theirs.whole)]
        if turned and not against and not _is_converse(own.whole, theirs.whole):
            yield Conflict("antonym", *turned[0])
        scattered = spread and len(theirs.segments) > _FEW
        if turned or scattered or not turns or len(against) < len(matching):
            continue
        if all(_denies(each, about) or _denies(about, each) for each in against):
            yield Conflict("negation", part.text.strip(), against[0].text.strip())


def _is_converse(own: Profile, theirs: Profile) -> bool:
    """Return whether names stand in the other order: "Yusuf beat Ines", "to Yusuf, Ines lost"."""
    positions = [theirs.keys.index(key) for key in own.keys if key in own.content & theirs.content]
    return len(positions) > 1 and positions[0] > positions[-1]


def _denies(denier: Profile, other: Profile) -> bool:
    """Return whether what one text denies is something that the other speaks of."""
    return any(
        credit_among(key, other.weights) > 0
        for words in around_negations(denier.text)
        for key in profile_of(words).content
    )


def _opposites(part: Profile, segment: Profile, whole: Profile) -> Iterator[tuple[str, str]]:
    table = antonyms()
    for word in sorted(part.weights.keys() - whole.weights.keys()):
        against = table.get(word, frozenset()) & segment.weights.keys() - part.weights.keys()
        if against:
            yield word, min(against)


def _quantity(own: Reading, theirs: Reading) -> Iterator[Conflict]:
    """Yield "all" for "most", "most" for "few", or an "all" or "only" that the sentence does not have."""
    claimed = quantities(own.text)
    said = quantities(theirs.text) if claimed else {}
    if said and claimed.keys().isdisjoint(said):
        high, low = max(claimed), max(said)
        if high > low or (high < low and high == 1):
            yield Conflict("quantity", claimed[high], said[low])
    elif claimed and not said and max(claimed) == _ALL:
        before = own.text.lower().partition(claimed[_ALL])[0]
        yield from [] if count_negations(before) else [Conflict("quantity", claimed[_ALL], "")]
    only = exclusive(own.text)
    if only and not exclusive(theirs.text):
        matching = _matching(own.whole, theirs)
        if not any(each.negated for each in matching):  # "only with it" is "not without it"
            yield Conflict("quantity", only, "")
