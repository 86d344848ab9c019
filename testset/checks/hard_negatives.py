"""Hard negatives: passages that a search finds for a question, and that do not answer it."""

from collections.abc import Iterable, Mapping

from testset.corpus.deployed import Found
from testset.corpus.index import CorpusIndex
from testset.golden.item import HardNegative

MOST = 5
"""Hard negatives of an item: as many passages as a retriever usually shows."""


def hard_negatives(
    numbers: Iterable[int], index: CorpusIndex, found: Found | None
) -> tuple[HardNegative, ...]:
    """Return passages as hard negatives, those that the deployed retriever found first.

    Args:
        numbers: Passages that were read and do not answer the question, best first.
        index: The passages.
        found: What the deployed retriever found for it, if there is one.
    """
    ranks = {} if found is None else {n: rank for rank, n in enumerate(found.passages)}
    ordered = sorted(dict.fromkeys(numbers), key=lambda number: ranks.get(number, len(ranks)))
    negatives = []
    for number in ordered[:MOST]:
        passage = index.passages[number]
        by = found.by if found is not None and number in ranks else index.searched_by
        start, end = passage.start, passage.end
        quote = passage.document.text[start:end]
        doc_id = passage.document.doc_id
        negatives.append(
            HardNegative(doc_id=doc_id, start=start, end=end, quote=quote, found_by=by)
        )
    return tuple(negatives)


def hard_negatives_in(
    texts: Mapping[str, str], negatives: Iterable[HardNegative]
) -> tuple[HardNegative, ...]:
    """Return those of some hard negatives that still stand in their documents, at their offsets.

    Args:
        texts: Document id -> text, as it is now.
        negatives: The hard negatives, as they stood.
    """
    found = []
    for entry in negatives:
        text = texts.get(entry.doc_id, "")
        unchanged = text[entry.start : entry.end] == entry.quote
        start = entry.start if unchanged else text.find(entry.quote)
        if start >= 0:
            place = {"start": start, "end": start + len(entry.quote)}
            found.append(entry.model_copy(update=place))
    return tuple(found)
