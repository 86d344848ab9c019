"""Windows: a long source in pieces that a model can read, each of whole sentences."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from llamaindex_rag_eval.judge.rules.sentences import sentence_spans

Count = Callable[[Sequence[str]], list[int]]
"""Texts -> the number of tokens of each."""

OVERLAP = 0.25
"""Share of a window that the next one repeats, so that neighbouring sentences are read together."""


@dataclass(frozen=True, slots=True)
class Passage:
    """A source, cut into sentences.

    Attributes:
        text: The source.
        spans: Where each sentence begins and ends.
        tokens: The tokens of each sentence.
    """

    text: str
    spans: tuple[tuple[int, int], ...]
    tokens: tuple[int, ...]


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


def passage_of(text: str, count: Count, most: int) -> Passage:
    """Return a source in sentences of at most so many tokens; a longer one is cut at a space."""
    spans = list(sentence_spans(text))
    # A sentence may have a token more beside its neighbours than alone.
    tokens = [number + 1 for number in count([text[start:end] for start, end in spans])]
    cut: list[tuple[tuple[int, int], int]] = []
    waiting = list(zip(spans, tokens, strict=True))[::-1]
    while waiting:
        (start, end), number = waiting.pop()
        if number <= most or end - start < 2:
            cut.append(((start, end), number))
            continue
        halves = _halves(text, start, end)
        numbers = [one + 1 for one in count([text[first:last] for first, last in halves])]
        waiting.extend(zip(halves[::-1], numbers[::-1], strict=True))
    return Passage(text, tuple(span for span, _ in cut), tuple(number for _, number in cut))


def _halves(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """Return a sentence in two: without the space nearest its middle, else cut in the middle."""
    middle = (start + end) // 2
    spaces = (text.rfind(" ", start + 1, middle), text.find(" ", middle, end - 1))
    found = [place for place in spaces if place >= 0]
    if not found:
        return [(start, middle), (middle, end)]
    place = min(found, key=lambda one: abs(one - middle))
    return [(start, place), (place + 1, end)]


def windows_of(passage: Passage, source: int, room: int) -> tuple[Window, ...]:
    """Return overlapping windows of at most `room` tokens that together hold every sentence.

    Example:
        >>> passage = Passage("A. B. C.", ((0, 2), (3, 5), (6, 8)), (4, 1, 4))
        >>> [window.text for window in windows_of(passage, 0, 5)]
        ['A. B.', 'B. C.']
    """
    windows = []
    first, done, total = 0, 0, len(passage.spans)
    while done < total:
        last, tokens = first, 0
        while last < total and (last == first or tokens + passage.tokens[last] <= room):
            tokens += passage.tokens[last]
            last += 1
        if last > done:
            windows.append(_window(passage, source, first, last))
        done = max(done, last)
        first = _next_start(passage.tokens, first, last, room)
    return tuple(windows)


def _next_start(tokens: Sequence[int], first: int, last: int, room: int) -> int:
    """Return the sentence that the next window begins with.

    At least one sentence is repeated, and as many as `OVERLAP` holds, if the next window can then
    still go further than this one.
    """
    start, repeated = last, 0
    while start - 1 > first and (start == last or repeated + tokens[start - 1] <= OVERLAP * room):
        start -= 1
        repeated += tokens[start]
    ahead = tokens[last] if last < len(tokens) else 0
    while start < last and repeated + ahead > room:
        repeated -= tokens[start]
        start += 1
    return start


def _window(passage: Passage, source: int, first: int, last: int) -> Window:
    spans = passage.spans[first:last]
    text = passage.text[spans[0][0] : spans[-1][1]]
    sentences = tuple(passage.text[start:end] for start, end in spans)
    return Window(source, text, sentences, sum(passage.tokens[first:last]))
