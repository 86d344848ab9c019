"""Near misses: a question with one name changed for another, so that no document answers it.

Only proposed here; the check `unanswerable` proves that no passage answers before one is kept.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from testset.rules.candidate import Candidate

__all__ = ["name_of", "swapped"]

_NAME = {
    "en": re.compile(r"(?<= )(?<!the )(?<!an )(?<![A-Z] )[A-Z][\w'’-]{2,}(?: [A-Z][\w'’-]+)*"),
    "de": re.compile(
        r"(?<= )(?<!der )(?<!die )(?<!das )(?<!dem )(?<!den )(?<!\w[rn] )"
        r"[A-ZÄÖÜ][\w'’-]{2,} [A-ZÄÖÜ][\w'’-]+(?: [A-ZÄÖÜ][\w'’-]+)*"
    ),
    "ja": re.compile(r"[ァ-ヶー]{3,}(?:・[ァ-ヶー]+)*"),
}
# Chinese names have no borders that a pattern could see, so none are changed there.
LESS = 0.2
"""Taken off, as a swap may give an odd question."""


def name_of(question: str, language: str) -> str:
    """Return the longest name in a question; empty if there is none, or no rule for it.

    Example:
        >>> name_of("When did Nora Quill visit Lynn?", "en")
        'Nora Quill'
    """
    pattern = _NAME.get(language)
    names = [match.group() for match in pattern.finditer(question)] if pattern else []
    return max(names, key=len, default="")


def swapped(candidate: Candidate, name: str, others: Sequence[str]) -> Iterator[Candidate]:
    """Yield the question about the first other name of as many words; it claims no evidence."""
    words = len(name.split())
    for other in others:
        if other != name and len(other.split()) == words and other not in candidate.question:
            question = candidate.question.replace(name, other)
            yield replace(
                candidate,
                question=question,
                answer="The documents do not say.",
                quality=candidate.quality - LESS,
                rule=f"{candidate.rule}.swapped",
                type="unanswerable",
            )
            return
