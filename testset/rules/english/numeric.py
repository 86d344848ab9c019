"""English, how many: "The VT-480 has twelve zones" -> "How many zones does the VT-480 have?"."""

import re
from collections.abc import Iterator

from testset.corpus.passages import Passage
from testset.rules.english.clause import Clause, clauses_of
from testset.rules.english.phrase import first_part, stands_alone
from testset.rules.english.vague import judges
from testset.rules.english.verbs import verb_of
from testset.rules.passage_candidate import Candidate

__all__ = ["LEAD", "MONEY", "NUMBER", "counted_subjects", "counts", "values"]

_WORDS = (
    "two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|"
    "seventeen|eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety"
)
_RANGE = r"\d[\d,]*(?: to | and |–|-)\d[\d,]*(?: (?:million|billion|thousand))?"
NUMBER = rf"(?:{_RANGE}|\d[\d,]*(?:\.\d+)?[½¼¾]?(?: (?:million|billion|thousand))?|(?:{_WORDS}))"
LEAD = (
    r"(?:just |about |around |over |nearly |almost |approximately |some |roughly |more than |"
    r"at least |at most |up to |only |exactly )?"
)
_COUNT = re.compile(
    rf"(?P<particle>(?:up|out|off) )?(?P<answer>{LEAD}{NUMBER}) (?P<noun>(?:[a-z][a-z-]+ )"
    rf"{{0,2}}?(?:[a-z-]+[^s\W]s|people|men|women|children))(?= |$)(?P<after>.*)$"
)
_NOT_COUNTED = frozenset(
    [
        "years",
        "days",
        "hours",
        "months",
        "weeks",
        "minutes",
        "seconds",
        "decades",
        "centuries",
        "times",
        "miles",
        "percent",
        "metres",
        "meters",
        "kilometres",
        "kilometers",
        "feet",
        "inches",
        "degrees",
        "others",
        "types",
    ]
)
_SECOND_COUNT = re.compile(r" and (?=\d|(?:more|less|over|about|some|around|nearly) )")
_EMPTY_NOUNS = frozenset({"cases", "kinds", "parts", "reasons", "things", "ways", "words"})
MONEY = r"(?:£|€|\$|US\$)\d[\d,.]*(?: (?:million|billion))?"
_VALUE = re.compile(
    rf"^(?P<answer>(?:about |approximately |around |at least |at most |up to )?(?:{MONEY}|"
    rf"{NUMBER}(?:[ -]?%| percent| [a-zA-Z°/²³µ]+(?: per [a-z]+)?)))$"
)


def counts(passage: Passage) -> Iterator[Candidate]:
    """Yield questions for what a clause counts as its object."""
    for clause in clauses_of(passage):
        rest = first_part(clause.rest)
        match = _COUNT.match(rest)
        if match is None or not clause.named or not _countable(clause, match):
            continue
        after, owned = _SECOND_COUNT.split(match["after"])[0].strip(), ""
        if after.startswith("of "):
            owned = " " + re.split(r" (?=(?:in|on|at|per|from|for|with|by|to)\b)", after)[0]
            after = after[len(owned) :].strip()
        if after.startswith("from ") and owned:
            owned, after = f"{owned} {after}", ""
        opening = f"How many {match['noun']}{owned}"
        yield Candidate(
            clause.ask(opening, f"{match['particle'] or ''}{after}".strip()),
            f"{match['answer']} {match['noun']}",
            clause.sentence.start,
            clause.sentence.end,
            "numeric",
            "english.count",
            0.9 - 0.02 * max(0, len(after.split()) - 8),
        )


def _countable(clause: Clause, match: re.Match[str]) -> bool:
    nouns, after = match["noun"].split(), _SECOND_COUNT.split(match["after"])[0].strip()
    if (
        clause.lexical is None
        or nouns[-1] in _NOT_COUNTED
        or nouns[0] in {"of", "to", "or", "and", "in"}
    ):
        return False
    if clause.lexical.base in {"be", "lead", "come", "say", "last", "take"} or re.search(
        r"\d", after
    ):
        return False
    if re.match(r"(?:and|or|to|an?|the|more|less)\b", after) or judges(match["noun"]):
        return False
    if nouns[-1] in _EMPTY_NOUNS or (nouns[-1] == "plus"):
        return False
    return stands_alone(f"{match['noun']} {after}") and len(after.split()) <= 10


def values(passage: Passage) -> Iterator[Candidate]:
    """Yield "What is the ...?" and "How much does ... cost?" where the clause gives one value."""
    for clause in clauses_of(passage):
        rest = first_part(clause.rest)
        match = _VALUE.match(rest)
        if match is None:
            continue
        question = _value_question(clause)
        if question:
            yield Candidate(
                question,
                match["answer"],
                clause.sentence.start,
                clause.sentence.end,
                "numeric",
                "english.value",
                0.85 if clause.named else 0.6,
            )


def _value_question(clause: Clause) -> str:
    specific = clause.named or " of " in clause.subject or re.search(r"\b\w+est\b", clause.subject)
    if not specific:
        return ""
    if clause.lexical and clause.lexical.base == "cost":
        return clause.ask("How much", "")
    if clause.verb in {"is", "was"} and clause.subject.startswith("the "):
        return f"What {clause.verb} {clause.subject}?"
    return ""


def counted_subjects(passage: Passage) -> Iterator[Candidate]:
    """Yield questions for sentences that open with a number of things, or "There are" some."""
    for sentence in passage.sentences:
        text = re.sub(r"\s+", " ", sentence.text).rstrip(".")
        match = _SUBJECT.match(text) or _THERE.match(text)
        if match is None or not _asks_something(match):
            continue
        rest = first_part(match["rest"])
        if not stands_alone(rest) or not re.search(r"\b[A-Z]", rest) or len(rest.split()) > 14:
            continue
        there = " there" if match.re is _THERE else ""
        if there and not re.match(r"(?:in|on|at|within) ", rest):
            continue
        question = f"How many {match['noun']} {match['verb']}{there} {rest}?"
        answer = text[match.start("answer") : match.end("noun")]
        yield Candidate(
            question, answer, sentence.start, sentence.end, "numeric", "english.counted", 0.9
        )


def _asks_something(match: re.Match[str]) -> bool:
    nouns, verb = match["noun"].split(), verb_of(match["verb"])
    if match["verb"] not in _SEVERAL_DO and (verb is None or not verb.past):
        return False
    return nouns[-1] not in _NOT_COUNTED and nouns[0] not in {
        "of",
        "to",
        "or",
        "and",
        "in",
        "years",
    }


_SEVERAL_DO = frozenset({"are", "can", "have", "live", "were", "work"})
_NUMBER_FIRST = (
    r"(?P<answer>(?:(?:About|Around|Over|Nearly|Almost|Approximately|Some|More than|At least) )?"
    rf"(?:{NUMBER}|[A-Z][a-z]+ty|Two|Three|Four|Five|Six|Seven|Eight|Nine|Ten|Twelve)) "
)
_NOUNS = r"(?P<noun>(?:[a-z][a-z-]+ ){0,2}?(?:[a-z-]+[^s\W]s|people|men|women|children)) "
_SUBJECT = re.compile(
    rf"^{_NUMBER_FIRST}{_NOUNS}(?P<verb>are|were|have|had|live|work|can|[a-z]+) (?P<rest>.+)$"
)
_THERE = re.compile(rf"^There (?P<verb>are|were) (?P<answer>{LEAD}{NUMBER}) {_NOUNS}(?P<rest>.+)$")
