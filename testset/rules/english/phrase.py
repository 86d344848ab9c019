"""English phrases: where one ends, and whether it can be read without what stands before it."""

import re

from testset.rules.english.finite import AUXILIARIES
from testset.rules.english.verbs import verb_of

__all__ = ["first_part", "goes_on", "is_whole", "stands_alone", "without_second_clause"]

_DANGLING = re.compile(
    r"\b(?:he|she|it|they|him|them|hers|theirs|this|these|those|such|former|"
    r"latter|here|above|below|following|same|another|other|others|each|both|our|ours|we|us|you|"
    r"your|i|my|me|himself|herself|itself|themselves|one|ones|previous|earlier|later|respectively|"
    r"thus|therefore|however|instead|then|again|so|too|said|aforementioned|former|also|today|"
    r"currently|now|recently|citation|which|who|whom|whose|although|though|because|whereas|if|"
    r"when|while|where|but)\b",
    re.IGNORECASE,
)
_BREAK = re.compile(
    r",(?!\d| (?:1[0-9]|20)\d\d\b)|[;:()\[\]]|\s[–—-]+\s|—|"
    r"\s(?:which|who|while|whereas|although|though|because)\s"
)
_AND = re.compile(r"\s(?:and|or|but)\s(?:[a-z]+ly\s)?(?P<next>[a-z]+)")
_SECOND_CLAUSE = re.compile(
    r", and (?:[\w-]+ ){1,5}(?:is|are|was|were|has|have|can|will|may|must|should)\b|"
    r"[;:]| -+ |[–—]|,? (?:but|so|while|whereas|although|though|because|since|unless|however|"
    r"as in|as did|as does|even if|even though|even when|if you|when you|so that|and this|and that|"
    r"and these|and so|and thus|and therefore|and (?:also |then )?(?:it|he|she|they|we|you|I|there|"
    r"can|could|may|must|should|will|would|[a-z]+ing [a-z]+ (?:is|are|was|can)|is|are|was|were|has|"
    r"had|have|does|do|did))\b|, (?:it|he|she|they|we|you|I|not|this|these|and if|and when|as did|"
    r"as do|as it|eventually|thus|hence|or just|with the)\b"
)
_JOINED = re.compile(r",? and (?P<more>[\w-]+(?: [\w-]+){0,5})")
_NEVER_LAST = re.compile(
    r"(?:^|\s)(?:a|an|the|of|to|in|on|at|by|for|from|with|as|and|or|but|nor|into|onto|than|that|"
    r"which|who|whose|its|their|his|her|our|my|your|is|are|was|were|be|been|being|has|have|had|"
    r"can|will|may|must|should|not|very|more|most|between|through|under|over|about|against|"
    r"such|like|via|per|upon|without|within|throughout|known|including|another|itself|e\.g|i\.e|et|vs|[A-Z]\.[A-Z])$"
)
_REFERENCE = re.compile(
    r"(?:the )?(?:[Tt]able|[Ss]ection|[Cc]hapter|[Ff]igure|[Aa]ppendix|[Pp]age|[Ss]idebar|RFC|"
    r"[Vv]olume|[Pp]art|[Ss]tep|[Ee]xample)s?\b(?: [\d.]+)?(?:$|[ ,])"
)
_GLUED = re.compile(r"[a-z]\.[a-zA-Z]{2,}\b(?!\.\w)")

_LISTED = re.compile(r", (?:[\w'’-]+ ){1,4}(?:and|or)\b|, [\w'’ -]+, ")
_ASIDE = re.compile(r", (?:which|who|where|while|when|an?|the|with|[a-z]+ing|[a-z]+ed)\b")


def first_part(rest: str) -> str:
    """Return the words up to the first comma, bracket or subordinate clause.

    Example:
        >>> first_part("built in Ely, where it still stands")
        'built in Ely'
        >>> first_part("opened on May 3, 1951, by the mayor")
        'opened on May 3, 1951'
    """
    match = _BREAK.search(rest)
    part = rest[: match.start()] if match else rest
    for joint in _AND.finditer(part):
        word = joint["next"]
        if word in AUXILIARIES or verb_of(word) or word.endswith("ed"):
            return part[: joint.start()].strip()
    return part.strip()


def goes_on(rest: str, part: str) -> bool:
    """Return whether a list, or a second thing, goes on behind the first part of what is said.

    Example:
        >>> goes_on("hens, ducks and geese", "hens"), goes_on("hens, which lay", "hens")
        (True, False)
    """
    more = rest[rest.find(part) + len(part) :]
    joint = re.match(r",? (?:and|or) (?:also |then |later )?(?P<next>[\w'’-]+)", more)
    if joint is not None:
        return joint["next"] not in AUXILIARIES and verb_of(joint["next"]) is None
    if re.match(r", [\w'’ -]+, (?:and|or)\b", more):
        return True
    return _LISTED.match(more) is not None and _ASIDE.match(more) is None


def stands_alone(words: str) -> bool:
    """Return whether no word points at something said before.

    Possessives may stand: in a question they point at its own subject.

    Example:
        >>> stands_alone("built in Ely"), stands_alone("built by them")
        (True, False)
    """
    return _DANGLING.search(words) is None and '"' not in words and "“" not in words


def without_second_clause(said: str) -> str:
    """Return what is said up to a second statement, which is about something else.

    Example:
        >>> without_second_clause("a small boat, but it leaks")
        'a small boat'
        >>> without_second_clause("a boat and can be rowed by two")
        'a boat'
        >>> without_second_clause("a boat and the crew is small")
        'a boat'
    """
    match = _SECOND_CLAUSE.search(said)
    part = said[: match.start()] if match else said
    for joint in _JOINED.finditer(part):
        if _says_more(joint["more"].split()):
            return part[: joint.start()].strip(" ,")
    return part.strip(" ,")


def _says_more(words: list[str]) -> bool:
    """Return whether the words after "and" hold a finite verb, and so a second statement."""
    verb = verb_of(words[0])
    if verb is not None and not verb.past:
        return True
    reach = 6 if words[0] in {"the", "a", "an"} or words[0][:1].isupper() else 1
    return any(word in AUXILIARIES for word in words[:reach])


def is_whole(answer: str) -> bool:
    """Return whether an answer begins and ends where a phrase does, and is no cross-reference.

    Example:
        >>> is_whole("a pump of brass"), is_whole("a pump made of"), is_whole("Table 3")
        (True, False, False)
    """
    if not answer or _NEVER_LAST.search(answer) or _REFERENCE.match(answer):
        return False
    if answer[:1] in ",.;:)–—-" or answer[-1:] in ",:;(–—-/":
        return False
    pairs = (("(", ")"), ("[", "]"), ("“", "”"), ("{", "}"))
    if any(answer.count(left) != answer.count(right) for left, right in pairs):
        return False
    return answer.count('"') % 2 == 0 and '""' not in answer and _GLUED.search(answer) is None
