"""Matching: the sentences that have most of a claim, and how far they support it.

What is found and what is missing becomes named features, which a fitted model weighs. A negation,
a number or an opposite in a sentence about the same thing is a conflict.
"""

import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Literal

from rapidfuzz import fuzz

from llamaindex_rag_eval.judge.rules.index import (
    SentenceIndex,
    rarity,
    relative_credit,
    richest_sentence,
)
from llamaindex_rag_eval.judge.rules.lexicon import antonyms
from llamaindex_rag_eval.judge.rules.profile import Profile, content_share, weight_of_keys
from llamaindex_rag_eval.judge.rules.wording import WORDING_FEATURES, wording

__all__ = ["STATEMENT_FEATURES", "Conflict", "Match", "conflict_between", "match_statement"]

STATEMENT_FEATURES = (
    "cover_soft",
    *WORDING_FEATURES,
    "missing",
    "missing_rarest",
    "words_missing",
    "numbers_missing_best",
    "names_missing_best",
    "pool_size",
    "fuzzy",
    "cjk",
    "cjk_negation_differs",
    "cjk_opposite",
)
"""The features of a statement, in the order of their meaning: shares of the claim that are found,
what is missing, and what the claim and the sentences are like (`pool_size` is their number)."""
_COMPARED = 2_000
"""Characters of two sentences that are compared one by one."""
_SAME_THING = 0.7
"""Share of the claim's other words that the sentence must have, to be about the same thing."""
_TO_THE_POINT = 0.6
"""Share of the sentence's words that the claim must have: a long sentence negates elsewhere."""

Conflict = Literal["", "negation", "number", "opposite"]
"""In what a sentence contradicts a claim; empty if it does not."""


@dataclass(frozen=True, eq=False, slots=True)
class Match:
    """What in an index speaks for a claim, and what against it.

    Attributes:
        best: The number of the sentence that has most of the claim, or -1.
        second: The number of the sentence that adds most to it, or -1.
        features: The figures that the model of support weighs, by name.
        conflict: In what the best sentence contradicts the claim.
    """

    best: int
    second: int
    features: Mapping[str, float]
    conflict: Conflict

    @property
    def one_word_exchanged(self) -> bool:
        """Whether the claim is a sentence of the source with one word put for another."""
        one = self.features.get("words_missing", math.inf) <= math.log1p(1)
        return one and self.features.get("exchanged", 0.0) > 0


def match_statement(claim: Profile, index: SentenceIndex) -> Match:
    """Return what speaks for a statement in an index of at least one sentence."""
    wanted = claim.content or frozenset(claim.weights)
    rare = rarity(wanted, index)
    first = richest_sentence(wanted, claim.weights, rare, index)
    found = index.sentences[first].weights.keys() if first >= 0 else frozenset()
    rest = wanted - found
    second = richest_sentence(rest, claim.weights, rare, index) if rest else -1
    window = found | (index.sentences[second].weights.keys() if second >= 0 else frozenset())
    best = index.sentences[first] if first >= 0 else None
    lost = {key: relative_credit(key, index) for key in wanted if key not in index.places}
    present = _presence(claim, wanted, lost)
    nearest = [index.sentences[place] for place in (first, second) if place >= 0]
    text = best.text[:_COMPARED] if best else ""
    features = {
        **present,
        **wording(claim, nearest, index, lost=lost, cover=present["cover_soft"]),
        **_absence(claim, window),
        "pool_size": math.log1p(len(index.sentences)),
        "fuzzy": fuzz.partial_ratio(claim.text[:_COMPARED], text) / 100 if best else 0.0,
        **_cjk(claim, best),
    }
    return Match(first, second, features, conflict_between(claim, best, elsewhere=index.places))


def _presence(
    claim: Profile, wanted: Collection[str], lost: Mapping[str, float]
) -> dict[str, float]:
    """Return the share of the claim's content that is found, and what no sentence has."""
    weights = claim.weights
    total = weight_of_keys(claim, wanted) or 1.0
    without = sorted(weights[key] * (1 - credit) for key, credit in lost.items())
    missing = math.fsum(without)
    return {
        "cover_soft": 1 - missing / total,
        "missing": math.log1p(missing),
        "missing_rarest": without[-1] if without else 0.0,
    }


def _absence(claim: Profile, window: Collection[str]) -> dict[str, float]:
    """Return what of the claim the two best sentences lack."""
    return {
        "words_missing": math.log1p(sum(key not in window for key in claim.weights)),
        "numbers_missing_best": _missing_share(claim.numbers, window),
        "names_missing_best": _missing_share(claim.names, window),
    }


def _missing_share(wanted: Collection[str], there: Collection[str]) -> float:
    return sum(key not in there for key in wanted) / len(wanted) if wanted else 0.0


def _cjk(claim: Profile, best: Profile | None) -> dict[str, float]:
    """Return what counts in Chinese and Japanese only, whose negation is part of the verb."""
    there = claim.cjk and best is not None
    differs = there and bool(claim.negated) != bool(best.negated if best else 0)
    return {
        "cjk": float(claim.cjk),
        "cjk_negation_differs": float(differs),
        "cjk_opposite": float(there and best is not None and _has_opposite(claim, best)),
    }


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
    if (
        content_share(claim, sentence.weights, without=_replaceable_terms(claim, sentence))
        < _SAME_THING
    ):
        return ""
    back = content_share(sentence, claim.weights, without=_replaceable_terms(sentence, claim))
    return found if back >= _TO_THE_POINT else ""


def _difference(claim: Profile, sentence: Profile, elsewhere: Collection[str]) -> Conflict:
    own = claim.numbers - sentence.numbers
    if sentence.numbers - claim.numbers and any(number not in elsewhere for number in own):
        return "number"
    if bool(claim.negated) != bool(sentence.negated):
        return "negation"
    return "opposite" if _has_opposite(claim, sentence) else ""


def _has_opposite(claim: Profile, sentence: Profile) -> bool:
    """Return whether the claim has a word whose opposite stands in the sentence instead."""
    lacking = sentence.weights.keys() - claim.weights.keys()
    table = antonyms()
    extra = claim.weights.keys() - sentence.weights.keys()
    return any(table[word] & lacking for word in extra if word in table)


def _replaceable_terms(one: Profile, other: Profile) -> frozenset[str]:
    """Return what may differ: the numbers, and words whose opposite the other text has."""
    table = antonyms()
    reversed_words = {
        key for key in one.content if key in table and not table[key].isdisjoint(other.weights)
    }
    return frozenset(one.numbers | reversed_words)
