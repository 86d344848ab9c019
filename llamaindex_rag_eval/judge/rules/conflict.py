"""Conflict: what a sentence gainsays of a claim that is about the same thing."""

from collections.abc import Collection
from typing import Literal

from llamaindex_rag_eval.judge.rules.overlap import coverage
from llamaindex_rag_eval.judge.rules.polarity import antonyms
from llamaindex_rag_eval.judge.rules.profile import Profile

__all__ = ["Conflict", "conflict_between", "opposed"]

Conflict = Literal["", "negation", "number", "opposite"]

_SAME_THING = 0.7
"""Share of the claim's other words that the sentence must have, to be about the same thing."""
_TO_THE_POINT = 0.6
"""Share of the sentence's words that the claim must have: a long sentence negates elsewhere."""


def conflict_between(
    claim: Profile, sentence: Profile | None, *, elsewhere: Collection[str] = ()
) -> Conflict:
    """Return in what a claim and a sentence about the same thing conflict, or "".

    Args:
        claim: The claim.
        sentence: The sentence that has most of it, if any.
        elsewhere: Terms of other sentences; a number or word that stands there is no conflict.

    Example:
        >>> from llamaindex_rag_eval.judge.rules.profile import profile_of
        >>> old = profile_of("Ito built the lock in 1890.")
        >>> new = profile_of("Ito built the lock in 1920.")
        >>> conflict_between(new, old)
        'number'
    """
    if sentence is None:
        return ""
    found = _difference(claim, sentence, elsewhere)
    if not found:
        return ""
    if coverage(claim, sentence.weights, without=_changed(claim, sentence)) < _SAME_THING:
        return ""
    back = coverage(sentence, claim.weights, without=_changed(sentence, claim))
    return found if back >= _TO_THE_POINT else ""


def _difference(claim: Profile, sentence: Profile, elsewhere: Collection[str]) -> Conflict:
    other = claim.numbers - sentence.numbers
    if sentence.numbers - claim.numbers and any(number not in elsewhere for number in other):
        return "number"
    if bool(claim.negated) != bool(sentence.negated):
        return "negation"
    return "opposite" if opposed(claim, sentence) else ""


def opposed(claim: Profile, sentence: Profile) -> bool:
    """Return whether the claim has a word whose opposite stands in the sentence instead."""
    lacking = sentence.weights.keys() - claim.weights.keys()
    table = antonyms()
    extra = claim.weights.keys() - sentence.weights.keys()
    return any(table[word] & lacking for word in extra if word in table)


def _changed(one: Profile, other: Profile) -> frozenset[str]:
    """Return what may differ: the numbers, and words whose opposite the other has."""
    table = antonyms()
    turned = {
        key for key in one.content if key in table and not table[key].isdisjoint(other.weights)
    }
    return frozenset(one.numbers | turned)
