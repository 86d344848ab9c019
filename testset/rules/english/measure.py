"""English measures: "The Ely Wall is 73 miles long" -> "How long is the Ely Wall?"; costs."""

import re
from collections.abc import Iterator

from testset.corpus.passages import Passage
from testset.rules.english.clause import clauses_of
from testset.rules.english.dates import ANY_DATE
from testset.rules.english.numeric import LEAD, MONEY, NUMBER
from testset.rules.english.phrase import first_part, stands_alone
from testset.rules.passage_candidate import Candidate

__all__ = ["measures"]

_SIZE = re.compile(
    rf"^(?P<answer>{LEAD}{NUMBER} (?:[a-z]+ )?[a-z²]+) (?P<how>long|high|tall|wide|deep|thick|"
    r"heavy)\b(?! enough)"
)
_COST = re.compile(
    rf"^(?P<deed>sold|bought|purchased|acquired|built|valued)(?P<body>(?: [\w'’-]+){{0,6}}?)"
    rf" (?P<prep>for|at a cost of|at) (?P<answer>{LEAD}{MONEY})(?= |$)"
)
_PAID = re.compile(rf"^(?P<answer>{LEAD}{MONEY})(?P<after>(?: .*)?)$")
_AGED = re.compile(r"^(?P<deed>[^\d]+?) at (?:the )?age(?: of)? (?P<answer>\d{1,2})(?= |$)")
_PAYING = frozenset({"cost", "donate", "earn", "give", "invest", "lose", "pay", "raise", "spend"})


def measures(passage: Passage) -> Iterator[Candidate]:
    """Yield "How long is X?", "How much did X cost?" and "At what age did X ...?"."""
    for clause in clauses_of(passage):
        rest = first_part(clause.rest)
        if not clause.proper:
            continue
        question, match = "", _SIZE.match(rest)
        if match is not None and clause.verb in {"is", "are", "was", "were"}:
            question = clause.ask(f"How {match['how']}", "")
        elif clause.verb in {"was", "were"} and (match := _COST.match(rest)):
            body = f"{match['deed']}{match['body']}"
            question = clause.ask("For how much", body) if match["prep"] == "for" else ""
        elif (
            (match := _AGED.match(rest))
            and clause.verb[:2] != "ha"
            and stands_alone(match["deed"])
            and " own " not in rest
        ):
            question = clause.ask("At what age", match["deed"])
        elif clause.lexical and clause.lexical.base in _PAYING and (match := _PAID.match(rest)):
            after = match["after"].strip()
            good = stands_alone(after) and not ANY_DATE.search(after) and len(after.split()) <= 10
            question = clause.ask("How much", f"{after} {clause.when}".strip()) if good else ""
        if question and match is not None:
            yield clause.candidate(
                question, match["answer"], kind="numeric", rule="measure", quality=0.93
            )
