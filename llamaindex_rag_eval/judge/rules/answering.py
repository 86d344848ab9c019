"""Answering: the sentences of passages that answer a question best."""

from collections.abc import Sequence

from llamaindex_rag_eval.judge.rules.overlap import coverage
from llamaindex_rag_eval.judge.rules.profile import profile_of
from llamaindex_rag_eval.judge.rules.sentences import sentences
from llamaindex_rag_eval.judge.rules.tokens import Language

__all__ = ["NO_ANSWER", "best_answer"]

NO_ANSWER: dict[Language, str] = {
    "en": "The context does not answer this question.",
    "de": "Der Kontext beantwortet diese Frage nicht.",
    "ja": "この質問の答えは文脈に記載されていません。",
    "zh": "上下文没有提供这个问题的答案。",
    "other": "The context does not answer this question.",
}
_LEAST_COVERAGE = 0.4
"""Grade below which no sentence is taken to answer."""
_PASSAGE_WEIGHT = 0.25
"""How much the rest of a passage counts beside the sentence itself."""


def best_answer(question: str, passages: Sequence[str]) -> tuple[str, float]:
    """Return the sentence that answers a question best, and how well in [0, 1].

    Returns:
        The sentence word for word; "" if none has enough of the question's words.

    Example:
        >>> best_answer("Who built the lock?", ["Tea is green. Ito built the lock."])
        ('Ito built the lock.', 1.0)
    """
    asked = profile_of(question)
    ranked: list[tuple[float, str]] = []
    for passage in passages:
        units = [unit for unit in sentences(passage) if not _only_announces(unit)]
        around = {key for unit in units for key in profile_of(unit).content}
        whole = coverage(asked, around)
        for unit in units:
            own = coverage(asked, profile_of(unit).content)
            ranked.append(((1 - _PASSAGE_WEIGHT) * own + _PASSAGE_WEIGHT * whole, unit))
    if not ranked:
        return "", 0.0
    grade, best = max(ranked, key=lambda entry: entry[0])
    return (best if grade >= _LEAST_COVERAGE else "", grade)


def _only_announces(unit: str) -> bool:
    """Return whether a line asks or entitles: it names a subject and says nothing about it."""
    return unit.endswith(("?", "？")) or unit.startswith("#")
