"""English, what for: "The valve lets you empty the tank" -> "What does the valve let me do?"."""

import re
from collections.abc import Iterator

from testset.corpus.passages import Passage
from testset.rules.english.clause import Clause, clauses_of
from testset.rules.english.phrase import stands_alone, without_second_clause
from testset.rules.passage_candidate import Candidate

__all__ = ["purposes"]

_WHO = r"(?P<who>you|users?|administrators?|developers?|people|customers?|anyone)"
_ALLOWS = re.compile(rf"{_WHO} to (?P<answer>[a-z]+ .{{8,160}})$")
_USED = re.compile(
    r"(?:mainly |mostly |primarily |commonly |often |usually |typically )?used (?P<answer>(?:to "
    r"(?!be\b)[a-z]+|for [a-z-]+|in the|as an?) .{6,160})$"
)
_FOUNDED = re.compile(
    r"(?P<deed>established|founded|formed|created|launched|introduced|organized|set up|built|"
    r"developed|convened|erected|commissioned|designed|intended)(?: in \d{4})? "
    r"(?P<answer>(?:in order )?to (?!be\b)[a-z]+ .{8,160})$"
)
_USABLE = re.compile(r"be used (?P<answer>(?:to (?!be\b)[a-z]+|for [a-z-]+) .{6,160})$")


def purposes(passage: Passage) -> Iterator[Candidate]:
    """Yield "What is X used for?" and "What does X allow users to do?"."""
    for clause in clauses_of(passage):
        if clause.fronted or clause.setting or not clause.named:
            continue
        question, answer = "", ""
        if clause.lexical is not None and clause.lexical.base in {"allow", "enable"}:
            match = _ALLOWS.match(clause.rest)
            if match is not None and not clause.lexical.past:
                who = "me" if match["who"] == "you" else match["who"]
                question, answer = clause.ask("What", f"{who} to do"), match["answer"]
        elif clause.verb in {"is", "are", "was", "were"} and (match := _USED.match(clause.rest)):
            answer = match["answer"]
            question = clause.ask("What", "used as" if answer[:3] == "as " else "used for")
            answer = answer.removeprefix("as ").removeprefix("for ")
        elif clause.verb == "can" and (match := _USABLE.match(clause.rest)):
            question, answer = clause.ask("What", "be used for"), match["answer"]
            answer = answer.removeprefix("for ")
        question, answer = (question, answer) if question else _founded(clause)
        if question and not answer.startswith("in the"):
            yield clause.candidate(
                question,
                without_second_clause(answer),
                kind="factoid",
                rule="purpose",
                quality=0.92,
            )


def _founded(clause: Clause) -> tuple[str, str]:
    """Return why something was made, with its question; empty if that is not told."""
    match = _FOUNDED.match(clause.rest) if clause.verb in {"was", "were"} else None
    if match is None or not stands_alone(match["answer"]):
        return "", ""
    if match["deed"] in {"designed", "intended"}:
        return clause.ask("What", f"{match['deed']} to do"), match["answer"].removeprefix("to ")
    return clause.ask("Why", match["deed"]), match["answer"]
