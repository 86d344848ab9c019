"""Gold hits: which of the retrieved contexts hold the gold evidence of a sample?

Three ways, the first that the sample allows: by the place of each context in its document; for
a context whose place is not known, by how much of a gold quote its text holds; without gold
spans, by the ids of the contexts.

A context that was retrieved again (the same id, or the same text at the same place) is dropped, and
what follows it moves up: rank k is the k-th distinct context, for every metric.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from llamaindex_rag_eval.data.sample import SingleTurnSample, Span
from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.formulas import (
    Gain,
    SpanHits,
    dcg,
    distinct,
    gains_by_id,
    hits_by_rank,
    ndcg_at_k,
    relevant_count,
    top,
)
from llamaindex_rag_eval.formulas import Span as Place

__all__ = ["Hits", "gold_hits", "holds"]


@dataclass(frozen=True, slots=True)
class Hits:
    """The gains of retrieved and gold items, as ranking measures take them.

    Attributes:
        relevance: The gain of each retrieved item, in rank order; a repetition gains nothing.
        useful: 1 for each retrieved item with gold evidence, also one found before, else 0.
        gold: The gain of each item that should be retrieved; empty without gold.
        needed: How many gold groups or gold ids there are.
        by: How contexts were compared with the gold: by `span` or by `id`.
        unknown: Whether there are neither places to compare nor quotes to look for.
        spans: Which gold groups each context hits, where they were compared by span.
    """

    relevance: tuple[float, ...]
    useful: tuple[float, ...]
    gold: tuple[float, ...]
    needed: int
    by: str
    unknown: bool = False
    spans: SpanHits | None = None

    def ndcg(self, *, k: int | None, gain: Gain) -> float | None:
        """Return the DCG of the first `k` contexts over the highest that they could have."""
        if self.spans is None:
            return ndcg_at_k(self.relevance, self.gold, k=k, gain=gain)
        ideal = self.spans.ideal_dcg(k=k, gain=gain)
        return dcg(top(self.relevance, k), gain=gain) / ideal if ideal else None


def gold_hits(sample: SingleTurnSample, *, share: float = 0.5) -> Hits:
    """Return the gain of each retrieved context of a sample.

    Args:
        sample: With `gold` and `contexts`, or `reference_context_ids` and `context_ids`.
        share: The share of a gold span's characters that a context must hold, in (0, 1].

    Raises:
        InputError: The share is out of range, or a gold span is empty.

    Example:
        >>> ids = {"context_ids": ("x", "a"), "reference_context_ids": ("a", "b")}
        >>> gold_hits(SingleTurnSample(**ids)).relevance
        (0.0, 1.0)
    """
    if sample.has("contexts") and (sample.gold or not sample.reference_context_ids):
        return _by_span(sample, share)
    grades = sample.reference_gains or [1.0] * len(sample.reference_context_ids)
    gold = dict(zip(sample.reference_context_ids, grades, strict=True))
    gains = gains_by_id(sample.context_ids, gold)
    worth = tuple(gold.values())
    return Hits(gains, gains, worth, relevant_count(worth), by="id")


def _by_span(sample: SingleTurnSample, share: float) -> Hits:
    """Return the hits by place in the documents, and by quote for contexts of unknown place."""
    if not 0 < share <= 1:
        raise InputError(f"coverage must be above 0 and at most 1, got {share!r}")
    known = (*sample.context_spans, *([None] * len(sample.contexts)))
    items = distinct(list(zip(sample.texts, known, strict=False)))
    documents = {span.doc_id for group in sample.gold for span in group}
    places = [
        _place(span, documents) if span else (f"\0 no place {rank}", 0, 0)
        for rank, (_, span) in enumerate(items)
    ]
    gold = [[(s.doc_id, s.start, s.end) for s in group] for group in sample.gold]
    by_rank = [
        hit if span else _groups_in(text, sample.gold, share)
        for (text, span), hit in zip(items, _hits(places, gold, share), strict=True)
    ]
    hits = SpanHits(by_rank=tuple(by_rank), groups=len(gold))
    quoted = any(span.quote.strip() for group in sample.gold for span in group)
    blind = bool(items) and not quoted and not any(span for _, span in items)
    return Hits(hits.relevance, hits.useful, hits.gold, hits.groups, "span", blind, hits)


def _hits(
    places: Sequence[Place], gold: Sequence[Sequence[Place]], share: float
) -> list[frozenset[int]]:
    """Return the groups that each place hits; two texts at one place have the same."""
    found = hits_by_rank(places, gold, threshold=share).by_rank
    by_place = dict(zip(distinct(places), found, strict=True))
    return [by_place[place] for place in places]


def _place(span: Span, documents: set[str]) -> Place:
    """Return the span under the document id that the gold uses for it.

    Pipelines name a document by its whole path where the gold has the path inside its folder.
    """
    doc_id = span.doc_id.replace("\\", "/")
    same = [name for name in documents if doc_id == name or doc_id.endswith(f"/{name}")]
    return (max(same, key=len, default=doc_id), span.start, span.end)


def _groups_in(text: str, gold: Sequence[Sequence[Span]], share: float) -> frozenset[int]:
    """Return the numbers of the gold groups of which the text holds a quote."""
    return frozenset(
        number
        for number, group in enumerate(gold)
        if any(holds(text, span.quote, share=share) for span in group)
    )


def holds(text: str, quote: str, *, share: float = 0.5) -> bool:
    """Return whether a text holds at least this share of a quote in one piece.

    White space counts as one blank. An empty quote is in no text.

    Args:
        text: Where to look.
        quote: What to look for.
        share: Of the quote's characters, in (0, 1].

    Example:
        >>> holds("… the Nile is 6,650 km long", "The Nile is 6,650 km long.", share=0.9)
        True
        >>> holds("The Nile.", "The Nile is 6,650 km long.", share=0.9)
        False
    """
    wanted, found = " ".join(quote.split()), " ".join(text.split())
    size = max(1, math.ceil(share * len(wanted)))
    pieces = (wanted[start : start + size] for start in range(len(wanted) - size + 1))
    return any(piece in found for piece in pieces)
