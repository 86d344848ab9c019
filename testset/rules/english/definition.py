"""English, what is: "The dead band is a range ..." -> "What is the dead band?"."""

import re
from collections.abc import Iterator

from testset.corpus.passages import Passage
from testset.rules.english.clause import Clause, clauses_of
from testset.rules.english.names import is_person
from testset.rules.english.phrase import without_second_clause
from testset.rules.english.vague import is_vague_head, judges
from testset.rules.passage_candidate import Candidate

__all__ = ["definitions", "has_role", "namings"]

_GENUS = re.compile(
    r"(?P<article>a|an|the|one of the) (?P<kind>[^,;:]+?)"
    r"(?= (?:of|that|which|who|for|in|with|to|on|by|at|from|where|whose|used|designed|based|"
    r"written|created|made|called|containing|consisting|known|such|located|between|as|under|and|or|"
    r"within|over|near|across|against|about|into|through|[a-z]{3,}(?:ed|ing))\b|,|$)"
)
_TELLING = re.compile(
    r"\b(?:that|which|who|whose|where|of|for|in|used|designed|based|to|with|containing|consisting|"
    r"[a-z]{3,}(?:ed|ing))\b"
)
_HOLDS_FOR_ONE = re.compile(r"\d+-year-old|\b(?:first|second|third|last|next|latest|newest)\b")
_WEAK = re.compile(
    r"(?:[a-z]+est|only|first|last|most|one|second|best|worst|largest|main|same|chief)\b"
)
LONGEST_SUBJECT = 5
SHORTEST_ANSWER = 4
"""Words: fewer do not tell what a thing is."""
QUALITY = 0.74
"""Below what asks for a fact: sets in which every question is "What is X?" say little."""


def definitions(passage: Passage) -> Iterator[Candidate]:
    """Yield questions for clauses that say what kind of thing something is."""
    for clause in clauses_of(passage):
        answer = without_second_clause(clause.rest)
        if clause.fronted or clause.setting or clause.lexical or not _defines(clause, answer):
            continue
        if _is_counted(clause.subject, passage.document.text):
            continue
        who = _is_who(clause)
        if not who and has_role(clause.rest):
            continue
        if clause.verb not in {"is", "are"} and not who:
            continue
        yield clause.candidate(
            f"{'Who' if who else 'What'} {clause.verb} {clause.subject}?",
            answer,
            kind="definition",
            rule="definition",
            quality=QUALITY if clause.proper or clause.subject.startswith(("a ", "an ")) else 0.7,
        )


def _defines(clause: Clause, answer: str) -> bool:
    """Return whether the predicate names a kind and then says which of that kind."""
    genus = _GENUS.match(answer)
    if re.search(r"\bnot (?:just|only|merely)\b|\b(?:of|in|to|from) that\b", clause.rest):
        return False
    if genus is None or len(answer.split()) < SHORTEST_ANSWER or not _is_term(clause):
        return False
    kind, told = genus["kind"], answer[genus.end() :]
    if _WEAK.match(kind) or judges(kind) or _HOLDS_FOR_ONE.search(kind):
        return False
    if is_vague_head(kind.split()[-1]) and not told.startswith(" of "):
        return False
    if is_vague_head(kind.split()[-1]) and kind.split()[-1] not in _KIND_OF:
        return False
    return genus["article"] not in {"the"} or _TELLING.search(told) is not None


_KIND_OF = frozenset({"type", "kind", "part", "piece", "set", "list", "variant", "version", "rule"})


def _is_term(clause: Clause) -> bool:
    """Return whether the subject is something to be defined: a name, or a kind of thing."""
    words = clause.subject.split()
    if len(words) > LONGEST_SUBJECT or (clause.verb == "are" and not words[-1].endswith("s")):
        return False
    if re.match(r"(?:Mr|Mrs|Ms|Dr|Miss)\b", clause.subject):
        return False
    if words[0] in {"a", "an"}:
        return not re.search(r"\b(?:of|in|for|on|at)\b", clause.subject)
    if words[0] == "the":
        return clause.proper
    return clause.proper or len(words) <= 3


_ROLE = re.compile(
    r"\b(?:[a-z]+(?:ologist|ician|orian|cist|mist|cher|nger|nter|nder|rmer)|actor|actress|artist|"
    r"activist|architect|author|bishop|chair|chairman|chairwoman|chairperson|chief|coach|commander|composer|"
    r"daughter|director|economist|editor|emperor|engineer|explorer|general|governor|guitarist|host|"
    r"journalist|judge|king|knight|lawyer|leader|linebacker|mayor|member|merchant|minister|monk|"
    r"novelist|officer|patriarch|philosopher|player|poet|politician|pope|preacher|president|priest|"
    r"prince|producer|professor|queen|quarterback|reformer|scholar|senator|soldier|son|student|"
    r"wife|writer)\b"
)
_NO_PERSON = re.compile(
    r"\b(?:University|Company|Ltd|Inc|Corp|City|River|Bridge|Church|School|Institute|Group|Club)\b"
)


def _is_counted(subject: str, text: str) -> bool:
    """Return whether a bare small word is one that wants an article: "a pump", not "rain"."""
    if " " in subject or not subject.islower() or subject.endswith("s"):
        return False
    return re.search(rf"\b(?:an?|the|each|this) {re.escape(subject)}\b", text) is not None


def _is_who(clause: Clause) -> bool:
    """Return whether a person is told of: by the name, or by a role that only a person has."""
    if is_person(clause.subject):
        return True
    names = re.findall(r"[A-Z][a-zé'’-]+", clause.subject)
    if len(names) < 2 or clause.subject.startswith("the ") or _NO_PERSON.search(clause.subject):
        return False
    return has_role(clause.rest)


def has_role(rest: str) -> bool:
    """Return whether the predicate gives a role that only a person has."""
    head = re.split(r"\b(?:of|for|in|with|that|which|to|on|by|used|written)\b", rest)[0]
    return _ROLE.search(head.lower()) is not None


_NAMING = re.compile(
    r"(?P<lead>(?:also |commonly |often |sometimes |usually |generally )?(?:known as|called|"
    r"nicknamed|referred to as|abbreviated as)) [\"“]?(?P<answer>(?:the |a |an )?[^,;:()"
    r"\"”]{3,50})"
)


def namings(passage: Passage) -> Iterator[Candidate]:
    """Yield "What is X called?" where a clause gives another name."""
    for clause in clauses_of(passage):
        match = _NAMING.match(clause.rest)
        if clause.fronted or match is None or not clause.named or clause.lexical:
            continue
        if clause.verb not in {"is", "are", "was", "were"}:
            continue
        answer = re.split(
            r"\s(?:and|or|in|for|by|because|when|after|since|as|that|which|due|to|on|at|from)\s",
            match["answer"],
        )[0]
        if answer.lower() in clause.subject.lower() or not re.match(r"[\w]", answer):
            continue
        yield clause.candidate(
            f"What {clause.verb} {clause.subject} {match['lead']}?",
            answer.strip(),
            kind="naming",
            rule="naming",
            quality=0.9,
        )
