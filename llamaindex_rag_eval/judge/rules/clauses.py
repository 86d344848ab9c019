"""Clauses: the parts of a sentence that state something on their own."""

import re

from llamaindex_rag_eval.judge.rules.subjects import finite_verb, subject_of, with_subject
from llamaindex_rag_eval.judge.rules.tokens import is_cjk

__all__ = ["clauses_of"]

_STRONG = re.compile(r"\s*[;；]\s*")
_COORDINATION = re.compile(r",?\s+(?:and|but|while|whereas|und|aber|während)\s+", re.IGNORECASE)
_CJK_COORDINATION = re.compile(r"(?<=が)、|，(?=但是?|而且|并且|同时|然而)")
_OPENS_CLAUSE = re.compile(
    r"(?:the|a|an|this|these|those|its|his|her|their|it|he|she|they|we|there|der|die|das|ein|eine|"
    r"er|sie|es|[A-ZÄÖÜ][^\s]*)\s",
)
_LONGEST_CUT = 2_000
"""Characters from which a sentence stays whole: nobody wrote it as one."""
_FEWEST_WORDS = 3
_FEWEST_CHARACTERS = 4


def clauses_of(sentence: str) -> list[str]:
    """Return the clauses of a sentence, each with its subject where it shares one.

    A sentence is cut at semicolons, and at "and", "but", "while" where a finite verb or a
    subject with one follows. Where no rule is safe it stays whole.

    Example:
        >>> clauses_of("Ada was born in Kyoto and died in Rome.")
        ['Ada was born in Kyoto', 'Ada died in Rome.']
        >>> clauses_of("It sells tea and coffee.")
        ['It sells tea and coffee.']
    """
    if len(sentence) > _LONGEST_CUT:
        return [sentence]
    parts = [part for part in _STRONG.split(sentence) if part.strip()]
    if is_cjk(sentence):
        return [clause for part in parts for clause in _cjk_clauses(part)] or [sentence]
    found: list[str] = []
    subject = ""
    for part in parts:
        whole = with_subject(part[0].upper() + part[1:] if found else part, subject)
        subject = subject_of(whole) or subject
        found += _coordinated(whole, subject)
    return found or [sentence]


def _first_subject(right: str) -> bool:
    """Tell whether a part has a subject of its own, be it a pronoun."""
    words = right.split()
    return bool(subject_of(right)) or finite_verb(words[1])


def _cjk_clauses(part: str) -> list[str]:
    cut = [piece for piece in _CJK_COORDINATION.split(part) if piece]
    return cut if all(len(piece) >= _FEWEST_CHARACTERS for piece in cut) else [part]


def _coordinated(part: str, subject: str) -> list[str]:
    """Cut at each coordination that a clause of its own follows."""
    found: list[str] = []
    start = 0
    for match in _COORDINATION.finditer(part):
        left, right = part[start : match.start()], part[match.end() :]
        if len(left.split()) < _FEWEST_WORDS or len(right.split()) < _FEWEST_WORDS:
            continue
        if _OPENS_CLAUSE.match(right) and _first_subject(right):
            found.append(left)
            start = match.end()
        elif subject and finite_verb(right.split()[0]) and subject_of(left):
            found.append(left)
            part = f"{part[: match.end()]}{subject} {right}"
            start = match.end()
            return [*found, *_coordinated(part[start:], subject)]
    return [*found, part[start:]]
