"""English, what to: "It was turned into a school" -> "What was it turned into?"."""

import re
from collections.abc import Iterator

from testset.passages import Passage
from testset.rules.candidate import Candidate
from testset.rules.english.clause import DATE, clauses_of, first_part, stands_alone
from testset.rules.english.names import is_person
from testset.rules.english.verbs import participles

__all__ = ["passives", "subjects_told"]

_PASSIVE = re.compile(
    r"(?P<what>(?:(?:also|often|originally|later|usually|mostly|mainly|widely|sometimes) )?"
    r"(?P<participle>[a-z]+) (?P<prep>by|as|into|to be|from|with|for|after|home to))"
    r" (?P<answer>[\w\"].{3,110})$"
)
_NO_ANSWER = re.compile(
    rf"(?:{DATE}|\d|it|them|him|her|that|which|this|these|example|instance|being|use|centuries|"
    r"[a-z]+ing|several|many|some|more|all|both|any|each|its?|their|his|years|most|long|now|"
    r"the first time|the (?:same|following|time))\b"
)
_TELLING = re.compile(
    r"(?:the (?:[a-z]+ ){0,3}[a-z-]+) (?:of|in|for|between|at|behind) .*[A-Z]|.*[A-Z].*"
)
SAYS_MUCH = 5
_LONGEST_ANSWER = 16
_NOT_ASKED = frozenset({"followed", "done", "made", "used", "shown", "given", "taken", "put"})


def passives(passage: Passage) -> Iterator[Candidate]:
    """Yield "What was X converted into?" for passives with an object behind a preposition."""
    for clause in clauses_of(passage):
        match = _PASSIVE.match(first_part(clause.rest))
        if match is None or clause.verb not in {"is", "are", "was", "were"}:
            continue
        if not clause.named and len(clause.subject.split()) < SAYS_MUCH:
            continue
        done, answer = match["participle"], re.split(r" (?:in|on|during) \d", match["answer"])[0]
        if (done not in participles() and not done.endswith("ed")) or done in _NOT_ASKED:
            continue
        if _NO_ANSWER.match(answer) or not stands_alone(answer):
            continue
        if len(answer.split()) > _LONGEST_ANSWER or '"' in answer:
            continue
        if match["prep"] == "by" and re.fullmatch(r"(?:[A-Z][\w.'’-]*\s?)+", answer):
            continue  # asked for as who did it
        opening = "Who" if match["prep"] == "by" and is_person(answer) else "What"
        when = f"{clause.preposition.lower()} {clause.fronted}" if clause.fronted else ""
        yield Candidate(
            clause.ask(opening, f"{match['what']} {when}".strip()),
            answer,
            clause.sentence.start,
            clause.sentence.end,
            "factoid",
            "english.passive",
            0.83 if clause.named else 0.75,
        )


def subjects_told(passage: Passage) -> Iterator[Candidate]:
    """Yield "What is the basic unit of X?" where a clause says what some property of X is."""
    for clause in clauses_of(passage):
        if clause.fronted or clause.lexical or clause.verb not in {"is", "was", "are", "were"}:
            continue
        if not clause.subject.startswith("the ") or not _TELLING.match(clause.subject):
            continue
        answer = re.split(r",? (?:and|but|so) (?:it|the|he|they)\b", first_part(clause.rest))[0]
        if len(clause.subject.split()) < 4 or not stands_alone(clause.rest[:60]):
            continue
        if not re.match(r"(?:an? |the |[A-Z])", answer) or len(answer.split()) > _LONGEST_ANSWER:
            continue
        if re.match(r"(?:an?|the) (?:result|reason|case|same|only|first|part|matter)\b", answer):
            continue
        opening = "Who" if is_person(answer) else "What"
        yield Candidate(
            f"{opening} {clause.verb} {clause.subject}?",
            answer,
            clause.sentence.start,
            clause.sentence.end,
            "factoid",
            "english.property",
            0.9,
        )
