"""English, in other words: the same question with common words changed for words that mean it too.

A person rarely asks in the words of the passage; a retriever that only counts words should not
have an easy time. Names, numbers and terms stay.
"""

import re
from collections.abc import Iterator
from dataclasses import replace

from testset.rules.candidate import Candidate

__all__ = ["reworded"]

_SAME = {
    "announce": "make public",
    "aristocracy": "nobility",
    "build": "construct",
    "complete": "finish",
    "die": "pass away",
    "dominate": "control",
    "elected": "chosen",
    "entire": "whole",
    "establish": "set up",
    "established": "set up",
    "extent": "length",
    "founded": "set up",
    "gave": "granted",
    "home venue": "home ground",
    "largest": "biggest",
    "launch": "start",
    "located": "situated",
    "named": "appointed",
    "often": "frequently",
    "oppose": "object to",
    "originate from": "come from",
    "originated from": "came from",
    "principal": "main",
    "purchase": "buy",
    "receive": "get",
    "renowned": "celebrated",
    "require": "need",
    "result in": "lead to",
    "settlement": "colony",
    "suggest": "propose",
    "supported": "backed",
    "took control": "gained possession",
    "viewed": "seen",
    "visit": "travel to",
    "wrote": "authored",
}
_ANY = re.compile(rf"(?<= )(?:{'|'.join(sorted(_SAME, key=len, reverse=True))})(?=[ ?])")
LESS = 0.03
"""Taken off, as a change of words is a risk."""


def reworded(candidate: Candidate) -> Iterator[Candidate]:
    """Yield the candidate in other words, if the table knows some of its words."""
    question, count = _ANY.subn(lambda match: _SAME[match.group()], candidate.question)
    if count and candidate.rule.startswith("english."):
        yield replace(candidate, question=question, quality=candidate.quality - LESS)
