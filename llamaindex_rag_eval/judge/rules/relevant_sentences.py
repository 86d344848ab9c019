"""Relevant sentences: the sentences needed to answer a question."""

from collections.abc import Sequence

from llamaindex_rag_eval.judge.rules.overlap import coverage
from llamaindex_rag_eval.judge.rules.profile import profile_of

__all__ = ["relevant_sentences"]

_LEAST_COVERAGE = 0.4
"""Share of the question's words below which no sentence is taken to answer it."""
_NEAR_BEST = 0.75
"""Share of the best sentence's coverage from which another is needed too."""


def relevant_sentences(question: str, sentences: Sequence[str]) -> tuple[int, ...]:
    """Return the numbers of the sentences needed to answer the question, in order.

    Returns:
        Those that have nearly as many of the question's words as the best; empty if even the
        best has too few, or the question has no content.

    Example:
        >>> relevant_sentences("Who built the lock?", ["Tea is green.", "Ito built the lock."])
        (1,)
    """
    asked = profile_of(question)
    shares = [coverage(asked, profile_of(sentence).content) for sentence in sentences]
    best = max(shares, default=0.0)
    if best < _LEAST_COVERAGE:
        return ()
    return tuple(number for number, share in enumerate(shares) if share >= _NEAR_BEST * best)
