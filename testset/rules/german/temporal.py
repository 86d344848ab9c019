"""German, when: "Im Jahr 1186 wurde X Khan" -> "In welchem Jahr wurde X Khan?"."""

import re
from collections.abc import Iterator

from testset.rules.german.asking import asked
from testset.rules.german.clause import Clause
from testset.rules.german.names import names_in
from testset.rules.passage_candidate import Candidate, Kind

__all__ = ["durations", "frequencies", "fronted_times", "times"]

MONTHS = "Januar|Februar|März|April|Mai|Juni|Juli|August|September|Oktober|November|Dezember"
_YEAR = r"(?:1\d|20)\d\d"
_SEASON = rf"(?:{MONTHS}|Frühjahr|Frühling|Sommer|Herbst|Winter)"
_DAY = rf"\d{{1,2}}\. (?:{MONTHS})(?: {_YEAR})?"
_TIMES: tuple[tuple[str, str, Kind], ...] = (
    (rf"im Jahre? (?P<answer>{_YEAR})", "In welchem Jahr", "temporal"),
    (rf"am (?P<answer>{_DAY})", "Wann", "temporal"),
    (rf"(?P<answer>(?:im|Anfang|Ende|Mitte) {_SEASON} (?:des Jahres )?{_YEAR})", "Wann", "factoid"),
    (
        r"im (?P<answer>(?:(?:frühen|späten) )?\d{1,2}\. Jahrhundert)",
        "In welchem Jahrhundert",
        "factoid",
    ),
    (
        r"(?P<answer>(?:zu Beginn|am Ende|Anfang|Ende|Mitte) des \d{1,2}\. Jahrhunderts)",
        "Wann",
        "factoid",
    ),
    (
        r"(?P<answer>in den (?:(?:frühen|späten) )?(?:19|18|17|20)?\d0er(?:[ -]Jahre)?n)",
        "Wann",
        "factoid",
    ),
    (r"(?P<answer>im \d{1,2}\. und \d{1,2}\. Jahrhundert)", "Wann", "factoid"),
    (rf"(?P<answer>(?:zwischen {_YEAR} und {_YEAR}|von {_YEAR} bis {_YEAR}))", "Wann", "factoid"),
    (rf"(?P<answer>(?:Anfang|Mitte|Ende|um|gegen) {_YEAR})", "Wann", "factoid"),
    (rf"(?P<answer>ab (?:dem Jahre? |{_SEASON} )?{_YEAR})", "Ab wann", "factoid"),
    (rf"(?P<answer>(?:in den Jahren|von) {_YEAR}(?: und |[-–]| bis ){_YEAR})", "Wann", "factoid"),
    (rf"(?P<answer>seit (?:dem Jahre? |{_SEASON} )?{_YEAR})", "Seit wann", "factoid"),
    (rf"(?P<answer>bis (?:zum Jahre? |{_SEASON} )?{_YEAR})", "Bis wann", "factoid"),
)
_BARE = rf"(?:[Ii]n )?(?P<answer>{_YEAR})"
_ANY_TIME = re.compile(rf"\b(?:{_YEAR}|Jahrhunderts?|\d{{1,2}}\. (?:{MONTHS})|\d0er)\b")
_ATTRIBUTE = re.compile(
    r"\b(?:bis|seit|von|zwischen|vor|nach|ab|für|um|gegen|der|die|das|vom|dem|den|und|mindestens|"
    r"spätestens|frühestens|erst|nur|sowohl|etwa|ungefähr|Version|Ausgabe)$"
)
_EVENT = re.compile(
    r"^(?:Während|Nach|Vor|Seit|Am Ende|Zu Beginn|Im Zuge|Kurz nach|Kurz vor) "
    r"(?:der|des|dem) [A-ZÄÖÜa-z][^,]+$"
)
_FEWEST = 2
_VERB_LIST = frozenset({"gilt", "galt", "gelten"})


def fronted_times(clause: Clause) -> Iterator[Candidate]:
    """Yield a question for the time that opens a sentence; nothing else has to move."""
    if not clause.adverbial or not _tells(clause):
        return
    front = clause.front[:1].lower() + clause.front[1:]
    for pattern, opening, kind in (*_TIMES, (_BARE, "In welchem Jahr", "temporal")):
        match = re.fullmatch(pattern, front)
        if match:
            question = f"{opening} {clause.verb} {clause.rest}?"
            yield from asked(clause, question, match["answer"], kind, "time", 0.95)
            break
    else:
        if _EVENT.match(clause.front) and names_in(clause.front, clause.text):
            question = f"Wann {clause.verb} {clause.rest}?"
            yield from asked(clause, question, clause.front, "factoid", "time", 0.75)


def _tells(clause: Clause) -> bool:
    """Return whether the rest of a clause says enough to be asked when it was."""
    words = clause.rest.split()
    if len(words) < _FEWEST or _ANY_TIME.search(clause.rest) or clause.verb in _VERB_LIST:
        return False
    told = names_in(clause.rest, clause.text) > 0 or words[0][:1].isupper()
    return told and words[0] not in {"sich", "es"}


def times(clause: Clause) -> Iterator[Candidate]:
    """Yield a question for the time inside a clause that begins with its subject."""
    if clause.adverbial or not clause.named or len(clause.rest.split()) < _FEWEST:
        return
    for pattern, opening, kind in (*_TIMES, (_BARE, "In welchem Jahr", "temporal")):
        found = re.search(rf"(?:^|(?<= )){pattern}(?= |$)", clause.rest)
        if found and not (pattern is _BARE and _attached(clause.rest[: found.start()])):
            yield from _when(clause, found, opening, kind)
            break


def _when(clause: Clause, found: re.Match[str], opening: str, kind: Kind) -> Iterator[Candidate]:
    before, after = clause.rest[: found.start()].strip(), clause.rest[found.end() :].strip()
    body = f"{before} {after}".strip()
    said = f"{clause.subject} {body}"
    inside = re.search(r"\b(?:seit|nach|vor|bis|während|bei) \S+", before)
    if clause.verb in {"ist", "sind"} or (inside and re.search(r"[A-ZÄÖÜ]\S*$", before)):
        return
    alone = not body and clause.verb in _HAPPENS and clause.names > 0
    if (
        _VAGUE.fullmatch(body)
        or not (body or alone)
        or _ANY_TIME.search(said)
        or _ATTRIBUTE.search(before)
    ):
        return
    if not alone and not re.search(r"[A-ZÄÖÜ]", body) and not clause.names:
        return
    if clause.generic and not names_in(body, clause.text):
        return
    yield from asked(clause, clause.ask(opening, body), found["answer"], kind, "time", 0.92)


_HAPPENS = frozenset(
    {"erfolgte", "begann", "begannen", "endete", "endeten", "starb", "entstand", "erschien"}
)
"""Verbs that need nothing but their subject and a time."""
_VAGUE = re.compile(r"(?:eine?[nmr]?|die|den|das) [A-ZÄÖÜ][a-zäöüß]+")
"""An object of which so little is said that somebody may have done it more than once."""


def _attached(before: str) -> bool:
    """Return whether a bare year may belong to the noun before it."""
    return bool(before) and re.search(r"\b[a-zäöüß]+ ?$", before) is None


_LASTS = re.compile(
    r"^(?P<answer>(?:etwa |rund |fast |über |mehr als |ungefähr |nur |bis zu )?"
    r"(?:\d[\d.,]*|ein(?:e|en)?|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf) "
    r"(?:bis \d+ )?(?:Jahre?|Monate?|Wochen?|Tage?|Stunden?|Minuten?|Sekunden?))(?P<after>.*)$"
)


_LONG = re.compile(
    r"^(?P<before>(?:[^,]+? )?)(?P<answer>(?:nur |fast |etwa |rund |über |mehr als )?"
    r"(?:\d+|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf) "
    r"(?:Jahre|Monate|Wochen|Tage|Stunden|Minuten) lang)$"
)


def durations(clause: Clause) -> Iterator[Candidate]:
    """Yield "Wie lange dauerte X?" for clauses that say how long something lasts."""
    long = _LONG.match(clause.rest)
    if long and clause.named and not clause.adverbial:
        question = clause.ask("Wie lange", long["before"])
        yield from asked(clause, question, long["answer"], "numeric", "duration", 0.9)
        return
    match = _LASTS.match(clause.rest)
    lasts = clause.verb in {"dauerte", "dauert", "währte", "regierte", "lebte", "bestand"}
    if match is None or clause.adverbial or not clause.named or not lasts:
        return
    question = clause.ask("Wie lange", match["after"])
    yield from asked(clause, question, match["answer"], "numeric", "duration", 0.9)


_SHORT_BODY = 6
_OFTEN = re.compile(
    r"^(?P<before>(?:[^,]+? )?)"
    r"(?P<answer>alle (?:\d+ |zwei |drei |vier |fünf |sechs |sieben |acht |"
    r"zehn )?(?:Jahre|Monate|Wochen|Tage|Stunden|Minuten)|(?:ein|zwei|drei|vier)mal (?:im|pro|am) "
    r"[A-ZÄÖÜ][a-z]+|jährlich|monatlich|wöchentlich|täglich)(?P<after>(?: [^,]+)?)$"
)


def frequencies(clause: Clause) -> Iterator[Candidate]:
    """Yield "Wie oft ...?" for what is done again and again."""
    match = _OFTEN.match(clause.rest)
    if match is None or clause.adverbial or not clause.named:
        return
    body = f"{match['before']}{match['after'].strip()}"
    if " und " in body or len(body.split()) > _SHORT_BODY:
        return
    yield from asked(clause, clause.ask("Wie oft", body), match["answer"], "factoid", "often", 0.9)
