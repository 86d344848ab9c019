"""The finite verb of an English sentence: the first word that can only be one."""

import re

from testset.rules.english.verbs import verb_of

__all__ = ["AUXILIARIES", "LONGEST_SUBJECT", "finite_at", "owns"]

_AUXILIARIES_WORDS = """
is are was were has had have can could will would may must should might
"""
AUXILIARIES = frozenset(_AUXILIARIES_WORDS.split())
LONGEST_SUBJECT = 8
_SURE_PRESENT_WORDS = """
allow belong consist contain cost cover depend describe differ enable follow give have hold
include keep lie last leave live maintain make measure need occur own operate produce protect
provide refer rely replace require send serve store take use weigh
"""
_SURE_PRESENT = frozenset(_SURE_PRESENT_WORDS.split())
"""Verbs whose plain form after a noun is hardly ever a noun itself."""
_NOUNS_TOO = frozenset({"cost", "cover", "need", "use", "last", "leave", "measure", "store"})
_OPENS_OBJECT = frozenset({"a", "an", "her", "his", "its", "that", "the", "their"})
"""Words that open a second noun phrase, so that what stands before them is a verb."""
_THING = re.compile(
    r"(?:a|an|the|about|over|more|some|only|just|two|three|four|five|six|seven|eight|nine|ten|"
    r"twelve|\d)"
)


def finite_at(words: list[re.Match[str]]) -> int | None:
    """Return the number of the first finite verb, if it is in reach."""
    for number, word in enumerate(words[: LONGEST_SUBJECT + 1]):
        form = word.group()
        if not number or (number == 1 and words[0].group() in {"The", "A", "An"}):
            continue
        if form in AUXILIARIES or (verb_of(form) and not _noun_like(words, number)):
            return number
        head = words[number - 1].group()
        if form in _SURE_PRESENT and re.search(r"[^su'’]s$", head) and form not in _NOUNS_TOO:
            return number
    return None


def owns(verb: str, rest: str) -> bool:
    """Return whether a form of `have` is the main verb: a thing follows, not a participle."""
    return verb in {"has", "had", "have"} and _THING.match(rest) is not None


def _noun_like(words: list[re.Match[str]], number: int) -> bool:
    """Return whether what looks like a verb is a noun or a participle here."""
    form = words[number].group()
    if number + 1 >= len(words):
        return False
    verb, follower = verb_of(form), words[number + 1].group()
    if verb is not None and not verb.past:
        head = words[number - 1].group()
        if follower in _OPENS_OBJECT and head[:1].isupper() and head[-1] != "s":
            return False
        if verb.base not in _SURE_PRESENT or (head.endswith("s") and not head.endswith("ss")):
            return True
    if verb is not None and verb.base == "consist":
        return False
    return follower in AUXILIARIES or follower in {"of", "by"} or follower.startswith(",")
