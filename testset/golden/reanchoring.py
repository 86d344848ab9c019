"""Re-anchoring: where a gold span stands after its document was edited, moved or renamed.

A quote that occurs more than once is the one whose surroundings are most like those that were
kept with it; of equal ones, the one nearest to where it stood.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from rapidfuzz.distance import Postfix, Prefix
from rapidfuzz.fuzz import ratio

from testset.corpus.documents import Corpus, SourceDocument
from testset.golden.spans import locate
from testset.golden.item import GoldSpan

__all__ = ["Found", "How", "reanchored"]

How = Literal["same", "exact", "normalised", "fuzzy"]

LONG = 24
"""Characters from which a quote is hardly found by chance; shorter ones need their surroundings."""
ALIKE = 60.0
"""Likeness (of 100) of the text on one side from which surroundings are the same."""
ADJACENT = 10
"""Characters around a quote that, unchanged, make its surroundings the same."""


@dataclass(frozen=True, slots=True)
class Found:
    """Where a span stands now.

    Attributes:
        span: The span, cut from the document as it is.
        how: "same" if neither its place nor its quote changed; else how it was found.
        sure: Whether the same quote stands in the same surroundings, so that nothing need be
            checked again.
    """

    span: GoldSpan
    how: How
    sure: bool


def reanchored(span: GoldSpan, corpus: Corpus) -> Found | None:
    """Return where a span stands now; `None` if it stands nowhere.

    Its own document is searched first: for the quote, then with its surroundings, then for what
    is nearly the quote. Other documents are searched for the quote as it is; for what is nearly
    it only where its own document is gone, as a renamed one is.
    """
    own = next((entry for entry in corpus.documents if entry.doc_id == span.doc_id), None)
    if own is not None:
        if own.text[span.start : span.end] == span.quote:
            fresh = _cut(own, span.start, span.end)
            if own.hash == span.doc_hash or _alike(span, fresh):
                return Found(fresh, "same", sure=True)
        found = _exact(span, own) or _near(span, own)
        if found is not None:
            return found
    others = [entry for entry in corpus.documents if entry.doc_id != span.doc_id]
    elsewhere = [found for entry in others if (found := _exact(span, entry)) is not None]
    if not elsewhere and own is None:
        elsewhere = [found for entry in others if (found := _near(span, entry)) is not None]
    return max(elsewhere, key=lambda found: _order(span, found.span), default=None)


def _exact(span: GoldSpan, document: SourceDocument) -> Found | None:
    """Return the occurrence of the quote in the most similar surroundings."""
    version = document.hash
    fresh = [
        GoldSpan.cut(document.doc_id, version, document.text, start, start + len(span.quote))
        for start in _occurrences(span.quote, document.text)
    ]
    if not fresh:
        return None
    best = max(fresh, key=lambda entry: _order(span, entry))
    alike = _alike(span, best)
    if not alike and len(span.quote) < LONG:
        return None
    return Found(best, "exact", sure=alike)


def _near(span: GoldSpan, document: SourceDocument) -> Found | None:
    """Return what is nearly the quote: inside what is nearly its surroundings, if there are any."""
    whole = span.prefix + span.quote + span.suffix
    around = locate(whole, document.text)
    low, high = (around.start, around.end) if around is not None else (0, len(document.text))
    place = locate(span.quote, document.text, start=low, end=high)
    if place is None and around is not None:
        place = locate(span.quote, document.text)
    if place is None:
        return None
    fresh = _cut(document, place.start, place.end)
    if len(span.quote) < LONG and not _alike(span, fresh):
        return None
    return Found(fresh, place.how, sure=False)


def _occurrences(quote: str, text: str) -> Iterator[int]:
    start = text.find(quote) if quote else -1
    while start >= 0:
        yield start
        start = text.find(quote, start + 1)


def _cut(document: SourceDocument, start: int, end: int) -> GoldSpan:
    return GoldSpan.cut(document.doc_id, document.hash, document.text, start, end)


def _alike(old: GoldSpan, new: GoldSpan) -> bool:
    return max(_sides(old, new)) >= ALIKE or _adjacent(old, new) >= ADJACENT


def _order(old: GoldSpan, new: GoldSpan) -> tuple[int, float, int]:
    """Return by what one place is better than another: what touches the quote counts first."""
    return _adjacent(old, new), sum(_sides(old, new)), -abs(new.start - old.start)


def _sides(old: GoldSpan, new: GoldSpan) -> tuple[float, float]:
    """Return how alike the texts before and after are, each in [0, 100]."""
    return ratio(old.prefix, new.prefix), ratio(old.suffix, new.suffix)


def _adjacent(old: GoldSpan, new: GoldSpan) -> int:
    """Return how many characters next to the quote are the same, on both sides together."""
    before = Postfix.similarity(old.prefix, new.prefix)
    return before + Prefix.similarity(old.suffix, new.suffix)
