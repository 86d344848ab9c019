"""Wording: how a claim puts what it says, beside the sentences that have most of it."""

import math
from collections.abc import Mapping, Sequence
from itertools import pairwise

from rapidfuzz import fuzz

from llamaindex_rag_eval.judge.rules.background import COMMON, commonness
from llamaindex_rag_eval.judge.rules.index import credit_among
from llamaindex_rag_eval.judge.rules.pool import Pool
from llamaindex_rag_eval.judge.rules.profile import Profile

__all__ = ["WORDING_FEATURES", "wording"]

WORDING_FEATURES = (
    "cover_pairs",
    "related",
    "fuzzy_words",
    "last_missing",
    "last_two_missing",
    "exchanged",
    "other_number",
    "common_missing",
    "repeats",
    "personal",
    "personal_cover",
    "short",
    "words",
    "content_words",
)
"""The features, in the order of their meaning: what stands together, what is lost, and what the
claim is like."""

_PERSONAL = frozenset(
    [
        *("i", "me", "my", "mine", "myself", "we", "us", "our", "ours", "ourselves"),
        *("ich", "mir", "mich", "mein", "wir", "uns", "unser"),
    ]
)
_NEAR = 3
"""Words of content within which two of them stand together."""
_SHORT = 2
"""Words of content up to which a claim says too little to be told by them."""
_COMPARED = 2_000
"""Characters of two sentences that are compared word by word."""


def wording(
    claim: Profile,
    best: Sequence[Profile],
    pool: Pool,
    *,
    lost: Mapping[str, float],
    cover: float,
) -> dict[str, float]:
    """Return how a claim in an alphabet is worded beside the sentences with most of it.

    Args:
        claim: The claim. In Chinese and Japanese all figures are 0: there the order of
            characters is told by their pairs.
        best: The one or two sentences with most of the claim, if any.
        pool: The sentences they are from.
        lost: The words of the claim that the pool lacks, each with what it is still worth for a
            synonym or a relative there.
        cover: The share of the claim's content that the pool has.

    Returns:
        One figure for each of `WORDING_FEATURES`.
    """
    if claim.cjk:
        return dict.fromkeys(WORDING_FEATURES, 0.0)
    told = [key for key in claim.keys if key in claim.content]
    personal = float(_speaks_for_itself(claim, pool))
    return {
        **_together(claim, told, best, cover),
        **_lost(claim, told, best, lost),
        "exchanged": float(bool(best) and _exchanged(told, best[0], lost)),
        "other_number": float(
            not claim.numbers <= pool.numbers and not pool.numbers <= claim.numbers
        ),
        "repeats": 1 - len(set(told)) / len(told) if told else 0.0,
        "personal": personal,
        "personal_cover": personal * cover,
        "short": float(len(told) <= _SHORT),
        "words": math.log1p(len(claim.keys)),
        "content_words": math.log1p(len(told)),
    }


def _together(
    claim: Profile, told: Sequence[str], best: Sequence[Profile], cover: float
) -> dict[str, float]:
    """Return what of the claim's order the best sentences keep."""
    pairs = list(pairwise(told))
    near = {pair for sentence in best for pair in _near(sentence)} if pairs else set()
    kept = sum(pair in near for pair in pairs) / len(pairs) if pairs else cover
    one, other = claim.text[:_COMPARED], best[0].text[:_COMPARED] if best else ""
    return {
        "cover_pairs": kept,
        "fuzzy_words": fuzz.token_set_ratio(one.lower(), other.lower()) / 100,
    }


def _near(sentence: Profile) -> set[tuple[str, str]]:
    told = [key for key in sentence.keys if key in sentence.content]
    return {pair for step in range(1, _NEAR + 1) for pair in zip(told, told[step:], strict=False)}


def _lost(
    claim: Profile, told: Sequence[str], best: Sequence[Profile], lost: Mapping[str, float]
) -> dict[str, float]:
    """Return what kinds of words the pool lacks, and whether they are the last: the news."""
    window = {key for sentence in best for key in sentence.weights}
    size = len(told) or 1
    common = [key for key in lost if commonness(key) == COMMON and key not in claim.numbers]
    return {
        "related": sum(credit > 0 for credit in lost.values()) / (len(lost) or 1),
        "last_missing": (1 - credit_among(told[-1], window)) / size if told else 0.0,
        "last_two_missing": sum(key in lost for key in told[-2:]) / size,
        "common_missing": math.log1p(len(common)),
    }


def _exchanged(told: Sequence[str], best: Profile, lost: Mapping[str, float]) -> bool:
    """Tell whether a word of the claim, found nowhere, stands where the sentence has another.

    Of "holds twelve boats" beside "holds twelve trains" that is so: the words around are alike.
    """
    there = [key for key in best.keys if key in best.content]
    ends = ["", *told, ""], ["", *there, ""]
    frames = {
        (before, after): key
        for before, key, after in zip(*(ends[1][n:] for n in range(3)), strict=False)
    }
    return any(
        lost.get(key) == 0 and frames.get((before, after), key) not in told
        for before, key, after in zip(*(ends[0][n:] for n in range(3)), strict=False)
        if before or after
    )


def _speaks_for_itself(claim: Profile, pool: Pool) -> bool:
    """Tell whether the claim says "I" or "we" where the sources do not."""
    return any(
        key.partition("'")[0] in _PERSONAL and key not in pool.places for key in claim.weights
    )
