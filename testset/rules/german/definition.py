"""German, what it is: "Ely Hall ist ein Konzerthaus" -> "Was ist Ely Hall?"."""

import re
from collections.abc import Iterator

from testset.rules.german.asking import asked
from testset.rules.german.clause import Clause
from testset.rules.german.names import names_in
from testset.rules.german.persons import is_role
from testset.rules.passage_candidate import Candidate

__all__ = ["definitions", "holders", "meanings", "namings", "plurals"]

_BE = frozenset({"ist", "sind", "war", "waren"})
_INDEFINITE = re.compile(r"^(?:heute )?(?P<answer>eine? .{8,})$")
_SAYS_NOTHING = re.compile(
    r"^(?:eine?|der|die|das) (?:[a-zäöüß]+ )*(?:Teil|Art|Fall|Grund|Beispiel|Problem|Thema|Frage|"
    r"Ergebnis|Folge|Faktor|Zeichen|Ausdruck|Aspekt|Punkt|Weg|Reihe|Zahl|Anzahl|Menge|Mischung|"
    r"Vielzahl|Schritt|Ziel|Versuch|Möglichkeit|Herausforderung|"
    r"Notwendigkeit|Muss|Grundlage|Element|Bestandteil|Variante|Erweiterung|Sache|Tatsache)\b"
)
_RANKED = re.compile(
    r"^(?P<what>(?:der|die|das) (?:(?:mit Abstand|weltweit) )?"
    r"(?:[a-zäöüß]+(?:ste|erste|zweite|dritte|einzige)|"
    r"erste|zweite|dritte|[a-zäöüß]*größte) .{3,})$"
)
_OFFICE = re.compile(
    r"^(?P<what>(?:der|die|das) (?:[a-zäöüß]+e )*(?P<noun>[A-ZÄÖÜ][\wäöüß-]+) (?:von|des|der) "
    r".{3,})$"
)
_CALLED = re.compile(
    r"^(?P<how>(?:(?:oft|manchmal|häufig|allgemein|umgangssprachlich|meist) )?)"
    r"(?:als )?(?P<answer>[A-ZÄÖÜ][\w '’-]{2,40}) (?P<done>genannt|bezeichnet)$"
)
_TELLING = re.compile(r"[A-ZÄÖÜ][\w-]+ (?!ist\b|und\b|oder\b)[^,]+")
"""A noun and more: a kind alone ("ein Werkzeug") says little of what something is."""
_LONGEST_ANSWER = 26
_MEANS = re.compile(r"^(?P<answer>.{4,80})$")


def definitions(clause: Clause) -> Iterator[Candidate]:
    """Yield "Was ist X?" or "Wer war X?" for a name and what it is."""
    match = _INDEFINITE.match(clause.rest)
    if match is None or clause.verb not in {"ist", "war"} or clause.adverbial:
        return
    if not _defined(clause) or _SAYS_NOTHING.match(clause.rest):
        return
    answer = _whole(clause, match["answer"])
    person = is_role(answer) and len(clause.front.split()) > 1 and clause.front[:2] != "Da"
    question = clause.ask("Wer" if person else "Was", "")
    yield from asked(clause, question, answer, "definition", "definition", 0.92)


_KIND_OF = re.compile(r"^(?P<answer>(?:[a-zäöüß-]+e(?: oder [a-zäöüß-]+e)? )*[A-ZÄÖÜ][\w-]+.*)$")


def plurals(clause: Clause) -> Iterator[Candidate]:
    """Yield "Was sind Xe?" where the kind they are of is told apart by a relative clause."""
    match = _KIND_OF.match(clause.rest)
    if match is None or clause.verb != "sind" or not clause.bare or clause.joint != "die":
        return
    answer = _whole(clause, match["answer"])
    if "," in answer and not clause.subject[:1].isdigit():
        yield from asked(clause, clause.ask("Was", ""), answer, "definition", "definition", 0.92)


def _defined(clause: Clause) -> bool:
    """Return whether the subject is a name or a bare term, with nothing that is left open."""
    words = clause.front.split()
    numbered = words[-1].isdigit()
    if words[0] in {"Ein", "Eine"}:
        return len(words) <= 4 and words[-1][:1].isupper()
    if words[0] in {"Der", "Die", "Das"} and len(words) > 2:
        if re.search(r"(?:ung|heit|keit|ion) (?:von|des|der)\b", clause.front):
            return False
        return clause.names > 0 and not numbered
    if words[0] in {"Der", "Die", "Das"}:
        named = names_in(words[-1], clause.text) > 0 and len(words) == 2
        return (named or (clause.sentence.first and len(words) == 2)) and not numbered
    return clause.bare and not numbered and len(words) <= 5


def _whole(clause: Clause, answer: str) -> str:
    """Return the answer with the relative clause that ends the sentence."""
    if not clause.relative:
        last = answer.split()[-1]
        ends = last[:1].isupper() or last[:1].isdigit()
        return answer if ends and _TELLING.search(answer) else ""
    short = len(f"{answer} {clause.tail}".split()) <= _LONGEST_ANSWER
    return f"{answer}, {clause.tail}" if short else ""


def holders(clause: Clause) -> Iterator[Candidate]:
    """Yield "Was ist die größte Stadt in X?" where a clause says of a name that it is that."""
    if clause.verb not in _BE or clause.adverbial:
        return
    match = _RANKED.match(clause.rest) or _OFFICE.match(clause.rest)
    if match is None or _SAYS_NOTHING.match(clause.rest):
        return
    capitals = all(word[:1].isupper() for word in clause.front.split())
    if (
        not clause.named
        or not (capitals or clause.bare)
        or clause.generic
        or not (clause.relative or names_in(match["what"], clause.text))
    ):
        return
    opening = "Wer" if is_role(match["what"]) else "Was"
    which = f", {clause.tail}" if clause.relative else ""
    if clause.relative and clause.joint not in {"der", "die", "das"}:
        return
    question = f"{opening} {clause.verb} {match['what']}{which}?"
    yield from asked(clause, question, clause.subject, "naming", "holder", 0.93)


def namings(clause: Clause) -> Iterator[Candidate]:
    """Yield "Wie wird X genannt?"."""
    match = _CALLED.match(clause.rest)
    passive = clause.verb in {"wird", "werden", "wurde", "wurden"}
    if match is None or not passive or clause.adverbial or not clause.named:
        return
    question = clause.ask("Wie", f"{match['how']}{match['done']}")
    yield from asked(clause, question, match["answer"], "naming", "naming", 0.92)


def meanings(clause: Clause) -> Iterator[Candidate]:
    """Yield "Wofür steht X?" and "Was bedeutet X?"."""
    if clause.adverbial or not clause.named or clause.generic:
        return
    if clause.verb in {"steht", "stand"} and clause.rest.startswith("für "):
        if len(clause.front) == 1:
            return  # a letter stands for many things
        question = clause.ask("Wofür", "")
        yield from asked(clause, question, clause.rest, "definition", "meaning", 0.92)
    elif clause.verb in {"bedeutet", "bedeutete"} and _MEANS.match(clause.rest):
        question = clause.ask("Was", "")
        yield from asked(clause, question, clause.rest, "definition", "meaning", 0.85)
