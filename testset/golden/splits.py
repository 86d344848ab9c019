"""Splits: questions to tune with and questions to test with, from different documents.

What was tuned on a document is tested on others; documents that one question joins go together.
"""

from collections import defaultdict

from testset.generation.finishing import splits_of
from testset.golden.golden_set import GoldenSet
from testset.golden.item import GoldenItem

__all__ = ["shared_documents", "with_splits"]


def with_splits(golden: GoldenSet, *, seed: int = 7) -> tuple[GoldenItem, ...]:
    """Return the items of a set in "dev" (about a fifth of the documents) or "test".

    A document is drawn by a hash of the seed and its id, so that documents that are added leave
    the others where they were, unless a question joins them. Items without evidence belong to no
    document and go to "test".
    """
    splits = splits_of([item.doc_ids for item in golden if item.doc_ids], seed)
    return tuple(
        item.model_copy(update={"split": splits[item.doc_ids[0]] if item.doc_ids else "test"})
        for item in golden
    )


def shared_documents(golden: GoldenSet) -> tuple[str, ...]:
    """Return the documents that have questions in more than one split; none should.

    Example:
        >>> shared_documents(GoldenSet(()))
        ()
    """
    found: dict[str, set[str]] = defaultdict(set)
    for item in golden:
        for doc_id in item.doc_ids:
            found[doc_id] |= {item.split} - {""}
    return tuple(sorted(doc_id for doc_id, splits in found.items() if len(splits) > 1))
