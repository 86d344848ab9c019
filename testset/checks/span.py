"""Span: is the evidence where the item says, and does the answer stand in it?"""

import re
import unicodedata

from llamaindex_rag_eval.judge.rules.entities import entities_of
from testset.checks.draft import Draft, passed, rejected
from testset.corpus.index import CorpusIndex
from testset.golden.item import Check

__all__ = ["span"]

_CALCULATED = frozenset({"reasoning", "table"})
"""Types whose answers may hold a number that stands nowhere: a sum, a difference."""


def span(draft: Draft, index: CorpusIndex) -> Check:
    """Reject a quote that is not at its offsets, and an answer with numbers the gold lacks."""
    if not draft.gold:
        return passed("no evidence is claimed")
    for entry in (entry for group in draft.gold for entry in group):
        document = index.documents.get(entry.doc_id)
        if document is None or document.text[entry.start : entry.end] != entry.quote:
            return rejected(f"{entry.doc_id!r} does not hold the quote at {entry.start}")
    missing = _missing(draft, index)
    if missing:
        return rejected(f"not in the evidence: {', '.join(sorted(missing))}")
    if not _flat(draft.reference):
        return rejected("the answer is empty")
    if draft.verbatim and _flat(draft.reference) not in _flat(draft.gold_text):
        return rejected("the answer does not stand in the evidence")
    return passed(score=1.0)


def _missing(draft: Draft, index: CorpusIndex) -> set[str]:
    """Return the numbers and names of the answer that its evidence does not hold."""
    if draft.verbatim:
        return _numbers(draft.reference) - _numbers(draft.gold_text)
    spans = (entry for group in draft.gold for entry in group)
    told = [draft.question, *(index.with_heading(entry) for entry in spans)]
    told += [turn.question + turn.answer for turn in draft.turns]
    held = "\n".join(told)
    missing = _said_before(draft) - _around(draft, index)
    if draft.type not in _CALCULATED:
        missing |= _numbers(draft.reference) - _numbers(held)
    names = [name for name in entities_of(draft.reference) if not re.search(r"\d", name)]
    return missing | {name for name in names if _flat(name) not in _flat(held)}


def _said_before(draft: Draft) -> set[str]:
    """Return the numbers of the answers that a conversation has given."""
    return _numbers(" ".join(turn.answer for turn in draft.turns))


def _around(draft: Draft, index: CorpusIndex) -> set[str]:
    """Return the numbers of the passages that hold the evidence: what was said before is there."""
    numbers = {n for group in draft.gold for entry in group for n in index.passages_at(entry)}
    return _numbers(" ".join(index.passages[number].text for number in sorted(numbers)))


def _numbers(text: str) -> set[str]:
    return set(re.findall(r"\d+", unicodedata.normalize("NFKC", text)))


def _flat(text: str) -> str:
    """Return the letters and digits of a text: line breaks and marks do not matter."""
    return re.sub(r"[\W_]+", "", unicodedata.normalize("NFKC", text).casefold())
