"""Relevance: which contexts and sentences help to answer a question, judged by their words."""

from collections.abc import Sequence

from llamaindex_rag_eval.judge.rules.claims import claims_of, is_short_answer
from llamaindex_rag_eval.judge.rules.frames import without_frame
from llamaindex_rag_eval.judge.rules.profile import content_share, profile_of, source_profiles
from llamaindex_rag_eval.judge.rules.refusals import is_refusal
from llamaindex_rag_eval.judge.rules.support import support_of

_ANSWER_SHARE = 0.6
"""Share of the answer's own words from which a context counts as where it comes from."""
_WHOLE_CONTEXT = 0.3
"""Weight of the whole context beside its best sentence."""
_LEAST_SHARE = 0.4
"""Share of the question's words below which no sentence is taken to answer it."""
_NEAR_BEST = 0.75
"""Share of the best sentence's share from which another is needed too."""


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
    wanted, stated = profile_of(question), profile_of(answer)
    verdicts = []
    for number, context in enumerate(contexts):
        supported = [
            claim
            for claim, entry in zip(claims, found, strict=True)
            if entry.verdict == "supported" and number in entry.sources
        ]
        keys = {key for unit in source_profiles(context) for key in unit.content}
        share = content_share(stated, keys, without=wanted.content)
        if supported:
            verdicts.append((True, f"It supports {supported[0]!r}."))
        else:
            reason = f"It has {share:.0%} of the answer's own words."
            verdicts.append((share >= _ANSWER_SHARE, reason))
    return tuple(verdicts)


def relevance_grade(question: str, context: str) -> float:
    """Return how relevant a context is to a question, in [0, 1]; higher is better.

    The weighted share of the question's words that the best sentence has, and the whole context.
    An empty question or context is 0.

    Example:
        >>> relevance_grade("Who built the lock?", "Ito built the lock.")
        1.0
    """
    wanted = profile_of(question)
    units = source_profiles(context)
    best = max((content_share(wanted, unit.content) for unit in units), default=0.0)
    whole = content_share(wanted, {key for unit in units for key in unit.content})
    return (1 - _WHOLE_CONTEXT) * best + _WHOLE_CONTEXT * whole


def response_grade(question: str, response: str) -> tuple[float, str]:
    """Return how far a response answers a question, in [0, 1], true or not, and why.

    A refusal is 0. A short answer, bare or framed, is 1: it shares no words with its question.
    Else it is the relevance of the response's words.

    Example:
        >>> response_grade("Who built the lock?", "The answer is Ito.")
        (1.0, 'It is a short answer.')
        >>> response_grade("Who built the lock?", "Tea is grown here in many gardens.")[0]
        0.0
    """
    if is_refusal(response):
        return 0.0, "It gives no answer."
    if is_short_answer(without_frame(response)):
        return 1.0, "It is a short answer."
    share = relevance_grade(question, response)
    return share, f"It has {share:.0%} of the question's words, by weight."


def relevant_sentences(question: str, sentences: Sequence[str]) -> tuple[int, ...]:
    """Return the numbers of the sentences needed to answer the question, in order.

    Returns:
        Those that have nearly as many of the question's words as the best; empty if even the
        best has too few, or the question has no content.

    Example:
        >>> relevant_sentences("Who built the lock?", ["Tea is green.", "Ito built the lock."])
        (1,)
    """
    wanted = profile_of(question)
    shares = [content_share(wanted, profile_of(sentence).content) for sentence in sentences]
    best = max(shares, default=0.0)
    if best < _LEAST_SHARE:
        return ()
    return tuple(number for number, share in enumerate(shares) if share >= _NEAR_BEST * best)
