"""English, when: "In 1186, Temüjin was elected" -> "In which year was Temüjin elected?"."""

import re
from collections.abc import Iterator

from testset.corpus.passages import Passage
from testset.rules.english.clause import Clause, clauses_of
from testset.rules.english.dates import DATE
from testset.rules.english.phrase import first_part, stands_alone
from testset.rules.passage_candidate import Candidate

__all__ = ["durations", "temporal"]

_IN_REST = re.compile(
    rf"(?:^|(?<=\s))(?P<prep>in|on|until|since|during) (?P<date>{DATE})(?=$|[\s,.;])"
)
_DURATION = re.compile(
    r"(?P<lead>\bfor (?:only |just )?|^)"
    r"(?P<answer>(?:about |at least |up to |approximately |nearly |over |more than )?"
    r"(?P<number>\d[\d,.]*|one|two|three|four|five|six|seven|eight|nine|ten|twelve|thirteen) "
    r"(?:working )?(?:second|minute|hour|day|week|month|year|decade|centur(?:y|ie))s?)$"
)
UNNAMED = 0.12
"""Taken off where the subject is a kind of thing and only what is said of it holds names."""
ENOUGH = 4
"""Words before the date that say enough, so that what follows it can be left out."""
_MODAL = frozenset({"can", "may", "might", "must", "should", "would", "could"})
_ANY_DATE = re.compile(DATE)


def temporal(passage: Passage) -> Iterator[Candidate]:
    """Yield questions for the date that a clause gives."""
    for clause in clauses_of(passage):
        found = _date_of(clause)
        if found is None:
            continue
        preposition, date, rest = found
        if not re.search(r"\d{4}|centur", date):
            continue
        if not _worth_asking(clause, rest):
            continue
        question = clause.ask(_opening(preposition, date), rest)
        if len(re.findall(r" [A-Z]|\d", question)) < (1 if clause.named else 2):
            continue
        quality = 0.9 if clause.fronted or clause.lexical is None else 0.85
        quality -= 0 if clause.named else UNNAMED
        quality -= 0.02 * max(0, len(question.split()) - 13)
        yield Candidate(
            question,
            date.removeprefix("the "),
            clause.sentence.start,
            clause.sentence.end,
            "temporal",
            "english.temporal",
            quality,
        )


def _date_of(clause: Clause) -> tuple[str, str, str] | None:
    """Return preposition, date, and the rest of the clause without them; `None` if not one."""
    if clause.fronted:
        rest = first_part(clause.rest)
        return (
            None if _ANY_DATE.search(rest) else (clause.preposition.lower(), clause.fronted, rest)
        )
    match = _IN_REST.search(clause.rest)
    if match is not None and clause.verb in {"has", "have"} and match["prep"] != "since":
        return None
    if match is None:
        return None
    before = clause.rest[: match.start()].strip()
    after = first_part(clause.rest[match.end() :]) if clause.rest[match.end() :][:1] == " " else ""
    if len(before.split()) >= ENOUGH and re.search(r"[A-Z]", before):
        after = ""
    rest = f"{before} {after}".strip()
    if first_part(before) != before or _ANY_DATE.search(rest) or re.search(r"\bbetween\b", rest):
        return None
    return match["prep"], match["date"].rstrip(","), rest


def _worth_asking(clause: Clause, rest: str) -> bool:
    """Return whether the clause says something of its own, and enough of it."""
    words = rest.split()
    if (
        re.search(
            r" and \w+ed\b| and (?:\w+ )?\d| not |"
            r"\b(?:in|on|by|of|to|for|at|from|with|the|and)$",
            rest,
        )
        or not stands_alone(rest)
        or len(words) > 14
        or clause.verb in _MODAL
        or re.search(r"\b(?:that|up to)\b", rest)
    ):
        return False
    if clause.lexical is None:
        if clause.verb in {"has", "have", "had"} and not re.match(r"(?:been|\w+ed)\b", rest):
            return False
        return bool(words) and not re.match(r"(?:a|an|the|only|about|not|at|in|part)\b", rest)
    enough = bool(words) or clause.lexical.base in {"die", "close", "open", "begin", "end"}
    return enough and clause.lexical.base not in {"have", "state", "report"}


def _opening(preposition: str, date: str) -> str:
    if preposition in {"until", "since"}:
        return f"{preposition.capitalize()} when"
    if re.fullmatch(r"the \d+\w\w century", date):
        return "In which century"
    return "In which year" if date.isdigit() else "When"


def durations(passage: Passage) -> Iterator[Candidate]:
    """Yield "How long ...?" for clauses that end in a length of time."""
    for clause in clauses_of(passage):
        rest = first_part(clause.rest)
        match = _DURATION.search(rest)
        if match is None or not (
            match["lead"] or (clause.lexical and clause.lexical.base in {"take", "last"})
        ):
            continue
        before = rest[: match.start()].strip()
        if not stands_alone(before) or _ANY_DATE.search(before) or not (clause.named or before):
            continue
        yield Candidate(
            clause.ask("How long", before),
            match["answer"],
            clause.sentence.start,
            clause.sentence.end,
            "numeric",
            "english.duration",
            0.85 if re.search(r" [A-Z]", clause.subject + " " + before) else 0.55,
        )
