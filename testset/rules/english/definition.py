"""English, what is: "The dead band is the range ..." -> "What is the dead band?"."""

import re
from collections.abc import Iterator

from testset.passages import Passage
from testset.rules.candidate import Candidate
from testset.rules.english.clause import Clause, clauses_of

__all__ = ["definitions", "namings"]

_GENUS = re.compile(r"(?:a|an|the|one of) \S+ .{12,}")
_PERSON = re.compile(
    r"\b(?:actor|actress|student|member|pupil|lineman|guitarist|editor|explorer|geologist|"
    r"historian|preacher|reformer|soldier|astronaut|commander|bishop|pope|knight|duke|count|"
    r"merchant|banker|teacher|scholar|activist|comedian|presenter|host|pioneer|horticultural|"
    r"architect|artist|author|biologist|chairman|chemist|composer|director|"
    r"economist|emperor|engineer|entrepreneur|founder|general|governor|inventor|journalist|khan|"
    r"king|lawyer|leader|linebacker|mathematician|minister|missionary|musician|novelist|officer|"
    r"painter|philosopher|physician|physicist|player|poet|politician|president|priest|prince|"
    r"producer|professor|queen|quarterback|scientist|singer|theologian|writer|wife|son|daughter|"
    r"brother|sister|mother|father|friend)\b"
)
_WEAK = re.compile(
    r"(?:a|an|the) (?:result|reason|case|same|only|first|last|most|cause|one|second|subject|way|"
    r"key|major|good|very|part|number|lot|matter|member|example|strengthening|largest|best|main)"
    r"\b"
)
_NAMING = re.compile(
    r"(?P<lead>(?:also |commonly |often |sometimes |usually |generally )?(?:known as|called|"
    r"nicknamed|referred to as|abbreviated as))(?: \"?|\s“?)(?P<answer>(?:the |a |an )?[^,;:()"
    r"\"”]{3,50})"
)


def definitions(passage: Passage) -> Iterator[Candidate]:
    """Yield questions for clauses that say what a thing is."""
    for clause in clauses_of(passage):
        if clause.fronted or clause.setting or not _defines(clause):
            continue
        answer = _predicate(clause.rest)
        opening = "Who" if _is_who(clause) else "What"
        yield Candidate(
            f"{opening} {clause.verb} {clause.subject}?",
            answer,
            clause.sentence.start,
            clause.sentence.end,
            "definition",
            "english.definition",
            0.95 if clause.sentence.first or clause.named else 0.7,
        )


def _defines(clause: Clause) -> bool:
    if not _GENUS.match(clause.rest) or _WEAK.match(clause.rest):
        return False
    if clause.lexical or not (clause.verb in {"is", "are"} or _is_who(clause)):
        return False
    if re.search(r"\bnot (?:just|only)\b", clause.rest) or clause.sentence.text.startswith("There"):
        return False
    if clause.subject.startswith("the ") and not clause.named:
        return clause.sentence.first and bool(
            re.search(r"\b(?:that|which|who|of|in|for)\b", clause.rest)
        )
    if clause.verb == "are" and not re.search(r"[A-Z]", clause.subject):
        return False
    return (clause.named or clause.sentence.first) and len(clause.subject.split()) <= 5


_THINGS = r"\b(?:University|Company|Ltd|Inc|City|River|Bridge|Church|School|Hub)\b"


def _is_who(clause: Clause) -> bool:
    head = re.split(r"\b(?:of|for|in|with|that|which)\b", clause.rest)[0]
    title = _PERSON.search(clause.subject) or _PERSON.search(head)
    if clause.subject.startswith("the ") or re.search(_THINGS, clause.subject):
        return False
    return title is not None and re.search(r"\b[A-Z]", clause.subject) is not None


def _predicate(rest: str) -> str:
    """Return what is said of the thing, up to a semicolon or a second main clause."""
    return re.split(r";|, (?:and|but|so) (?:it|he|she|they|the)\b|, (?:it|he|she|they)\b", rest)[
        0
    ].strip()


def namings(passage: Passage) -> Iterator[Candidate]:
    """Yield "What is X called?" where a clause gives another name."""
    for clause in clauses_of(passage):
        match = _NAMING.match(clause.rest)
        if clause.fronted or match is None or not clause.named or clause.lexical:
            continue
        answer = re.split(
            r"\s(?:and|or|in|for|by|because|when|after|since|as|that|which)\s", match["answer"]
        )[0]
        if answer.lower() in clause.subject.lower():
            continue
        lead = match["lead"].replace("known as", "known as").strip()
        yield Candidate(
            f"What {clause.verb} {clause.subject} {lead}?",
            answer.strip(),
            clause.sentence.start,
            clause.sentence.end,
            "naming",
            "english.naming",
            0.8,
        )
