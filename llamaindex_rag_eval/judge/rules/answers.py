"""Short answers: claims of the form "Where is it? Paris", yes and no, and alternatives."""

import re
from dataclasses import dataclass, replace
from functools import lru_cache

from llamaindex_rag_eval.judge.rules.lexicon import without_negations
from llamaindex_rag_eval.judge.rules.phrases import polarity_of
from llamaindex_rag_eval.judge.rules.profile import Profile, profile_of
from llamaindex_rag_eval.judge.rules.tokens import terms

_FORM = re.compile(r"(?P<question>[^\n]*?[?？])\s+(?P<answer>[^?？]+)", re.DOTALL)
_DISAMBIGUATION = re.compile(r"\s*\([^()]*\)$")
_ONE_THING = re.compile(
    r"(?:^|[\s(:])[~.]{0,2}/\w|://|\w/[\w./-]*\.\w{2,4}\b|\d/\d|\d ?\w{1,4}/\w{1,3}\b"
    r"|\b[A-Z]{1,5}/[A-Z]{1,5}\b|\bkm/h|\bm/s|\+/-"
)
"""A path, an address, a date, a measure as "80 km/h", or short forms: its slash parts nothing."""
_MANY = 4
"""Slashes from which an answer of several words is a list of names for one thing."""
_LONGEST_FORM = 12
"""Words up to which the parts between slashes are taken for names of one thing."""
_LONGEST_CLAIM = 10_000
"""Characters of question and answer up to which a claim may be one."""
_MOST_FORMS = 60
"""Forms of an answer that are compared; lists of aliases may be far longer."""


@dataclass(frozen=True, eq=False, slots=True)
class ShortAnswer:
    """An answer that only its question makes a claim.

    Attributes:
        question: The question.
        names: The answer, in each of its alternative forms; at least one.
    """

    question: Profile
    names: tuple[Profile, ...]


@lru_cache(maxsize=4_096)
def short_answer(claim: str) -> ShortAnswer | None:
    """Return a claim as question and answer, or None if it does not have that form.

    Example:
        >>> found = short_answer("Which share index? Nikkei/Nikkei 225 (index)")
        >>> [name.text for name in found.names]
        ['Nikkei', 'Nikkei 225']
    """
    form = _FORM.fullmatch(claim.strip()) if len(claim) <= _LONGEST_CLAIM else None
    if form is None:
        return None
    names = tuple(profile_of(each) for each in answer_forms(form["answer"]) if terms(each))
    return ShortAnswer(profile_of(form["question"]), names) if names else None


@lru_cache(maxsize=4_096)
def yes_or_no(claim: str) -> Profile | None:
    """Return what "yes" or "no" to a question states, or None if it does not have that form.

    Example:
        >>> yes_or_no("Is the lock red? No").negated, yes_or_no("Is it? In Kyoto")
        (1, None)
    """
    form = _FORM.fullmatch(claim.strip()) if len(claim) <= _LONGEST_CLAIM else None
    says_yes = polarity_of(form["answer"]) if form else None
    if form is None or says_yes is None or form["answer"].split()[1:]:
        return None
    statement = profile_of(form["question"])
    if says_yes:
        return statement
    said = without_negations(statement.text) if statement.negated else f"not {statement.text}"
    return replace(statement, said=said)


def answer_forms(answer: str) -> tuple[str, ...]:
    """Return the alternatives of an answer that are written with slashes, or the answer alone.

    A slash parts no path, address, date, measure or pair of short forms: "/etc/hosts", "km/h" and
    "TCP/IP" are one answer each.

    Example:
        >>> answer_forms("Nikkei/Nikkei 225 (index)"), answer_forms("soft / weich")
        (('Nikkei', 'Nikkei 225'), ('soft', 'weich'))
        >>> answer_forms("/etc/hosts"), answer_forms("2.6 A +/- 0.1 A"), answer_forms("80 km/h")
        (('/etc/hosts',), ('2.6 A +/- 0.1 A',), ('80 km/h',))
    """
    parts = [part.strip() for part in answer.split(" / ")]
    many = answer.count("/") >= _MANY and " " in answer
    if len(parts) == 1 and (many or not _ONE_THING.search(answer)):
        parts = [part.strip() for part in answer.split("/") if part.strip()]
    if not all(parts) or any(len(part.split()) > _LONGEST_FORM for part in parts if not many):
        return (answer.strip(),)
    plain = (_DISAMBIGUATION.sub("", part) for part in parts[:_MOST_FORMS])
    return tuple(dict.fromkeys(part for part in plain if part))
