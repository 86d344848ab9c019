"""Alternatives: a model says whether other passages answer a question alone, and how."""

from testset.checks.draft import Draft, passed, rejected
from testset.checks.round_trip import coverage
from testset.corpus.index import CorpusIndex
from testset.corpus.passages import Passage
from testset.golden.item import Check, GoldSpan
from testset.golden.spans import locate
from testset.requests.alternatives import Alternative
from testset.requests.writer import Writer

__all__ = ["alternatives"]

NEIGHBOURS = 10
MOST = 5
"""With more passages than this that answer it, a question is too generic."""
NEAR = 0.3
"""Share of the question's rare words that a passage must hold to be worth asking about."""


async def alternatives(
    draft: Draft, index: CorpusIndex, writer: Writer
) -> tuple[Check, tuple[GoldSpan, ...]]:
    """Return the verdict, and the spans elsewhere that answer the question alone.

    Of the ten best other passages, those that come near are shown to a model, in one call; if
    none comes near, there is none. Rejected are questions that more than five others answer, and
    those that another answers otherwise.
    """
    if not draft.gold or draft.type in ("conflict", "underspecified", "table"):
        return passed("not asked"), ()
    numbers = _near(draft, index)
    shown = [index.passages[number].text for number in numbers]
    verdicts = await writer.alternatives(draft.question, passages=shown, reference=draft.reference)
    found: list[GoldSpan] = []
    for number, verdict in zip(numbers, verdicts, strict=True):
        passage = index.passages[number]
        if verdict.verdict == "other":
            said = verdict.quote[:160]
            return rejected(f"conflict: {passage.document.doc_id!r} says {said!r}"), ()
        if verdict.verdict == "same":
            found += _spans(verdict, passage)
    if len(found) > MOST:
        return rejected(f"too generic: {len(found)} other passages answer it"), ()
    spans = tuple(found) if len(draft.gold) == 1 else ()
    return passed(f"{len(found)} other passages answer it"), spans


def _near(draft: Draft, index: CorpusIndex) -> list[int]:
    own = {number for group in draft.gold for entry in group for number in index.passages_at(entry)}
    best = index.search(draft.question, k=NEIGHBOURS + len(own))
    others = [number for number in best if number not in own][:NEIGHBOURS]
    return [n for n in others if coverage(draft.question, index.passages[n].text, index) >= NEAR]


def _spans(verdict: Alternative, passage: Passage) -> list[GoldSpan]:
    document = passage.document
    place = locate(verdict.quote, document.text, start=passage.start, end=passage.end)
    if place is None:
        return []
    return [GoldSpan.cut(document.doc_id, document.hash, document.text, place.start, place.end)]
