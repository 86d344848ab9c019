"""English, how and over which years: "... by heating", "... from 1901 to 1910"."""

import re
from collections.abc import Iterator

from testset.corpus.passages import Passage
from testset.rules.english.clause import Clause, clauses_of
from testset.rules.english.dates import DATE
from testset.rules.english.phrase import first_part, stands_alone
from testset.rules.passage_candidate import Candidate

__all__ = ["manners", "periods"]

_BY = re.compile(r" (?P<answer>by (?!being|having)[a-z]+ing .{6,110})$")
_PERIOD = re.compile(
    r"(?:^| )(?P<answer>(?:from|between) (?:1\d|20)\d\d (?:to|and|until) (?:1\d|20)\d\d)(?= |$)"
)
_LONGEST = 12


def manners(passage: Passage) -> Iterator[Candidate]:
    """Yield "How ...?" for clauses that say by doing what."""
    for clause in clauses_of(passage):
        match = _BY.search(clause.rest)
        if match is None or not clause.named:
            continue
        before = clause.rest[: match.start()].strip()
        if not clause.lexical and re.match(r"(?:an?|the|not) ", before):
            continue
        if _stands(before) and not re.search(r"\b(?:caused|followed|that)\b", before):
            answer = re.split(r"; |, (?:and|but|which|while|so) ", match["answer"])[0]
            yield _made(
                clause, clause.ask("How", f"{before} {clause.when}".strip()), answer, "reason", 0.9
            )


def periods(passage: Passage) -> Iterator[Candidate]:
    """Yield "During which years ...?" for clauses that give the first and the last."""
    for clause in clauses_of(passage):
        part = first_part(clause.rest)
        match = _PERIOD.search(part)
        if match is None or clause.fronted or not clause.named:
            continue
        rest = f"{part[: match.start()]} {part[match.end() :]}".split()
        body = " ".join(rest)
        if rest and _stands(body) and not re.search(DATE, body):
            question = clause.ask("During which years", body)
            yield _made(clause, question, match["answer"], "factoid", 0.92)


def _stands(words: str) -> bool:
    sound = first_part(words) == words and stands_alone(words)
    return sound and 1 <= len(words.split()) <= _LONGEST and not words.startswith("not ")


def _made(clause: Clause, question: str, answer: str, kind: str, quality: float) -> Candidate:
    return Candidate(
        question,
        answer,
        clause.sentence.start,
        clause.sentence.end,
        "reason" if kind == "reason" else "factoid",
        "english.manner" if kind == "reason" else "english.period",
        quality,
    )
