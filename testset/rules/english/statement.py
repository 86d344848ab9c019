"""English, what was said: "In 1951, Ely Guild found that ..." -> "What did Ely Guild find ...?"."""

import re
from collections.abc import Iterator

from testset.passages import Passage
from testset.rules.candidate import Candidate
from testset.rules.english.clause import clauses_of
from testset.rules.english.names import is_person

__all__ = ["statements"]

_SAYING = frozenset(
    [
        "announce",
        "argue",
        "assert",
        "believe",
        "claim",
        "conclude",
        "confirm",
        "declare",
        "demonstrate",
        "deny",
        "determine",
        "discover",
        "estimate",
        "explain",
        "find",
        "indicate",
        "predict",
        "propose",
        "prove",
        "report",
        "show",
        "suggest",
    ]
)
_SECOND = re.compile(r"[;:“\"]|, (?:and|but|while|as|although|which) ")


def statements(passage: Passage) -> Iterator[Candidate]:
    """Yield "What did X suggest?" for what a body, or a person at a known time, found or said."""
    for clause in clauses_of(passage):
        match = re.match(r"(?P<answer>that .{12,200})$", clause.rest)
        if match is None or clause.lexical is None or clause.lexical.base not in _SAYING:
            continue
        when = f"in {clause.fronted}" if clause.fronted.isdigit() else ""
        told = when or is_person(clause.subject) or len(re.findall(r"[A-Z]\w+", clause.subject)) > 1
        if not clause.proper or not told or clause.setting or (clause.fronted and not when):
            continue
        if ", and " in match["answer"]:
            continue
        yield clause.candidate(
            clause.ask("What", when),
            _SECOND.split(match["answer"])[0],
            kind="factoid",
            rule="statement",
            quality=0.84,
        )
