"""Support: which claims do the sources support, judged by their words?

Each claim is compared with each source, and with all of them together. A logistic model weighs
what is found and what is missing; its weights, in `weights.json`, were fitted on human labels by
`tests/benchmarks/fit_rules.py`. A conflict lowers the probability.
"""

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from llamaindex_rag_eval.judge.rules.answers import match_answer, short_answer, yes_or_no
from llamaindex_rag_eval.judge.rules.index import SentenceIndex, index_sentences
from llamaindex_rag_eval.judge.rules.matching import Match, match_statement
from llamaindex_rag_eval.judge.rules.profile import profile_of, source_profiles
from llamaindex_rag_eval.models.request import Embed

__all__ = ["STATEMENT_THRESHOLD", "SUPPORT_THRESHOLD", "SupportByRule", "support_of"]

SUPPORT_THRESHOLD = 0.5
"""Probability from which a claim counts as supported: more likely than not."""
STATEMENT_THRESHOLD = 0.63
"""The same for statements in languages with spaces: people forgive much in the answers of RAG
systems, by whose ratings the probability is calibrated, but a claim that changes one word of its
source is not supported by it."""
_CONFLICT_SHIFT = -2.0
"""What a conflict takes from the log-odds."""
_CONFLICT_MOST = 0.45
"""Highest probability of a claim that a sentence about the same thing contradicts."""
_EXCHANGED_MOST = 0.6
"""Highest probability of a claim whose one lost word stands where the sentence has another."""
_NEUTRAL_COSINE = 0.65
"""Cosine similarity of claim and sentence that speaks neither for nor against support."""
_COSINE_SLOPE = 4.0
"""Log-odds for each unit of cosine similarity."""


class SupportByRule(NamedTuple):
    """Whether the sources support one claim.

    Attributes:
        verdict: Over all sources together.
        sources: The numbers of the sources that support the claim, from 0.
        contradicted_by: The numbers of the sources that contradict it.
        jointly: Whether only several of `sources` together support it.
        quote: The sentence it rests on, word for word, or "".
        probability: That the claim is supported, in [0, 1].
        reason: In words.
    """

    verdict: Literal["supported", "contradicted", "not_mentioned"]
    sources: tuple[int, ...]
    contradicted_by: tuple[int, ...]
    jointly: bool
    quote: str
    probability: float
    reason: str


@dataclass(frozen=True, slots=True)
class _Comparison:
    """A claim compared with the sentences of one index."""

    index: SentenceIndex
    match: Match
    probability: float

    @property
    def supports(self) -> bool:
        """Whether that is enough for a claim to count as supported."""
        spaced = self.match.features.get("cjk") == 0  # short answers have no such feature
        return self.probability >= (STATEMENT_THRESHOLD if spaced else SUPPORT_THRESHOLD)

    @property
    def quote(self) -> str:
        """The best sentence, or ""."""
        best = self.match.best
        return self.index.sentences[best].text if best >= 0 else ""

    @property
    def owners(self) -> tuple[int, ...]:
        """The numbers of the sources that the best sentences are from."""
        places = (self.match.best, self.match.second)
        return tuple(sorted({self.index.owners[place] for place in places if place >= 0}))


def support_of(
    claims: Sequence[str],
    sources: Sequence[str],
    *,
    question: str = "",
    embed: Embed | None = None,
) -> tuple[SupportByRule, ...]:
    """Return for each claim whether the sources support it.

    Args:
        claims: Statements, or short answers behind their question as in "Where is it? Paris".
        sources: Texts; a claim is judged by their words alone, whatever they ask or order.
        question: What claims or sources answer; not used yet.
        embed: Embeds texts, one row each; with it, nearness in meaning counts too.

    Returns:
        One entry per claim, in order. A claim is supported if and only if its probability
        is at least `SUPPORT_THRESHOLD`, or `STATEMENT_THRESHOLD` for a statement that is no short
        answer and neither Chinese nor Japanese; it then names at least one source. Over no
        sources, or empty ones, every claim is not mentioned, with probability 0.

    Example:
        >>> sources = ["Tea is green.", "The lock was built in 1890."]
        >>> (found,) = support_of(["The lock was built in 1890."], sources)
        >>> found.verdict, found.sources, found.quote
        ('supported', (1,), 'The lock was built in 1890.')
    """
    del question
    profiles = [source_profiles(source) for source in sources]
    filled = [number for number, profile in enumerate(profiles) if profile]
    indexes = [index_sentences(profiles, (number,)) for number in filled]
    whole = index_sentences(profiles, filled) if len(filled) > 1 else None
    shifts = _meaning_shift(claims, indexes, embed) if embed and indexes else None
    found = []
    for row, claim in enumerate(claims):
        shift = [0.0] * len(indexes) if shifts is None else [float(each) for each in shifts[row]]
        alone = [_compare(claim, index, each) for index, each in zip(indexes, shift, strict=True)]
        together = _compare(claim, whole, max(shift)) if whole is not None else None
        found.append(_verdict(alone, together))
    return tuple(found)


def _compare(claim: str, index: SentenceIndex, shift: float) -> _Comparison:
    statement = yes_or_no(claim)
    answer = short_answer(claim) if statement is None else None
    if answer is not None:
        match = match_answer(answer, index)
        return _Comparison(index, match, _probability("answer", match.features, shift=shift))
    match = match_statement(statement or profile_of(claim), index)
    if match.conflict:
        chance = _probability("statement", match.features, shift=shift + _CONFLICT_SHIFT)
        return _Comparison(index, match, min(chance, _CONFLICT_MOST))
    chance = _probability("statement", match.features, shift=shift)
    most = _EXCHANGED_MOST if match.one_word_exchanged else 1.0
    return _Comparison(index, match, min(chance, most))


def _verdict(alone: Sequence[_Comparison], together: _Comparison | None) -> SupportByRule:
    """Return the verdict from a claim's comparison with each source, and with all of them."""
    comparisons = [*alone, *([together] if together else [])]
    if not comparisons:
        return SupportByRule("not_mentioned", (), (), False, "", 0.0, "There is no source.")
    best = max(comparisons, key=lambda each: each.probability)
    if best.supports:
        return _supported_verdict(alone, best)
    against = [each for each in alone if each.match.conflict and each.owners]
    chance, reason = best.probability, _reason(against[0] if against else best)
    if not against:
        return SupportByRule("not_mentioned", (), (), False, "", chance, reason)
    numbers = tuple(each.owners[0] for each in against)
    return SupportByRule("contradicted", (), numbers, False, against[0].quote, chance, reason)


def _supported_verdict(alone: Sequence[_Comparison], best: _Comparison) -> SupportByRule:
    """Name the sources that support a claim alone, or else those that do together."""
    supporting = [each for each in alone if each.supports]
    numbers = tuple(each.index.owners[0] for each in supporting) or best.owners
    nearest = max(supporting, key=lambda each: each.probability, default=best)
    jointly = not supporting and len(numbers) > 1
    chance, reason = best.probability, _reason(best)
    return SupportByRule("supported", numbers, (), jointly, nearest.quote, chance, reason)


def _reason(found: _Comparison) -> str:
    conflict, features = found.match.conflict, found.match.features
    if conflict and not found.supports:
        return f"A sentence about the same thing differs in its {conflict}."
    share = features.get("cover_soft", features.get("cover", 0.0))
    return (
        f"{share:.0%} of the claim's content is found; support is {found.probability:.0%} likely."
    )


def _meaning_shift(
    claims: Sequence[str],
    indexes: Sequence[SentenceIndex],
    embed: Embed,
) -> NDArray[np.float32]:
    """Return what the nearest sentence of each index adds to the log-odds of each claim.

    Args:
        claims: The claims.
        indexes: Indexes of at least one sentence each.
        embed: Embeds texts, one row each.

    Returns:
        An array of shape `(len(claims), len(indexes))`; about -2.6 to 1.4.
    """
    sentences = [[profile.text for profile in index.sentences] for index in indexes]
    rows = _unit(embed([*claims, *(text for texts in sentences for text in texts)]))
    near = rows[: len(claims)] @ rows[len(claims) :].T
    starts = np.cumsum([0, *(len(texts) for texts in sentences[:-1])])
    best = np.maximum.reduceat(near, starts, axis=1) if len(claims) else near
    return np.asarray(_COSINE_SLOPE * (best - _NEUTRAL_COSINE), dtype=np.float32)


def _unit(rows: NDArray[np.float32]) -> NDArray[np.float32]:
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    unit: NDArray[np.float32] = np.divide(rows, lengths, out=np.zeros_like(rows), where=lengths > 0)
    return unit


class _Weights(NamedTuple):
    bias: float
    weights: Mapping[str, float]


@cache
def _weights(name: Literal["statement", "answer"]) -> _Weights:
    text = files(__package__).joinpath("weights.json").read_text(encoding="utf-8")
    model = json.loads(text)[name]
    return _Weights(float(model["bias"]), {key: float(w) for key, w in model["weights"].items()})


def _probability(
    name: Literal["statement", "answer"], features: Mapping[str, float], *, shift: float = 0.0
) -> float:
    """Return the probability of support, in [0, 1]: a logistic function of the features.

    Args:
        name: `statement` for whole statements, `answer` for short answers to a question.
        features: All the features that the model names.
        shift: Added to the log-odds.
    """
    model = _weights(name)
    score = model.bias + shift
    score += sum(weight * features[key] for key, weight in model.weights.items())
    return 1 / (1 + math.exp(-score)) if score > -60 else 0.0
