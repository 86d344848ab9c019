"""Duplicate: has the same thing been asked before?"""

import re
import unicodedata

from testset.checks.ground import Draft, passed, rejected
from testset.golden import Check
from testset.search import keys_of

__all__ = ["Asked", "duplicate"]

ALIKE = 0.8
"""Jaccard overlap of the terms from which two questions ask the same."""


class Asked:
    """The questions accepted so far; grows, and answers in time linear in what shares a term."""

    def __init__(self) -> None:
        self._forms: dict[str, str] = {}
        self._keys: list[tuple[frozenset[str], str]] = []
        self._evidence: dict[tuple[str, str], str] = {}
        self._by_key: dict[str, list[int]] = {}

    def add(self, draft: Draft) -> None:
        """Remember an accepted question."""
        number = len(self._keys)
        keys = frozenset(keys_of(draft.question))
        self._keys.append((keys, draft.question))
        self._forms[_form(draft.question)] = draft.question
        self._evidence[_evidence(draft)] = draft.question
        for key in keys:
            self._by_key.setdefault(key, []).append(number)

    def same(self, draft: Draft) -> str:
        """Return an accepted question that asks the same; empty if there is none."""
        exact = self._forms.get(_form(draft.question))
        if exact is None and draft.gold:
            exact = self._evidence.get(_evidence(draft))
        if exact is not None:
            return exact
        keys = frozenset(keys_of(draft.question))
        near = {number for key in keys for number in self._by_key.get(key, ())}
        for number in sorted(near):
            other, question = self._keys[number]
            if len(keys & other) >= ALIKE * len(keys | other):
                return question
        return ""


def duplicate(draft: Draft, asked: Asked) -> Check:
    """Reject a question that has been asked, in the same words, nearly, or of the same answer."""
    same = asked.same(draft)
    return rejected(f"asks the same as {same!r}") if same else passed()


def _form(question: str) -> str:
    return re.sub(r"[\W_]+", "", unicodedata.normalize("NFKC", question).casefold())


def _evidence(draft: Draft) -> tuple[str, str]:
    return _form(draft.evidence), _form(draft.reference)
