"""Relevance: which contexts help to answer, and how near a context is to a question."""

from collections.abc import Sequence

from llamaindex_rag_eval.judge.rules.claims import claims_of
from llamaindex_rag_eval.judge.rules.overlap import coverage
from llamaindex_rag_eval.judge.rules.profile import profile_of, source_profiles
from llamaindex_rag_eval.judge.rules.support import support_of

__all__ = ["relevance_grade", "useful_contexts"]

_ANSWER_COVERAGE = 0.6
"""Share of the answer's own words from which a context counts as where it comes from."""
_WHOLE_CONTEXT = 0.3
"""Weight of the whole context beside its best sentence."""


def useful_contexts(
    question: str, contexts: Sequence[str], answer: str
) -> tuple[tuple[bool, str], ...]:
    """Return for each context whether it was useful to arrive at the answer, and why.

    A context is useful if it supports a claim of the answer, or has most of the answer's words
    that are not the question's own.

    Returns:
        One pair per context, in order.

    Example:
        >>> useful_contexts("Where is it?", ["It is in Kyoto.", "Tea is green."], "In Kyoto.")[1][0]
        False
    """
    claims = claims_of(answer, question=question)
    found = support_of(claims, contexts)
    asked, told = profile_of(question), profile_of(answer)
    verdicts = []
    for number, context in enumerate(contexts):
        supported = [
            claim
            for claim, entry in zip(claims, found, strict=True)
            if entry.verdict == "supported" and number in entry.sources
        ]
        keys = {key for unit in source_profiles(context) for key in unit.content}
        share = coverage(told, keys, without=asked.content)
        if supported:
            verdicts.append((True, f"It supports {supported[0]!r}."))
        elif share >= _ANSWER_COVERAGE:
            verdicts.append((True, f"It has {share:.0%} of the answer's own words."))
        else:
            verdicts.append((False, f"It has {share:.0%} of the answer's own words."))
    return tuple(verdicts)


def relevance_grade(question: str, context: str) -> float:
    """Return how relevant a context is to a question, in [0, 1]; higher is better.

    The weighted share of the question's words that the best sentence has, and the whole context.
    An empty question or context is 0.

    Example:
        >>> relevance_grade("Who built the lock?", "Ito built the lock.")
        1.0
    """
    asked = profile_of(question)
    units = source_profiles(context)
    best = max((coverage(asked, unit.content) for unit in units), default=0.0)
    whole = coverage(asked, {key for unit in units for key in unit.content})
    return (1 - _WHOLE_CONTEXT) * best + _WHOLE_CONTEXT * whole
