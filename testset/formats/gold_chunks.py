"""Gold chunks: which chunks of the documents hold the evidence, for tools that judge chunks.

A chunk holds a span when it covers at least half of it; where none does, because the span is
longer than any chunk, the one that covers most of it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from testset.corpus.chunks import CHUNK_SIZE, chunks_of
from testset.corpus.documents import Corpus
from testset.golden.item import GoldenItem, GoldSpan

__all__ = ["GoldChunk", "chunks_by_document", "relevant"]

COVERED = 0.5


@dataclass(frozen=True, slots=True)
class GoldChunk:
    """A chunk; its id is the one that `exact_nodes` gives the same chunk."""

    id: str
    title: str
    text: str
    doc_id: str
    start: int
    end: int


def chunks_by_document(
    corpus: Corpus, *, chunk_size: int = CHUNK_SIZE
) -> dict[str, tuple[GoldChunk, ...]]:
    """Return the chunks of each document, at exact offsets."""
    return {
        document.doc_id: tuple(
            GoldChunk(
                f"{document.doc_id}#{chunk.start}-{chunk.end}",
                document.title,
                chunk.text,
                document.doc_id,
                chunk.start,
                chunk.end,
            )
            for chunk in chunks_of(document.text, chunk_size=chunk_size)
        )
        for document in corpus.documents
    }


def relevant(
    item: GoldenItem, chunks: Mapping[str, Sequence[GoldChunk]]
) -> tuple[tuple[str, ...], ...]:
    """Return the ids of the chunks that hold the evidence, groups as in `gold`."""
    groups = (
        tuple(
            dict.fromkeys(
                name for span in group for name in _holding(span, chunks.get(span.doc_id, ()))
            )
        )
        for group in item.gold
    )
    return tuple(group for group in groups if group)


def _holding(span: GoldSpan, chunks: Sequence[GoldChunk]) -> list[str]:
    shares = {
        chunk.id: (min(chunk.end, span.end) - max(chunk.start, span.start)) / len(span.quote)
        for chunk in chunks
        if chunk.start < span.end and span.start < chunk.end and span.quote
    }
    held = [name for name, share in shares.items() if share >= COVERED]
    return held or [name for name in shares if shares[name] == max(shares.values())][:1]
