"""Wording: how a claim puts what it says, beside the sentences that have most of it."""

import math
from collections.abc import Mapping, Sequence
from itertools import pairwise

from llamaindex_rag_eval.judge.rules.index import SentenceIndex, credit_among
from llamaindex_rag_eval.judge.rules.profile import Profile
from llamaindex_rag_eval.judge.rules.vocabulary import words_of

WORDING_FEATURES = (
    "cover_pairs",
    "related",
    "last_missing",
    "exchanged",
    "other_number",
    "repeats",
    "personal_cover",
    "words",
)
"""The features, in the order of their meaning: what stands together, what is lost (the last word
is the news), and what the claim is like."""

_PERSONAL = frozenset(words_of("mine"))
_NEAR = 3
"""Words of content within which two of them stand together."""


def wording(
    claim: Profile,
    best: Sequence[Profile],
    index: SentenceIndex,
    *,
    lost: Mapping[str, float],
    cover: float,
) -> dict[str, float]:
    """Return how a claim in an alphabet is worded beside the sentences with most of it.

    Args:
        claim: The claim. In Chinese and Japanese all figures are 0: there the order of
            characters is read from their pairs.
        best: The one or two sentences with most of the claim, if any.
        index: The sentences they are from.
        lost: The words of the claim that the index lacks, each with what it is still worth for a
            synonym or a relative there.
        cover: The share of the claim's content that the index has.

    Returns:
        One figure for each of `WORDING_FEATURES`.
    """
    if claim.cjk:
        return dict.fromkeys(WORDING_FEATURES, 0.0)
    content = [key for key in claim.keys if key in claim.content]
    window = {key for sentence in best for key in sentence.weights}
    last = credit_among(content[-1], window) if content else 1.0
    return {
        "cover_pairs": _kept_pairs(content, best, cover),
        "related": sum(credit > 0 for credit in lost.values()) / (len(lost) or 1),
        "last_missing": (1 - last) / (len(content) or 1),
        "exchanged": float(bool(best) and _has_exchanged_word(content, best[0], lost)),
        "other_number": float(
            not claim.numbers <= index.numbers and not index.numbers <= claim.numbers
        ),
        "repeats": 1 - len(set(content)) / len(content) if content else 0.0,
        "personal_cover": cover if _is_personal(claim, index) else 0.0,
        "words": math.log1p(len(claim.keys)),
    }


def _kept_pairs(content: Sequence[str], best: Sequence[Profile], cover: float) -> float:
    """Return the share of neighbours of the claim that the best sentences have near each other."""
    pairs = list(pairwise(content))
    near = {pair for sentence in best for pair in _near_pairs(sentence)} if pairs else set()
    return sum(pair in near for pair in pairs) / len(pairs) if pairs else cover


def _near_pairs(sentence: Profile) -> set[tuple[str, str]]:
    content = [key for key in sentence.keys if key in sentence.content]
    return {
        pair for step in range(1, _NEAR + 1) for pair in zip(content, content[step:], strict=False)
    }


def _has_exchanged_word(content: Sequence[str], best: Profile, lost: Mapping[str, float]) -> bool:
    """Return whether a word of the claim, found nowhere, stands where the sentence has another.

    As in "holds twelve boats" beside "holds twelve trains", where the words around are alike.
    """
    there = [key for key in best.keys if key in best.content]
    ends = ["", *content, ""], ["", *there, ""]
    frames = {
        (before, after): key
        for before, key, after in zip(*(ends[1][n:] for n in range(3)), strict=False)
    }
    return any(
        lost.get(key) == 0 and frames.get((before, after), key) not in content
        for before, key, after in zip(*(ends[0][n:] for n in range(3)), strict=False)
        if before or after
    )


def _is_personal(claim: Profile, index: SentenceIndex) -> bool:
    """Return whether the claim says "I" or "we" where the sources do not."""
    return any(
        key.partition("'")[0] in _PERSONAL and key not in index.places for key in claim.weights
    )
