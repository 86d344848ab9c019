"""Evidence as a reviewer sees it: the text around gold spans, in pieces, marked or not."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

from testset.golden.item import GoldenItem, GoldSpan

__all__ = ["Piece", "Shown", "evidence_of"]

AROUND = 1500
"""Characters shown before the first and after the last mark of a document."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of text, and the group of the evidence it belongs to: 0 if to none."""

    text: str
    group: int = 0


@dataclass(frozen=True, slots=True)
class Shown:
    """What is shown of one document.

    Attributes:
        doc_id: Which.
        pieces: Its text in order; what is left out between marks far apart is "…".
        exact: Whether every quote stands at its offsets. Where it does not, or where the document
            is not at hand, quotes are shown with the surroundings that were kept with them.
    """

    doc_id: str
    pieces: tuple[Piece, ...]
    exact: bool


def evidence_of(item: GoldenItem, texts: Mapping[str, str]) -> tuple[Shown, ...]:
    """Return the evidence of an item, one entry a document, in the order of the groups."""
    found: dict[str, list[tuple[int, GoldSpan]]] = defaultdict(list)
    for number, group in enumerate(item.gold, 1):
        for span in group:
            found[span.doc_id].append((number, span))
    return tuple(_shown(doc_id, spans, texts.get(doc_id)) for doc_id, spans in found.items())


def _shown(doc_id: str, spans: list[tuple[int, GoldSpan]], text: str | None) -> Shown:
    if text is None or any(text[span.start : span.end] != span.quote for _, span in spans):
        kept = [
            piece
            for number, span in spans
            for piece in (
                Piece(f"…{span.prefix}"),
                Piece(span.quote, number),
                Piece(f"{span.suffix}…\n"),
            )
        ]
        return Shown(doc_id, tuple(kept), exact=False)
    return Shown(doc_id, tuple(_pieces(spans, text)), exact=True)


def _pieces(spans: list[tuple[int, GoldSpan]], text: str) -> list[Piece]:
    """Cut a text at the ends of spans; of two that overlap, the first keeps what both have."""
    ordered = sorted(spans, key=lambda entry: (entry[1].start, entry[1].end))
    place = max(0, ordered[0][1].start - AROUND)
    pieces = [Piece("…")] if place else []
    for number, span in ordered:
        start = max(span.start, place)
        if start - place > 2 * AROUND:
            pieces += [Piece(text[place : place + AROUND]), Piece("\n…\n")]
            place = start - AROUND
        pieces += [Piece(text[place:start]), Piece(text[start : span.end], number)]
        place = max(place, start, span.end)
    end = min(len(text), place + AROUND)
    pieces += [Piece(text[place:end]), Piece("…" if end < len(text) else "")]
    return [piece for piece in pieces if piece.text]
