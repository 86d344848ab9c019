"""English, the doer left out: "When did X build Y?" becomes "When was Y built?"."""

import re
from functools import cache

from testset.rewording.words import words
from testset.rules.english.verbs import participles, verb_of

__all__ = ["without_doer"]

_ASKED = re.compile(r"^(?:When|In (?:which|what) year|Where) did (?P<rest>[^?]+)\?$")
_STARTS = re.compile(r"(?:the|an?) [a-z]|\d[\d,.]* [a-z]|(?:two|three|four|five|six|ten) ")
"""How an object begins whose number its form tells."""
_HEAD_END = re.compile(
    r" (?=(?:at|by|for|from|in|into|on|onto|to|with|within|under|over|after|before|during|as|"
    r"through|against|about|between|until|since|that|which|who|where|when|because|north|south|east|west)\b)"
)
_NOT_PASSIVE = words(
    "become remain have cost weigh resemble last total rank place come go arrive make take get let "
    "begin want need lose leave enter join reach win host attend mean suffer deal live lie marry "
    "play receive gain lead form feature include contain visit pass"
)
"""Verbs without a passive, or whose passive is awkward without the doer."""
_POINTING = re.compile(r"\b(?:his|her|its|their|own|him|them|itself|himself|and)\b")
AT_THE_END = 7
"""Words up to which the participle comes last; after a longer thing it would come too late."""
LONG = 5
"""Letters of a word that is likely to tell something."""
_TELLING = 3
"""Least words with a capital, or long ones, that must be left."""


def without_doer(question: str) -> str:
    """Return the question in the passive without the doer; the same one where that is unclear.

    Example:
        >>> without_doer("When did Nora Quill build the stone bridge of Ely for Lynn Abbey?")
        'When was the stone bridge of Ely built for Lynn Abbey?'
        >>> without_doer("When did Nora Quill build her house?")
        'When did Nora Quill build her house?'
    """
    match = _ASKED.match(question)
    if match is None:
        return question
    words = match["rest"].split()
    for place in range(1, len(words) - 1):
        done = _base_participles().get(words[place])
        if done is None:
            continue
        thing = " ".join(words[place + 1 :])
        if not words[place - 1][0].isupper() or words[place] in _NOT_PASSIVE:
            return question
        return _passive(question.split(" did ")[0], thing, done) or question
    return question


def _passive(asked: str, thing: str, done: str) -> str:
    """Return the passive question about a thing; empty where it would be unclear."""
    telling = [word for word in thing.split() if word[0].isupper() or len(word) >= LONG]
    if not _STARTS.match(thing) or _POINTING.search(thing) or len(telling) < _TELLING:
        return ""
    head, *rest = _HEAD_END.split(thing, maxsplit=1)
    noun = head.split(" of ")[0].split()[-1]
    if noun[0].isupper() and noun.endswith("s"):
        return ""
    several = head[0].isdigit() or not re.match(r"the |an? ", head)
    plural = several or (noun.endswith("s") and not noun.endswith(("ss", "us", "is")))
    be = "were" if plural and not re.match("an? ", head) else "was"
    parts = [head, done, *rest] if len(thing.split()) > AT_THE_END else [thing, done]
    return " ".join([asked, be, *parts]) + "?"


@cache
def _base_participles() -> dict[str, str]:
    """Return plain form -> participle of each verb that is known."""
    found: dict[str, str] = {}
    for done, past in participles().items():
        verb = verb_of(past)
        if verb is not None:
            found.setdefault(verb.base, done)
    return found
