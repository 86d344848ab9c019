"""Evidence: what in a pool of sentences speaks for a claim, as named features."""

import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from rapidfuzz import fuzz

from llamaindex_rag_eval.judge.rules.conflict import Conflict, conflict_between, opposed
from llamaindex_rag_eval.judge.rules.index import rarity, relative_credit, richest
from llamaindex_rag_eval.judge.rules.pool import Pool
from llamaindex_rag_eval.judge.rules.profile import Profile
from llamaindex_rag_eval.judge.rules.wording import WORDING_FEATURES, wording

__all__ = ["FEATURES", "Evidence", "evidence_for"]

FEATURES = (
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
"""The features, in the order of their meaning: shares of the claim that are there, what is not,
and what the claim and its pool are like."""

_COMPARED = 2_000
"""Characters of two sentences that are compared one by one."""


@dataclass(frozen=True, eq=False, slots=True)
class Evidence:
    """What speaks for a claim, and what against it.

    Attributes:
        best: The number of the sentence that has most of the claim, or -1.
        second: The number of the sentence that adds most to it, or -1.
        features: The named figures that the model of support weighs.
        conflict: What of the claim the best sentence gainsays.
    """

    best: int
    second: int
    features: Mapping[str, float]
    conflict: Conflict

    @property
    def swap(self) -> bool:
        """Whether the claim is a sentence of the source with one word put for another."""
        one = self.features.get("words_missing", math.inf) <= math.log1p(1)
        return one and self.features.get("exchanged", 0.0) > 0


def evidence_for(claim: Profile, pool: Pool) -> Evidence:
    """Return the evidence for a claim in a pool of at least one sentence."""
    wanted = claim.content or frozenset(claim.weights)
    rare = rarity(wanted, pool)
    first = richest(wanted, claim.weights, rare, pool)
    found = pool.sentences[first].weights.keys() if first >= 0 else frozenset()
    rest = wanted - found
    second = richest(rest, claim.weights, rare, pool) if rest else -1
    window = found | (pool.sentences[second].weights.keys() if second >= 0 else frozenset())
    best = pool.sentences[first] if first >= 0 else None
    lost = {key: relative_credit(key, pool) for key in wanted if key not in pool.places}
    present = _presence(claim, wanted, lost)
    nearest = [pool.sentences[place] for place in (first, second) if place >= 0]
    features = {
        **present,
        **wording(claim, nearest, pool, lost=lost, cover=present["cover_soft"]),
        **_absence(claim, window),
        "pool_size": math.log1p(len(pool.sentences)),
        "fuzzy": fuzz.partial_ratio(claim.text[:_COMPARED], best.text[:_COMPARED]) / 100
        if best
        else 0.0,
        **_cjk(claim, best),
    }
    return Evidence(first, second, features, conflict_between(claim, best, elsewhere=pool.places))


def _presence(
    claim: Profile, wanted: Collection[str], lost: Mapping[str, float]
) -> dict[str, float]:
    """Return the share of the claim's content that is there, and what the whole pool lacks."""
    weights = claim.weights
    total = sum(weights[key] for key in wanted) or 1.0
    without = sorted(weights[key] * (1 - credit) for key, credit in lost.items())
    return {
        "cover_soft": 1 - sum(without) / total,
        "missing": math.log1p(sum(without)),
        "missing_rarest": without[-1] if without else 0.0,
    }


def _absence(claim: Profile, window: Collection[str]) -> dict[str, float]:
    """Return what of the claim the two best sentences lack."""
    return {
        "words_missing": math.log1p(sum(key not in window for key in claim.weights)),
        "numbers_missing_best": _lacking(claim.numbers, window),
        "names_missing_best": _lacking(claim.names, window),
    }


def _lacking(wanted: Collection[str], there: Collection[str]) -> float:
    return sum(key not in there for key in wanted) / len(wanted) if wanted else 0.0


def _cjk(claim: Profile, best: Profile | None) -> dict[str, float]:
    """Return what counts in Chinese and Japanese only, whose negation is part of the verb."""
    there = claim.cjk and best is not None
    differs = there and bool(claim.negated) != bool(best.negated if best else 0)
    return {
        "cjk": float(claim.cjk),
        "cjk_negation_differs": float(differs),
        "cjk_opposite": float(there and best is not None and opposed(claim, best)),
    }
