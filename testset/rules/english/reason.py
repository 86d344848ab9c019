"""English, why: "Luther was exiled because ..." -> "Why was Luther exiled?"; what was made."""

import re
from collections.abc import Iterator

from testset.passages import Passage
from testset.rules.candidate import Candidate
from testset.rules.english.clause import clauses_of, first_part, stands_alone

__all__ = ["objects", "reasons"]

_BECAUSE = re.compile(r",? (?P<answer>(?:because|due to|in order to) .{12,160})$")
_MADE = frozenset(
    [
        "adopt",
        "replace",
        "influence",
        "dominate",
        "sign",
        "provide",
        "experience",
        "cover",
        "invite",
        "feature",
        "lead",
        "add",
        "bring",
        "build",
        "carry",
        "change",
        "complete",
        "measure",
        "carry",
        "cost",
        "hold",
        "own",
        "operate",
        "rescue",
        "adopt",
        "approve",
        "attack",
        "cause",
        "conquer",
        "control",
        "criticize",
        "destroy",
        "enter",
        "follow",
        "form",
        "give",
        "join",
        "lose",
        "make",
        "occupy",
        "oppose",
        "reach",
        "reject",
        "support",
        "acquire",
        "announce",
        "build",
        "capture",
        "create",
        "design",
        "develop",
        "discover",
        "establish",
        "found",
        "introduce",
        "invent",
        "launch",
        "open",
        "patent",
        "produce",
        "propose",
        "publish",
        "purchase",
        "receive",
        "release",
        "sign",
        "win",
        "write",
    ]
)
LONGEST_ADJUNCT = 9
_PHRASE = re.compile(
    r"\s(?:in|on|at|with|by|to|from|for|after|before|during|into|as|under|over|against|and)\s"
)


def reasons(passage: Passage) -> Iterator[Candidate]:
    """Yield "Why ...?" for clauses that give their reason."""
    for clause in clauses_of(passage):
        match = _BECAUSE.search(clause.rest)
        if match is None or clause.fronted:
            continue
        rest = clause.rest[: match.start()].strip()
        if first_part(rest) != rest or not stands_alone(rest) or not 1 <= len(rest.split()) <= 12:
            continue
        if not (clause.named or re.search(r"\b[A-Z]", rest)) or re.search(
            r"\b(?:not|only|that|were|was)\b", rest
        ):
            continue
        yield Candidate(
            clause.ask("Why", rest),
            match["answer"],
            clause.sentence.start,
            clause.sentence.end,
            "reason",
            "english.reason",
            0.9,
        )


def objects(passage: Passage) -> Iterator[Candidate]:
    """Yield "What did X invent in 1888?" where the date makes the question particular."""
    for clause in clauses_of(passage):
        if not clause.named or not re.search(r"\b[A-Z0-9]", clause.subject):
            continue
        if clause.lexical is None or clause.lexical.base not in _MADE:
            continue
        rest = first_part(clause.rest)
        if " that" in rest or clause.setting:
            continue
        thing, *_ = _PHRASE.split(rest, maxsplit=1)
        about = rest[len(thing) :].strip()
        if not re.match(r"(?:the|a|an) ", thing) or len(thing.split()) < 3:
            continue
        when = f"{clause.preposition.lower()} {clause.fronted}" if clause.fronted else ""
        asked = " ".join(words for words in (about if _particular(about) else "", when) if words)
        if not stands_alone(thing) or len(asked.split()) > LONGEST_ADJUNCT:
            continue
        yield Candidate(
            clause.ask("What", asked),
            thing,
            clause.sentence.start,
            clause.sentence.end,
            "factoid",
            "english.object",
            0.85 if asked else 0.68,
        )


def _particular(about: str) -> bool:
    """Return whether an adjunct tells which occasion is meant: it names or dates something."""
    if not re.match(r"(?:in|on|at|to|from|for|after|before|during|into|against) ", about):
        return False
    return stands_alone(about) and re.search(r"[A-Z0-9]", about) is not None
