"""Span: is the evidence where the item says, and does the answer stand in it?"""

import re
import unicodedata

from testset.checks.ground import Draft, Ground, passed, rejected
from testset.golden import Check

__all__ = ["span"]


def span(draft: Draft, ground: Ground) -> Check:
    """Reject a quote that is not at its offsets, and an answer with numbers the gold lacks."""
    if not draft.gold:
        return passed("no evidence is claimed")
    for entry in (entry for group in draft.gold for entry in group):
        document = ground.documents.get(entry.doc_id)
        if document is None or document.text[entry.start : entry.end] != entry.quote:
            return rejected(f"{entry.doc_id!r} does not hold the quote at {entry.start}")
    missing = _numbers(draft.reference) - _numbers(draft.evidence)
    if missing:
        return rejected(f"not in the evidence: {', '.join(sorted(missing))}")
    if not _flat(draft.reference):
        return rejected("the answer is empty")
    if _flat(draft.reference) not in _flat(draft.evidence):
        return rejected("the answer does not stand in the evidence")
    return passed(score=1.0)


def _numbers(text: str) -> set[str]:
    return set(re.findall(r"\d+", unicodedata.normalize("NFKC", text)))


def _flat(text: str) -> str:
    """Return the letters and digits of a text: line breaks and marks do not matter."""
    return re.sub(r"[\W_]+", "", unicodedata.normalize("NFKC", text).casefold())
