"""Frames: what a speaker puts around a statement and does not state, as in "I know that …"."""

import re

from llamaindex_rag_eval.judge.rules.subjects import finite_verb, subject_of

__all__ = ["unframed"]

_DOUBT = re.compile(
    r"^(?:i(?:'m| am) (?:not|n't) (?:\w+ )?(?:sure|certain)"
    r"|i (?:do not|don't|did not|didn't|have not|haven't|have never|'ve never)(?: \w+)?)"
    r"(?: [^,.;]{0,60})?\s*,?\s*but\s+",
    re.IGNORECASE,
)
_KNOWING = re.compile(
    r"^(?:(?:and|but|so|yes|yeah|no|well)\s+)?"
    r"(?:i|we) (?:do |did |also |just |only |actually |definitely |all |both )*"
    r"(?:know|knew|read|heard|hear|see|learned)\s+(?P<that>that\s+)?",
    re.IGNORECASE,
)
_FEWEST_WORDS = 3
_VERB_WITHIN = 5
"""Words among which a statement without "that" has its verb."""


def unframed(statement: str) -> str:
    """Return a statement without the doubt before it and the knowing around it.

    Only what is left as a statement of its own loses its frame: "I know the answer" keeps it.

    Example:
        >>> unframed("I'm not sure, but I do know that the lock was built in 1890.")
        'the lock was built in 1890.'
        >>> unframed("I know a lot about it.")
        'I know a lot about it.'
    """
    plain = _DOUBT.sub("", statement, count=1)
    if len(plain.split()) < _FEWEST_WORDS:
        return statement
    found = _KNOWING.match(plain)
    rest = plain[found.end() :] if found else ""
    words = rest.split()
    if found is None or len(words) < _FEWEST_WORDS:
        return plain
    verb = any(finite_verb(word) for word in words[1:_VERB_WITHIN])
    return rest if found["that"] or subject_of(rest) or verb else plain
