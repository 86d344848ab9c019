"""Support: which claims do the sources support, judged by their words?

A logistic model of four figures says how likely the words of the sources support a claim. Where the
claim differs from the nearest sentence in a number, a name, a negation …, a part of that probability
is left, too little to be supported. `tests/benchmarks/fit_rules.py` fitted both, in `weights.json`,
on human labels and on true and changed sentences.
"""

import json
import math
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from llamaindex_rag_eval.judge.rules.answers import short_answer, yes_or_no
from llamaindex_rag_eval.judge.rules.conflicts import Conflict, conflicts_of
from llamaindex_rag_eval.judge.rules.embedding import nearness
from llamaindex_rag_eval.judge.rules.evidence import FEATURES, Evidence, Reader, Sources, sources_of
from llamaindex_rag_eval.judge.rules.parts import is_object
from llamaindex_rag_eval.judge.rules.phrases import without_polarity
from llamaindex_rag_eval.judge.rules.profile import Profile, profile_of
from llamaindex_rag_eval.judge.rules.value_conflicts import VALUE_KINDS, absent_values
from llamaindex_rag_eval.judge.support import Support
from llamaindex_rag_eval.models.request import Embed

SUPPORT_THRESHOLD = 0.5
"""Probability from which a claim counts as supported: more likely than not."""
_ABOUT = 0.4
"""Share of a claim that a sentence must have to speak of the same thing, and so to contradict it."""
_BELOW = math.nextafter(SUPPORT_THRESHOLD, 0)
_LEAST = 0.6
"""Share of a claim that has to be found for its words to support it: the rest is said by no one."""
_LEAST_IN_ANSWER = 0.3
"""The same for a short answer in an answer to its question, which may say the name in part."""
_NEUTRAL, _NEAREST = 0.3, 0.7
"""Nearness in meaning up to which, and from which on, more of it says no more of two answers."""
_NEARNESS_SLOPE = 5.0
"""Log-odds for each unit of nearness between them."""


class Comparison(NamedTuple):
    """A claim compared with some sentences.

    Attributes:
        evidence: What speaks for it.
        conflicts: In what it differs from the best sentence.
        chance: That they support it by their words, whatever conflicts, in [0, 1].
        probability: That they support it, in [0, 1].
    """

    evidence: Evidence
    conflicts: tuple[Conflict, ...]
    chance: float
    probability: float

    @property
    def supports(self) -> bool:
        """Whether that is enough for a claim to count as supported."""
        return self.probability >= SUPPORT_THRESHOLD

    @property
    def contradicts(self) -> bool:
        """Whether they say otherwise, and do not only lack a value."""
        return any(each.kind != "value" for each in self.conflicts)

    @property
    def quote(self) -> str:
        """The best sentence, or ""."""
        return self.evidence.sentences[0].text if self.evidence.sentences else ""


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
    texts = sources_of(tuple(sources), question, answers=answers)
    if not texts.sentences:
        reason = "There is no source."
        return tuple(
            Support(claim=claim, verdict="not_mentioned", probability=0.0, reason=reason)
            for claim in claims
        )
    shifts = _meaning_shift(claims, texts, embed) if embed and answers else None
    verdicts = []
    for row, claim in enumerate(claims):
        shift = [0.0] * len(sources) if shifts is None else shifts[row].tolist()
        verdicts.append(_verdict(claim, texts, compared(claim, texts, question, shift)))
    return tuple(verdicts)


def compared(
    claim: str, sources: Sources, question: str = "", shift: Sequence[float] = ()
) -> list[Comparison]:
    """Return a claim compared with each source and, of several, last with all together.

    Args:
        claim: The claim.
        sources: The sources.
        question: What the claim answers.
        shift: What is added to the log-odds of each source; nothing by default.
    """
    stated = yes_or_no(claim)
    answer = short_answer(claim) if stated is None else None
    about = answer.question if answer else profile_of(question) if question else None
    names = answer.names if answer else (stated or profile_of(claim),)
    readers = [Reader(name, sources, about=about, answer=bool(answer)) for name in names]
    spans = list(sources.spans)
    if len(spans) > 1:
        spans.append((0, len(sources.sentences)))
        shift = [*shift, max(shift)] if shift else ()
    return [
        max(
            (_compare(reader, span, about, more) for reader in readers),
            key=lambda each: each.probability,
        )
        for span, more in zip(spans, shift or [0.0] * len(spans), strict=True)
    ]


def _compare(
    reader: Reader, span: tuple[int, int], about: Profile | None, shift: float
) -> Comparison:
    evidence = reader.within(*span)
    chance = probability_of(evidence, shift)
    if not evidence.sentences or (evidence.cover < _ABOUT and chance < SUPPORT_THRESHOLD):
        return Comparison(evidence, (), chance, chance)
    conflicts = _conflicts(reader.claim, reader.sources, evidence, about)
    left = model()["left"]
    trust = math.prod([left[kind] for kind in sorted({each.kind for each in conflicts})])
    return Comparison(evidence, conflicts, chance, chance * trust)


def _conflicts(
    claim: Profile, sources: Sources, evidence: Evidence, about: Profile | None
) -> tuple[Conflict, ...]:
    nearest = evidence.sentences[0]
    if evidence.answer and about and is_object(about.text, nearest.text, claim.text.rstrip(".。")):
        return (Conflict("roles", claim.text, nearest.text),)
    theirs = nearest if nearest.said == nearest.text else profile_of(nearest.said)
    conflicts = conflicts_of(profile_of(without_polarity(claim.said)), theirs, about)
    if sources.answers:  # nor is said otherwise what is left out, or said in another sentence
        others = {key for sentence in evidence.sentences[1:] for key in sentence.weights}
        conflicts = tuple(
            each
            for each in conflicts
            if each.sentence
            and (each.kind not in VALUE_KINDS or not profile_of(each.claim).content <= others)
        )
    if any(each.kind in VALUE_KINDS for each in conflicts):
        return conflicts
    return (*conflicts, *absent_values(profile_of(claim.said), evidence.sentences, about))


def probability_of(evidence: Evidence, shift: float = 0.0) -> float:
    """Return the probability of support by the figures alone, in [0, 1]: a logistic function."""
    weights = model()["answer" if evidence.answer else "statement"]
    weighed = [weights[name] * getattr(evidence, name) for name in FEATURES]
    more = model()["in_answer"] if evidence.in_answer else 0.0
    score = math.fsum([weights["bias"], shift, more, *weighed])
    chance = 1 / (1 + math.exp(-score)) if score > -60 else 0.0
    least = _LEAST_IN_ANSWER if evidence.in_answer else _LEAST
    return chance if evidence.cover >= least or shift else min(chance, _BELOW)


def _verdict(claim: str, sources: Sources, comparisons: Sequence[Comparison]) -> Support:
    """Return the verdict from a claim's comparison with each source, and with all of them."""
    best = max(comparisons, key=lambda each: each.probability)
    alone = comparisons[: len(sources.spans)]
    if best.supports:
        numbers = tuple(n for n, each in enumerate(alone) if each.supports)
        together = tuple(sorted({sources.owner(n) for n in best.evidence.numbers}))
        return Support(
            claim=claim,
            verdict="supported",
            sources=numbers or together,
            jointly=not numbers and len(together) > 1,
            quote=best.quote,
            probability=best.probability,
            reason=_reason(best),
        )
    against = tuple(n for n, each in enumerate(alone) if each.contradicts)
    decisive = alone[against[0]] if against else best
    return Support(
        claim=claim,
        verdict="contradicted" if against else "not_mentioned",
        contradicted_by=against,
        quote=decisive.quote if against else "",
        probability=best.probability,
        reason=_reason(decisive),
    )


def _reason(comparison: Comparison) -> str:
    if comparison.conflicts and not comparison.supports:
        return str(comparison.conflicts[0])
    if not comparison.evidence.cover:
        return "The sources have nothing of it."
    share = comparison.evidence.cover
    if comparison.supports:
        return f"The sources have {share:.0%} of what it says."
    return f"The sources have only {share:.0%} of what it says."


def _meaning_shift(claims: Sequence[str], sources: Sources, embed: Embed) -> NDArray[np.float32]:
    """Return what the nearest sentence of each source adds to the log-odds of each claim.

    Returns:
        An array of shape `(len(claims), sources)`, from 0 to 2; 0 in a language that the model
        does not know, and for an empty source.
    """
    near = nearness(claims, [sentence.text for sentence in sources.sentences], embed)
    columns = [
        near[:, start:end].max(axis=1) if end > start else np.zeros(len(claims))
        for start, end in sources.spans
    ]
    best = np.nan_to_num(np.stack(columns, axis=1))
    beyond = np.clip(best, _NEUTRAL, _NEAREST) - _NEUTRAL
    return np.asarray(_NEARNESS_SLOPE * beyond, dtype=np.float32)


@cache
def model() -> Mapping[str, Any]:
    """Return the weights for statements and short answers, and what each kind of conflict leaves."""
    text = files(__package__).joinpath("weights.json").read_text(encoding="utf-8")
    weights: Mapping[str, Any] = json.loads(text)
    return weights
