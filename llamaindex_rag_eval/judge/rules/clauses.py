"""Clauses: the parts of a sentence that state something on their own, and their subjects."""

import re

from llamaindex_rag_eval.judge.rules.tokens import is_cjk
from llamaindex_rag_eval.judge.rules.vocabulary import pattern_of, words_of

_SEMICOLON = re.compile(r"\s*[;；]\s*")
_COORDINATION = pattern_of("coordination", r",?\s+{}\s+")
_CJK_COORDINATION = re.compile(r"(?<=が)、|，(?=但是?|而且|并且|同时|然而)")
_OPENS_CLAUSE = pattern_of("opens_clause", r"(?:{}|[A-ZÄÖÜ][^\s]*)\s", re.NOFLAG)
_LONGEST_CUT = 2_000
"""Characters from which a sentence stays whole: nobody wrote it as one."""
_FEWEST_WORDS = 3
"""Words that each side of a coordination must have to be a clause."""
_FEWEST_CHARACTERS = 4
"""The same for Chinese and Japanese, in characters."""
_LONGEST_SUBJECT = 8
"""Words before the verb up to which they are taken for the subject."""

_WORD = re.compile(r"[^\s,;:()]+")
_NEUTER, _PERSONAL = frozenset(words_of("neuter")), frozenset(words_of("personal"))
_PRONOUNS = "|".join([*_NEUTER, *_PERSONAL, *words_of("several")])
_PRONOUN = re.compile(rf"(?P<pronoun>{_PRONOUNS})\s+(?P<rest>(?P<verb>[^\W\d_]+)\b.*)", re.S)
ARTICLES = frozenset(words_of("articles"))
_FINITE_VERBS = frozenset(words_of("verbs"))
_NEVER_OPENS_SUBJECT = frozenset(words_of("no_subject"))


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
    parts = [part for part in _SEMICOLON.split(sentence) if part.strip()]
    if is_cjk(sentence):
        return [clause for part in parts for clause in _cjk_clauses(part)] or [sentence]
    found: list[str] = []
    subject = ""
    for part in parts:
        whole = with_subject(part[0].upper() + part[1:] if found else part, subject)
        subject = subject_of(whole) or subject
        found += _coordinated_clauses(whole, subject)
    return found or [sentence]


def _cjk_clauses(part: str) -> list[str]:
    pieces = [piece for piece in _CJK_COORDINATION.split(part) if piece]
    return pieces if all(len(piece) >= _FEWEST_CHARACTERS for piece in pieces) else [part]


def _coordinated_clauses(part: str, subject: str) -> list[str]:
    """Cut at each coordination that a clause of its own follows."""
    found: list[str] = []
    start = 0
    for match in _COORDINATION.finditer(part):
        left, right = part[start : match.start()], part[match.end() :]
        if len(left.split()) < _FEWEST_WORDS or len(right.split()) < _FEWEST_WORDS:
            continue
        if _OPENS_CLAUSE.match(right) and _has_subject(right):
            found.append(left)
            start = match.end()
        elif subject and is_finite_verb(right.split()[0]) and subject_of(left):
            found.append(left)
            return [*found, *_coordinated_clauses(f"{subject} {right}", subject)]
    return [*found, part[start:]]


def _has_subject(clause: str) -> bool:
    """Return whether a clause has a subject of its own, be it a pronoun."""
    return bool(subject_of(clause)) or is_finite_verb(clause.split()[1])


def subject_of(sentence: str) -> str:
    """Return the words before the first finite verb, if they are likely the subject, or "".

    Example:
        >>> subject_of("The old lock was built in 1890."), subject_of("In 1890 it was built.")
        ('The old lock', '')
    """
    for position, match in enumerate(_WORD.finditer(sentence)):
        if position == 0 and match.group().casefold() in _NEVER_OPENS_SUBJECT:
            return ""
        if position > _LONGEST_SUBJECT:
            return ""
        if position and is_finite_verb(match.group()):
            subject = sentence[: match.start()].strip()
            return "" if re.search(r"[,;:()]", subject) else subject
    return ""


def is_finite_verb(word: str) -> bool:
    """Return whether a word is one of the common finite verbs of English or German."""
    return word.casefold() in _FINITE_VERBS


def with_subject(sentence: str, subject: str) -> str:
    """Put the subject of the sentence before in the place of a leading pronoun.

    "It" takes any subject, "he" and "she" only a name, "they" none: too often it means several
    things named apart.

    Example:
        >>> with_subject("It is red.", "The lock"), with_subject("He left.", "The lock")
        ('The lock is red.', 'He left.')
    """
    found = _PRONOUN.match(sentence)
    if not subject or found is None or not is_finite_verb(found["verb"]):
        return sentence
    is_name = bool(re.fullmatch(r"(?:[A-ZÄÖÜ][^\s]*\s*){1,4}", subject))
    has_article = subject.split()[0] in ARTICLES
    if found["pronoun"] in _NEUTER or (
        found["pronoun"] in _PERSONAL and is_name and not has_article
    ):
        return f"{subject} {found['rest']}"
    return sentence
