"""German, how many: "Der Regler VT-240 hat vier Zonen" -> "Wie viele Zonen hat der ...?"."""

import re
from collections.abc import Iterator

from testset.rules.german.asking import asked
from testset.rules.german.clause import Clause
from testset.rules.german.closed_classes import PREPOSITIONS
from testset.rules.german.names import names_in
from testset.rules.german.words import listed
from testset.rules.passage_candidate import Candidate

__all__ = ["counted_behind", "counted_subjects", "counts", "existing", "measures", "shares"]

_ABOUT = (
    r"(?:(?:[Ee]twa|[Rr]und|[Üü]ber|[Ff]ast|[Mm]ehr als|[Uu]ngefähr|[Nn]ur|[Kk]napp|[Ii]nsgesamt|"
    r"[Mm]indestens|[Hh]öchstens|[Bb]is zu|[Ss]chätzungsweise|[Gg]enau|[Ww]eniger als) )?"
)
_FIGURE = (
    r"(?:\d[\d.,]*(?: (?:Millionen|Milliarden))?|[Zz]wei|[Dd]rei|[Vv]ier|[Ff]ünf|[Ss]echs|"
    r"[Ss]ieben|[Aa]cht|[Nn]eun|[Zz]ehn|[Ee]lf|[Zz]wölf|[Zz]wanzig|[Hh]undert)"
)
_UNIT = (
    r"(?!(?:Prozent|Jahr|Tag|Uhr|Mal\b|Monat|Woche|Stunde|Minute|Sekunde|Meter|Kilometer|Meile|"
    r"Grad|Euro|Dollar|Pfund|Tonne|Kilogramm|Gramm|Hektar|Quadrat|Liter|Millionen|Milliarden|"
    r"Januar|Februar|März|April|Mai|Juni|Juli|August|September|Oktober|November|Dezember))"
)
_COUNT = rf"(?P<answer>{_ABOUT}{_FIGURE} (?P<noun>(?:[a-zäöüß]+e )?{_UNIT}[A-ZÄÖÜ][\wäöüß-]+))"
_OBJECT = re.compile(
    r"^(?P<when>(?:(?:im Jahre? )?(?:1\d|20)\d\d |(?:in|im|am|bei|pro) [^\d,]+ )?)"
    rf"{_COUNT}(?P<after>(?: (?:in|im|an|am|auf|aus|für|mit|bei|pro|zu|zur|zum|nach|von|über|"
    r"unter|gegen) [^,\d]+)?(?: [a-zäöüß]+)?)$"
)
_YEAR = re.compile(r"^(?:1\d|20)\d\d ")
_SUBJECT = re.compile(rf"^{_COUNT}(?P<whole>(?: .+)?)$")
_SHARE = re.compile(
    rf"^(?P<answer>{_ABOUT}\d[\d,.]* ?(?:%|Prozent)) (?P<whole>(?:der|des|aller|von) .+)$"
)
_INNER_SHARE = re.compile(
    rf"^(?P<before>(?:(?:im|in|am|bei|seit) [^,%]+ )?)(?P<answer>{_ABOUT}\d[\d,.]* ?(?:%|Prozent)) "
    r"(?P<whole>(?:der|des|aller) [^,\d]+)$"
)
_NO_COUNT = listed("ist sind war waren wird werden wurde wurden kostet kostete beträgt")


def counts(clause: Clause) -> Iterator[Candidate]:
    """Yield "Wie viele ...?" for the counted object behind the verb."""
    match = _OBJECT.match(clause.rest)
    if match is None or clause.adverbial or not clause.named or clause.verb in _NO_COUNT:
        return
    if _YEAR.match(match["answer"]) or clause.generic:
        return
    question = clause.ask(f"Wie viele {match['noun']}", match["when"] + match["after"].strip())
    yield from asked(clause, question, match["answer"], "numeric", "count", 0.95)


def counted_subjects(clause: Clause) -> Iterator[Candidate]:
    """Yield "Wie viele ...?" for a counted subject."""
    match = _SUBJECT.match(clause.front)
    if match is None or re.search(r"\d", clause.rest) or _YEAR.match(match["answer"]):
        return
    if not names_in(match["whole"] + " " + clause.rest, clause.text):
        return
    question = f"Wie viele {match['noun']}{match['whole']} {clause.verb} {clause.rest}?"
    yield from asked(clause, question, match["answer"], "numeric", "count", 0.92)


_BEHIND = re.compile(rf"^{_COUNT}(?P<after>(?: [^,\d]+)? [a-zäöüß]+(?:t|en))$")


def counted_behind(clause: Clause) -> Iterator[Candidate]:
    """Yield "Wie viele ...?" for a counted subject of a passive, a phrase in front of the verb."""
    match = _BEHIND.match(clause.rest)
    if match is None or not clause.adverbial or clause.verb not in {"wurden", "werden"}:
        return
    first = clause.front.split()[0].lower()
    if first not in PREPOSITIONS or not names_in(f"{clause.front}{match['after']}", clause.text):
        return
    front = clause.front[:1].lower() + clause.front[1:]
    question = f"Wie viele {match['noun']} {clause.verb} {front}{match['after']}?"
    yield from asked(clause, question, match["answer"], "numeric", "count", 0.92)


def shares(clause: Clause) -> Iterator[Candidate]:
    """Yield "Wie viel Prozent ...?"."""
    inner = _INNER_SHARE.match(clause.rest)
    if inner and not clause.adverbial and clause.named:
        question = clause.ask(f"Wie viel Prozent {inner['whole']}", inner["before"])
        yield from asked(clause, question, inner["answer"], "numeric", "share", 0.93)
    match = _SHARE.match(clause.front)
    if match is None or re.search(r"%|Prozent", clause.rest):
        return
    question = f"Wie viel Prozent {match['whole']} {clause.verb} {clause.rest}?"
    yield from asked(clause, question, match["answer"], "numeric", "share", 0.95)


def existing(clause: Clause) -> Iterator[Candidate]:
    """Yield "Wie viele ... gibt es in X?"."""
    pattern = re.compile(rf"^es {_COUNT}(?P<after>(?: [^,\d]+)?)$")
    match = pattern.match(clause.rest)
    if match is None or clause.verb not in {"gibt", "gab"}:
        return
    place = clause.front[:1].lower() + clause.front[1:]
    if not names_in(place, clause.text) or not clause.adverbial:
        return
    question = f"Wie viele {match['noun']}{match['after']} {clause.verb} es {place}?"
    yield from asked(clause, question, match["answer"], "numeric", "exists", 0.93)


_UNITS = (
    r"(?:Metern?|Kilometern?|Zentimetern?|Millimetern?|Meilen|Fuß|km|m|cm|mm|kg|Kilogramm|Tonnen|"
    r"Hektar|Quadratkilometern?|Quadratmetern?|km²|Litern?|Euro|US-Dollar|Dollar|Pfund|Mark|Grad|"
    r"Jahre|%|Prozent|Volt|Watt|Stunden|Minuten|Sekunden|Millionen|Milliarden|°C)"
)
_VALUE = rf"(?P<answer>{_ABOUT}\d[\d.,]*(?: (?:Millionen|Milliarden))? ?{_UNITS}(?: [A-Z][\w-]+)?)"
_MEASURE = re.compile(
    rf"^{_VALUE} (?P<how>lang|hoch|tief|breit|groß|schwer|alt|dick|weit|entfernt)$"
)
_AMOUNTING = frozenset({"beträgt", "betrug", "kostet", "kostete", "kosten", "wiegt", "wog"})
_AMOUNT = re.compile(rf"^{_VALUE}$")


def measures(clause: Clause) -> Iterator[Candidate]:
    """Yield "Wie lang ist X?", "Wie hoch ist X?" and "Wie viel kostet X?"."""
    if not clause.adverbial and clause.named:
        yield from _measured(clause)


def _measured(clause: Clause) -> Iterator[Candidate]:
    match = _MEASURE.match(clause.rest)
    if match and clause.verb in {"ist", "war", "sind", "waren"}:
        question = clause.ask(f"Wie {match['how']}", "")
        yield from asked(clause, question, match["answer"], "numeric", "measure", 0.95)
    amount = _AMOUNT.match(clause.rest)
    if amount and clause.verb in _AMOUNTING:
        question = clause.ask("Wie viel", "")
        yield from asked(clause, question, amount["answer"], "numeric", "measure", 0.95)
