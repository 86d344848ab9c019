"""English, who: "It was designed by Ada Byron" -> "Who designed ...?"."""

import re
from collections.abc import Iterator

from testset.passages import Passage
from testset.rules.candidate import Candidate
from testset.rules.english.clause import Clause, clauses_of
from testset.rules.english.names import is_person
from testset.rules.english.phrase import first_part, stands_alone
from testset.rules.english.verbs import participles

__all__ = ["agents", "doers"]

_AGENT = re.compile(
    r"(?P<participle>[a-z]+) (?P<between>(?:[\w-]+ ){0,6}?)by (?P<answer>(?:the )"
    r"?[A-Z][\w.'’-]*(?: (?:[A-Z][\w.'’-]*|of|de|von|van|the(?= [A-Z])|and(?= [A-Z])))*)"
    r"(?P<after> (?:in|at|for|on|during) .*)?$"
)
_DID = frozenset(
    [
        "acquire",
        "announce",
        "attend",
        "become",
        "break",
        "build",
        "buy",
        "capture",
        "choose",
        "command",
        "compose",
        "conquer",
        "control",
        "create",
        "criticize",
        "defeat",
        "design",
        "develop",
        "discover",
        "divide",
        "draw",
        "drive",
        "embrace",
        "encourage",
        "establish",
        "force",
        "found",
        "give",
        "hold",
        "identify",
        "influence",
        "inspire",
        "introduce",
        "invade",
        "invent",
        "join",
        "kill",
        "lead",
        "lose",
        "make",
        "marry",
        "name",
        "occupy",
        "oppose",
        "order",
        "paint",
        "patent",
        "perform",
        "persuade",
        "propose",
        "publish",
        "purchase",
        "receive",
        "recognize",
        "recommend",
        "redesign",
        "reject",
        "rule",
        "sell",
        "send",
        "separate",
        "serve",
        "settle",
        "sign",
        "sponsor",
        "spread",
        "succeed",
        "support",
        "take",
        "teach",
        "translate",
        "visit",
        "win",
        "write",
    ]
)


def agents(passage: Passage) -> Iterator[Candidate]:
    """Yield "Who ...?" for passive clauses that end in `by` and a name."""
    for clause in clauses_of(passage):
        rest = first_part(clause.rest)
        match = _AGENT.match(rest)
        if (
            match is None
            or clause.fronted
            or clause.verb not in {"was", "were"}
            or not (clause.named or len(clause.subject.split()) > 2)
        ):
            continue
        past = participles().get(match["participle"])
        if past is None or not stands_alone(match["between"]) or _digits(match["answer"]):
            continue
        between = re.sub(r"\b\w+ly\b|\b(?:in|on) \d.*", "", match["between"]).strip()
        after = (match["after"] or "").strip()
        if not stands_alone(after) or len(after.split()) > 8:
            continue
        yield Candidate(
            " ".join(w for w in ("Who", past, clause.subject, between, after) if w) + "?",
            match["answer"],
            clause.sentence.start,
            clause.sentence.end,
            "factoid",
            "english.agent",
            0.95,
        )


def doers(passage: Passage) -> Iterator[Candidate]:
    """Yield "Who ...?" for clauses whose subject is a person."""
    for clause in clauses_of(passage):
        rest = first_part(clause.rest)
        if not _acts(clause) or not _says_enough(rest) or not _did(clause, rest):
            continue
        when = f" in {clause.fronted}" if clause.fronted.isdigit() else ""
        rest = f"{rest} {clause.setting}".strip()
        question = f"Who {clause.verb} {rest}{when}?"
        yield Candidate(
            question,
            clause.written,
            clause.sentence.start,
            clause.sentence.end,
            "factoid",
            "english.doer",
            0.85 - 0.02 * max(0, len(question.split()) - 13),
        )


def _did(clause: Clause, rest: str) -> bool:
    """Return whether the clause tells a deed, or what was done to a person or what they were."""
    if clause.lexical is not None:
        return clause.lexical.past and clause.lexical.base in _DID
    if not is_person(clause.subject) or clause.verb not in {"was", "is"}:
        return False
    return (
        any(word in participles() for word in rest.split()[:2])
        or re.match(r"the \w+ ", rest) is not None
    )


def _acts(clause: Clause) -> bool:
    """Return whether the subject is a name of someone: a person, or a body that acts."""
    words = clause.subject.split()
    named = clause.named and all(word[:1].isupper() or word in {"the", "of"} for word in words)
    if re.search(r"(?:ation|ment|ism|ness|ity)$", clause.subject):
        return False
    return is_person(clause.subject) or (named and words[0][:1].isupper() and len(words) <= 4)


def _says_enough(rest: str) -> bool:
    """Return whether the predicate tells who is meant: it names something, or says much."""
    words = rest.split()
    if not stands_alone(rest) or not 2 <= len(words) <= 14:
        return False
    if re.match(r"(?:in|on|at|out|off|up|down|back|for|about|over|and|of|with)\b", rest):
        return False
    if re.search(r"\b(?:that|his|her|their|its)\b", rest):
        return False
    named = any(word[:1].isupper() or word[:1].isdigit() for word in words)
    if re.search(r"\b(?:its?|their|his|her|of|in|by|the|and|to)$|^(?:her|his|its) ", rest):
        return False
    return named and rest[:1] not in "\"'“"


def _digits(text: str) -> bool:
    return any(character.isdigit() for character in text)
