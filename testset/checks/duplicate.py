"""Duplicate: has the same thing been asked before?"""

import re
import unicodedata
from collections.abc import Sequence

from llamaindex_rag_eval.judge.rules.embedding import lexical_vectors
from testset.checks.draft import Draft, passed, rejected
from testset.corpus.index import keys_of
from testset.golden.item import Check

__all__ = ["Asked", "duplicate"]

SAME_MEANING = 0.92
"""Cosine from which two questions on the same evidence ask the same."""
ALIKE = 0.8
"""Jaccard overlap of the terms from which two questions ask the same."""


class Asked:
    """The questions accepted so far; grows, and answers in time linear in what shares a term."""

    def __init__(self) -> None:
        self._forms: dict[str, str] = {}
        self._keys: list[tuple[frozenset[str], str]] = []
        self._evidence: dict[tuple[str, str], str] = {}
        self._by_key: dict[str, list[int]] = {}
        self._by_gold: dict[tuple[tuple[str, int], ...], list[str]] = {}

    def add(self, draft: Draft) -> None:
        """Remember an accepted question."""
        number = len(self._keys)
        keys = frozenset(keys_of(draft.full_question))
        self._keys.append((keys, draft.question))
        self._forms[_form(draft.full_question)] = draft.question
        self._evidence[_evidence(draft)] = draft.question
        self._by_gold.setdefault(_places(draft), []).append(draft.full_question)
        for key in keys:
            self._by_key.setdefault(key, []).append(number)

    def same(self, draft: Draft) -> str:
        """Return an accepted question that asks the same; empty if there is none."""
        exact = self._forms.get(_form(draft.full_question))
        if exact is None and draft.gold:
            exact = self._evidence.get(_evidence(draft))
        if exact is not None:
            return exact
        alike = _nearest(draft.full_question, self._by_gold.get(_places(draft), ()))
        if alike:
            return alike
        keys = frozenset(keys_of(draft.full_question))
        near = {number for key in keys for number in self._by_key.get(key, ())}
        for number in sorted(near):
            other, question = self._keys[number]
            if len(keys & other) >= ALIKE * len(keys | other):
                return question
        return ""


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


def duplicate(draft: Draft, asked: Asked) -> Check:
    """Reject a question that has been asked, in the same words, nearly, or of the same answer."""
    same = asked.same(draft)
    return rejected(f"asks the same as {same!r}") if same else passed()


def _form(question: str) -> str:
    return re.sub(r"[\W_]+", "", unicodedata.normalize("NFKC", question).casefold())


def _evidence(draft: Draft) -> tuple[str, str]:
    return _form(draft.gold_text), _form(draft.reference)
