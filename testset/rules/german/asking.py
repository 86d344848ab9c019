"""From a part of a clause to a candidate, if the question can stand alone."""

import re
from collections.abc import Iterator

from testset.rules.german.clause import Clause
from testset.rules.german.closed_classes import PREPOSITIONS, points_elsewhere
from testset.rules.german.names import names_in
from testset.rules.passage_candidate import Candidate, Kind

__all__ = ["asked", "loose_nouns"]

_LONGEST = 20
"""Words of a question."""
_LONGEST_ANSWER = 32
_SAYS_ENOUGH = 4
"""Words of an answer that may do without its relative clause."""
_LENGTHY = 12
_LENGTH = 0.02
"""Taken off for each word more than `_LENGTHY`."""
_LOOSE = re.compile(
    r"\b(?:der|die|das|dem|den)(?: [a-zäöüß-]+(?:e|en))* [A-ZÄÖÜ][\wäöüß-]+(?![\w-])"
    r"(?! (?:des|der|eine[rs]|von|vom|für|in|im|zu|zum|zur|zwischen|über|aus|bei|mit|an|am|"
    r"nach|vor|unter|"
    r"gegen|auf|um|[A-ZÄÖÜ\d]))"
)
_ABSTRACT = re.compile(
    r"(?:ung|heit|keit|schaft|ion|tät|ismus|tum|enz|anz|Welt|Erde|Sonne|Mond|Himmel|Internet|Bibel|"
    r"Mittelalter|Antike|Natur|Öffentlichkeit|Gegenwart|Jahr(?:hundert)?s?|Name|Namen)$"
)
"""What needs no other word to be known: ideas, and what there is one of."""
_EMPTY = re.compile(
    r"^(?:eine?[nmr]? |für |in |auf |von |aus |zu |mit |bei )?(?:\S+ )*(?:Problem|Thema|Sache|Ding|"
    r"Situation(?:en)?|Fälle[n]?|Zwecken?|Dingen?|Bereichen?|Aufgaben|Gründen?|Dinge|"
    r"Möglichkeit(?:en)?|Zustand|Weise|Rolle|Bedeutung)$"
)
"""Answers that say nothing: "für die meisten Situationen"."""
_CIRCULAR = re.compile(r"(?<!\S)([A-ZÄÖÜ][\wäöüß]{3,}) (?:.* )?\1(?!\S)")
_MANY = re.compile(
    r"(?:eine?|einen|mehrere|zahlreiche|alle|verschiedene|viele) [A-ZÄÖÜ][\wäöüß-]+$"
)
_ANOTHER = re.compile(r" und [A-ZÄÖÜ][\w-]+ (?:steht|ist|sind|wird|hat|war)\b")
"""A second subject and its verb, which an answer does not hold."""
_BRIEF = re.compile(r"eine? \S+(?: \S+){0,2}$")
"""What something is in so few words that it says little: "eine Schicht über IP"."""
_FEW = 7
_PARTICLES = frozenset({"ab", "an", "auf", "aus", "mit", "um", "statt", "vor", "zu"})
"""Prepositions that are also the second half of a verb."""
_ENDS_OPEN = re.compile(
    rf"\b(?:{'|'.join(sorted(PREPOSITIONS - _PARTICLES))}|"
    r"der|die|das|des|dem|den|ein|eine|einen|einem|einer|eines|und|oder|sowie|als|wie|sehr|etwa|"
    r"rund|fast|nicht|sich)$"
)
_OPENING = re.compile(r"^(?:(?:In|Seit|Bis|Zu|Aus) )?(?:[Ww]elche[mnrs]?|[Ww]ann|W\S+) ")
"""The words that ask, which do not point elsewhere."""
_TWICE = re.compile(r"\b(\d{4})\b.*\b\1\b")
_UNSURE = 0.08
"""Taken off where only the rest of the clause has names."""
_GENERAL = 0.06
"""Taken off for each noun with a definite article of which nothing more is said."""


def loose_nouns(text: str, document: str) -> int:
    """Return how many nouns have a definite article and nothing that tells which is meant.

    Example:
        >>> loose_nouns("der Bau der Brücke", ""), loose_nouns("der Bau einer Brücke", "")
        (1, 0)
    """
    return sum(not names_in(match.group(), document) for match in _LOOSE.finditer(text))


def _letters(text: str) -> str:
    return re.sub(r"[\W_]+", "", text).casefold()


def _unknown(text: str, document: str) -> bool:
    """Return whether a text has a noun with a definite article that only its document tells."""
    for match in _LOOSE.finditer(text):
        owner = match.group().startswith("der ") and _NOUN_BEFORE.search(text[: match.start()])
        if not (owner or _ABSTRACT.search(match.group()) or names_in(match.group(), document)):
            return True
    return False


_NOUN_BEFORE = re.compile(r"[A-ZÄÖÜ][\wäöüß-]+ $")


def asked(
    clause: Clause, question: str, answer: str, kind: Kind, rule: str, quality: float
) -> Iterator[Candidate]:
    """Yield the candidate, unless its question or its answer points at something else.

    Args:
        clause: What it was read from.
        question: The question, with its question mark.
        answer: The words of the clause that answer it.
        kind: What is asked for.
        rule: The rule's name.
        quality: How sure the rule is, in [0, 1]; length and loose nouns are taken off.
    """
    body, plain = question[:-1], answer.strip(" ,")
    options = [_completed(clause, plain)]
    if kind in {"definition", "factoid"} and len(plain.split()) >= _SAYS_ENOUGH:
        options.append(plain)
    evidence = _letters(clause.text[clause.sentence.start : clause.sentence.end])
    options = [o for o in options if _letters(o) in evidence]
    fit = (o for o in options if o and not _faulty(body, o, kind, commas=rule == "holder"))
    said = next(fit, "")
    if not said:
        return
    if clause.rest.endswith(said) and re.search(r", (?:und|sowie) ", clause.tail):
        return  # a list goes on behind a relative clause
    doubt = _doubt(clause, body, defined=rule == "definition")
    if doubt is not None:
        start, end = clause.sentence.start, clause.sentence.end
        name = f"german.{rule}"
        yield Candidate(question, said, start, end, kind, name, round(quality - doubt, 3))


def _faulty(body: str, said: str, kind: Kind, *, commas: bool) -> bool:
    """Return whether a question or its answer cannot stand as it is."""
    too_long = len(body.split()) > _LONGEST or len(said.split()) > _LONGEST_ANSWER
    elsewhere = points_elsewhere(_OPENING.sub("", body)) or points_elsewhere(_own(said, kind))
    open_end = _ENDS_OPEN.search(body) or _ENDS_OPEN.search(said)
    parted = re.search(r",(?!\d)", body) is not None and not commas
    few = len(said.split()) < _FEW
    empty = kind in {"definition", "factoid"} and few and _EMPTY.match(said)
    if kind == "definition" and (_ANOTHER.search(said) or _BRIEF.match(said)):
        return True
    if _MANY.match(said) and kind == "factoid":
        return True
    if empty or (few and _CIRCULAR.search(said)):
        return True
    return bool(too_long or elsewhere or open_end or parted or said in body or _TWICE.search(body))


def _doubt(clause: Clause, body: str, *, defined: bool) -> float | None:
    """Return what to take off a question's quality; `None` if nothing tells what it is about."""
    loose = loose_nouns(body, clause.text)
    if not defined and _unknown(body, clause.text):
        return None
    names = names_in(body.split(" ", 1)[-1], clause.text)
    general = clause.bare or clause.front.startswith(("Ein ", "Eine "))
    told = general or defined or (clause.adverbial and clause.rest[:1].isupper())
    if (not told and names <= loose // 2) or (told and loose > names + 1):
        return None
    doubt = _GENERAL * loose + _LENGTH * max(0, len(body.split()) - _LENGTHY)
    opens = _LOOSE.match(clause.rest) if clause.adverbial else None
    if opens and not names_in(opens.group(), clause.text):
        return None
    if clause.front.startswith(("Der ", "Die ", "Das ")) and clause.names == 0:
        doubt += _UNSURE
    return doubt


def _completed(clause: Clause, answer: str) -> str:
    """Return an answer with the relative clause at its end; empty if that is too long."""
    open_end = clause.rest.endswith(answer) and clause.relative
    if not open_end or clause.tail in answer or not answer[-1:].isalpha():
        return answer
    whole = f"{answer}, {clause.tail}"
    return whole if len(whole.split()) <= _LONGEST_COMPLETED else ""


_LONGEST_COMPLETED = 24
_COMPARED = re.compile(
    r"\b(?!weiter|ander|früher|später|letzter|erster|besonder)[a-zäöü]+er(?:e|en|er|es|em)"
    r"(?= [A-ZÄÖÜ])"
)
"""Comparatives before their noun, which in an answer say "rather" as often as "than that"."""


def _own(answer: str, kind: Kind) -> str:
    """Return an answer without what stands for the subject of its question or for its own noun."""
    plain = re.sub(
        r"^((?:weil|da|indem|als|wenn|nachdem|bevor)) (?:er|sie|es|sich)\b", r"\1", answer
    )
    plain = re.sub(
        r", (?:(?:in|mit|auf|von|aus|für|durch|an|bei|zu) )?(?:denen|deren|dessen|"
        r"welche[mnrs]?)\b",
        "",
        plain,
    )
    plain = re.sub(r"^dass (?:er|sie|es)\b", "", plain)
    plain = re.sub(
        r"(?<=, )(?:indem|weil|da|wenn|dass|bevor|nachdem|obwohl) (?:er|sie|es)\b", "", plain
    )
    plain = re.sub(
        r"\b(?:letzt|einzeln|bestimmt|früher|später|eigen|einig|beid)e[nrms]?\b", "", plain
    )
    plain = _COMPARED.sub("", plain)
    owners = r"\b(?:sein|ihr)(?:e[mnrs]?)?\b" if kind == "reason" else r"\bsein(?:e[mnrs]?)?\b"
    return re.sub(owners, "", plain)
