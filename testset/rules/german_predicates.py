"""German: what a clause says of its subject, asked for one by one.

"Das Haus wurde durch die Stadt erweitert." -> "Wodurch wurde das Haus erweitert?".
"""

import re
from collections.abc import Iterator

from testset.passages import Sentence
from testset.rules.candidate import Candidate, Kind
from testset.rules.german import made

__all__ = ["told_of"]

_NAMED_TWICE = 2


def told_of(sentence: Sentence, subject: str, verb: str, rest: str) -> Iterator[Candidate]:
    """Yield questions for an adjunct, for the object, and for the subject itself."""
    if verb in {"wird", "werden", "wurde", "wurden"} and (match := _CALLED.match(rest)):
        asked = f"Wie {verb} {subject} {match['how']}{match['done']}?"
        yield from made(sentence, asked, match["answer"], "naming", 0.9)
    yield from _adjuncts(sentence, subject, verb, rest)
    yield from _objects(sentence, subject, verb, rest)
    yield from _subjects(sentence, subject, verb, rest)


_CALLED = re.compile(
    r"^(?P<how>(?:(?:auch|oft|manchmal|häufig) )?)(?P<answer>[A-ZÄÖÜ][\w -]{2,40}) "
    r"(?P<done>genannt)$"
)
_PLACE_NAME = (
    r"(?:den |der )?(?:[A-ZÄÖÜ][\wäöüß-]*(?:land|ien|reich|stan|burg|stadt|ika|ropa|schau|"
    r"heim|haus|furt|berg|"
    r"ington|york|asien|ornia|orida|arolina|nton|lin|men|don)|China|Japan|Kanada|Wales|"
    r"Polen|Kenia|Paris|"
    r"Venedig|Texas|Kairo|USA|Rom|Wien)"
)
_ADJUNCTS = (
    (
        re.compile(
            rf"^(?P<before>.*?)\b(?P<answer>(?:in|bei) {_PLACE_NAME})(?P<after> "
            rf"[a-zäöüß]+(?:t|en))?$"
        ),
        "Wo",
    ),
    (
        re.compile(
            r"^(?P<before>.*?)\b(?P<answer>durch [a-zäöü][^,]{5,60}?)(?P<after> "
            r"[a-zäöüß]+(?:t|en))$"
        ),
        "Wodurch",
    ),
    (
        re.compile(r"^(?P<before>)(?P<answer>aufgrund [^,]{5,70}?)(?P<after> [a-zäöüß]+(?:t|en))$"),
        "Warum",
    ),
    (
        re.compile(
            r"^(?P<before>)(?P<answer>in [A-ZÄÖÜ0-9z][^,]{5,60}?)(?P<after> "
            r"(?:unterteilt|aufgeteilt|gegliedert))$"
        ),
        "Worin",
    ),
    (
        re.compile(
            r"^(?P<before>)(?P<answer>aus [^,]{5,60}?)(?P<after> (?:hergestellt|"
            r"gebildet|zusammengesetzt))$"
        ),
        "Woraus",
    ),
    (
        re.compile(
            r"^(?P<before>(?:auch |oft )?)(?P<answer>für [^,]{5,60}?)(?P<after> "
            r"(?:verwendet|genutzt|benutzt|gehalten))$"
        ),
        "Wofür",
    ),
    (
        re.compile(
            r"^(?P<before>(?:auch |oft )?)(?P<answer>mit [^,]{5,60}?)(?P<after> "
            r"[a-zäöüß]+(?:t|en))$"
        ),
        "Womit",
    ),
    (
        re.compile(
            r"^(?P<before>(?:auch |oft |später )?)(?P<answer>nach [A-ZÄÖÜd][^,]{5,60}?)"
            r"(?P<after> benannt)$"
        ),
        "Nach wem",
    ),
)


def _adjuncts(sentence: Sentence, subject: str, verb: str, rest: str) -> Iterator[Candidate]:
    """Yield "Wo ...?", "Wodurch ...?" and the like for an adjunct before the verb's other half."""
    for pattern, opening in _ADJUNCTS:
        match = pattern.match(rest)
        if match is None:
            continue
        body = f"{match['before']} {(match['after'] or '')}".split()
        if opening == "Wo" and (not body or body[0] in {"die", "der", "das", "ein", "eine", "auf"}):
            continue
        if verb in _LINKING and verb not in _PASSIVE and opening != "Wo":
            continue
        kind: Kind = "place" if opening == "Wo" else "factoid"
        asked = " ".join((opening, verb, subject, *body)) + "?"
        yield from made(sentence, asked, match["answer"], kind, 0.87)
        return


_PASSIVE = frozenset({"wird", "werden", "wurde", "wurden", "ist", "sind", "war", "waren"})
_OBJECT = re.compile(
    r"^(?P<answer>(?:(?:[A-ZÄÖÜ](?=[\wäöüß-]+ (?:und|der|des|von|für|aus) ))"
    r"?[a-zäöüß]{4,}e[ns]?|eine[nr]?|ein|die|den|das|mehrere|zahlreiche|verschiedene|"
    r"neue) (?:[a-zäöüß-]+ ){0,3}"
    r"[A-ZÄÖÜ][\wäöüß-]+(?: (?:der|des|von|und|für|zur|zum|mit|in|im|aus|an|über|"
    r"[a-zäöüß]+e[nrms]?|"
    r"[A-ZÄÖÜ][\wäöüß-]+))*)$"
)
_LINKING = frozenset(
    [
        "ist",
        "sind",
        "war",
        "waren",
        "wird",
        "werden",
        "wurde",
        "wurden",
        "gilt",
        "gelten",
        "galt",
        "bleibt",
        "blieb",
        "hatte",
        "hatten",
        "hat",
        "haben",
        "kann",
        "können",
        "konnte",
        "konnten",
        "muss",
        "müssen",
        "soll",
        "sollen",
        "will",
        "wollen",
        "darf",
        "dürfen",
        "begann",
        "sollte",
        "sollten",
        "musste",
        "mussten",
        "wollte",
        "wollten",
        "mochte",
        "durfte",
        "durften",
        "möchte",
        "dauerte",
        "dauert",
        "kostete",
        "kostet",
        "beträgt",
        "betrug",
    ]
)


def _objects(sentence: Sentence, subject: str, verb: str, rest: str) -> Iterator[Candidate]:
    """Yield "Was ...?" for clauses that end in their object."""
    match = _OBJECT.match(rest)
    if match is None or verb in _LINKING or not re.search(r"[A-ZÄÖÜ][\w-]+$", rest):
        return
    if len(rest.split()) < 3:
        return
    yield from made(sentence, f"Was {verb} {subject}?", match["answer"], "factoid", 0.72)


def _subjects(sentence: Sentence, subject: str, verb: str, rest: str) -> Iterator[Candidate]:
    """Yield "Was ...?" or "Wer ...?" for a subject of which much is said."""
    words = rest.split()
    names = sum(word[:1].isupper() for word in words)
    plural = verb.endswith("en") and verb not in {"begannen"}
    if plural or names < _NAMED_TWICE or not 4 <= len(words) <= 12 or verb in {"ist", "war"}:
        return
    article = subject.split()[0] in {"der", "die", "das", "ein", "eine"}
    kind = _KIND.search(subject)
    if not article or kind is None or " und " in subject:
        return
    gender = {"der": "Welcher", "die": "Welche", "das": "Welches"}.get(subject.split()[0])
    if gender is None:
        return
    noun = kind.group()[:1].upper() + kind.group()[1:]
    yield from made(sentence, f"{gender} {noun} {verb} {rest}?", subject, "naming", 0.88)


_KIND = re.compile(
    r"(?:Universität|Vertrag|Gesetz|Krieg|Schlacht|Dynastie|Fluss|Tal|Brücke|Kirche|Museum|"
    r"Bibliothek|Partei|"
    r"Gericht|Rat|Kommission|Parlament|Theorie|Protokoll|Stadt|Schule|Unternehmen|Gesellschaft|"
    r"Verband|Sender|Theorem|Satz|Hurrikan|Insel|Reich|Bank|Zeitung|College|Institut)$",
    re.IGNORECASE,
)
