"""Anchoring: where in a document does a quote stand?

A model's quote is looked for as it is, then with marks, widths and white space evened out, then
by edit distance. What is found is cut from the document, so that the gold is the document's own
text, whatever the model made of it.
"""

import unicodedata
from typing import Literal, NamedTuple

from rapidfuzz.fuzz import partial_ratio_alignment

__all__ = ["Anchor", "locate"]

LEAST = 0.9
"""Similarity from which a stretch counts as the quote."""
SHORTEST_FUZZY = 12
"""Characters: shorter quotes are like too much."""

_EVEN = str.maketrans({"“": '"', "”": '"', "„": '"', "«": '"', "»": '"', "‘": "'", "’": "'"})
_DASHES = str.maketrans(dict.fromkeys("‐‑‒–—−", "-"))


class Anchor(NamedTuple):
    """Where a quote was found, and how closely."""

    start: int
    end: int
    how: Literal["exact", "normalised", "fuzzy"]


def locate(quote: str, text: str, *, start: int = 0, end: int | None = None) -> Anchor | None:
    """Return the place of a quote in `text[start:end]`, or `None` if it is not there.

    Args:
        quote: Words that should stand there; blank ones stand nowhere.
        text: The document.
        start: Where to begin looking.
        end: Where to stop; the end of the text if not given.

    Example:
        >>> locate("the  “red” pump", 'See the "red" pump.')
        Anchor(start=4, end=18, how='normalised')
        >>> locate("a blue vent", "See the red pump.") is None
        True
    """
    stretch, wanted = text[start:end], quote.strip()
    if not wanted:
        return None
    found = stretch.find(wanted)
    if found >= 0:
        return Anchor(start + found, start + found + len(wanted), "exact")
    even, places = _evened(stretch)
    wanted = _evened(wanted)[0].strip()
    found = even.find(wanted) if wanted else -1
    if found >= 0:
        return _anchor(places, found, found + len(wanted), start, "normalised")
    if len(wanted) < SHORTEST_FUZZY or len(even) < LEAST * len(wanted):
        return None
    near = partial_ratio_alignment(wanted, even, score_cutoff=100 * LEAST)
    if near is None or near.dest_end - near.dest_start < LEAST * len(wanted):
        return None
    low, high = _whole_words(even, near.dest_start, near.dest_end)
    return _anchor(places, low, high, start, "fuzzy")


def _anchor(
    places: list[int], low: int, high: int, start: int, how: Literal["normalised", "fuzzy"]
) -> Anchor:
    return Anchor(start + places[low], start + places[high - 1] + 1, how)


def _evened(text: str) -> tuple[str, list[int]]:
    """Return a text with widths, marks, case and blanks evened, and where each character was."""
    characters: list[str] = []
    places: list[int] = []
    for place, character in enumerate(text):
        plain = unicodedata.normalize("NFKC", character.translate(_EVEN).translate(_DASHES))
        for part in plain.casefold():
            part = " " if part.isspace() else part
            if part == " " and characters and characters[-1] == " ":
                continue
            characters.append(part)
            places.append(place)
    return "".join(characters), places


def _whole_words(text: str, low: int, high: int) -> tuple[int, int]:
    """Widen a stretch to the ends of its words, and leave out blanks around it."""
    while low and _joins(text[low - 1], text[low]):
        low -= 1
    while high < len(text) and _joins(text[high - 1], text[high]):
        high += 1
    while low < high and text[low] == " ":
        low += 1
    while high > low and text[high - 1] == " ":
        high -= 1
    return low, high


def _joins(left: str, right: str) -> bool:
    return left.isalnum() and right.isalnum() and left.isascii() and right.isascii()
