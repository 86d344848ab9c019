"""Who "he" is, what "it" is, which one "the bridge" is: names told in the sentences just before.

Only where no second name could be meant; the evidence then begins where the name is told.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

from testset.rules.english.names import is_person
from testset.rules.english.verbs import participles, verb_of

__all__ = ["Told", "goes_on", "named_again"]

_NAME = r"[A-Z][\w'’.-]*[\w](?: [A-Z][\w'’.-]*[\w]){0,3}"
_FRONT = r"^(?P<front>(?:In|On|By|Since|Until) [\w ,]{3,20}, )?"
_HE = re.compile(rf"{_FRONT}(?P<pronoun>[Hh]e|[Ss]he)(?= [a-z])")
_IT = re.compile(rf"{_FRONT}(?P<pronoun>[Ii]t)(?= (?P<verb>[a-z]+) (?P<next>[a-z]+))")
_THE = re.compile(r"^The (?P<noun>[a-z]+)(?= (?P<verb>[a-z]+) )")
_EMPTY_IT = re.compile(r"^It [^,]*\b(?:that|to [a-z]+|whether|who|when|because|if)\b")
_PLACE_OR_TIME = re.compile(
    r"\b(?:in|at|from|near|of|to|on|for|the|by) (?:the )?[A-Z][\w'’.-]*(?: (?:of )?[A-Z][\w'’.-]*)*"
)
_HELPING = frozenset({"is", "was", "has", "had"})


class Told(NamedTuple):
    """What a clause told of its subject, and where its sentence stands."""

    subject: str
    verb: str
    rest: str
    start: int
    end: int


def named_again(text: str, start: int, earlier: Sequence[Told]) -> tuple[str, int] | None:
    """Return a sentence with the name for its pronoun, and where that name is told.

    `None` if it is unsure who or what is meant. `earlier` is what the sentences before it tell.

    Example:
        >>> told = Told("Ely Hall", "is", "a tall bridge of stone", 0, 30)
        >>> named_again("It was built in 1901.", 31, [told])
        ('Ely Hall was built in 1901.', 0)
        >>> named_again("The bridge was built in 1901.", 80, [told])
        ('Ely Hall was built in 1901.', 0)
        >>> told = Told("Ada Quill", "met", "Nora Reed", 0, 30)
        >>> named_again("She died in 1901.", 31, [told]) is None
        True
    """
    if not earlier:
        return None
    if match := _THE.match(text):
        return _of_kind(text, match["noun"], earlier)
    last, pronoun = earlier[-1], _HE.match(text) or _IT.match(text)
    if pronoun is None or start - last.end > 1:
        return None
    name, front = _meant(pronoun["pronoun"].lower(), last, text), pronoun["front"] or ""
    if not name:
        return None
    name = name if front else f"{name[:1].upper()}{name[1:]}"
    return f"{front}{name}{text[pronoun.end() :]}", last.start


def _meant(pronoun: str, last: Told, text: str) -> str:
    """Return the name that a pronoun stands for; empty if unsure."""
    if pronoun != "it":
        return _person(last)
    return last.subject if _is_topic(last) and _refers(text) else ""


def goes_on(text: str) -> bool:
    """Return whether a sentence speaks on of the person before, and names nobody else.

    Example:
        >>> goes_on("His hens were white."), goes_on("His friend Ada Reed rowed.")
        (True, False)
    """
    return re.match(r"(?:He|She|His|Her) ", text) is not None and not _names_another(text[4:])


def _person(last: Told) -> str:
    """Return the name that a subject is, if no other name is told that could be a person's."""
    if not re.fullmatch(_NAME, last.subject) or _names_another(last.rest):
        return ""
    if re.search(r"\b(?:he|him|she|her|his)\b", last.rest):
        return ""
    return last.subject


def _names_another(rest: str) -> bool:
    return re.search(r"[A-Z]", _PLACE_OR_TIME.sub("", rest)) is not None or (
        re.search(r"\b(?:of|by|for|to) [A-Z][a-z]+ [A-Z]", rest) is not None
    )


def _is_topic(last: Told) -> bool:
    """Return whether a clause introduces its subject, a thing with a name, and names no other."""
    if not re.search(r"[A-Z]", last.subject) or is_person(last.subject):
        return False
    if re.search(r"s$|\band\b", last.subject) or last.verb not in {"is", "was"}:
        return False
    return not _names_another(last.rest) and not re.search(r"\b(?:who|which|that)\b", last.rest)


def _refers(text: str) -> bool:
    match = _IT.match(text)
    if match is None or _EMPTY_IT.match(text):
        return False
    if match["verb"] in _HELPING:
        return match["next"] in participles() or match["next"] in {"a", "an", "the"}
    return verb_of(match["verb"]) is not None


def _of_kind(text: str, noun: str, earlier: Sequence[Told]) -> tuple[str, int] | None:
    """Return the sentence with the only name that is said to be of a kind, or tells that it is."""
    kind = re.compile(
        rf"(?:an?|the) (?:[\w'’-]+ ){{0,4}}?{noun}\b(?=$|[,.]| (?:of|in|on|at|by|that|which|with|"
        r"for|from|near|built|founded)\b)"
    )
    found = {
        told.subject: told.start
        for told in earlier
        if re.search(r"[A-Z]", told.subject) and _tells(told, noun, kind)
    }
    if len(found) != 1:
        return None
    (name, start), rest = found.popitem(), text[len(f"The {noun}") :]
    return f"{name[:1].upper()}{name[1:]}{rest}", start


def _tells(told: Told, noun: str, kind: re.Pattern[str]) -> bool:
    if re.search(rf" {noun.capitalize()}$", told.subject):
        return True
    return told.verb in {"is", "was"} and kind.match(told.rest) is not None
