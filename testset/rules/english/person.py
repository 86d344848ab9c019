"""English, who: "It was designed by Ada Byron" -> "Who designed ...?"."""

import re
from collections.abc import Iterator

from testset.corpus.passages import Passage
from testset.rules.english.clause import Clause, clauses_of
from testset.rules.english.finite import AUXILIARIES
from testset.rules.english.names import is_person
from testset.rules.english.phrase import first_part, stands_alone
from testset.rules.english.verbs import participles, third_person, verb_of
from testset.rules.english.which import kind_of
from testset.rules.passage_candidate import Candidate

__all__ = ["agents", "doers"]

_AGENT = re.compile(
    r"(?:(?:[a-z]+ly|also|often|later) )?(?P<participle>[a-z]+) "
    r"(?P<between>(?:[\w-]+ ){0,6}?)by (?P<answer>(?:the )?[A-Z][\w.'’-]*"
    r"(?: (?:[A-Z][\w.'’-]*|of|de|von|van|the(?= [A-Z])|and(?= [A-Z])))*)"
    r"(?P<after> (?:in|at|for|on|during|as|to) .*)?$"
)
_DID_WORDS = """
abolish accompany acquire adopt advise advocate allocate annex announce appoint approve arrange
arrest assassinate assist attack attend author award ban banish beat become besiege break build
buy capture champion choose cite coach coin command commission complete compose conceive conduct
conquer construct control convince create criticize cross declare defeat defend deliver demand
demonstrate denounce deny describe design destroy develop direct discover discuss dissolve divide
donate draw drive edit elect embrace encourage end endorse escape establish examine execute expand
expel explain explore express favor fight finance fly force found fund give grant guide head help
hire hold host identify illustrate implement impose imprison influence inherit initiate inspire
instruct introduce invade invent invest investigate invite issue join kill launch lead lobby lose
make manage marry name negotiate nominate note observe obtain occupy offer operate oppose order
organize outlaw overthrow own paint pass patent perform persecute persuade photograph pioneer plot
portray praise preach predict present promise promote propose prosecute protest prove provide
publish purchase raise ratify rebuild receive recognize recommend redesign reform refuse reject
release rename repeal replace represent resign restore reveal revise revive rule save seize sell
send separate serve settle sign sponsor spread star steal strike study succeed sue suggest support
suppress surrender take teach threaten tour train transform translate unify unveil vaccinate view
visit vote warn win witness write
"""
_DID = frozenset(_DID_WORDS.split())


_MUCH = 5
"""Words of what opens with a preposition that tell enough."""


def agents(passage: Passage) -> Iterator[Candidate]:
    """Yield "Who ...?" for passive clauses that end in `by` and a name."""
    for clause in clauses_of(passage):
        rest = first_part(clause.rest)
        match = _AGENT.match(rest)
        if (
            match is None
            or (clause.fronted and not clause.fronted.isdigit())
            or clause.verb not in {"is", "are", "was", "were"}
            or not (clause.named or len(clause.subject.split()) > 2)
        ):
            continue
        question = _agent_question(clause, match)
        if question:
            yield clause.candidate(
                question, match["answer"], kind="factoid", rule="agent", quality=0.95
            )


def _agent_question(clause: Clause, match: re.Match[str]) -> str:
    """Return the question for who did what a passive tells; empty if the agent is another's."""
    past = _active(match["participle"], present=clause.present)
    if any(word in participles() for word in match["between"].split()):
        return ""
    if not past or not stands_alone(match["between"]) or _digits(match["answer"]):
        return ""
    between = re.sub(r"\b\w+ly\b|\b(?:in|on) \d.*", "", match["between"]).strip()
    after = (match["after"] or "").strip()
    if not stands_alone(after) or len(after.split()) > _LONGEST_AFTER:
        return ""
    words = (_whom(match["answer"]), past, clause.subject, between, after, clause.when)
    return " ".join(word for word in words if word) + "?"


_LONGEST_AFTER = 8


def _active(participle: str, *, present: bool) -> str:
    """Return the finite verb that says of the doer what a passive says; empty if not known.

    Example:
        >>> _active("written", present=False), _active("written", present=True)
        ('wrote', 'writes')
    """
    past = participles().get(participle, "")
    verb = verb_of(past)
    return third_person(verb.base) if present and verb is not None else past


def _whom(name: str) -> str:
    """Return how to ask for a name: by its kind where it tells one, else as for a person."""
    kind = kind_of(name)
    if kind and not is_person(name):
        return f"Which {kind}"
    return (
        "What" if re.search(r"\b(?:Metro|Line|Storm|Bible|System|Code|Syndrome)$", name) else "Who"
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
        told_in = clause.lexical.base == "write" and re.match(r"(?:in|to|on|for|about) ", rest)
        return clause.lexical.past and clause.lexical.base in _DID and not told_in
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
    if re.match(r"(?:out|off|up|down|back|and|of)\b", rest) or (
        re.match(r"(?:in|on|at|for|about|over|with|to|as|from)\b", rest) and len(words) < _MUCH
    ):
        return False
    if re.search(r"\b(?:that|his|her|their|its)\b", rest):
        return False
    _, _, second = rest.partition(" and ")
    if any(word in AUXILIARIES or verb_of(word) for word in second.split()[1:6]):
        return False
    named = any(word[:1].isupper() or re.match(r"\d{4}", word) for word in words)
    if re.search(r" (?:first|second|third|last|only)$", rest):
        return False
    if re.search(r"\b(?:its?|their|his|her|of|in|by|the|and|to)$|^(?:her|his|its) ", rest):
        return False
    return named and rest[:1] not in "\"'“"


def _digits(text: str) -> bool:
    return any(character.isdigit() for character in text)
