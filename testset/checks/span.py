"""Span: is the evidence where the item says, and does the answer stand in it?"""

import re
import unicodedata

from llamaindex_rag_eval.judge.rules.entities import entities_of
from testset.corpus.index import Draft, Ground, passed, rejected
from testset.golden.item import Check

__all__ = ["span"]

_CALCULATED = frozenset({"reasoning", "table"})
"""Types whose answers may hold a number that stands nowhere: a sum, a difference."""


def span(draft: Draft, ground: Ground) -> Check:
    """Reject a quote that is not at its offsets, and an answer with numbers the gold lacks."""
    if not draft.gold:
        return passed("no evidence is claimed")
    for entry in (entry for group in draft.gold for entry in group):
        document = ground.documents.get(entry.doc_id)
        if document is None or document.text[entry.start : entry.end] != entry.quote:
            return rejected(f"{entry.doc_id!r} does not hold the quote at {entry.start}")
    missing = _missing(draft, ground)
    if missing:
        return rejected(f"not in the evidence: {', '.join(sorted(missing))}")
    if not _flat(draft.reference):
        return rejected("the answer is empty")
    if draft.verbatim and _flat(draft.reference) not in _flat(draft.evidence):
        return rejected("the answer does not stand in the evidence")
    return passed(score=1.0)


def _missing(draft: Draft, ground: Ground) -> set[str]:
    """Return the numbers and names of the answer that its evidence does not hold."""
    if draft.verbatim:
        return _numbers(draft.reference) - _numbers(draft.evidence)
    spans = (entry for group in draft.gold for entry in group)
    told = [draft.question, *(ground.shown(entry) for entry in spans)]
    told += [turn.question + turn.answer for turn in draft.turns]
    held = "\n".join(told)
    missing = _said_before(draft) - _around(draft, ground)
    if draft.type not in _CALCULATED:
        missing |= _numbers(draft.reference) - _numbers(held)
    names = [name for name in entities_of(draft.reference) if not re.search(r"\d", name)]
    return missing | {name for name in names if _flat(name) not in _flat(held)}


def _said_before(draft: Draft) -> set[str]:
    """Return the numbers of the answers that a conversation has given."""
    return _numbers(" ".join(turn.answer for turn in draft.turns))


def _around(draft: Draft, ground: Ground) -> set[str]:
    """Return the numbers of the passages that hold the evidence: what was said before is there."""
    numbers = {n for group in draft.gold for entry in group for n in ground.holding(entry)}
    return _numbers(" ".join(ground.passages[number].text for number in sorted(numbers)))


def _numbers(text: str) -> set[str]:
    return set(re.findall(r"\d+", unicodedata.normalize("NFKC", text)))


def _flat(text: str) -> str:
    """Return the letters and digits of a text: line breaks and marks do not matter."""
    return re.sub(r"[\W_]+", "", unicodedata.normalize("NFKC", text).casefold())
