"""German, where: "Ely Hall liegt in Lynn" -> "Wo liegt Ely Hall?"."""

import re
from collections.abc import Iterator

from testset.rules.german.asking import asked
from testset.rules.german.clause import Clause
from testset.rules.german.closed_classes import points_elsewhere
from testset.rules.german.names import is_place, names_in
from testset.rules.passage_candidate import Candidate

__all__ = ["places"]

_LIES = frozenset({"liegt", "liegen", "lag", "lagen"})
_SITS = frozenset({"befindet", "befinden", "befand", "befanden", "erstreckt", "erstreckte"})
_PLACE = re.compile(
    r"^(?P<answer>(?:in|im|am|an|auf|bei|südlich|nördlich|westlich|östlich|nahe|zwischen|"
    r"unter|über|etwa) .{3,80})$"
)
_INNER = re.compile(
    r"^(?P<before>(?:.+ )?)(?P<answer>in (?:der )?(?P<name>[A-ZÄÖÜ][\wäöüß-]+))"
    r"(?P<after>(?: [a-zäöüß]+(?:t|en))?)$"
)
_NO_PLACE = re.compile(
    r"(?:Lage|Hand|Händen|Besitz|Betracht|Gefahr|Konflikt|Widerspruch|Verdacht|Mittelpunkt|"
    r"Zusammenhang|Verbindung|Verhältnis|Einklang|Konkurrenz|Verfügung|Zentrum des Interesses)\b"
)


def places(clause: Clause) -> Iterator[Candidate]:
    """Yield "Wo ...?" for what lies somewhere, and for what was done in a place with a name."""
    if clause.adverbial:
        yield from _fronted(clause)
    elif clause.named:
        yield from _lying(clause)
        yield from _inner(clause)
        yield from _going(clause)


def _lying(clause: Clause) -> Iterator[Candidate]:
    self, rest = "", clause.rest
    if clause.verb in _SITS and rest.startswith("sich "):
        self, rest = "sich", rest[5:]
    elif clause.verb not in _LIES:
        return
    match = _PLACE.match(rest)
    if match is None or _NO_PLACE.search(rest) or not names_in(rest, clause.text):
        return
    if re.match(r"(?:etwa|über|unter|bei) \d", rest) and "entfernt" not in rest:
        return
    question = " ".join(f"Wo {clause.verb} {self} {clause.subject}".split()) + "?"
    yield from asked(clause, question, match["answer"], "place", "place", 0.93)


_MOTION = frozenset(
    {"zog", "ging", "reiste", "floh", "kehrte", "wanderte", "übersiedelte", "fuhr", "segelte"}
)
_TO = re.compile(
    r"^(?P<when>(?:(?:im Jahre? )?\d{4} )?)(?P<answer>nach [A-ZÄÖÜ][\w-]+)"
    r"(?P<after>(?: [a-zäöü]+)?)$"
)


def _going(clause: Clause) -> Iterator[Candidate]:
    """Yield "Wohin ...?" for who went to a place."""
    match = _TO.match(clause.rest)
    if match is None or clause.verb not in _MOTION:
        return
    question = clause.ask("Wohin", f"{match['when']}{match['after'].strip()}")
    yield from asked(clause, question, match["answer"], "place", "place", 0.9)


def _inner(clause: Clause) -> Iterator[Candidate]:
    match = _INNER.match(clause.rest)
    if match is None or not is_place(match["name"], clause.text):
        return
    body = f"{match['before']}{match['after']}".strip()
    if not body or clause.verb in _LIES or re.search(r"\b(?:der|die|das|dem|den)$", body):
        return
    if not match["after"] and re.search(r"[A-ZÄÖÜ]\S*$", match["before"].strip()):
        return  # the place may belong to the noun before it
    yield from asked(clause, clause.ask("Wo", body), match["answer"], "place", "place", 0.92)


_SITE = re.compile(
    r"^(?:In|Im|An|Am|Auf) .*(?:[Ss]tadt|[Uu]niversität|[Mm]useum|[Rr]egion|[Pp]rovinz|[Ll]and|"
    r"[Ss]taat|[Ii]nsel|[Uu]fer|[Kk]üste|[Hh]afen|[Pp]ark|[Ss]chloss|[Kk]irche|Norden|Süden|"
    r"Osten|Westen|[Zz]entrum|[Bb]ezirk|[Tt]al|[Gg]ebiet|[Ss]traße|[Pp]latz|[Ss]chule)e?s?\b"
)


def _fronted(clause: Clause) -> Iterator[Candidate]:
    match = re.fullmatch(r"In (?:der )?(?P<name>[A-ZÄÖÜ][\wäöüß-]+)", clause.front)
    place = match is not None and is_place(match["name"], clause.text)
    site = _SITE.match(clause.front) is not None and names_in(clause.front, clause.text) > 0
    if not (place or site) or points_elsewhere(clause.front):
        return
    if clause.verb in {"gibt", "gab"} or not names_in(clause.rest, clause.text):
        return
    question = f"Wo {clause.verb} {clause.rest}?"
    yield from asked(clause, question, clause.front, "place", "place", 0.85)
