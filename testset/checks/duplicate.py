"""Duplicate: does an accepted question ask the same?"""

from collections.abc import Sequence

from llamaindex_rag_eval.judge.rules.embedding import lexical_vectors
from testset.checks.answers import letters_of
from testset.checks.draft import Draft, passed, rejected
from testset.corpus.index import keys_of
from testset.golden.item import Check

__all__ = ["AskedQuestions", "by_rule"]

SAME_MEANING = 0.92
"""Cosine from which two questions on the same evidence ask the same."""
ALIKE = 0.8
"""Jaccard overlap of the terms from which two questions ask the same."""


class AskedQuestions:
    """The questions accepted so far, indexed by their terms and their gold spans."""

    def __init__(self) -> None:
        self._by_letters: dict[str, str] = {}
        self._terms: list[tuple[frozenset[str], str, str]] = []
        self._by_evidence: dict[tuple[str, str], str] = {}
        self._by_term: dict[str, list[int]] = {}
        self._by_gold: dict[tuple[tuple[str, int], ...], list[tuple[str, str]]] = {}

    def add(self, draft: Draft) -> None:
        """Add an accepted question."""
        number = len(self._terms)
        keys = frozenset(keys_of(draft.full_question))
        said = letters_of(draft.reference)
        self._terms.append((keys, draft.question, said))
        self._by_letters[letters_of(draft.full_question)] = draft.question
        self._by_evidence[_evidence(draft)] = draft.question
        self._by_gold.setdefault(_places(draft), []).append((draft.full_question, said))
        for key in keys:
            self._by_term.setdefault(key, []).append(number)

    def same(self, draft: Draft) -> str:
        """Return an accepted question that asks the same; empty if there is none."""
        exact = self._by_letters.get(letters_of(draft.full_question))
        if exact is None and draft.gold:
            exact = self._by_evidence.get(_evidence(draft))
        if exact is not None:
            return exact
        said = letters_of(draft.reference)
        here = self._by_gold.get(_places(draft), ())
        same_answer = [question for question, answer in here if answer == said]
        near_by_vector = _nearest(draft.full_question, same_answer)
        if near_by_vector:
            return near_by_vector
        keys = frozenset(keys_of(draft.full_question))
        near = {number for key in keys for number in self._by_term.get(key, ())}
        for number in sorted(near):
            other, question, answer = self._terms[number]
            if answer != said and keys - other and other - keys:
                continue  # as of two rows of a table: one word differs, and so does the answer
            if len(keys & other) >= ALIKE * len(keys | other):
                return question
        return ""


def by_rule(draft: Draft, asked: AskedQuestions) -> Check:
    """Reject a question with the words, nearly the words, or the evidence and answer of another."""
    same = asked.same(draft)
    return rejected(f"asks the same as {same!r}") if same else passed()


def _nearest(question: str, others: Sequence[str]) -> str:
    """Return the question of the same evidence that means the same; empty if none does."""
    if not others:
        return ""
    first, *rows = lexical_vectors([question, *others])
    cosines = [float(first @ row) for row in rows]
    best = max(range(len(others)), key=lambda number: cosines[number])
    return others[best] if cosines[best] >= SAME_MEANING else ""


def _places(draft: Draft) -> tuple[tuple[str, int], ...]:
    return tuple((group[0].doc_id, group[0].start) for group in draft.gold)


def _evidence(draft: Draft) -> tuple[str, str]:
    return letters_of(draft.gold_text), letters_of(draft.reference)
