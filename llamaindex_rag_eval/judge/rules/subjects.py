"""Subjects: what a sentence is about, and sentences that leave it to a pronoun."""

import re
from functools import cache

__all__ = ["finite_verb", "subject_of", "with_subject"]

_VERBS = """
is are was were has had have can could will would may might must should does did became becomes
began begins born built called came comes consists contains covers created died establishes
established features featured founded gave gives goes went held holds helps includes included
introduced joined keeps kept leads led left lies lived lives lost made makes means moved offers
opened owns played plays produced provides published received reached released remained remains
returned runs ran serves served shows showed starred started starts stands stood supports takes took
uses used won works worked writes wrote
ist sind war waren hat hatte haben hatten kann können wird werden wurde wurden liegt bietet enthält
gehört kostet dauert besteht stammt gilt heißt begann starb gewann
"""
_WORD = re.compile(r"[^\s,;:()]+")
_LONGEST_SUBJECT = 8
"""Words before the verb up to which they are taken for the subject."""
_NO_SUBJECT = frozenset(
    [
        "it",
        "he",
        "she",
        "they",
        "this",
        "that",
        "these",
        "those",
        "there",
        "here",
        "i",
        "we",
        "you",
        "who",
        "which",
        "what",
        "in",
        "on",
        "at",
        "by",
        "for",
        "from",
        "with",
        "as",
        "after",
        "before",
        "during",
        "when",
        "while",
        "although",
        "though",
        "because",
        "since",
        "if",
        "once",
        "however",
        "additionally",
        "also",
        "then",
        "thus",
        "therefore",
        "moreover",
        "furthermore",
        "finally",
        "and",
        "but",
        "or",
        "so",
        "yes",
        "no",
        "not",
        "es",
        "er",
        "sie",
        "dies",
        "dieser",
        "diese",
        "dieses",
        "das",
        "ich",
        "wir",
        "ihr",
        "da",
        "dort",
        "hier",
        "in",
        "im",
        "am",
        "auf",
        "bei",
        "mit",
        "nach",
        "vor",
        "seit",
        "wenn",
        "als",
        "weil",
        "obwohl",
        "außerdem",
        "jedoch",
        "dann",
        "und",
        "aber",
        "oder",
    ]
)
_PRONOUN = re.compile(
    r"(?P<pronoun>It|He|She|They|Es|Er|Sie)\s+(?P<rest>(?P<verb>[^\W\d_]+)\b.*)", re.S
)
_PERSONAL = frozenset({"He", "She", "Er", "Sie"})


def finite_verb(word: str) -> bool:
    """Return whether a word is one of the common finite verbs of English or German."""
    return word.casefold() in _verbs()


@cache
def _verbs() -> frozenset[str]:
    return frozenset(_VERBS.split())


def subject_of(sentence: str) -> str:
    """Return the words before the first finite verb, if they are likely the subject, or "".

    Example:
        >>> subject_of("The old lock was built in 1890."), subject_of("In 1890 it was built.")
        ('The old lock', '')
    """
    for position, match in enumerate(_WORD.finditer(sentence)):
        if position == 0 and match.group().casefold() in _NO_SUBJECT:
            return ""
        if position > _LONGEST_SUBJECT:
            return ""
        if position and finite_verb(match.group()):
            subject = sentence[: match.start()].strip()
            return "" if re.search(r"[,;:()]", subject) else subject
    return ""


def with_subject(sentence: str, subject: str) -> str:
    """Put the subject of the sentence before in the place of a leading pronoun.

    "It" takes any subject, "he" and "she" only a name, "they" none: too often it means several
    things named apart.

    Example:
        >>> with_subject("It is red.", "The lock"), with_subject("He left.", "The lock")
        ('The lock is red.', 'He left.')
    """
    found = _PRONOUN.match(sentence)
    if not subject or found is None or not finite_verb(found["verb"]):
        return sentence
    named = bool(re.fullmatch(r"(?:[A-ZÄÖÜ][^\s]*\s*){1,4}", subject))
    articled = subject.split()[0] in {"The", "A", "An", "Der", "Die", "Das", "Ein", "Eine"}
    if found["pronoun"] in {"It", "Es"} or (
        found["pronoun"] in _PERSONAL and named and not articled
    ):
        return f"{subject} {found['rest']}"
    return sentence
