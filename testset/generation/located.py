"""Facts in their place: what a model found in a passage, held to the document's own text."""

from collections.abc import Sequence
from dataclasses import dataclass

from testset.corpus.passages import Passage
from testset.golden.spans import locate
from testset.golden.item import GoldSpan
from testset.requests.facts import Fact

__all__ = ["LocatedFact", "located"]


@dataclass(frozen=True, slots=True)
class LocatedFact:
    """A statement and the exact characters that make it."""

    statement: str
    span: GoldSpan


def located(facts: Sequence[Fact], passage: Passage) -> tuple[LocatedFact, ...]:
    """Return the facts whose quotes stand in the passage, each quote once, in order.

    A quote that cannot be found is no evidence, and its fact is dropped.
    """
    document = passage.document
    found: dict[tuple[int, int], LocatedFact] = {}
    for fact in facts:
        place = locate(fact.quote, document.text, start=passage.start, end=passage.end)
        if place is None:
            continue
        span = GoldSpan.cut(document.doc_id, document.hash, document.text, place.start, place.end)
        found.setdefault((place.start, place.end), LocatedFact(fact.statement, span))
    return tuple(found.values())
