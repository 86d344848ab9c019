"""Duplicate: does an accepted question ask the same?"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from llamaindex_rag_eval.judge.rules.embedding import lexical_vectors
from llamaindex_rag_eval.judge.rules.tokens import normalise
from testset.checks.answers import letters_of
from testset.checks.draft import Draft, passed, rejected
from testset.corpus.index import keys_of
from testset.golden.item import Check

SAME_MEANING = 0.92
"""Cosine from which two questions on the same evidence ask the same."""
ALIKE = 0.8
"""Jaccard overlap of the terms from which two questions ask the same."""


@dataclass(frozen=True, slots=True)
class _Entry:
    """An accepted question: its draft, its terms, and the letters of its answer."""

    draft: Draft
    keys: frozenset[str]
    said: str
    topic: str


class AskedQuestions:
    """The questions accepted so far, indexed by their terms and their gold spans."""

    def __init__(self) -> None:
        self._entries: list[_Entry] = []
        self._numbers: dict[object, list[int]] = {}
        self._count: int | None = None

    def __len__(self) -> int:
        return len(self._entries) if self._count is None else self._count

    def now(self) -> "AskedQuestions":
        """Return the questions accepted until now; what is added later is not among them."""
        copy = AskedQuestions()
        copy._entries, copy._numbers, copy._count = self._entries, self._numbers, len(self)
        return copy

    def add(self, draft: Draft, *, topic: str = "") -> None:
        """Add an accepted question and its topic."""
        keys, number = frozenset(keys_of(draft.full_question)), len(self._entries)
        said = letters_of(draft.reference)
        self._entries.append(_Entry(draft, keys, said, topic))
        for mark in (*keys, *_marks(draft), _starts(draft)):
            self._numbers.setdefault(mark, []).append(number)

    def latest(self, topic: str, n: int) -> tuple[str, ...]:
        """Return the last `n` questions of a topic."""
        questions = [
            entry.draft.question for entry in self._entries[: len(self)] if entry.topic == topic
        ]
        return tuple(questions[-n:])

    def same(self, draft: Draft) -> str:
        """Return an accepted question that asks the same; empty if there is none."""
        for mark in _marks(draft):
            for entry in self._with(mark):
                return entry.draft.question
        said = letters_of(draft.reference)
        here = list(self._with(_starts(draft)))
        if abroad := next((entry for entry in here if _translates(draft, entry)), None):
            return abroad.draft.question
        same_answer = [entry.draft.full_question for entry in here if entry.said == said]
        near_by_vector = _nearest(draft.full_question, same_answer)
        if near_by_vector:
            return near_by_vector
        keys = frozenset(keys_of(draft.full_question))
        if longer := next((entry for entry in here if _within(keys, said, entry)), None):
            return longer.draft.question
        numbers = {number for key in keys for number in self._numbers.get(key, ())}
        for number in sorted(number for number in numbers if number < len(self)):
            other = self._entries[number]
            if other.said != said and keys - other.keys and other.keys - keys:
                continue  # as of two rows of a table: one word differs, and so does the answer
            if len(keys & other.keys) >= ALIKE * len(keys | other.keys):
                return other.draft.question
        return ""

    def _with(self, mark: object) -> Iterator[_Entry]:
        numbers = self._numbers.get(mark, ())
        return (self._entries[number] for number in numbers if number < len(self))


def by_rule(draft: Draft, accepted: AskedQuestions) -> Check:
    """Reject a question with the words, nearly the words, or the evidence and answer of another.

    In another language, the same evidence and the same numbers in the answer are enough.
    """
    same = accepted.same(draft)
    return rejected(f"asks the same as {same!r}") if same else passed()


def _nearest(question: str, others: Sequence[str]) -> str:
    """Return the question of the same evidence that means the same; empty if none does."""
    if not others:
        return ""
    first, *rows = lexical_vectors([question, *others])
    cosines = [float(first @ row) for row in rows]
    best = max(range(len(others)), key=lambda number: cosines[number])
    return others[best] if cosines[best] >= SAME_MEANING else ""


def _within(keys: frozenset[str], said: str, other: _Entry) -> bool:
    """Return whether one question and one answer are in the other's, of the same evidence.

    As of "What is X?" and "In the guide, what is X?", answered with the sentence or its end.
    """
    questions = bool(keys & other.keys) and (keys <= other.keys or other.keys <= keys)
    answers = bool(said and other.said) and (said in other.said or other.said in said)
    return questions and answers


def _starts(draft: Draft) -> tuple[tuple[str, int], ...]:
    return tuple((group[0].doc_id, group[0].start) for group in draft.gold)


def _translates(draft: Draft, other: _Entry) -> bool:
    """Return whether a question of another language on the same evidence counts as a translation.

    It does unless the answers hold other numbers: no rule compares words of two languages.
    """
    before = other.draft
    known = bool(draft.gold and draft.language and before.language)
    abroad = known and draft.language != before.language
    return abroad and _starts(draft) == _starts(before) and _numbers(draft) == _numbers(before)


def _numbers(draft: Draft) -> frozenset[str]:
    return frozenset(re.findall(r"\d+", normalise(draft.reference)))


def _marks(draft: Draft) -> list[object]:
    """Return what only a question that asks the same has too: its letters; evidence and answer."""
    letters: object = ("letters", letters_of(draft.full_question))
    evidence: object = ("evidence", letters_of(draft.gold_text), letters_of(draft.reference))
    return [letters, evidence] if draft.gold else [letters]
