"""Hard negatives: passages that a search finds for a question, and that do not answer it."""

from collections.abc import Iterable, Mapping

from testset.checks.draft import Draft
from testset.corpus.folding import places_of
from testset.corpus.index import CorpusIndex
from testset.golden.item import HardNegative

MOST = 5
"""Hard negatives of an item: as many passages as a retriever usually shows."""


def hard_negatives(
    draft: Draft, numbers: Iterable[int], index: CorpusIndex
) -> tuple[HardNegative, ...]:
    """Return passages as hard negatives, those that the deployed retriever found first.

    Args:
        draft: The question, with what the deployed retriever finds for it.
        numbers: Passages that were read and do not answer it, best first.
        index: The passages.
    """
    ranks = {number: rank for rank, number in enumerate(draft.retrieved)}
    ordered = sorted(dict.fromkeys(numbers), key=lambda number: ranks.get(number, len(ranks)))
    negatives = []
    for number in ordered[:MOST]:
        passage = index.passages[number]
        by = draft.hits.by if draft.hits and number in ranks else index.searched_by
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

    They stand there if their words do, however the lines are wrapped.

    Args:
        texts: Document id -> text, as it is now.
        negatives: The hard negatives, as they stood.
    """
    negatives_left = []
    for entry in negatives:
        text = texts.get(entry.doc_id, "")
        unchanged = text[entry.start : entry.end] == entry.quote
        span = (entry.start, entry.end) if unchanged else next(places_of(entry.quote, text), None)
        if span is not None:
            start, end = span
            update = {"start": start, "end": end, "quote": text[start:end]}
            negatives_left.append(entry.model_copy(update=update))
    return tuple(negatives_left)
