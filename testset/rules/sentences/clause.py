"""The clause record: what a sentence says, by its parts.

A pattern of a language's table reads it off a sentence; the names of its groups are the parts.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from testset.corpus.plain import Block, PlainView

_TAIL = " .。;；,，、:：!！"


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of a plain view.

    Attributes:
        text: Its text; where it begins with a pronoun that the sentence before explains, with the
            name instead.
        start: The first character of what it is read from, in the plain text.
        end: One past the last.
        block: The block that it stands in.
        ended: Whether it ends with the mark of one.
    """

    text: str
    start: int
    end: int
    block: Block
    ended: bool

    @property
    def said(self) -> str:
        """The text without the mark at its end."""
        return self.text.rstrip(_TAIL)

    def raw_span(self, view: PlainView) -> tuple[int, int]:
        """Return the part of the raw text that shows it."""
        return view.raw_span(self.start, self.end)


@dataclass(frozen=True, slots=True)
class Clause:
    """What a sentence says.

    Attributes:
        sentence: Where it says so.
        start: Where it begins in the sentence.
        parts: Name of a part, as "subject", "object", "time", "number" or "reason" -> its text.
    """

    sentence: Sentence
    start: int
    parts: Mapping[str, str]

    def text_of(self, name: str) -> str:
        """Return the text of a part, or of the whole clause; empty for a part it lacks."""
        return self.sentence.text[self.start :] if name == "sentence" else self.parts.get(name, "")


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
    groups = match.groupdict().items()
    return Clause(
        sentence, opening, {name: text.strip().rstrip(_TAIL) for name, text in groups if text}
    )
