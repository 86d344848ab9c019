"""Support: which claims do the sources support, judged by their words?

Each claim is compared with each source, and with all of them together. A logistic model weighs
what is found and what is missing. Where the claim differs from the nearest sentence in a number, a
name, a negation …, a part of that probability is left, too little to be supported.
`tests/benchmarks/fit_rules.py` fitted both, in `weights.json`, on human labels and on true and
changed sentences.
"""

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np
from numpy.typing import NDArray

from llamaindex_rag_eval.judge.rules.answers import (
    answered_profiles,
    match_answer,
    short_answer,
    yes_or_no,
)
from llamaindex_rag_eval.judge.rules.embedding import nearness
from llamaindex_rag_eval.judge.rules.index import SentenceIndex, index_sentences
from llamaindex_rag_eval.judge.rules.matching import Match, match_statement
from llamaindex_rag_eval.judge.rules.profile import profile_of
from llamaindex_rag_eval.judge.rules.tokens import is_cjk
from llamaindex_rag_eval.judge.support import Support
from llamaindex_rag_eval.models.request import Embed

SUPPORT_THRESHOLD = 0.4
"""Probability from which a claim counts as supported. People who ask for every word of a claim pull
the probabilities below those of others; what contradicts a claim keeps it below this one."""
_NEUTRAL, _NEAREST = 0.3, 0.7
"""Nearness in meaning up to which, and from which on, more of it says no more of two answers."""
_NEARNESS_SLOPE = 5.0
"""Log-odds for each unit of nearness between them."""


@dataclass(frozen=True, slots=True)
class _Comparison:
    """A claim compared with the sentences of one index."""

    index: SentenceIndex
    match: Match
    probability: float

    @property
    def supports(self) -> bool:
        """Whether that is enough for a claim to count as supported."""
        return self.probability >= SUPPORT_THRESHOLD

    @property
    def quote(self) -> str:
        """The best sentence, or ""."""
        best = self.match.best
        return self.index.sentences[best].text if best >= 0 else ""

    @property
    def owners(self) -> tuple[int, ...]:
        """The numbers of the sources that the best sentences are from."""
        positions = (self.match.best, self.match.second)
        return tuple(
            sorted({self.index.owners[position] for position in positions if position >= 0})
        )


def support_of(
    claims: Sequence[str],
    sources: Sequence[str],
    *,
    question: str = "",
    answers: bool = False,
    embed: Embed | None = None,
) -> tuple[Support, ...]:
    """Return for each claim whether the sources support it.

    Args:
        claims: Statements, or short answers behind their question as in "Where is it? Paris".
        sources: Texts; a claim is judged by their words alone, whatever they ask or order.
        question: What claims or sources answer: it says what a source that is a short answer
            states, and of which part of a sentence a claim speaks.
        answers: Whether the sources answer the question, as a response or a reference does.
        embed: Embeds texts, one row each; with it, nearness in meaning counts too, but between
            answers only: documents say many things that are near what they do not say.

    Returns:
        One entry per claim, in order. A claim is supported if and only if its probability
        is at least `SUPPORT_THRESHOLD`; it then names at least one source. Over no sources, or
        empty ones, every claim is not mentioned, with probability 0.

    Example:
        >>> sources = ["Tea is green.", "The lock was built in 1890."]
        >>> (found,) = support_of(["The lock was built in 1890."], sources)
        >>> found.verdict, found.sources, found.quote
        ('supported', (1,), 'The lock was built in 1890.')
    """
    profiles = [answered_profiles(source, question) for source in sources]
    filled = [number for number, profile in enumerate(profiles) if profile]
    indexes = [index_sentences(profiles, (number,)) for number in filled]
    whole = index_sentences(profiles, filled) if len(filled) > 1 else None
    shifts = _meaning_shift(claims, indexes, embed) if embed and answers and indexes else None
    verdicts = []
    for row, claim in enumerate(claims):
        shift = [0.0] * len(indexes) if shifts is None else [float(each) for each in shifts[row]]
        alone = [
            _compare(claim, question, index, each)
            for index, each in zip(indexes, shift, strict=True)
        ]
        together = _compare(claim, question, whole, max(shift)) if whole is not None else None
        verdicts.append(_verdict(claim, alone, together))
    return tuple(verdicts)


def _compare(claim: str, question: str, index: SentenceIndex, shift: float) -> _Comparison:
    stated = yes_or_no(claim)
    answer = short_answer(claim) if stated is None else None
    if answer is not None:
        match, kind = match_answer(answer, index), "answer"
    else:
        match = match_statement(stated or profile_of(claim), index, question=question)
        kind = "statement"
    model = _models()["cjk" if is_cjk(claim) else "spaced"]
    chance = _probability(model[kind], match.features, shift=shift)
    return _Comparison(index, match, chance * match.trust(model["left"]))


def _verdict(claim: str, alone: Sequence[_Comparison], together: _Comparison | None) -> Support:
    """Return the verdict from a claim's comparison with each source, and with all of them."""
    comparisons = [*alone, *([together] if together else [])]
    if not comparisons:
        reason = "There is no source."
        return Support(claim=claim, verdict="not_mentioned", probability=0.0, reason=reason)
    best = max(comparisons, key=lambda each: each.probability)
    if best.supports:
        return _supported_verdict(claim, alone, best)
    against = [each for each in alone if each.match.contradicts and each.owners]
    return Support(
        claim=claim,
        verdict="contradicted" if against else "not_mentioned",
        contradicted_by=tuple(each.owners[0] for each in against),
        quote=against[0].quote if against else "",
        probability=best.probability,
        reason=_reason(against[0] if against else best),
    )


def _supported_verdict(claim: str, alone: Sequence[_Comparison], best: _Comparison) -> Support:
    """Name the sources that support a claim alone, or else those that do together."""
    supporting = [each for each in alone if each.supports]
    numbers = tuple(each.index.owners[0] for each in supporting) or best.owners
    return Support(
        claim=claim,
        verdict="supported",
        sources=numbers,
        jointly=not supporting and len(numbers) > 1,
        quote=max(supporting, key=lambda each: each.probability, default=best).quote,
        probability=best.probability,
        reason=_reason(best),
    )


def _reason(comparison: _Comparison) -> str:
    conflicts, features = comparison.match.conflicts, comparison.match.features
    if conflicts and not comparison.supports:
        return f"A sentence about the same thing differs: {conflicts[0]}."
    share = features.get("cover_soft", features.get("cover", 0.0))
    return f"{share:.0%} of the claim's content is found; support is {comparison.probability:.0%} likely."


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
        An array of shape `(len(claims), len(indexes))`, from 0 to 2; 0 in a language that the model
        does not know.
    """
    sentences = [[profile.text for profile in index.sentences] for index in indexes]
    near = nearness(claims, [text for texts in sentences for text in texts], embed)
    starts = np.cumsum([0, *(len(texts) for texts in sentences[:-1])])
    best = np.maximum.reduceat(near, starts, axis=1) if len(claims) else near
    beyond = np.clip(np.nan_to_num(best), _NEUTRAL, _NEAREST) - _NEUTRAL
    return np.asarray(_NEARNESS_SLOPE * beyond, dtype=np.float32)


@cache
def _models() -> Mapping[str, Any]:
    """Return the model for each script: weights of statements and answers, what doubts leave."""
    text = files(__package__).joinpath("weights.json").read_text(encoding="utf-8")
    models: Mapping[str, Any] = json.loads(text)["models"]
    return models


def _probability(
    model: Mapping[str, Any], features: Mapping[str, float], *, shift: float = 0.0
) -> float:
    """Return the probability of support, in [0, 1]: a logistic function of the features.

    Args:
        model: Its bias and the weight of each feature.
        features: All the features that the model names.
        shift: Added to the log-odds.
    """
    weighed = (weight * features[name] for name, weight in model["weights"].items())
    score = math.fsum([model["bias"], shift, *weighed])
    return 1 / (1 + math.exp(-score)) if score > -60 else 0.0
