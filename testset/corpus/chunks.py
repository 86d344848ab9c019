"""Chunks with exact offsets: `document[start:end] == chunk`, also where a text repeats itself.

LlamaIndex's own splitters look each chunk up in the document by its text, so a repeated text gets
the place of its first occurrence; here the place follows from the cutting itself.
"""

import re
from dataclasses import dataclass
from itertools import pairwise

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
        start = parts[first][0]
        beyond = (n for n in range(first, len(parts)) if parts[n][1] - start > chunk_size)
        after = next(beyond, len(parts))
        end = parts[after - 1][1]
        chunks.append(Chunk(start, end, text[start:end]))
        # what the next chunk repeats leaves room for the part that follows
        room = max(end - overlap, parts[after][1] - chunk_size) if after < len(parts) else end
        repeated = (n for n in range(first + 1, after) if parts[n][0] >= room)
        first = next(repeated, after)
    return chunks


def _parts(text: str, size: int) -> list[tuple[int, int]]:
    """Return the offsets of the sentences, none over a blank line, those longer than `size` cut."""
    gaps = [match.span() for match in _BLANK_LINES.finditer(text)]
    spans: list[tuple[int, int]] = []
    for (_, low), (high, _) in pairwise([(0, 0), *gaps, (len(text), len(text))]):
        for start, end in sentence_spans(text[low:high]):
            spans.extend(_cut(text, low + start, low + end, size))
    return spans


def _cut(text: str, start: int, end: int, size: int) -> list[tuple[int, int]]:
    """Cut a stretch into parts of at most `size`, at white space where there is some."""
    parts: list[tuple[int, int]] = []
    while end - start > size:
        blank = max(text.rfind(mark, start + 1, start + size) for mark in " \n")
        cut = blank if blank > start + size // 2 else start + size
        parts.append((start, cut))
        start = cut
        while start < end and text[start].isspace():
            start += 1
    if start < end:
        parts.append((start, end))
    return parts
