"""English, why: "Luther was exiled because ..." -> "Why was Luther exiled?"; what was made."""

import re
from collections.abc import Iterator

from testset.corpus.passages import Passage
from testset.rules.english.clause import clauses_of
from testset.rules.english.names import is_person
from testset.rules.english.phrase import first_part, goes_on, stands_alone
from testset.rules.english.vague import is_vague_head, judges, points_back
from testset.rules.passage_candidate import Candidate

__all__ = ["objects", "reasons"]

_BECAUSE = re.compile(
    r"(?:^|,? )(?P<answer>(?:because .{12,160}|in order to .{12,160}|"
    r"due to (?:the|an?|its|their|his|her|"
    r"lack|poor|high|low|strong|[a-z]+ing\b|[a-z]+ (?:of|in|and)\b|[A-Z]).{12,160}))$"
)
_MADE_WORDS = """
abolish acquire adopt annex approve ban borrow build buy capture cause celebrate close
commission complete conquer construct convene create deliver demand demolish design
destroy develop discover enact end erect establish exhibit export found fund grant host
implement impose inaugurate inherit install introduce invent issue join launch lose offer open
organize outlaw pass patent perform pioneer premiere present produce promise promote propose
publish purchase ratify rebuild receive reject release remove rename repeal replace restore retain
reveal revive seize sell sign sponsor start suffer test unveil win write
"""
_MADE = frozenset(_MADE_WORDS.split())
_MADE_ONCE = frozenset(
    [
        "compose",
        "create",
        "design",
        "develop",
        "discover",
        "establish",
        "found",
        "invent",
        "patent",
        "publish",
        "write",
    ]
)
_SECOND = re.compile(
    r"[;“\"]|, (?:but|so|whereas|while|although|which means|and (?:it|they|he|she|the))\b"
)
_TWISTED = re.compile(r"\b(?:not|only|that|were|was|even|just)\b|ly$")
_SAYING = frozenset({"announce", "argue", "claim", "explain", "report", "say", "tell", "think"})
"""What follows these is a clause of its own, and the reason may be that one's."""
_COMPLETE_WORDS = """
close collapse decline die dissolve end fail fall increase resign retire rise sink
"""
_COMPLETE = frozenset(_COMPLETE_WORDS.split())
"""Verbs that need no object: "Why did the Ely Bridge collapse?"."""
_LONGEST_DEED = 12
LONGEST_ADJUNCT = 9
_PHRASE = re.compile(
    r"\s(?:in|on|at|with|by|to|from|for|after|before|during|into|as|under|over|against|and)\s"
)


def reasons(passage: Passage) -> Iterator[Candidate]:
    """Yield "Why ...?" for clauses that give their reason."""
    for clause in clauses_of(passage):
        match = _BECAUSE.search(clause.rest)
        if match is None or clause.fronted or match["answer"].endswith("said"):
            continue
        if clause.lexical and clause.lexical.base in _SAYING:
            continue
        rest = _without_aside(clause.rest[: match.start()].strip())
        least = 0 if clause.lexical and clause.lexical.base in _COMPLETE else 1
        if first_part(rest) != rest or not stands_alone(rest):
            continue
        if not least <= len(rest.split()) <= _LONGEST_DEED:
            continue
        if not (clause.named or re.search(r"\b[A-Z]", rest)) or _TWISTED.search(rest):
            continue
        if not clause.lexical and re.match(r"(?:an?|the) ", rest):
            continue
        yield clause.candidate(
            clause.ask("Why", rest),
            _SECOND.split(match["answer"])[0].strip(" ,"),
            kind="reason",
            rule="reason",
            quality=0.93,
        )


def _without_aside(rest: str) -> str:
    """Return what was done without what is said beside it of a name: ", a priest,"."""
    part = first_part(rest)
    return part if re.match(r", (?:an?|the) ", rest[len(part) :]) else rest


def objects(passage: Passage) -> Iterator[Candidate]:
    """Yield "What did X invent in 1888?" where the date makes the question particular."""
    for clause in clauses_of(passage):
        if not clause.proper or clause.lexical is None or clause.lexical.base not in _MADE:
            continue
        rest = first_part(clause.rest)
        if (
            " that" in rest
            or goes_on(clause.rest, rest)
            or clause.setting
            or not clause.lexical.past
        ):
            continue
        thing, *_ = _PHRASE.split(rest, maxsplit=1)
        about = rest[len(thing) :].strip()
        if not _is_thing(thing):
            continue
        asked = " ".join(
            words for words in (about if _particular(about) else "", clause.when) if words
        )
        alone = clause.lexical.base in _MADE_ONCE and is_person(clause.subject)
        if len(asked.split()) > LONGEST_ADJUNCT or not (asked or alone):
            continue
        yield clause.candidate(
            clause.ask("What", asked),
            thing,
            kind="factoid",
            rule="object",
            quality=0.87 if asked else 0.78,
        )


def _is_thing(thing: str) -> bool:
    """Return whether words are a noun phrase that says something: "a brass pump"."""
    words = thing.split()
    if not re.match(r"(?:the|a|an) ", thing) or len(words) < 3 or not stands_alone(thing):
        return False
    if is_vague_head(words[-1]) or re.search(r"(?:ly|ed|ing|[.\d])$", words[-1]):
        return False
    return not judges(thing) and not points_back(thing)


def _particular(about: str) -> bool:
    """Return whether an adjunct tells which occasion is meant: it names or dates something."""
    if not re.match(r"(?:in|on|at|to|from|for|after|before|during|into|against) ", about):
        return False
    return stands_alone(about) and re.search(r"[A-Z0-9]", about) is not None
