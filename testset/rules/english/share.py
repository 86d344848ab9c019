"""English, what share: "40% of the eggs hatch" -> "What percentage of the eggs hatch?"."""

import re
from collections.abc import Iterator

from testset.corpus.passages import Passage, Sentence
from testset.rules.english.clause import clauses_of
from testset.rules.english.phrase import first_part, stands_alone
from testset.rules.passage_candidate import Candidate

__all__ = ["populations", "shares"]

_LEAD = (
    r"(?:(?:[Aa]bout|[Aa]round|[Oo]ver|[Nn]early|[Aa]lmost|[Aa]pproximately|[Ss]ome|[Mm]ore than|"
    r"[Ll]ess than|[Aa]t least|[Uu]p to|[Rr]oughly) )?"
)
_PERCENT = rf"(?P<answer>{_LEAD}\d[\d.]*(?:%| ?percent| per cent))"
_OF_SUBJECT = re.compile(rf"^(?:In (?P<year>\d{{4}}), )?{_PERCENT} (?:of )(?P<rest>[a-z].+)$")
_OF_OBJECT = re.compile(rf"^(?:for |up )?{_PERCENT} of (?P<whole>(?:the |all )?[\w' -]{{5,60}})$")
_SHARING = frozenset({"account", "make", "produce", "contain", "own", "receive", "cover", "hold"})
_POPULATION = re.compile(
    r"^(?:had |has |with )?(?:an? )?(?:estimated |total )?population of "
    r"(?P<answer>(?:about |around |over |approximately )?\d[\d,.]*(?: million| billion)?)"
)
_LONGEST = 20


def shares(passage: Passage) -> Iterator[Candidate]:
    """Yield questions for percentages of something."""
    for sentence in passage.sentences:
        text = re.sub(r"\s+", " ", sentence.text).rstrip(".")
        match = _OF_SUBJECT.match(re.sub(r"\s?\([^()]*\)", "", text))
        if match is not None and _sound(match["rest"]):
            when = f"In {match['year']}, what" if match["year"] else "What"
            question = f"{when} percentage of {first_part(match['rest'])}?"
            yield _made(sentence, question, match["answer"], 0.93)
    for clause in clauses_of(passage):
        match = _OF_OBJECT.match(first_part(clause.rest))
        if match is None or clause.lexical is None or clause.lexical.base not in _SHARING:
            continue
        particle = {"account": "for", "make": "up"}.get(clause.lexical.base, "")
        if clause.named and stands_alone(match["whole"]):
            question = clause.ask(f"What percentage of {match['whole']}", particle)
            yield _made(clause.sentence, question, match["answer"], 0.93)


def populations(passage: Passage) -> Iterator[Candidate]:
    """Yield "What is the population of X?" where a clause tells it."""
    for clause in clauses_of(passage):
        match = _POPULATION.match(clause.rest)
        if match is None or not clause.named or clause.verb not in {"has", "had"}:
            continue
        tense = "is" if clause.verb == "has" else "was"
        question = f"What {tense} the population of {clause.subject}?"
        if clause.fronted.isdigit():
            question = f"{question[:-1]} in {clause.fronted}?"
        yield _made(clause.sentence, question, match["answer"], 0.9)


def _sound(rest: str) -> bool:
    part = first_part(rest)
    finite = re.search(
        r"\b(?:is|are|was|were|has|have|had|live|lived|speak|spoke|came|come|die|died|use|used|"
        r"work|worked|own|identified|voted)\b",
        part,
    )
    return (
        bool(finite)
        and stands_alone(part)
        and not re.search(r"\d+(?:%| ?percent)", part)
        and (5 <= len(part.split()) <= _LONGEST)
    )


def _made(sentence: Sentence, question: str, answer: str, quality: float) -> Candidate:
    rule = "english.share"
    return Candidate(question, answer, sentence.start, sentence.end, "numeric", rule, quality)
