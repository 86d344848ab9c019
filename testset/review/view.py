"""What the review page shows of an item: its fields, and the text around its gold spans, marked."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import asdict, dataclass

from testset.golden.item import GoldenItem, GoldSpan

DOUBTS = frozenset({"tagged", "rejected"})
AROUND = 1500
"""Characters shown before the first and after the last mark of a document."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of text, and the number of the gold group it belongs to, from 1; 0 for none."""

    text: str
    group: int = 0


@dataclass(frozen=True, slots=True)
class Excerpt:
    """What is shown of one document.

    Attributes:
        doc_id: The document.
        pieces: Its text in order; "…" where text between distant marks is left out.
        exact: Whether every quote stands at its offsets. Where one does not, or where the document
            is not given, quotes are shown with the context that was kept with them.
    """

    doc_id: str
    pieces: tuple[Piece, ...]
    exact: bool


def summary_of(item: GoldenItem) -> dict[str, object]:
    """Return the fields of an item that the list shows, as JSON."""
    return {
        "id": item.id,
        "question": item.question,
        "type": item.type,
        "topic": item.topic,
        "status": item.status,
        "difficulty": item.difficulty,
        "documents": item.doc_ids,
        "doubts": [name for name, check in item.checks.items() if check.verdict in DOUBTS],
    }


def detail_of(item: GoldenItem, texts: Mapping[str, str]) -> dict[str, object]:
    """Return all fields of an item, and its excerpts, as JSON."""
    excerpts = [asdict(entry) for entry in excerpts_of(item, texts)]
    return {**item.model_dump(mode="json"), "evidence": excerpts}


def excerpts_of(item: GoldenItem, texts: Mapping[str, str]) -> tuple[Excerpt, ...]:
    """Return the gold spans of an item in their documents, in the order of the groups."""
    by_document: dict[str, list[tuple[int, GoldSpan]]] = defaultdict(list)
    for number, group in enumerate(item.gold, 1):
        for span in group:
            by_document[span.doc_id].append((number, span))
    return tuple(
        _excerpt(doc_id, spans, texts.get(doc_id)) for doc_id, spans in by_document.items()
    )


def _excerpt(doc_id: str, spans: list[tuple[int, GoldSpan]], text: str | None) -> Excerpt:
    if text is not None and all(text[span.start : span.end] == span.quote for _, span in spans):
        return Excerpt(doc_id, tuple(_pieces(spans, text)), exact=True)
    quotes: list[Piece] = []
    for number, span in spans:
        quotes += [Piece(f"…{span.prefix}"), Piece(span.quote, number), Piece(f"{span.suffix}…\n")]
    return Excerpt(doc_id, tuple(quotes), exact=False)


def _pieces(spans: list[tuple[int, GoldSpan]], text: str) -> list[Piece]:
    """Cut a text at the ends of spans; of two that overlap, the first keeps what both have."""
    ordered = sorted(spans, key=lambda entry: (entry[1].start, entry[1].end))
    shown_to = max(0, ordered[0][1].start - AROUND)
    pieces = [Piece("…")] if shown_to else []
    for number, span in ordered:
        start = max(span.start, shown_to)
        if start - shown_to > 2 * AROUND:
            pieces += [Piece(text[shown_to : shown_to + AROUND]), Piece("\n…\n")]
            shown_to = start - AROUND
        pieces += [Piece(text[shown_to:start]), Piece(text[start : span.end], number)]
        shown_to = max(shown_to, start, span.end)
    end = min(len(text), shown_to + AROUND)
    pieces += [Piece(text[shown_to:end]), Piece("…" if end < len(text) else "")]
    return [piece for piece in pieces if piece.text]
