"""German pronouns: "Er" is the subject of the sentence before, where nothing else there fits."""

import re

from testset.rules.german.clause import Clause
from testset.rules.german.names import is_place, only_names
from testset.rules.german.persons import ACTS, is_role
from testset.rules.german.verbs import is_finite, is_plural

__all__ = ["with_names"]

_LONGEST_NAME = 6
"""Words of a name that is put into a question."""
_FARTHEST = 600
"""Characters from the sentence with the name to the end of that with the pronoun."""
_OPENS = re.compile(r"(?P<who>Er|Sie|Es) (?P<verb>[a-zäöüß]+) ")
_BEHIND = re.compile(
    r"(?P<front>(?:Im|In|Am|An|Ab|Seit|Nach|Vor|Bis|Von|Zu|Mit|Auf|Bei|Ende|Anfang|Mitte|\d{4})\b"
    r"[^,]*?) (?P<verb>[a-zäöüß]+) (?P<who>er|sie) "
)
_OWNED = re.compile(r"(?P<owner>Seine?|Ihre?) (?P<noun>[A-ZÄÖÜ][\wäöüß-]+ (?P<verb>[a-zäöüß]+) )")
_OTHERS = {
    "er": re.compile(r"\b(?:einen|den|jeden|keinen) "),
    "sie": re.compile(r"\b(?:eine|die|keine) "),
    "es": re.compile(r"\b(?:ein|das|kein) "),
}
"""What the pronoun may stand for beside the subject: an object of its gender."""
_ARTICLES = {"er": "Der ", "sie": "Die ", "es": "Das "}
_OPENED = re.compile(r", (?:dass|ob|was|wenn|wie)\b|, (?!um\b)[^,]*\bzu \w+n\b")
_NOBODY = frozenset({"gibt", "gab", "handelt", "handelte", "kommt", "kam", "gilt", "scheint"})
"""Verbs whose "es" stands for nothing."""


def with_names(text: str, before: Clause | None, *, start: int, end: int) -> str:
    """Return a sentence with the name its pronoun stands for; empty if that is not told.

    Args:
        text: The sentence.
        before: The clause before it.
        start: Where the sentence begins in the document.
        end: One past where it ends.
    """
    if before is None or not _beside(before, start, end):
        return ""
    for pattern in (_OPENS, _BEHIND):
        match = pattern.match(text)
        if match and is_finite(match["verb"]) and _fits(match["who"].lower(), match, before):
            expletive = match["who"] == "Es" and (match["verb"] in _NOBODY or _OPENED.search(text))
            return "" if expletive else _put(text, match, before)
    owned = _OWNED.match(text)
    if owned and is_finite(owned["verb"]) and _person(before):
        return f"{_genitive(before.front)} {text[owned.start('noun') :]}"
    return ""


def _put(text: str, match: re.Match[str], before: Clause) -> str:
    name = before.front if match["who"][0].isupper() else before.subject
    return f"{text[: match.start('who')]}{name}{text[match.end('who') :]}"


def _beside(before: Clause, start: int, end: int) -> bool:
    """Return whether a clause with a name stands directly before a sentence."""
    gap = before.text[before.sentence.end : start]
    near = not gap.strip() and gap.count("\n") < 2 and end - before.sentence.start < _FARTHEST
    told = before.named and before.names > 0 and not before.adverbial and not before.generic
    return near and told and len(before.front.split()) <= _LONGEST_NAME


def _fits(who: str, match: re.Match[str], before: Clause) -> bool:
    """Return whether a pronoun agrees with the subject before it, and with nothing else there."""
    several = is_plural(match["verb"])
    if several != is_plural(before.verb) or (several and who != "sie"):
        return False
    if not several and not (before.front.startswith(_ARTICLES[who]) or _bare_fits(who, before)):
        return False
    if not several and match["verb"] in ACTS and _person(before):
        return True
    said = before.tail if before.verb in {"ist", "war"} else f"{before.rest} {before.tail}"
    return not _OTHERS[who].search(f"{said} ")


def _bare_fits(who: str, before: Clause) -> bool:
    """Return whether a name without an article can be of a gender."""
    if not before.bare or not only_names(before.front, before.text):
        return False
    place = is_place(before.front, before.text)
    code = re.search(r"[a-z\d][A-Z]|[A-Z]{2}", before.front) is not None
    return place or code if who == "es" else not place and not code


def _person(before: Clause) -> bool:
    """Return whether a clause tells of one person with a name."""
    if not before.bare or is_plural(before.verb) or " und " in before.front:
        return False
    does = before.verb in ACTS or is_role(before.rest) or before.rest.endswith(" geboren")
    named = only_names(before.front, before.text) and not is_place(before.front, before.text)
    return named and does and not before.front.isupper()


def _genitive(name: str) -> str:
    """Return a name as an owner.

    Example:
        >>> _genitive("Nora Quill"), _genitive("Max")
        ('Nora Quills', 'Max’')
    """
    return name + ("’" if name[-1] in "sxzß" else "s")
