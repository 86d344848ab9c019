"""What checks stand on: the item as it would be kept, and the documents it is asked about."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from testset.documents import SourceDocument
from testset.golden import Check, GoldSpan
from testset.passages import Passage
from testset.search import Bm25

__all__ = ["Draft", "Ground", "passed", "rejected"]


@dataclass(frozen=True, slots=True)
class Draft:
    """A question on its way to become a golden item; the same fields, not yet settled."""

    question: str
    reference: str
    kind: str
    type: str
    language: str
    gold: tuple[tuple[GoldSpan, ...], ...]

    @property
    def evidence(self) -> str:
        """The quotes of the first span of each group, one a line."""
        return "\n".join(group[0].quote for group in self.gold)


@dataclass(frozen=True)
class Ground:
    """The documents, their passages, and an index over the passages."""

    documents: dict[str, SourceDocument]
    passages: Sequence[Passage]
    index: Bm25
    by_document: dict[str, list[int]] = field(default_factory=dict)

    @classmethod
    def of(cls, documents: Sequence[SourceDocument], passages: Sequence[Passage]) -> "Ground":
        """Return the ground that documents and their passages make."""
        by_document: dict[str, list[int]] = {}
        for number, passage in enumerate(passages):
            by_document.setdefault(passage.document.doc_id, []).append(number)
        index = Bm25([passage.text for passage in passages])
        return cls({entry.doc_id: entry for entry in documents}, passages, index, by_document)

    def holding(self, span: GoldSpan) -> list[int]:
        """Return the numbers of the passages that overlap a span."""
        return [
            number
            for number in self.by_document.get(span.doc_id, ())
            if self.passages[number].start < span.end and span.start < self.passages[number].end
        ]


def passed(evidence: str = "", *, score: float | None = None) -> Check:
    """Return the verdict of a check that found nothing wrong."""
    return Check(verdict="passed", score=_rounded(score), evidence=evidence)


def rejected(evidence: str, *, score: float | None = None) -> Check:
    """Return the verdict of a check that turns an item down, and why."""
    return Check(verdict="rejected", score=_rounded(score), evidence=evidence)


def _rounded(score: float | None) -> float | None:
    """Return a score to six places, so that the order of a sum cannot change a file."""
    return None if score is None else round(score, 6)
