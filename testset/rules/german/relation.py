"""German, what to: "X besteht aus Y" -> "Woraus besteht X?"; a verb and its own preposition."""

import re
from collections.abc import Iterator

from testset.rules.german.asking import asked
from testset.rules.german.clause import Clause
from testset.rules.german.names import names_in
from testset.rules.passage_candidate import Candidate

__all__ = ["members", "relations"]

_OBLIQUE = (
    (r"besteh(?:t|en)|bestand(?:en)?", "aus", "Woraus"),
    (r"basier(?:t|te|en|ten)|beruh(?:t|te|en|ten)", "auf", "Worauf"),
    (r"stamm(?:t|te|en|ten)", "(?:aus|von)", "Woher"),
    (r"führ(?:t|te|en|ten)", "zu[mr]?", "Wozu"),
    (r"dien(?:t|te|en|ten)", "(?:zu[mr]?|als|dazu)", "Wozu"),
    (r"(?:gehör|zähl)(?:t|te|en|ten)", "zu[mr]?", "Wozu"),
    (r"gilt|gelten|galt(?:en)?", "als", "Als was"),
    (r"führ(?:t|te|en|ten)|verläuft|verlaufen|verlief(?:en)?", "nach", "Wohin"),
    (r"verfüg(?:t|te|en|ten)", "über", "Worüber"),
    (r"sorg(?:t|te|en|ten)", "für", "Wofür"),
    (r"(?:schütz|warn)(?:t|te|en|ten)", "vor", "Wovor"),
    (r"leid(?:et|en)|litt(?:en)?", "unter", "Worunter"),
    (
        r"litt(?:en)?|starb(?:en)?|erkrankte(?:n)?|arbeitete(?:n)?|grenz(?:t|te|en|ten)",
        "an",
        "Woran",
    ),
    (r"eign(?:et|en) sich|eignete(?:n)? sich", "für", "Wofür"),
    (r"(?:konzentrier|spezialisier|beschränk)(?:t|te|en|ten) sich", "auf", "Worauf"),
    (r"beschäftig(?:t|te|en|ten) sich|befass(?:t|te|en|ten) sich", "mit", "Womit"),
    (r"beginn(?:t|en)|begann(?:en)?|end(?:et|ete)", "mit", "Womit"),
    (r"(?:reagier|verzicht|wirk)(?:t|te|en|ten|ete|eten|et)", "auf", "Worauf"),
    (r"verweis(?:t|en)|verwies(?:en)?", "auf", "Worauf"),
    (r"ernähr(?:t|te|en|ten) sich|handel(?:t|te|n|ten)", "von", "Wovon"),
    (r"zeichn(?:et|en|ete|eten) sich", "durch", "Wodurch"),
    (r"entstand(?:en)?|entsteh(?:t|en)", "aus", "Woraus"),
    (r"münd(?:et|en|ete|eten)", "in", "Worin"),
    (r"entwickel(?:te|ten) sich", "zu[mr]?", "Wozu"),
    (r"entwickel(?:te|ten) sich", "aus", "Woraus"),
)
"""Verb, its preposition, and the word that asks for what follows."""
_APART = (
    (r"kann|können|konnten?", "zu[mr]?", "führen", "Wozu"),
    (r"häng(?:t|en)|hing(?:en)?", "von", "ab", "Wovon"),
    (r"setz(?:t|te|en|ten) sich", "aus", "zusammen", "Woraus"),
    (r"geh(?:t|en)|ging(?:en)?", "auf", "zurück", "Worauf"),
    (r"n(?:immt|ehmen|ahm|ahmen)", "an", "teil", "Woran"),
    (r"tr(?:itt|eten|at|aten)", "für", "ein", "Wofür"),
    (r"weis(?:t|en)|wies(?:en)?", "auf", "hin", "Worauf"),
    (r"zeichn(?:et|en|ete|eten) sich", "durch", "aus", "Wodurch"),
)
"""The same for verbs with a second half at the end of their clause."""
_PARTICIPLES = (
    ("in", "unterteilt|aufgeteilt|gegliedert|eingeteilt", "Worin"),
    ("aus", "hergestellt|gebildet|zusammengesetzt|gewonnen|gefertigt", "Woraus"),
    (
        "für",
        "verwendet|genutzt|benutzt|eingesetzt|bekannt|berühmt|verantwortlich|zuständig|"
        "geeignet|benötigt",
        "Wofür",
    ),
    ("mit", "verbunden|ausgestattet|gefüllt|bedeckt|verwandt|geschmückt|versehen", "Womit"),
    ("nach", "benannt", "Wonach"),
    ("als", "bekannt|bezeichnet|angesehen|betrachtet|verwendet|eingestuft", "Als was"),
    ("von", "umgeben|begrenzt|geprägt|abhängig", "Wovon"),
    ("auf", "zurückgeführt|beschränkt|ausgerichtet|spezialisiert", "Worauf"),
    ("über", "gesteuert|konfiguriert|verbunden", "Worüber"),
    ("zu[mr]", "ernannt|gewählt|erklärt|befördert|gekrönt|geweiht|umgebaut|verurteilt", "Wozu"),
)
"""What a participle goes with, for passives and states."""
_BE = r"(?:ist|sind|war|waren|wird|werden|wurde|wurden)"
_HOW = (
    r"(?P<how>(?:(?:oft|häufig|hauptsächlich|überwiegend|allgemein|vor allem|meist|heute|"
    r"[a-zäöüß]+(?:lich|teils|tisch|nisch|wiegend|nell)|"
    r"(?:im Jahre? )?(?:1\d|20)\d\d) )?)"
)
_ANSWER = r"(?:(?!, (?:der|die|das|was|wo|sondern|aber|also|wie|d)\b).){4,110}"


def relations(clause: Clause) -> Iterator[Candidate]:
    """Yield "Woraus ...?", "Worauf ...?" and the like."""
    if not clause.adverbial and clause.named:
        yield from _oblique(clause)
        yield from _with_participle(clause)


def _oblique(clause: Clause) -> Iterator[Candidate]:
    said = f"{clause.verb} {clause.rest}"
    plain = ((verb, preposition, "", opening) for verb, preposition, opening in _OBLIQUE)
    for verb, preposition, half, opening in (*_APART, *plain):
        end = f" (?P<half>{half})$" if half else "(?P<half>)$"
        found = re.match(rf"(?P<verb>{verb}) {_HOW}(?P<answer>{preposition} {_ANSWER}){end}", said)
        if found and _says(found["answer"], clause):
            self = "sich " if found["verb"].endswith(" sich") else ""
            body = f"{self}{clause.subject} {found['how']}{found['half']}"
            question = f"{opening} {clause.verb} {body}".strip() + "?"
            yield from asked(clause, question, found["answer"], "factoid", "relation", 0.9)
            return


def _with_participle(clause: Clause) -> Iterator[Candidate]:
    said = f"{clause.verb} {clause.rest}"
    known = re.match(rf"(?:ist|sind|war|waren) bekannt (?P<answer>für {_ANSWER})$", said)
    if known:
        question = clause.ask("Wofür", "bekannt")
        yield from asked(clause, question, known["answer"], "factoid", "relation", 0.93)
    for preposition, participles, opening in _PARTICIPLES:
        found = re.match(
            rf"{_BE} {_HOW}(?P<answer>{preposition} {_ANSWER}) (?P<done>{participles})$", said
        )
        if found and _says(found["answer"], clause):
            question = clause.ask(opening, f"{found['how']}{found['done']}")
            yield from asked(clause, question, found["answer"], "factoid", "relation", 0.93)
            return


def _says(answer: str, clause: Clause) -> bool:
    """Return whether an answer is more than a preposition and a common noun."""
    return len(answer.split()) > 2 or names_in(answer, clause.text) > 0


_AMONG = re.compile(r"^Zu (?P<what>(?:den|der|dem) .+)$")
_WHOSE = re.compile(r"[A-ZÄÖÜ]\w+ (?:der|des|von|in|aus|im) |[A-ZÄÖÜ]\w+ [A-ZÄÖÜ]")
_PEOPLE = re.compile(r"(?:ern|innen|isten|enten|oren|anten|ologen|ikern)\b")
_SINGULAR = {"gehören": "gehört", "zählen": "zählt", "gehörten": "gehörte", "zählten": "zählte"}


def members(clause: Clause) -> Iterator[Candidate]:
    """Yield "Was gehört zu den Xen?" for what a sentence lists."""
    match = _AMONG.match(clause.front)
    verb = _SINGULAR.get(clause.verb, clause.verb)
    if match is None or verb not in _SINGULAR.values() or not _WHOSE.search(match["what"]):
        return
    opening = "Wer" if _PEOPLE.search(match["what"]) else "Was"
    question = f"{opening} {verb} zu {match['what']}?"
    yield from asked(clause, question, clause.rest, "list", "member", 0.92)
