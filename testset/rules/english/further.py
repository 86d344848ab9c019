"""What else an English sentence says of what it names, each time as a short sentence of its own.

Relative clauses, participles between commas and joined predicates tell facts of the same worth as
the main clause: "They met in Ely Hall, which was built in 1901" tells when Ely Hall was built.
"""

import re
from collections.abc import Iterator

from testset.rules.english.finite import AUXILIARIES
from testset.rules.english.names import is_person
from testset.rules.english.verbs import participles, verb_of

__all__ = ["joined", "told_beside"]

_NAME = r"(?:[Tt]he )?[A-Z][\w'’-]+(?: (?:(?:of|de|von|van|the)(?= (?:the )?[A-Z])|[A-Z][\w'’-]*))*"
_BESIDE = re.compile(
    rf"(?:\b(?P<before>[a-z]\w*) |^)(?P<name>{_NAME}), (?:(?P<link>which|who) (?P<verb>[a-z]+)|"
    r"(?P<participle>[a-z]+)) (?P<rest>(?:[^,;()]|,(?= (?:1\d|20)\d\d\b)|,(?=\d))+)(?=[,;.]|$)"
)
_OBJECT_OF = frozenset({"by", "into", "to", "called", "named", "became", "against"})
"""Words before a name that make it the whole of what a relative clause tells about."""
_STILL = frozenset({"located", "situated", "headquartered"})
_ONCE_WORDS = """
born built completed created designed discovered established formed founded invented killed
launched named opened published released signed written
"""
_ONCE = frozenset(_ONCE_WORDS.split())
_SPEAKING = frozenset({"add", "explain", "note", "say", "state", "tell", "write"})
"""Before a name, these put a speaker after his words: "..., said Quill, ..."."""
_MANY = re.compile(r"^[Tt]he [A-Z]\S+s$")
_JOIN = re.compile(
    r",? and (?:(?:also|then|later|subsequently|eventually|finally) )?(?P<verb>[a-z]+) "
    r"(?P<rest>.+)$"
)
_OWN_CLAUSE = re.compile(r"\b(?:which|who|whom|that|where|when|while|if|because|how|what|as)\b")
_THING_OR_PLACE = re.compile(
    r"(?:the|an?|its|his|her|their|in|to|from|at|on|for|with|\d|[A-Z])(?:\b|[A-Z])"
)


def told_beside(text: str) -> Iterator[str]:
    """Yield what relative clauses and participles between commas tell of a name.

    Example:
        >>> list(told_beside("They moved to Ely Hall, which was built in 1901."))
        ['Ely Hall was built in 1901.']
        >>> list(told_beside("Ely Hall, built in 1901, is made of stone."))
        ['Ely Hall was built in 1901.']
        >>> list(told_beside("They sold the roof of Ely Hall, which was built in 1901."))
        []
    """
    for match in _BESIDE.finditer(text.rstrip(".")):
        before, name = match["before"], match["name"]
        if before is not None and before not in _OBJECT_OF and not _is_past(before):
            continue
        placed = re.match(r"(?:in|by|at|on|near|from) ", match["rest"])
        if not match["link"] and not placed:
            continue
        verb = match["verb"] if match["link"] else _helping(match["participle"], name)
        if not verb or (match["link"] == "who") != is_person(name):
            continue
        if verb not in AUXILIARIES and verb_of(verb) is None and " " not in verb:
            continue
        said = re.sub(r"^had been ", "was ", f"{verb} {match['rest']}")
        yield f"{name[:1].upper()}{name[1:]} {said}."


def _is_past(word: str) -> bool:
    verb = verb_of(word)
    return verb is not None and verb.past and verb.base not in _SPEAKING


def _helping(participle: str, name: str) -> str:
    """Return a participle with the verb that a sentence of its own needs; empty if unsure."""
    if _MANY.match(name):
        return ""
    if participle in _STILL:
        return f"is {participle}"
    return f"was {participle}" if participle in _ONCE else ""


def joined(subject: str, verb: str, rest: str) -> str:
    """Return the sentence that a second predicate makes with the subject; empty if unsure.

    Example:
        >>> joined("The Ely Hall", "was", "built in 1901 and moved to Lynn in 1920")
        'The Ely Hall was moved to Lynn in 1920.'
        >>> joined("Nora Quill", "bought", "Ely Hall and sold the roof in 1920")
        'Nora Quill sold the roof in 1920.'
        >>> joined("Nora Quill", "bought", "a hall that burned and killed a hen in 1920")
        ''
    """
    match = _JOIN.search(rest)
    if match is None or _OWN_CLAUSE.search(rest[: match.start()]):
        return ""
    second, said = match["verb"], match["rest"]
    if second in AUXILIARIES:
        return f"{subject} {second} {said}."
    if not _THING_OR_PLACE.match(said):
        return ""
    first = rest.split(maxsplit=1)[0]
    if verb in AUXILIARIES and re.match(r"(?:in|to|at|by|from|for|with|on|into) ", said):
        both = first in participles() and second in participles()
        return f"{subject} {verb} {second} {said}." if both else ""
    if verb in {"was", "had"} and first in participles():
        return f"{subject} {second} {said}." if _is_past(second) else ""
    return f"{subject} {second} {said}." if _is_past(verb) and _is_past(second) else ""
