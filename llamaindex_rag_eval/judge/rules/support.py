"""Support: which claims do the sources bear out, by the alignment of their words?

Each claim is held against each source and against all of them together. A fitted model weighs
what is there and what is missing; a negation, a number or an opposite in a sentence about the
same thing speaks against it.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from llamaindex_rag_eval.judge.rules.answers import answer_evidence, short_answer, yes_or_no
from llamaindex_rag_eval.judge.rules.matching import Evidence, evidence_for
from llamaindex_rag_eval.judge.rules.meaning import meaning_shift
from llamaindex_rag_eval.judge.rules.model import probability
from llamaindex_rag_eval.judge.rules.pool import Pool, pool_of
from llamaindex_rag_eval.judge.rules.profile import profile_of, source_profiles

__all__ = ["STATEMENT_THRESHOLD", "SUPPORT_THRESHOLD", "Alignment", "support_of"]

SUPPORT_THRESHOLD = 0.5
"""Probability from which a claim counts as supported: more likely than not."""
STATEMENT_THRESHOLD = 0.63
"""The same for statements in languages with spaces: people forgive much in the answers of RAG
systems, by whose ratings the probability is calibrated, but a claim that changes one word of its
source is not supported by it."""
_CONFLICT_SHIFT = -2.0
"""What a conflict takes from the log-odds."""
_CONFLICT_MOST = 0.45
"""Highest probability of a claim that a sentence about the same thing gainsays."""
_EXCHANGED_MOST = 0.6
"""Highest probability of a claim whose one lost word stands where the sentence has another."""

Embed = Callable[[Sequence[str]], NDArray[np.float32]]


@dataclass(frozen=True, slots=True)
class Alignment:
    """How one claim stands to the sources.

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
class _Held:
    """A claim held against a pool."""

    pool: Pool
    evidence: Evidence
    probability: float

    @property
    def supports(self) -> bool:
        """Whether that is enough for a claim to count as supported."""
        spaced = self.evidence.features.get("cjk") == 0  # short answers have no such feature
        return self.probability >= (STATEMENT_THRESHOLD if spaced else SUPPORT_THRESHOLD)

    @property
    def quote(self) -> str:
        best = self.evidence.best
        return self.pool.sentences[best].text if best >= 0 else ""

    @property
    def owners(self) -> tuple[int, ...]:
        """The numbers of the sources that the evidence stands in."""
        places = (self.evidence.best, self.evidence.second)
        return tuple(sorted({self.pool.owners[place] for place in places if place >= 0}))


def support_of(
    claims: Sequence[str], sources: Sequence[str], *, embed: Embed | None = None
) -> tuple[Alignment, ...]:
    """Return for each claim whether the sources support it.

    Args:
        claims: Statements, or short answers behind their question as in "Where is it? Paris".
        sources: Texts; a claim is judged by their words alone, whatever they ask or order.
        embed: Embeds texts, one row each; with it, nearness in meaning counts too.

    Returns:
        One alignment per claim, in order. A claim is supported if and only if its probability
        is at least `SUPPORT_THRESHOLD`, or `STATEMENT_THRESHOLD` for a statement that is no short
        answer and neither Chinese nor Japanese; it then names at least one source. Over no
        sources, or empty ones, every claim is not mentioned, with probability 0.

    Example:
        >>> sources = ["Tea is green.", "The lock was built in 1890."]
        >>> (found,) = support_of(["The lock was built in 1890."], sources)
        >>> found.verdict, found.sources, found.quote
        ('supported', (1,), 'The lock was built in 1890.')
    """
    profiles = [source_profiles(source) for source in sources]
    filled = [number for number, profile in enumerate(profiles) if profile]
    pools = [pool_of(profiles, (number,)) for number in filled]
    whole = pool_of(profiles, filled) if len(filled) > 1 else None
    shifts = meaning_shift(claims, pools, embed) if embed and pools else None
    found = []
    for row, claim in enumerate(claims):
        shift = [0.0] * len(pools) if shifts is None else [float(each) for each in shifts[row]]
        alone = [_held(claim, pool, each) for pool, each in zip(pools, shift, strict=True)]
        together = _held(claim, whole, max(shift)) if whole is not None else None
        found.append(_aligned(alone, together))
    return tuple(found)


def _held(claim: str, pool: Pool, shift: float) -> _Held:
    stated = yes_or_no(claim)
    answer = short_answer(claim) if stated is None else None
    if answer is not None:
        evidence = answer_evidence(answer, pool)
        return _Held(pool, evidence, probability("answer", evidence.features, shift=shift))
    evidence = evidence_for(stated or profile_of(claim), pool)
    if not evidence.conflict:
        chance = probability("statement", evidence.features, shift=shift)
        return _Held(pool, evidence, min(chance, _EXCHANGED_MOST) if evidence.swap else chance)
    chance = probability("statement", evidence.features, shift=shift + _CONFLICT_SHIFT)
    return _Held(pool, evidence, min(chance, _CONFLICT_MOST))


def _aligned(alone: Sequence[_Held], together: _Held | None) -> Alignment:
    everything = [*alone, *([together] if together else [])]
    if not everything:
        return Alignment("not_mentioned", (), (), False, "", 0.0, "There is no source.")
    best = max(everything, key=lambda held: held.probability)
    if best.supports:
        return _supported(alone, best)
    against = [held for held in alone if held.evidence.conflict and held.owners]
    chance, reason = best.probability, _reason(against[0] if against else best)
    if not against:
        return Alignment("not_mentioned", (), (), False, "", chance, reason)
    numbers = tuple(held.owners[0] for held in against)
    return Alignment("contradicted", (), numbers, False, against[0].quote, chance, reason)


def _supported(alone: Sequence[_Held], best: _Held) -> Alignment:
    """Name the sources that support a claim alone, or else those that do together."""
    each = [held for held in alone if held.supports]
    numbers = tuple(held.pool.owners[0] for held in each) or best.owners
    nearest = max(each, key=lambda held: held.probability) if each else best
    jointly = not each and len(numbers) > 1
    chance, reason = best.probability, _reason(best)
    return Alignment("supported", numbers, (), jointly, nearest.quote, chance, reason)


def _reason(held: _Held) -> str:
    conflict = held.evidence.conflict
    if conflict and not held.supports:
        return f"A sentence about the same thing differs in its {conflict}."
    cover = held.evidence.features.get("cover_soft", held.evidence.features.get("cover", 0.0))
    return f"{cover:.0%} of the claim's content is found; support is {held.probability:.0%} likely."
