"""English superlatives: "Ely Hall is the oldest hall in Ely" -> "What is the oldest hall ...?"."""

import re
from collections.abc import Iterator

from testset.corpus.passages import Passage
from testset.rules.english.clause import Clause, clauses_of
from testset.rules.english.names import is_person
from testset.rules.english.phrase import first_part, goes_on, stands_alone
from testset.rules.english.vague import is_vague_head
from testset.rules.english.which import kind_of
from testset.rules.passage_candidate import Candidate

__all__ = ["superlatives"]

_SUPERLATIVE = re.compile(
    r"the (?:(?:second|third|fourth|world's|city's|country's|nation's)[ -])"
    r"*(?:[a-z]+est|first|only|most [a-z]+|principal|main|chief|capital|official|chair|head|"
    r"president|founder|author|governing)\b(?P<of>.{6,110})$"
)
_ROLE = re.compile(
    r"\b(?:chair|head|president|founder|author|king|queen|leader|manager|engineer|director|coach|"
    r"editor|mayor|governor|player|person|man|woman|singer|writer)\b"
)


def superlatives(passage: Passage) -> Iterator[Candidate]:
    """Yield "What is the largest ...?" for clauses that say who or what is."""
    for clause in clauses_of(passage):
        if clause.fronted or clause.lexical or clause.verb not in {"is", "was"}:
            continue
        rest = first_part(clause.rest)
        match = _SUPERLATIVE.match(rest)
        if match is None or not clause.proper or re.search(r"\d|\bsince\b|\bthat\b|'s\b", rest):
            continue
        head = re.split(r" (?:of|in|for|on|at|to) ", match["of"].strip())[0].split()
        if not stands_alone(rest) or not re.search(r" [A-Z]", rest):
            continue
        if head and is_vague_head(head[-1]):
            continue
        new = re.match(r"the (?:\w+[ -])?first\b", rest) is not None
        if re.search(r"\b(?:thing|one|time|person|people)\b", match["of"].split(" of ")[0]):
            continue
        if new and (goes_on(clause.rest, rest) or not _is_sure(clause, rest)):
            continue
        opening = "Who" if is_person(clause.subject) or _ROLE.search(rest) else "What"
        yield clause.candidate(
            f"{opening} {clause.verb} {rest}?",
            re.sub(r"^(?:the|a|an) ", "", clause.written),
            kind="factoid",
            rule="superlative",
            quality=0.95,
        )


def _is_sure(clause: Clause, rest: str) -> bool:
    """Return whether it is plain that a person, or that a thing, was the first, and at what."""
    plain = is_person(clause.subject) or kind_of(clause.subject) or clause.subject[:4] == "the "
    return bool(plain) and len(rest.split()) >= _FEWEST and not re.search(r"class$", clause.subject)


_FEWEST = 6
