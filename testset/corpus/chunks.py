"""Chunks with exact offsets: `document[start:end] == chunk`, also where a text repeats itself.

LlamaIndex's own splitters look each chunk up in the document by its text, so a repeated text gets
the place of its first occurrence; here the place follows from the cutting itself.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.judge.rules.sentences import sentence_spans

CHUNK_SIZE = 1024
"""Default size of a chunk, in characters."""

_BLANK_LINES = re.compile(r"\n[^\S\n]*\n\s*")


@dataclass(frozen=True, slots=True)
class Chunk:
    """A stretch of a document: characters `start` (included) to `end` (excluded)."""

    start: int
    end: int
    text: str


def chunks_of(text: str, *, chunk_size: int = CHUNK_SIZE, overlap: int = 0) -> list[Chunk]:
    """Cut a text into chunks that end at sentence ends and lie at exact offsets.

    Args:
        text: The text; an empty or blank one has no chunks.
        chunk_size: Most characters in a chunk. A sentence that is longer is cut.
        overlap: How many characters the next chunk may repeat, in whole sentences.

    Raises:
        InputError: `chunk_size` is below 1, or `overlap` is not in [0, chunk_size).

    Example:
        >>> [chunk.text for chunk in chunks_of("One two. Three. Four five.", chunk_size=16)]
        ['One two. Three.', 'Four five.']
    """
    if chunk_size < 1 or not 0 <= overlap < chunk_size:
        raise InputError(
            f"expected chunk_size >= 1 and 0 <= overlap < chunk_size, "
            f"got chunk_size={chunk_size!r}, overlap={overlap!r}"
        )
    parts = _parts(text, chunk_size)
    chunks: list[Chunk] = []
    first = 0
    while first < len(parts):
        last = first
        while last + 1 < len(parts) and parts[last + 1][1] - parts[first][0] <= chunk_size:
            last += 1
        start, end = parts[first][0], parts[last][1]
        chunks.append(Chunk(start, end, text[start:end]))
        following = last + 1
        while following - 1 > first and _may_repeat(
            parts, following - 1, last, overlap, chunk_size
        ):
            following -= 1
        first = following
    return chunks


def _may_repeat(
    parts: Sequence[tuple[int, int]], first: int, last: int, overlap: int, size: int
) -> bool:
    """Return whether the next chunk may repeat the parts from `first` to `last`.

    They must not be longer than `overlap`, and leave room for the part that follows.
    """
    if last + 1 >= len(parts) or parts[last][1] - parts[first][0] > overlap:
        return False
    return parts[last + 1][1] - parts[first][0] <= size


def _parts(text: str, size: int) -> list[tuple[int, int]]:
    """Return the places of the sentences, those longer than `size` cut."""
    spans: list[tuple[int, int]] = []
    for low, high in _paragraphs(text):
        for start, end in sentence_spans(text[low:high]):
            spans.extend(_cut(text, low + start, low + end, size))
    return spans


def _paragraphs(text: str) -> list[tuple[int, int]]:
    """Return the places of the paragraphs, so that no sentence spans a blank line."""
    paragraphs, start = [], 0
    for match in _BLANK_LINES.finditer(text):
        paragraphs.append((start, match.start()))
        start = match.end()
    return [
        (low, high) for low, high in [*paragraphs, (start, len(text))] if text[low:high].strip()
    ]


def _cut(text: str, start: int, end: int, size: int) -> list[tuple[int, int]]:
    """Cut a stretch into parts of at most `size`, at white space where there is some."""
    parts: list[tuple[int, int]] = []
    while end - start > size:
        blank = max(
            text.rfind(" ", start + 1, start + size), text.rfind("\n", start + 1, start + size)
        )
        cut = blank if blank > start + size // 2 else start + size
        parts.append((start, cut))
        start = cut
        while start < end and text[start].isspace():
            start += 1
    if start < end:
        parts.append((start, end))
    return parts
