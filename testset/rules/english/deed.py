"""English, what to what: "The Ely Act abolished the Hen Tax" -> "What did the Ely Act abolish?"."""

import re
from collections.abc import Iterator

from testset.corpus.passages import Passage
from testset.rules.english.clause import Clause, clauses_of
from testset.rules.english.dates import ANY_DATE
from testset.rules.english.names import is_person
from testset.rules.english.phrase import first_part, goes_on, stands_alone
from testset.rules.english.vague import is_vague_head, judges, points_back
from testset.rules.passage_candidate import Candidate

__all__ = ["deeds"]

_TELLING_WORDS = """
abolish absorb adopt attack ban banish connect control convert criticize damage destroy dominate
drain eliminate endorse examine express govern host house influence link measure monitor occupy
operate oppose outlaw overlook own prohibit promote publish ratify regulate reject replace
represent retain separate share specify sponsor store suppress surround symbolize threaten unify
unite
"""
_TELLING = frozenset(_TELLING_WORDS.split())
"""Verbs whose object says by itself what was done; one thing does it to one, as a rule."""
_TO_PEOPLE_WORDS = """
appoint assassinate beat defeat divorce elect hire kill marry portray replace succeed
"""
_TO_PEOPLE = frozenset(_TO_PEOPLE_WORDS.split())
_PERSON = re.compile(r"(?P<answer>(?:[A-Z][\w'’.-]*[\w.] ?){2,4})(?P<after>(?: ?[a-z].*)?)$")
_NO_OBJECT = re.compile(
    r"(?:to|that|in|on|at|by|with|from|into|as|up|out|off|for|of|over|down|away|back|and|not|all|"
    r"some|many|several|most|much|more|less|each|every|both|any|its?|their|his|her|no|about|"
    r"[a-z]+ly)\b|[\d\"“]"
)
_PLURAL_OR_DETERMINED = re.compile(r"(?:an?|the) |(?:[a-z'’-]+ ){0,4}[a-z-]+s\b|[A-Z]")
_TEAM = re.compile(r"(?:the )?(?:[A-Z]\S* ?)+(?:(?:in|at|on|for) .*)?")
"""A name of someone or something: whether to ask for it by "who" or by "what" is unsure."""
_LONGEST = 14


def deeds(passage: Passage) -> Iterator[Candidate]:
    """Yield "What did X replace?" and "Who did X marry?" for clauses with an object."""
    for clause in clauses_of(passage):
        if clause.lexical is None or clause.setting or not clause.proper:
            continue
        part = first_part(clause.rest)
        if (
            re.search(r"ly$|-[a-z]+ed$|-sized$", part)
            or goes_on(clause.rest, part)
            or not stands_alone(part)
        ):
            continue
        question, answer = _whom(clause, part) or _what(clause, part) or ("", "")
        if question:
            yield clause.candidate(question, answer, kind="factoid", rule="deed", quality=0.86)


def _whom(clause: Clause, part: str) -> tuple[str, str] | None:
    """Return the question for a person something was done to."""
    match = _PERSON.match(part)
    if match is None or clause.lexical is None or clause.lexical.base not in _TO_PEOPLE:
        return None
    answer, after = match["answer"].strip(), match["after"].strip()
    if not is_person(answer) or len(after.split()) > _LONGEST or re.match(r"and\b", after):
        return None
    return clause.ask("Who", f"{after} {clause.when}".strip()), answer


def _what(clause: Clause, part: str) -> tuple[str, str] | None:
    """Return the question for a thing, if its phrase is all that is said."""
    if clause.lexical is None or clause.lexical.base not in _TELLING:
        return None
    if _NO_OBJECT.match(part) or not _PLURAL_OR_DETERMINED.match(part) or ANY_DATE.search(part):
        return None
    words = part.split()
    if not 2 <= len(words) <= _LONGEST or judges(part) or _TEAM.fullmatch(part):
        return None
    head = re.split(r" (?:of|in|for|on|at|to|from|with|by|that|as|into) ", part)[0].split()
    if is_vague_head(head[-1]) or points_back(" ".join(head)) or re.search(r" (?:as|by) ", part):
        return None
    return clause.ask("What", clause.when), part
