"""Matching: the sentences that have most of a claim, and how far they support it.

What is found, what is missing and what differs becomes named features, which a fitted model weighs.
"""

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from rapidfuzz import fuzz
from rapidfuzz.distance import LCSseq

from llamaindex_rag_eval.judge.rules.conflicts import WORDED_ALIKE, Conflict, conflicts_between
from llamaindex_rag_eval.judge.rules.index import (
    SentenceIndex,
    credit_among,
    rarity,
    relative_credit,
    richest_sentence,
)
from llamaindex_rag_eval.judge.rules.profile import (
    Profile,
    profile_of,
    weight_of_keys,
)
from llamaindex_rag_eval.judge.rules.reading import VALUE_KINDS, FoundValues, found_values
from llamaindex_rag_eval.judge.rules.tokens import normalise
from llamaindex_rag_eval.judge.rules.values import written_as_in
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

STATEMENT_FEATURES = (
    "cover_soft",
    *WORDING_FEATURES,
    "words_missing",
    "names_missing_best",
    "asked",
    "fuzzy",
    "quoted",
    "values_found",
)
"""The features of a statement, in the order of their meaning: shares of the claim that are found,
what is missing, and what the claim is like."""
_LOOKED_AT = 2
"""Sentences that are looked at closely: what a claim says may stand in two."""
_COMPARED = 2_000
"""Characters of two sentences that are compared one by one."""


@dataclass(frozen=True, eq=False, slots=True)
class Match:
    """What in an index speaks for a claim, and what against it.

    Attributes:
        best: The number of the sentence that has most of the claim, or -1.
        second: The number of the sentence that adds most to it, or -1.
        features: The figures that the model of support weighs, by name.
        conflicts: In what the claim and the best sentence differ.
        doubts: The kinds of the conflicts; `value` if a number or date is not there; `word` if the
            claim is the sentence with one word put for another.
    """

    best: int
    second: int
    features: Mapping[str, float]
    conflicts: tuple[Conflict, ...]
    doubts: frozenset[str]

    @property
    def contradicts(self) -> bool:
        """Whether a conflict is clear: of values, or beside a sentence worded alike.

        Where the wording differs too, the claim may say the same in other words: rules cannot tell.
        """
        alike = "cover_soft" not in self.features or self.features["fuzzy"] >= WORDED_ALIKE
        return any(alike or each.kind in VALUE_KINDS for each in self.conflicts)

    def trust(self, left: Mapping[str, float]) -> float:
        """Return what the doubts leave of the probability of support, in [0, 1].

        Args:
            left: What a doubt of each kind leaves of it.
        """
        return math.prod(left[kind] for kind in sorted(self.doubts))


def match_statement(claim: Profile, index: SentenceIndex, *, question: str = "") -> Match:
    """Return what speaks for a statement in an index of at least one sentence.

    Args:
        claim: The statement.
        index: The sentences.
        question: What the statement answers, if it is known.
    """
    positions = _nearest(claim, index)
    said = written_as_in([index.sentences[position].said for position in positions], claim.said)
    if said not in (claim.said, normalise(claim.said)):
        claim = replace(profile_of(said), negated=claim.negated)
        positions = _nearest(claim, index)
    nearest = [index.sentences[position] for position in positions]
    best = nearest[0] if nearest else None
    conflicts, doubts, values = differences(claim, nearest, question)
    window = values.keys.union(*(each.weights for each in nearest))
    wanted = _wanted(claim)
    lost = {
        key: 1.0 if key in values.keys else relative_credit(key, index)
        for key in wanted
        if key not in index.positions
    }
    cover = _cover(claim, wanted, lost)
    text = best.text[:_COMPARED] if best else ""
    features = {
        "cover_soft": cover,
        **wording(claim, nearest, index, lost=lost, cover=cover),
        "words_missing": math.log1p(sum(key not in window for key in claim.weights)),
        "names_missing_best": _missing_share(claim.names, window),
        "asked": _repeated_share(claim, lost, question),
        "fuzzy": fuzz.partial_ratio(claim.text[:_COMPARED], text) / 100 if best else 0.0,
        "quoted": float(best is not None and _is_quoted(claim, best)),
        "values_found": math.log1p(values.present),
    }
    one_word = features["words_missing"] <= math.log1p(1) and features["exchanged"] > 0
    first, second = (*positions, -1, -1)[:2]
    return Match(
        first, second, features, conflicts, doubts | ({"word"} if one_word else frozenset())
    )


def _wanted(claim: Profile) -> frozenset[str]:
    """Return the terms of a claim that are looked for: its content, or all if it has none."""
    return claim.content or frozenset(claim.weights)


def _nearest(claim: Profile, index: SentenceIndex) -> list[int]:
    """Return the numbers of the sentence with most of a claim, and of the one that adds most."""
    positions: list[int] = []
    rest = _wanted(claim)
    rare = rarity(rest, index)
    while rest and len(positions) < _LOOKED_AT:
        position = richest_sentence(rest, claim.weights, rare, index)
        if position < 0:
            break
        positions.append(position)
        rest -= index.sentences[position].weights.keys()
    return positions


def differences(
    claim: Profile, nearest: Sequence[Profile], question: str
) -> tuple[tuple[Conflict, ...], frozenset[str], FoundValues]:
    """Return in what a claim and the sentences nearest to it differ.

    Returns:
        The conflicts with the nearest sentence; their kinds, and `value` if a number or date of
        the claim is in none of the sentences; and those that are.
    """
    if not nearest:
        return (), frozenset(), FoundValues(frozenset(), 0, 0.0)
    values = found_values(claim.said, [each.said for each in nearest])
    conflicts = conflicts_between(claim.said, nearest[0].said, question=question)
    absent = ["value"] if values.absent else []
    return conflicts, frozenset([*(each.kind for each in conflicts), *absent]), values


def _is_quoted(claim: Profile, best: Profile) -> bool:
    """Return whether the sentence has all words of the claim, in their order."""
    return bool(claim.keys) and LCSseq.similarity(claim.keys, best.keys) == len(claim.keys)


def _repeated_share(claim: Profile, lost: Mapping[str, float], question: str) -> float:
    """Return the share of the lost words that the question has, which the claim only repeats."""
    if not lost or not question:
        return 0.0
    given = profile_of(question).weights
    return weight_of_keys(claim, [key for key in lost if key in given]) / (
        weight_of_keys(claim, lost) or 1.0
    )


def _cover(claim: Profile, wanted: Collection[str], lost: Mapping[str, float]) -> float:
    """Return the share of the claim's content, by weight, that is found."""
    missing = math.fsum(claim.weights[key] * (1 - credit) for key, credit in lost.items())
    return 1 - missing / (weight_of_keys(claim, wanted) or 1.0)


def _missing_share(wanted: Collection[str], there: Collection[str]) -> float:
    return sum(key not in there for key in wanted) / len(wanted) if wanted else 0.0


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
        key.partition("'")[0] in _PERSONAL and key not in index.positions for key in claim.weights
    )
