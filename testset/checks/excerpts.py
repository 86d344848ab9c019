"""Excerpts: of a passage, what may bear on a question, under its headings, in few words."""

from collections.abc import Iterator
from math import fsum

from llamaindex_rag_eval.judge.rules.sentences import sentences
from llamaindex_rag_eval.judge.rules.tokens import is_cjk
from testset.corpus.index import CorpusIndex, keys_of
from testset.corpus.passages import PROSE, Passage
from testset.corpus.setting import around_block, below

LENGTH = 300
"""Characters of an excerpt, about; a sentence that is longer stays whole."""
CJK = 2
"""Characters that one of Chinese or Japanese counts as."""

_Part = tuple[tuple[str, ...], str]
"""A sentence, a row or a line of code, after the lines without which it is not understood."""


def excerpt(passage: Passage, about: str, index: CorpusIndex, *, length: int = LENGTH) -> str:
    """Return the parts of a passage that share most words with a text, each after its setting.

    The sentence before each comes along where there is room: it says what "it" is. A passage that
    is short enough is returned whole.

    Args:
        passage: The passage.
        about: The question, with its answer if one is known.
        index: Says how rare a word is.
        length: Characters of it, about.
    """
    length //= CJK if is_cjk(passage.text) else 1
    if len(passage.text) <= length:
        return passage.shown
    parts = list(_parts(passage))
    words = set(keys_of(about))
    weights = [fsum(index.bm25.idf(key) for key in words & set(keys_of(p[1]))) for p in parts]
    ranked = sorted(range(len(parts)), key=lambda number: (-weights[number], number))
    chosen: set[int] = set()
    room = length
    for number in ranked:
        for near in (number, number - 1):
            size = len(parts[near][1]) if near >= 0 else room + 1
            if near not in chosen and (size <= room or not chosen):
                chosen.add(near)
                room -= size
    path = " / ".join(passage.path)
    return below((path,) if path else (), "\n".join(_lines(parts, chosen)))


def _parts(passage: Passage) -> Iterator[_Part]:
    """Yield the sentences of prose, rows, and lines of all else, in order."""
    for block in passage.blocks:
        text, around = passage.block_text(block), around_block(block)
        texts = sentences(text) if block.kind in PROSE else text.splitlines()
        yield from ((around, part.strip()) for part in texts if part.strip())


def _lines(parts: list[_Part], chosen: set[int]) -> Iterator[str]:
    """Yield what is chosen, each line of a setting once, and a mark for what is left out."""
    settings: set[str] = set()
    last = -1
    for number in sorted(chosen):
        if number > last + 1:
            yield "…"
        around, text = parts[number]
        lines = [line for line in (*around, text) if line == text or line not in settings]
        settings.update(lines)
        yield from dict.fromkeys(lines)
        last = number
    if last < len(parts) - 1:
        yield "…"
