"""Windows: a long source in pieces that a model can read, each of whole sentences."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from llamaindex_rag_eval.judge.rules.sentences import sentence_spans

Count = Callable[[Sequence[str]], list[int]]
"""Texts -> the number of tokens of each."""

OVERLAP = 0.25
"""Share of a window that the next one repeats, so that neighbouring sentences are read together."""


@dataclass(frozen=True, slots=True)
class Window:
    """Some consecutive sentences of a source.

    Attributes:
        source: The number of the source, from 0.
        text: The sentences, as they stand in the source.
        sentences: Each of them.
        tokens: How long it is, at most.
        lead: What is shown before it: a question that it answers.
    """

    source: int
    text: str
    sentences: tuple[str, ...]
    tokens: int
    lead: str = ""

    @property
    def shown(self) -> str:
        """What a model is shown."""
        return f"{self.lead} {self.text}" if self.lead else self.text


def windows_of(text: str, count: Count, room: int, source: int = 0) -> list[Window]:
    """Return overlapping windows of at most `room` tokens that together hold every sentence.

    Example:
        >>> def count(texts):
        ...     return [len(text.split()) for text in texts]
        >>> [window.text for window in windows_of("It is so. Now. It was so.", count, 6)]
        ['It is so. Now.', 'Now. It was so.']
    """
    spans = _spans(text, list(sentence_spans(text)), count, room)
    tokens = _tokens(text, spans, count)
    windows, first, last = [], 0, 0
    while last < len(spans):
        last = first + 1
        while last < len(spans) and sum(tokens[first : last + 1]) <= room:
            last += 1
        sentences = tuple(text[start:end] for start, end in spans[first:last])
        part = text[spans[first][0] : spans[last - 1][1]]
        windows.append(Window(source, part, sentences, sum(tokens[first:last])))
        first = _next_start(tokens, first, last, room)
    return windows


def _next_start(tokens: Sequence[int], first: int, last: int, room: int) -> int:
    """Return the sentence that the next window begins with.

    At least one sentence is repeated, and as many as `OVERLAP` holds, if the next window can then
    still go further than this one.
    """
    ahead = sum(tokens[last : last + 1])
    starts = [n for n in range(first + 1, last) if sum(tokens[n:last]) + ahead <= room]
    within = [n for n in starts if sum(tokens[n:last]) <= OVERLAP * room]
    return min(within or starts[-1:], default=last)


def _tokens(text: str, spans: Sequence[tuple[int, int]], count: Count) -> list[int]:
    # A sentence may have a token more beside its neighbours than alone.
    return [number + 1 for number in count([text[start:end] for start, end in spans])]


def _spans(
    text: str, spans: Sequence[tuple[int, int]], count: Count, most: int
) -> list[tuple[int, int]]:
    """Return spans of at most so many tokens; a longer one is cut near its middle, at a space."""
    short: list[tuple[int, int]] = []
    for (start, end), number in zip(spans, _tokens(text, spans, count), strict=True):
        if number <= most or end - start < 2:
            short.append((start, end))
            continue
        middle = (start + end) // 2
        spaces = (text.rfind(" ", start + 1, middle), text.find(" ", middle, end - 1))
        space = min((n for n in spaces if n >= 0), key=lambda n: abs(n - middle), default=None)
        halves = [(start, space or middle), (space + 1 if space else middle, end)]
        short += _spans(text, halves, count, most)
    return short
