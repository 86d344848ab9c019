"""English, what to: "It was turned into a school" -> "What was it turned into?"."""

import re
from collections.abc import Iterator

from testset.corpus.passages import Passage
from testset.rules.english.clause import Clause, clauses_of
from testset.rules.english.dates import DATE
from testset.rules.english.names import is_person
from testset.rules.english.phrase import first_part, stands_alone
from testset.rules.english.vague import is_vague_head
from testset.rules.english.verbs import participles
from testset.rules.passage_candidate import Candidate

__all__ = ["passives", "subjects_told"]

_PASSIVE = re.compile(
    r"(?P<what>(?:(?:often|originally|usually|mostly|mainly|widely|sometimes|generally) )?"
    r"(?P<participle>[a-z]+) (?P<prep>by|as|into|from|after))"
    r" (?P<answer>[\w\"].{3,110})$"
)
_NO_ANSWER = re.compile(
    rf"(?:{DATE}|\d|it|them|him|her|that|which|this|these|example|instance|being|use|centuries|"
    r"[a-z]+ing|several|many|some|more|all|both|any|each|its?|their|his|years|most|long|now|"
    r"well|part|scratch|millions|thousands|hundreds|people|time|different|various|default|"
    r"the first time|the (?:same|following|time))\b"
)
_LONGEST_ANSWER = 16
_NOT_ASKED = frozenset(
    [
        "accused",
        "followed",
        "done",
        "made",
        "used",
        "shown",
        "given",
        "taken",
        "put",
        "needed",
        "required",
        "said",
        "seen",
        "included",
        "shipped",
        "chosen",
        "sent",
        "started",
        "run",
        "called",
        "caused",
        "added",
        "provided",
        "supported",
        "handled",
        "displayed",
        "prefixed",
        "preceded",
        "followed",
        "introduced",
        "accompanied",
        "separated",
        "known",
        "written",
        "increased",
        "reduced",
        "enabled",
        "moved",
        "disabled",
        "changed",
        "set",
    ]
)


def passives(passage: Passage) -> Iterator[Candidate]:
    """Yield "What was X converted into?" for passives with an object behind a preposition."""
    for clause in clauses_of(passage):
        form, said = clause.passive or ("", "")
        match = _PASSIVE.match(first_part(said))
        if match is None or not clause.proper:
            continue
        answer = re.split(r" (?:in|on|during) \d", match["answer"])[0]
        if not _asks(match, answer):
            continue
        if clause.verb in {"was", "were"} and not re.search(r"[A-Z]", clause.subject):
            continue
        opening = "Who" if match["prep"] == "by" and is_person(answer) else "What"
        yield clause.candidate(
            clause.ask(opening, f"{form}{match['what']} {clause.when}".strip()),
            answer,
            kind="factoid",
            rule="passive",
            quality=0.83,
        )


def _asks(match: re.Match[str], answer: str) -> bool:
    """Return whether the participle is one, and what follows it a thing that can be asked for."""
    done = match["participle"]
    if (done not in participles() and not done.endswith("ed")) or done in _NOT_ASKED:
        return False
    if _NO_ANSWER.match(answer) or " as " in answer or not stands_alone(answer) or '"' in answer:
        return False
    if len(answer.split()) > _LONGEST_ANSWER or re.fullmatch(r"[a-z]+(?:ed|s)?", answer):
        return False
    by_name = match["prep"] == "by" and re.fullmatch(r"(?:[A-Z][\w.'’-]*\s?)+", answer)
    return not by_name  # else it is asked for as who did it


_TELLING = re.compile(
    r"the (?P<head>(?:[a-z]+ ){0,3}[a-z-]+) (?:of|in|for|between|behind) .*(?:[A-Z]|\b(?:an?) )"
)
_NO_PROPERTY = re.compile(r"(?:an?|the) (?:result|reason|case|same|only|first|part|matter)\b")


def subjects_told(passage: Passage) -> Iterator[Candidate]:
    """Yield "What is the basic unit of X?" where a clause says what some property of X is."""
    for clause in clauses_of(passage):
        if not _is_property(clause):
            continue
        answer = re.split(r",? (?:and|but|so) (?:it|the|he|they)\b", first_part(clause.rest))[0]
        if not re.match(r"(?:an? |the |[A-Z]|to [a-z]|that )", answer) or _NO_PROPERTY.match(
            answer
        ):
            continue
        if len(answer.split()) > _LONGEST_ANSWER:
            continue
        opening = "Who" if is_person(answer) else "What"
        yield clause.candidate(
            f"{opening} {clause.verb} {clause.subject}?",
            answer,
            kind="factoid",
            rule="property",
            quality=0.9,
        )


def _is_property(clause: Clause) -> bool:
    if clause.fronted or clause.lexical or clause.verb not in {"is", "was"}:
        return False
    match = _TELLING.match(clause.subject + " ")
    if match is None or not stands_alone(clause.rest[:60]):
        return False
    head = match["head"].split()[-1]
    return not is_vague_head(head) or head in {"name", "purpose", "goal", "objective"}
