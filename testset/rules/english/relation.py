"""English, what of: "Wi-Fi is used for ..." -> "What is Wi-Fi used for?"; parts; superlatives."""

import re
from collections.abc import Iterator

from testset.passages import Passage
from testset.rules.candidate import Candidate
from testset.rules.english.clause import clauses_of, first_part, stands_alone
from testset.rules.english.names import is_person

__all__ = ["conditions", "parts", "relations", "statements", "superlatives"]

_RELATION = re.compile(
    r"(?P<what>(?:best |well |widely |mainly |mostly |primarily |originally |largely )?"
    r"(?:known for|famous for|used for|based on|named after|derived from|composed of|"
    r"made of|"
    r"made up of|divided into|responsible for|caused by|organized into|bounded by|surrounded by|"
    r"influenced by|associated with|replaced by|dedicated to|involved in|filled with|equipped with|"
    r"powered by|required for|needed for|viewed as|regarded as|defined as|classified as|"
    r"described as|"
    r"voted|titled|seen as|poisonous to|renowned for|concerned about|capable of|home to|"
    r"centered on|part of|dependent on|"
    r"responsible to|served by|limited by|followed by|preceded by|regulated by|operated by|ruled "
    r"by|"
    r"governed by|bordered by|characterized by|determined by|measured by|hit by|affected by|"
    r"(?:required|allowed|expected|designed|intended|forced|able) to [a-z]+)) (?P<answer>.{6,160})$"
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
        "begin:with",
        "end:with",
    ]
)
_PARTS = frozenset({"contain", "comprise", "require", "need", "produce"})
_SUPERLATIVE = re.compile(
    r"the (?!first\b)(?:(?:second|third|fourth|world's|city's|country's|nation's)[ -])"
    r"*(?:[a-z]+est|first|only|most [a-z]+|principal|main|chief|capital|official|chair|head|"
    r"president|founder|author|governing)\b.{6,110}$"
)


def relations(passage: Passage) -> Iterator[Candidate]:
    """Yield "What is X used for?" and "What does X depend on?"."""
    for clause in clauses_of(passage):
        if clause.fronted or not clause.named:
            continue
        if clause.lexical is None and clause.verb in {"is", "are", "was", "were"}:
            match = _RELATION.match(clause.rest)
        elif clause.lexical is not None:
            match = _VERBAL.match(clause.rest)
            if match and f"{clause.lexical.base}:{match['what']}" not in _VERBAL_PAIRS:
                match = None
        else:
            match = None
        if match is None:
            continue
        yield Candidate(
            clause.ask("What", match["what"]),
            _said(match["answer"]),
            clause.sentence.start,
            clause.sentence.end,
            "factoid",
            "english.relation",
            0.85,
        )


def conditions(passage: Passage) -> Iterator[Candidate]:
    """Yield "When does X occur?" and "What can X result in?"."""
    for clause in clauses_of(passage):
        if clause.fronted or not clause.named:
            continue
        if clause.lexical is not None and clause.lexical.base in {"occur", "happen"}:
            match = re.match(
                r"(?P<what>)(?P<answer>(?:when|if|in|after|during) .{8,160})$", clause.rest
            )
            opening = "When"
        else:
            match = _POSSIBLE.match(clause.rest) if clause.verb in {"can", "may", "must"} else None
            opening = "What"
        if match is None or match["answer"].startswith("that"):
            continue
        yield Candidate(
            clause.ask(opening, match["what"]),
            match["answer"],
            clause.sentence.start,
            clause.sentence.end,
            "factoid",
            "english.condition",
            0.8,
        )


def _said(answer: str) -> str:
    """Return the answer without a consequence or a second statement after it."""
    cut = re.split(
        r",? (?:so|and (?:the|it|he|she|they)|and [A-Z]|as (?:did|do)|eventually)\b|;", answer
    )[0]
    return re.split(r", (?=\w+ing\b)", cut)[0].strip(" ,")


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
        "note",
        "predict",
        "propose",
        "prove",
        "report",
        "say",
        "show",
        "state",
        "suggest",
        "think",
    ]
)


def statements(passage: Passage) -> Iterator[Candidate]:
    """Yield "What did X suggest?" for what someone said, found or showed."""
    for clause in clauses_of(passage):
        match = re.match(r"(?P<answer>that .{12,160})$", clause.rest)
        said = clause.lexical.base if clause.lexical else ""
        if match is None and clause.verb in {"has", "have"}:
            match = re.match(r"(?P<what>[a-z]+ed) (?P<answer>that .{12,160})$", clause.rest)
            said = match["what"].removesuffix("d").removesuffix("e") if match else ""
        if match is None or not {said, said + "e"} & _SAYING:
            continue
        if not clause.named or not re.search(r"[A-Z]", clause.subject):
            continue
        when = f"in {clause.fronted}" if clause.fronted.isdigit() else ""
        yield Candidate(
            clause.ask("What", when or match.groupdict().get("what", "")),
            _said(match["answer"]),
            clause.sentence.start,
            clause.sentence.end,
            "factoid",
            "english.statement",
            0.8,
        )


_POSSIBLE = re.compile(
    r"(?P<what>(?:also )?(?:lead to|result in|cause|contain|include|be used for|be used to|hold|"
    r"show|"
    r"send|detect|affect|produce|read|measure|store|control)) (?P<answer>.{8,160})$"
)


def parts(passage: Passage) -> Iterator[Candidate]:
    """Yield "What does X include?" where a clause lists at least two things."""
    for clause in clauses_of(passage):
        if clause.fronted or not clause.named or clause.lexical is None:
            continue
        if (
            clause.lexical.past
            or clause.lexical.base not in _PARTS
            or not re.search(r"(?:, | and )", clause.rest)
        ):
            continue
        if clause.subject.split(" of ")[0].endswith("s") and not clause.plural:
            continue
        if not re.match(r"[a-zA-Z]", clause.rest) or re.match(
            r"(?:it|them|that|to|in|as)\b", clause.rest
        ):
            continue
        yield Candidate(
            clause.ask("What", ""),
            clause.rest,
            clause.sentence.start,
            clause.sentence.end,
            "list",
            "english.parts",
            0.8 if len(clause.subject.split()) > 1 else 0.7,
        )


def superlatives(passage: Passage) -> Iterator[Candidate]:
    """Yield "What is the largest ...?" for clauses that say who or what is."""
    for clause in clauses_of(passage):
        if clause.fronted or clause.lexical or clause.verb not in {"is", "was"} or not clause.named:
            continue
        rest = first_part(clause.rest)
        if re.search(r"\d|\bsince\b|\bthat\b", rest):
            continue
        if (
            _SUPERLATIVE.match(rest) is None
            or not stands_alone(rest)
            or not re.search(r" [A-Z]", rest)
        ):
            continue
        if clause.subject.startswith(("the ", "a ", "an ")) and not re.search(
            r"[A-Z]", clause.subject
        ):
            continue
        opening = "Who" if is_person(clause.subject) or _ROLE.search(rest) else "What"
        yield Candidate(
            f"{opening} {clause.verb} {rest}?",
            _bare(clause.subject),
            clause.sentence.start,
            clause.sentence.end,
            "factoid",
            "english.superlative",
            0.95,
        )


_ROLE = re.compile(r"\b(?:chair|head|president|founder|author|king|leader|manager|engineer)\b")


def _bare(subject: str) -> str:
    return re.sub(r"^(?:the|a|an) ", "", subject)
