"""English, what of: "Wi-Fi is based on ..." -> "What is Wi-Fi based on?"; parts; conditions."""

import re
from collections.abc import Iterator

from testset.corpus.passages import Passage
from testset.rules.english.clause import Clause, clauses_of
from testset.rules.english.phrase import without_second_clause
from testset.rules.passage_candidate import Candidate

__all__ = ["conditions", "parts", "relations"]

_RELATION = re.compile(
    r"(?P<what>(?:best |well |widely |mainly |mostly |primarily |originally |largely )?"
    r"(?:known for|famous for|based on|named after|derived from|composed of|"
    r"made of|made up of|divided into|responsible for|caused by|organized into|bounded by|"
    r"surrounded by|influenced by|associated with|replaced by|dedicated to|involved in|"
    r"filled with|equipped with|"
    r"powered by|required for|needed for|viewed as|regarded as|defined as|classified as|"
    r"described as|seen as|poisonous to|renowned for|concerned about|capable of|home to|"
    r"centered on|part of|dependent on|"
    r"active in|accused of|adapted to|adjacent to|assigned to|charged with|"
    r"confined to|connected to|converted (?:to|into)|convicted of|covered (?:with|by)|"
    r"credited with|"
    r"devoted to|distinguished by|engaged in|exempt from|exposed to|fined for|guilty of|"
    r"inspired by|isolated from|limited to|linked to|marked by|modell?ed on|named for|"
    r"nominated for|notable for|noted for|opposed to|praised for|prone to|protected (?:by|from)|"
    r"punished for|reduced to|resistant to|restricted to|rich in|sensitive to|"
    r"separated from|subject to|suited to|transformed into|translated into|"
    r"triggered by|valued for|vulnerable to|"
    r"responsible to|served by|limited by|followed by|preceded by|regulated by|operated by|ruled "
    r"by|governed by|bordered by|characterized by|determined by|measured by|hit by|affected by|"
    r"(?:required|allowed|expected|designed|intended) to (?!be\b)[a-z]+)) "
    r"(?P<answer>.{6,160})$"
)
_VERBAL = re.compile(r"(?P<what>on|of|to|from|for|in|with|as) (?P<answer>.{6,160})$")
_VERBAL_PAIRS = frozenset(
    [
        "consist:of",
        "depend:on",
        "refer:to",
        "belong:to",
        "lead:to",
        "relate:to",
        "focus:on",
        "rely:on",
        "result:in",
        "originate:from",
        "derive:from",
        "result:from",
        "specialize:in",
        "account:for",
        "apply:to",
        "serve:as",
        "act:as",
        "function:as",
        "differ:from",
        "compete:with",
        "convert:to",
        "correspond:to",
        "develop:into",
        "emigrate:to",
        "evolve:from",
        "evolve:into",
        "merge:with",
        "object:to",
        "respond:to",
        "warn:against",
    ]
)
_PARTS = frozenset({"contain", "comprise", "require", "need", "produce", "include"})
_POSSIBLE = re.compile(
    r"(?:also )?(?P<what>lead to|result in|cause|contain|include|hold|detect|affect|produce|"
    r"measure|store|control) (?P<answer>.{8,160})$"
)
_NO_THING = re.compile(
    r"(?:it|them|that|to|in|as|by|for|on|at|when|if|just|such|not|further|only|several|many|various|"
    r"some|other|most|all)\b|\d"
)
_TO_DO = re.compile(r"\b(?:to (?!the\b|an?\b)[a-z]+|that (?:you|we|the))\b")


def relations(passage: Passage) -> Iterator[Candidate]:
    """Yield "What is X based on?" and "What does X depend on?"."""
    for clause in clauses_of(passage):
        match = _relation(clause)
        if match is None or clause.fronted or not clause.named or _NO_THING.match(match["answer"]):
            continue
        if match["what"] in {"part of", "as"} and not clause.present:
            continue
        answer = without_second_clause(match["answer"])
        answer = re.split(r", (?=\w+ing\b)", answer)[0]
        if len(answer.split()) < 2 and not answer[:1].isupper():
            continue
        yield clause.candidate(
            clause.ask("What", f"{_form(clause)}{match['what']}"),
            answer,
            kind="factoid",
            rule="relation",
            quality=0.88 if clause.proper else 0.8,
        )


def _relation(clause: Clause) -> re.Match[str] | None:
    if clause.lexical is None:
        return _RELATION.match(clause.passive[1]) if clause.passive else None
    match = _VERBAL.match(clause.rest)
    if match and f"{clause.lexical.base}:{match['what']}" in _VERBAL_PAIRS:
        return match
    return None


def _form(clause: Clause) -> str:
    return clause.passive[0] if clause.lexical is None and clause.passive else ""


def conditions(passage: Passage) -> Iterator[Candidate]:
    """Yield "When does X occur?" and "What can X result in?"."""
    for clause in clauses_of(passage):
        if clause.fronted or not (clause.named or clause.subject[:4] != "the "):
            continue
        if clause.lexical is not None and clause.lexical.base in {"occur", "happen"}:
            match = re.match(
                r"(?P<what>)(?P<answer>(?:when|if|in|after|during) .{8,160})$", clause.rest
            )
            opening = "When"
        else:
            match = (
                _POSSIBLE.match(clause.rest)
                if clause.verb in {"can", "may"} and clause.named
                else None
            )
            opening = "What"
        if match is None or (_NO_THING.match(match["answer"]) and opening == "What"):
            continue
        answer = match["answer"] if opening == "When" else without_second_clause(match["answer"])
        if opening == "When" and clause.subject.split()[0] in {"a", "an"}:
            continue
        yield clause.candidate(
            clause.ask(opening, match["what"]),
            answer.split(";")[0],
            kind="factoid",
            rule="condition",
            quality=0.86,
        )


def parts(passage: Passage) -> Iterator[Candidate]:
    """Yield "What does X include?" where a clause lists at least two things."""
    for clause in clauses_of(passage):
        if clause.fronted or not clause.named or clause.lexical is None or clause.lexical.past:
            continue
        answer = re.split(r", (?:which|where|who|such)\b", without_second_clause(clause.rest))[0]
        if clause.lexical.base not in _PARTS or not re.search(r"(?:, | and )", answer):
            continue
        if clause.subject.split(" of ")[0].endswith("s") and not clause.plural:
            continue
        if not re.match(r"[a-zA-Z]", answer) or _NO_THING.match(answer) or _TO_DO.search(answer):
            continue
        yield clause.candidate(
            clause.ask("What", ""),
            answer,
            kind="list",
            rule="parts",
            quality=0.84 if len(clause.subject.split()) > 1 else 0.78,
        )
