"""English subjects asked for: "Rust weakens the Ely Bridge" -> "What weakens the Ely Bridge?"."""

import re
from collections.abc import Iterator

from testset.corpus.passages import Passage
from testset.rules.english.clause import Clause, clauses_of
from testset.rules.english.phrase import first_part, stands_alone
from testset.rules.english.vague import judges, points_back
from testset.rules.passage_candidate import Candidate

__all__ = ["events"]

_ASKABLE = frozenset(
    [
        "absorb",
        "allow",
        "attract",
        "block",
        "carry",
        "cause",
        "cause",
        "combine",
        "compile",
        "connect",
        "contain",
        "control",
        "convert",
        "cover",
        "create",
        "damage",
        "define",
        "describe",
        "destroy",
        "detect",
        "determine",
        "display",
        "divide",
        "dominate",
        "enable",
        "enclose",
        "encourage",
        "end",
        "ensure",
        "examine",
        "explain",
        "express",
        "form",
        "function",
        "generate",
        "govern",
        "guarantee",
        "handle",
        "host",
        "house",
        "identify",
        "influence",
        "inspire",
        "lead",
        "limit",
        "link",
        "list",
        "make",
        "manage",
        "measure",
        "monitor",
        "occupy",
        "oppose",
        "preserve",
        "prevent",
        "produce",
        "prohibit",
        "promote",
        "protect",
        "provide",
        "reduce",
        "reflect",
        "regulate",
        "replace",
        "represent",
        "require",
        "restore",
        "reveal",
        "reverse",
        "run",
        "separate",
        "serve",
        "show",
        "store",
        "strengthen",
        "supply",
        "support",
        "surround",
        "trace",
        "track",
        "transfer",
        "transform",
        "transport",
        "trigger",
        "use",
    ]
)
LEAST_WORDS, MOST_WORDS = 5, 14


def events(passage: Passage) -> Iterator[Candidate]:
    """Yield "What ...?" where the subject is a thing and what is said of it tells it apart."""
    for clause in clauses_of(passage):
        rest = first_part(clause.rest)
        if not _is_thing(clause) or not _tells(rest):
            continue
        words = ("What", clause.verb, rest, clause.setting, clause.when)
        yield clause.candidate(
            " ".join(word for word in words if word) + "?",
            clause.written,
            kind="factoid",
            rule="event",
            quality=0.82,
        )


def _is_thing(clause: Clause) -> bool:
    """Return whether the subject is a thing in small letters, in the singular or in the past."""
    if re.search(r"[A-Z]", clause.subject) or clause.subject.split()[0] in {"a", "an"}:
        return False
    if (
        not clause.named
        or clause.lexical is None
        or clause.plural
        or clause.lexical.base not in _ASKABLE
    ):
        return False
    return not re.search(r"(?:people|men|women|ers|ors|ists|ians)$", clause.subject)


def _tells(rest: str) -> bool:
    words = rest.split()
    if not stands_alone(rest) or not LEAST_WORDS <= len(words) <= MOST_WORDS:
        return False
    if re.match(r"(?:to|that|in|on|at|by|with|from|into|as|up|out|for|an?)\b", rest):
        return False
    if judges(rest) or points_back(rest) or re.search(r"\b(?:its?|their|his|her|that)\b", rest):
        return False
    return re.search(r"\b[A-Z][a-z]", rest) is not None
