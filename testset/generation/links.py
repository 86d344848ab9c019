"""Links: passages of other documents that share names with one; no model is asked for them."""

import re

from llamaindex_rag_eval.judge.rules.entities import entities_of, normal_entity
from testset.corpus.index import CorpusIndex

__all__ = ["partners_of"]

SEARCHED = 20
"""Passages that a search for partners looks at."""
NAMES = 12
"""Names of a passage that are searched for; the first ones say what it is about."""


def partners_of(index: CorpusIndex, number: int, *, count: int = 1) -> tuple[int, ...]:
    """Return passages of other documents that share names with one; fewer if there are fewer.

    Args:
        index: The passages and their index.
        number: The passage.
        count: How many are wanted.
    """
    passage = index.passages[number]
    names = entities_of(f"{' '.join(passage.headings)}\n{passage.text}")[:NAMES]
    query = " ".join(names) or passage.text
    elsewhere = [
        other
        for other, _ in index.bm25.search(query, k=SEARCHED + 1)
        if index.passages[other].document.doc_id != passage.document.doc_id
        and index.passages[other].text != passage.text
    ]
    wanted = {normal_entity(name) for name in names}
    shared = [other for other in elsewhere if wanted & _names(index.passages[other].text)]
    best = [*shared, *(other for other in elsewhere if other not in shared)]
    by_document: dict[str, int] = {}
    for other in best:
        by_document.setdefault(index.passages[other].document.doc_id, other)
    return tuple(by_document.values())[:count]


def _names(text: str) -> set[str]:
    """Return the names of a text, numbers and dates left out."""
    return {normal_entity(name) for name in entities_of(text) if not re.search(r"\d", name)}
