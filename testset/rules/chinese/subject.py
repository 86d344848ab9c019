"""Subjects: whether a stretch of text is understood alone, and which thing it means."""

import re

from testset.rules.chinese.closed_classes import (
    CUT_OFF,
    FOREIGN,
    GENERIC,
    KIND_AT_END,
    NAME,
    NO_SUBJECT,
    NOT_A_NOUN,
    POINTING,
    PROPER_KIND,
)
from testset.rules.chinese.predicate import VERBS, predicate

__all__ = ["balanced", "known", "named", "stated"]

LONGEST_SUBJECT = 26
"""Characters; longer ones are seldom one noun with its modifiers."""
LONGEST_STATEMENT = 46
"""Characters of a clause; longer ones read like riddles once turned into a question."""
LONG_KIND = 6
"""Characters from which the words before a kind tell which one is meant."""
SHORTEST_PLAIN = 3
"""Characters of a subject without a proper name in it; shorter ones are mostly common nouns."""
_PLACED = re.compile(r"[在于到入至][^在于，]{2,20}[上下中里内]$")
_ACTION = re.compile(rf"(?:{VERBS})")
_VAGUE_OBJECT = re.compile(
    r"(?:一|几|两|多)[项个份部条种座次场些系列](?:[^的，]{0,8}|[^的，]{1,4}的[^的，]{1,3})$"
)
_PAIRS = (("“", "”"), ("《", "》"), ("「", "」"), ("‘", "’"))


def named(topic: str) -> bool:
    """Return whether a stretch is a noun that says by itself which single thing is meant.

    Example:
        >>> named("青木先生"), named("东方协议"), named("《东方》协议"), named("连接到东桥")
        (True, False, True, False)
    """
    if not known(topic):
        return False
    owner, _, _ = topic.rpartition("的")
    if NAME.search(topic):
        return True
    if owner:
        return named(owner)
    proper = PROPER_KIND.search(topic) is not None
    return proper or len(topic) >= LONG_KIND or not KIND_AT_END.search(topic)


def known(topic: str) -> bool:
    """Return whether a stretch is a noun that is understood alone, a kind perhaps.

    Example:
        >>> known("蒸汽机车"), known("该馆"), known("图书馆")
        (True, False, False)
    """
    if not 2 <= len(topic) <= LONGEST_SUBJECT or not balanced(topic):
        return False
    if not (topic[0].isalnum() or topic[0] in "《“/.") or predicate(topic + "等等等"):
        return False
    if len(topic) >= LONG_KIND and "的" not in topic and _ACTION.match(topic):
        return False
    if NO_SUBJECT.match(topic) or POINTING.search(topic) or NOT_A_NOUN.search(topic):
        return False
    if CUT_OFF.search(topic) or re.search(r"[，。；：？！!?,…—]", topic):
        return False
    owner = topic.split("的")[0]
    if GENERIC.match(topic) or GENERIC.match(owner):
        return False
    short = FOREIGN.fullmatch(topic) or NAME.search(topic)
    return len(topic) >= SHORTEST_PLAIN or short is not None


def stated(text: str) -> bool:
    """Return whether a stretch can be the whole of what is said: it does not want to go on.

    Example:
        >>> stated("青木先生建立了美术馆"), stated("青木先生应村民的要求")
        (True, False)
    """
    return (
        4 <= len(text) <= LONGEST_STATEMENT
        and (not CUT_OFF.search(text) or _PLACED.search(text) is not None)
        and not POINTING.search(text)
        and not _VAGUE_OBJECT.search(text)
        and balanced(text)
    )


def balanced(text: str) -> bool:
    """Return whether every quotation mark that opens in a text closes in it."""
    return all(text.count(left) == text.count(right) for left, right in _PAIRS) and (
        text.count('"') % 2 == 0
    )
