"""Links: passages that a question may join with one; no model is asked for them."""

import re
from collections.abc import Iterable, Iterator, Sequence

from llamaindex_rag_eval.judge.rules.entities import entities_of, normal_entity
from testset.corpus.digest import heading_of
from testset.corpus.index import CorpusIndex
from testset.corpus.passages import Passage

SEARCHED = 20
"""Passages that a search for partners looks at."""
NAMES = 12
"""Names of a passage that are searched for; the first ones say what it is about."""


class Links:
    """Find the passages that are linked with one: by reference, heading, words, names or sequence.

    Args:
        index: The passages and their index.
    """

    def __init__(self, index: CorpusIndex) -> None:
        self._index, self._passages = index, index.passages

    def of(self, number: int, *, count: int) -> tuple[int, ...]:
        """Return passages linked with one, at most one of each kind of link before a second.

        Args:
            number: The passage.
            count: How many are wanted; there may be fewer.
        """
        near = self._near(number)
        kinds = (self._referring(number), self._parallel(number), near, self.elsewhere(number))
        own = self._passages[number]
        following = {number + 1} & set(self._index.by_document[own.document.doc_id])
        linked = [*(entry for kind in kinds for entry in kind[:1]), *following, *near]
        return tuple(
            other
            for other in dict.fromkeys(linked)
            if other != number and not _same_section(own, self._passages[other])
        )[:count]

    def elsewhere(self, number: int) -> tuple[int, ...]:
        """Return passages of other documents, one of each; those that share a name come first."""
        passage = self._passages[number]
        names = entities_of(f"{' '.join(passage.headings)}\n{passage.text}")[:NAMES]
        wanted = {normal_entity(name) for name in names}
        own = self._index.by_document[passage.document.doc_id]
        numbers = self._search(" ".join(names) or passage.text, without=own)
        others = self._one_of_each(number, numbers)
        return tuple(sorted(others, key=lambda n: not wanted & _names(self._passages[n].text)))

    def _referring(self, number: int) -> tuple[int, ...]:
        """Return passages whose text has the heading of this one; of this document, too."""
        heading = heading_of(self._passages[number])
        return tuple(
            other
            for other in self._search(heading, without=self._index.under(heading))
            if heading.casefold() in self._passages[other].text.casefold()
        )

    def _parallel(self, number: int) -> tuple[int, ...]:
        """Return passages of other documents under the same heading."""
        return self._one_of_each(number, self._index.under(heading_of(self._passages[number])))

    def _near(self, number: int) -> tuple[int, ...]:
        """Return passages that share rare words, under other headings, of any document."""
        own = self._passages[number]
        numbers = self._search(own.text)
        return tuple(n for n in numbers if heading_of(self._passages[n]) != heading_of(own))

    def _search(self, query: str, without: Sequence[int] = ()) -> Iterator[int]:
        hits = self._index.bm25.search(query, k=SEARCHED + 1, without=without)
        return (number for number, _ in hits)

    def _one_of_each(self, number: int, others: Iterable[int]) -> tuple[int, ...]:
        """Return the first passage of each other document."""
        by_document: dict[str, int] = {}
        for other in others:
            by_document.setdefault(self._passages[other].document.doc_id, other)
        by_document.pop(self._passages[number].document.doc_id, None)
        return tuple(by_document.values())


def _same_section(passage: Passage, other: Passage) -> bool:
    """Return whether two passages say the same, or stand in one section below a title."""
    same = passage.document.doc_id == other.document.doc_id and passage.headings == other.headings
    return passage.text == other.text or (same and len(passage.headings) > 1)


def _names(text: str) -> set[str]:
    """Return the names of a text, numbers and dates left out."""
    return {normal_entity(name) for name in entities_of(text) if not re.search(r"\d", name)}
