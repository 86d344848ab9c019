"""Conflicts: in what a claim differs from a sentence about the same thing.

One word makes a true sentence false: another number, unit, date or name, a negation, an opposite,
"all" for "most", or two things in each other's place. Each is looked for where the sentence speaks
of what the claim speaks of.
"""

from collections.abc import Iterator
from functools import lru_cache
from typing import get_args

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
from llamaindex_rag_eval.judge.rules.value_conflicts import (
    Conflict as Conflict,
    Kind as Kind,
    value_conflicts,
)

KINDS: tuple[Kind, ...] = get_args(Kind)
"""In what a claim and a sentence may differ."""
_EDGE = " .。!！"
_BREAKS = ",;:.!?，；：。！？、"
"""Marks between the parts of a sentence."""
_FEW = 3
_FEWEST = 3
_ALL = 4
"""What `quantities` calls "all"."""
_ALIKE = 0.5
_UNLIKE = 0.25
_COPIED = 0.85
_NONE = frozenset[str]()


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
    about = profile_of(question) if question else None
    return conflicts_of(profile_of(without_polarity(claim)), profile_of(sentence), about)


@lru_cache(maxsize=1_024)
def conflicts_of(own: Profile, theirs: Profile, about: Profile | None) -> tuple[Conflict, ...]:
    """Return in what a claim, without yes or no before it, differs from a sentence."""
    share = _share(own, theirs)
    if (not about and share < _UNLIKE) or _is_quoted(own, theirs):
        return ()
    changed_places = share >= _ALIKE and not _is_converse(own, theirs)
    parts = exchanged(own, theirs) if changed_places else ()
    conflicts = [
        *value_conflicts(own, theirs, about),
        *_polarity(own, theirs, about),
        *_quantity(own, theirs),
        *parts,
        *other_name(own, theirs, about),
    ]
    first: dict[Kind, Conflict] = {}
    for each in conflicts:
        first.setdefault(each.kind, each)
    return tuple(first[kind] for kind in KINDS if kind in first)


def _is_quoted(own: Profile, theirs: Profile) -> bool:
    """Return whether a claim is the sentence, or parts of it that stand alone, word for word."""
    said, whole = own.plain.strip(_EDGE).casefold(), theirs.plain.casefold()
    before, there, after = whole.partition(said)
    if not there or 2 * len(said) >= len(whole):
        return bool(there)
    between = before.rstrip()[-1:] + after.lstrip()[:1]
    return all(mark in _BREAKS for mark in between) or any(
        said == segment.text.strip(_EDGE).casefold() for segment in theirs.segments
    )


def _matching(own: Profile, theirs: Profile) -> list[tuple[float, Profile]]:
    """Return the segments of a sentence that have most of a part of the claim; at least one.

    Each comes behind the share that it has.
    """
    pairs = [(_share(own, segment), segment) for segment in theirs.segments]
    best = max(share for share, _ in pairs)
    return [(share, segment) for share, segment in pairs if share >= best - 0.1]


def _share(own: Profile, segment: Profile) -> float:
    table, there = antonyms(), segment.weights
    shared = [k for k in own.content if k in there or not table.get(k, _NONE).isdisjoint(there)]
    return weight_of_keys(own, shared) / (weight_of_keys(own, own.content) or 1.0)


def _polarity(own: Profile, theirs: Profile, question: Profile | None) -> Iterator[Conflict]:
    """Yield a part of the claim that denies what the sentence says, or says its opposite."""
    near = _share(own, theirs) >= _COPIED <= _share(theirs, own)
    denied = near and own.negated != theirs.negated
    if denied and _turns(own, theirs) and not any(_opposites(own, theirs, theirs)):
        yield Conflict("negation", own.plain.strip(), theirs.plain.strip())
    small = any(len(part.content) < _FEWEST for part in own.segments)
    for part in (own,) if small else own.segments:
        short = question is not None and len(part.content) < min(_FEWEST, len(question.content))
        about = profile_of(f"{question.text} {part.text}") if question and short else part
        nearby = _matching(about, theirs)
        spread = max(share for share, _ in nearby) < _ALIKE
        if spread:
            nearby = [(_share(about, theirs), theirs)]
        if nearby[0][0] < _ALIKE:
            continue
        matching = [each for _, each in nearby]
        against = [each for each in matching if bool(each.negated) != bool(about.negated)]
        turned = [pair for each in matching for pair in _opposites(part, each, theirs)]
        alike = bool(own.negated) == bool(theirs.negated)  # a denied opposite is the same again
        if turned and alike and not against and not _is_converse(own, theirs):
            yield Conflict("antonym", *turned[0])
        scattered = spread and len(theirs.segments) > _FEW
        if turned or scattered or len(against) < len(matching) or not _turns(own, theirs):
            continue
        if all(_denies(each, about) or _denies(about, each) for each in against):
            yield Conflict("negation", part.text.strip(), against[0].text.strip())


def _turns(own: Profile, theirs: Profile) -> bool:
    """Return whether a negation turns round what is said: nothing else in it denies, or limits."""
    return not (denies_otherwise(own.plain) or denies_otherwise(theirs.plain))


def _is_converse(own: Profile, theirs: Profile) -> bool:
    """Return whether two things have changed sides of a word and its opposite.

    "Ines lost to Yusuf" says what "Yusuf beat Ines" says.
    """
    for word, opposite in _opposites(own, theirs, theirs):
        at, there = own.keys.index(word), theirs.keys.index(opposite)
        before, behind = set(theirs.keys[:there]), set(theirs.keys[there:])
        left = own.content & (behind - before).intersection(own.keys[:at])
        if left and own.content & (before - behind).intersection(own.keys[at:]):
            return True
    return False


def _denies(denier: Profile, other: Profile) -> bool:
    """Return whether what one text denies is something that the other speaks of."""
    return any(
        credit_among(key, other) > 0
        for words in around_negations(denier.text)
        for key in profile_of(words).content
    )


def _opposites(part: Profile, segment: Profile, whole: Profile) -> Iterator[tuple[str, str]]:
    table = antonyms()
    for word in sorted([key for key in part.weights if key in table and key not in whole.weights]):
        against = (table[word] & segment.weights.keys()) - part.weights.keys()
        if against:
            yield word, min(against)


def _quantity(own: Profile, theirs: Profile) -> Iterator[Conflict]:
    """Yield "all" for "most", "most" for "few", or an "all" or "only" that the sentence does not have."""
    claimed = quantities(own.plain)
    said = quantities(theirs.plain) if claimed else {}
    if said and claimed.keys().isdisjoint(said):
        high, low = max(claimed), max(said)
        if high > low or (high < low and high == 1):
            yield Conflict("quantity", claimed[high], said[low])
    elif claimed and not said and max(claimed) == _ALL:
        before = own.plain.lower().partition(claimed[_ALL])[0]
        yield from [] if count_negations(before) else [Conflict("quantity", claimed[_ALL], "")]
    only = exclusive(own.plain)
    if only and not exclusive(theirs.plain):
        matching = _matching(own, theirs)
        if not any(each.negated for _, each in matching):  # "only with it" is "not without it"
            yield Conflict("quantity", only, "")
