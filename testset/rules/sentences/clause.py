"""The clause record: what a sentence says, by its parts, and where each part stands.

A pattern of a language's table reads it off a sentence; the names of its groups are the parts.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from testset.corpus.plain import Block, PlainView

__all__ = ["Clause", "Part", "Sentence", "clause_of"]

_TAIL = " .。;；,，、:：!！"


class Part(NamedTuple):
    """A part of a clause: its text, and where it stands in the plain text of the document."""

    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of a plain view.

    Attributes:
        text: Its text.
        start: Its first character in the plain text.
        block: The block that it stands in.
        ended: Whether it ends with the mark of one.
    """

    text: str
    start: int
    block: Block
    ended: bool

    @property
    def said(self) -> str:
        """The text without the mark at its end."""
        return self.text.rstrip(_TAIL)

    @property
    def end(self) -> int:
        """One past its last character in the plain text."""
        return self.start + len(self.text)

    def raw_span(self, view: PlainView) -> tuple[int, int]:
        """Return the part of the raw text that shows it."""
        return view.raw_span(self.start, self.end)


@dataclass(frozen=True, slots=True)
class Clause:
    """What a sentence says.

    Attributes:
        sentence: Where it says so.
        start: Where it begins in the sentence.
        parts: Name of a part, as "subject", "object", "time", "number" or "reason" -> the part.
    """

    sentence: Sentence
    start: int
    parts: Mapping[str, Part]

    def text_of(self, name: str) -> str:
        """Return the text of a part, or of the whole clause; empty for a part it lacks."""
        if name == "sentence":
            return self.sentence.text[self.start :]
        part = self.parts.get(name)
        return part.text if part is not None else ""


def clause_of(sentence: Sentence, pattern: re.Pattern[str], opening: int) -> Clause | None:
    """Return the clause that a pattern reads off a sentence; `None` if it does not fit.

    Args:
        sentence: The sentence.
        pattern: Reads all of it; its groups name the parts.
        opening: Characters at its start that say nothing, as "However, ".
    """
    match = pattern.fullmatch(sentence.said, opening)
    if match is None:
        return None
    parts: dict[str, Part] = {}
    for name, found in match.groupdict().items():
        if found:
            start = sentence.start + match.start(name) + len(found) - len(found.lstrip())
            plain = found.strip().rstrip(_TAIL)
            parts[name] = Part(plain, start, start + len(plain))
    return Clause(sentence, opening, parts)
