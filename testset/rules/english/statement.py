"""English, what was said: "In 1951, Ely Guild found that ..." -> "What did Ely Guild find ...?"."""

import re
from collections.abc import Iterator

from testset.corpus.passages import Passage
from testset.rules.english.clause import Clause, clauses_of
from testset.rules.english.names import is_person
from testset.rules.english.phrase import stands_alone
from testset.rules.english.vague import points_back
from testset.rules.passage_candidate import Candidate

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
        "hypothesize",
        "indicate",
        "maintain",
        "note",
        "predict",
        "propose",
        "prove",
        "report",
        "show",
        "state",
        "suggest",
    ]
)
_SAID = re.compile(
    r"(?:argued|claimed|concluded|estimated|found|noted|predicted|shown|stated|suggested|warned) "
    r"(?=that )"
)
_SECOND = re.compile(r"[;:“\"]|, (?:and|but|while|as|although|which) ")


_THAT = re.compile(r"(?P<answer>that .{12,200})$")


def statements(passage: Passage) -> Iterator[Candidate]:
    """Yield "What did X suggest?" for what a body, or a person at a known time, found or said."""
    for clause in clauses_of(passage):
        said = _SAID.match(clause.rest) if clause.verb in {"has", "have"} else None
        match = _THAT.match(clause.rest, said.end() if said else 0)
        if match is None or not (said or _says(clause)):
            continue
        when = f"in {clause.fronted}" if clause.fronted.isdigit() else ""
        told = when or is_person(clause.subject) or len(re.findall(r"[A-Z]\w+", clause.subject)) > 1
        told = told or _stands(match["answer"])
        if not clause.proper or not told or clause.setting or (clause.fronted and not when):
            continue
        if ", and " in match["answer"]:
            continue
        yield clause.candidate(
            clause.ask("What", f"{said.group() if said else ''}{when}".strip()),
            _SECOND.split(match["answer"])[0],
            kind="factoid",
            rule="statement",
            quality=0.84,
        )


def _says(clause: Clause) -> bool:
    return clause.lexical is not None and clause.lexical.base in _SAYING


def _stands(answer: str) -> bool:
    """Return whether what was said is understood by itself: it points at nothing."""
    said = answer.removeprefix("that ")
    return stands_alone(said) and not points_back(said) and len(said.split()) >= _MUCH


_MUCH = 7
