"""German, what it is called: "X ist eine Halle in Lynn" -> "Wie heißt die Halle in Lynn?"."""

import re
from collections.abc import Iterator

from testset.rules.german.asking import asked
from testset.rules.german.clause import Clause
from testset.rules.german.names import names_in, only_names
from testset.rules.german.persons import is_role
from testset.rules.passage_candidate import Candidate

__all__ = ["called", "identities"]

_KIND = re.compile(
    r"(?:eine (?P<she>(?:[a-zäöüß-]+e )*)|ein (?P<he>(?:[a-zäöüß-]+er )+)|"
    r"ein (?P<it>(?:[a-zäöüß-]+es )+)|ein (?P<plain>))"
    r"(?P<noun>[A-ZÄÖÜ][\wäöüß-]+)(?P<more>(?: .+)?)$"
)
_PLAIN = {"der": "der", "das": "das"}
_FEWEST_NAMES = 2
"""Names and figures that tell one thing of its kind from the others."""
_OWN = re.compile(r"(?:der|die|das) ")
_VAGUE = re.compile(
    r"(?:Teil|Art|Fall|Grund|Beispiel|Problem|Thema|Frage|Ergebnis|Folge|Faktor|Mitglied|"
    r"Vertreter|Form|Reihe|Anzahl|Vielzahl|Bestandteil|Variante)(?:e[nrs]?)?$"
)


def called(clause: Clause) -> Iterator[Candidate]:
    """Yield "Wie heißt die ...?" for a name of which a clause says what it is."""
    match = _KIND.match(clause.rest) if clause.verb in {"ist", "war"} else None
    if match is None or clause.adverbial or _VAGUE.search(match["noun"]):
        return
    name = _OWN.sub("", clause.subject)
    if not only_names(name, clause.text):
        return
    kind = _definite(match, clause)
    relative = clause.relative and clause.joint in {"der", "die", "das"}
    said = f"{kind}, {clause.tail}" if kind and relative else kind
    figures = len(re.findall(r"\b\d{3,4}\b", said))
    if not kind or names_in(said, clause.text) + figures < _FEWEST_NAMES - relative:
        return
    verb = "heißt" if clause.verb == "ist" else "hieß"
    yield from asked(clause, f"Wie {verb} {said}?", name, "naming", "holder", 0.92)


def _definite(match: re.Match[str], clause: Clause) -> str:
    """Return the kind with its definite article; empty where its gender is not told."""
    more = f"{match['noun']}{match['more']}"
    if match["she"] is not None:
        return f"die {match['she']}{more}"
    if match["he"] or match["it"]:
        article = "der" if match["he"] else "das"
        plain = re.sub(r"(?<=e)[rs](?= |$)", "", match["he"] or match["it"])
        return f"{article} {plain}{more}"
    article = _PLAIN.get(clause.joint, "") if clause.relative and not match["more"] else ""
    return f"{article} {more}" if article else ""


_LISTED = re.compile(r"(?:[A-ZÄÖÜ][\w.’'-]*(?: |, | und )?|(?:von|de|van|der|of|the) )+$")
_HEADED = re.compile(r"(?:Der|Die|Das) .* ")


def identities(clause: Clause) -> Iterator[Candidate]:
    """Yield "Wie hieß der erste ...?" and "Wer war ...?" where a clause ends in the name alone."""
    if clause.verb not in _NAMED_BY or clause.adverbial or not _HEADED.match(clause.front):
        return
    told = names_in(clause.front, clause.text) + len(re.findall(r"\d", clause.front))
    if not _LISTED.match(clause.rest) or names_in(clause.rest, clause.text) == 0 or not told:
        return
    if " " not in clause.rest and not only_names(clause.rest, clause.text):
        return
    person = is_role(clause.subject)
    question = (
        clause.ask("Wer", "") if person else f"Wie {_NAMED_BY[clause.verb]} {clause.subject}?"
    )
    yield from asked(clause, question, clause.rest, "naming", "identity", 0.93)


_NAMED_BY = {"ist": "heißt", "war": "hieß", "sind": "heißen", "waren": "hießen"}
