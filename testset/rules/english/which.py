"""English, which one: "The Treaty of Ely ended the war" -> "Which treaty ended the war?".

The name itself is asked for, so the question shares no rare name with the passage and has to be
found by what it says.
"""

import re
from collections.abc import Iterator

from testset.corpus.passages import Passage
from testset.rules.english.clause import Clause, clauses_of
from testset.rules.english.finite import AUXILIARIES
from testset.rules.english.phrase import first_part, stands_alone
from testset.rules.passage_candidate import Candidate

__all__ = ["KINDS", "kind_of", "kinds"]

KINDS = frozenset(
    [
        "act",
        "agreement",
        "airport",
        "algorithm",
        "army",
        "association",
        "avenue",
        "battle",
        "bill",
        "bridge",
        "building",
        "castle",
        "cathedral",
        "channel",
        "church",
        "city",
        "clause",
        "club",
        "college",
        "commission",
        "committee",
        "community",
        "company",
        "conference",
        "conjecture",
        "constitution",
        "convention",
        "corporation",
        "council",
        "county",
        "court",
        "creed",
        "desert",
        "directive",
        "district",
        "division",
        "dynasty",
        "effect",
        "empire",
        "episode",
        "event",
        "family",
        "festival",
        "film",
        "force",
        "formation",
        "fort",
        "gallery",
        "government",
        "group",
        "house",
        "hospital",
        "hurricane",
        "hypothesis",
        "institute",
        "island",
        "journal",
        "kingdom",
        "lake",
        "language",
        "law",
        "league",
        "library",
        "magazine",
        "method",
        "model",
        "monastery",
        "mountain",
        "movement",
        "museum",
        "network",
        "newspaper",
        "palace",
        "park",
        "party",
        "plan",
        "policy",
        "port",
        "principle",
        "process",
        "programme",
        "program",
        "project",
        "protocol",
        "province",
        "rebellion",
        "region",
        "religion",
        "revolution",
        "river",
        "road",
        "school",
        "sea",
        "series",
        "service",
        "siege",
        "society",
        "stadium",
        "station",
        "street",
        "studio",
        "system",
        "team",
        "theatre",
        "theorem",
        "theory",
        "treaty",
        "tree",
        "tribe",
        "union",
        "university",
        "valley",
        "village",
        "war",
    ]
)
_BEFORE_NAME = frozenset({"Fort", "Hurricane", "Lake"})
"""Kinds that come first; behind a name they are part of another one."""
_LONGEST, _FEWEST = 15, 4
"""Words of what is said of it: enough to tell it from others, few enough to read."""


def kinds(passage: Passage) -> Iterator[Candidate]:
    """Yield "Which <kind> ...?" where the subject is a name that tells its kind."""
    for clause in clauses_of(passage):
        kind = kind_of(clause.subject)
        rest = first_part(clause.rest)
        if not kind or not clause.named or not _tells(clause, rest):
            continue
        when = f"{clause.preposition.lower()} {clause.fronted}" if clause.fronted else ""
        words = (f"Which {kind}", clause.verb, rest, clause.setting, when)
        question = " ".join(word for word in words if word) + "?"
        if re.search(rf"\b{kind}\b", rest):
            continue
        yield Candidate(
            question,
            re.sub(r"^the ", "", clause.written),
            clause.sentence.start,
            clause.sentence.end,
            "naming",
            "english.kind",
            0.93 - 0.02 * max(0, len(question.split()) - 14),
        )


def kind_of(subject: str) -> str:
    """Return the kind that a name tells of itself; empty if it tells none.

    Example:
        >>> kind_of("the Treaty of Ely"), kind_of("Ely University"), kind_of("Nora Quill")
        ('treaty', 'university', '')
    """
    words = subject.removeprefix("the ").split()
    if len(words) < 2 or not words[0][:1].isupper() or re.search(r"\band\b|['’]s \S+$", subject):
        return ""
    last, first = words[-1], words[0]
    if (
        last.lower() in KINDS
        and last not in _BEFORE_NAME
        and all(word[:1].isupper() for word in words[:-1])
    ):
        return last.lower()
    named = words[1] == "of" or (len(words) == 2 and first in _BEFORE_NAME)
    return first.lower() if first.lower() in KINDS and named else ""


def _tells(clause: Clause, rest: str) -> bool:
    """Return whether what is said holds for one thing only, and leans on nothing before it."""
    words = rest.split()
    if not stands_alone(rest) or not _FEWEST <= len(words) <= _LONGEST:
        return False
    if clause.verb in AUXILIARIES and clause.verb not in {"is", "was", "has", "had", "will"}:
        return False
    if clause.verb in {"is", "was"} and re.match(r"(?:a|an) ", rest):
        return False
    if re.match(r"(?:to|that|not|about|only|and|followed)\b", rest) or re.search(
        r"\b(?:its?|their|his|her|of|in|by|the|and|to|that)$|\bthat\b|\bits\b|\bas did\b", rest
    ):
        return False
    told = re.findall(r"\b[A-Z0-9][\w'’-]+", f"{rest} {clause.fronted}")
    return len(told) >= 1
