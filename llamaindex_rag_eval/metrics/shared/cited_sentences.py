"""Cited sentences: which sources does each sentence of a response cite?"""

import re
from dataclasses import dataclass

from llamaindex_rag_eval.judge.rules.sentences import sentences

_MARKER = re.compile(r"(?i)\s*[\[【]\s*(?:Source\s*)?(\d{1,3}(?:\s*[,;–-]\s*\d{1,3})*)\s*[\]】]")
"""`[1]`, `[1, 3]`, `[2-4]`, `[Source 1]`, `【1】`."""
_LEADING = re.compile(f"(?i)(?:{_MARKER.pattern.removeprefix('(?i)')})+")
_LONGEST_RANGE = 50
"""Sources that `[1-999]` may stand for at most; more is no citation."""


@dataclass(frozen=True, slots=True)
class CitedSentence:
    """A sentence without its markers.

    Attributes:
        text: The sentence.
        cited: The numbers of the sources it cites, counted from 0, each once.
    """

    text: str
    cited: tuple[int, ...]


def cited_sentences(response: str) -> tuple[CitedSentence, ...]:
    """Return the sentences of a response with the sources that each cites.

    A marker belongs to the sentence it stands in, and after a full stop to the one before it.

    Example:
        >>> [s.cited for s in cited_sentences("It is long [1]. It is blue. [2, 3] It is old.")]
        [(0,), (1, 2), ()]
    """
    found: list[CitedSentence] = []
    for sentence in sentences(response):
        leading = _LEADING.match(sentence)
        if leading and found:
            last = found.pop()
            cited = (*last.cited, *_numbers(leading[0]))
            found.append(CitedSentence(last.text, tuple(dict.fromkeys(cited))))
            sentence = sentence[leading.end() :].strip()
        text = _MARKER.sub("", sentence).strip()
        if text:
            found.append(CitedSentence(text, tuple(dict.fromkeys(_numbers(sentence)))))
    return tuple(found)


def _numbers(text: str) -> list[int]:
    """Return the numbers of the sources that the markers name, counted from 0."""
    numbers: list[int] = []
    for marker in _MARKER.finditer(text):
        for part in re.split(r"\s*[,;]\s*", marker[1]):
            first, *last = (int(number) for number in re.split(r"\s*[–-]\s*", part))
            end = last[0] if last else first
            if end - first < _LONGEST_RANGE:
                numbers.extend(number - 1 for number in range(first, end + 1))
    return numbers
