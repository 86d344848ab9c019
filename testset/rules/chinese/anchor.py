"""Anchors: the subject of one sentence that a pronoun of the next stands for."""

import re
from dataclasses import dataclass

from testset.corpus.passages import Sentence
from testset.rules.chinese.closed_classes import FOREIGN

__all__ = ["Anchor"]

LONGEST_EVIDENCE = 220
"""Characters from the naming sentence to the end of the evidence; gold stays short."""
LONGEST_BETWEEN = 120
"""Characters of a sentence; a longer one brings in too much for a pronoun to be sure of."""
_PRONOUN = re.compile(r"^(?:后来|随后|此外|之后)?，?(?P<who>[他她它])(?!们)")
_DOTTED = re.compile(r"[·•‧]+[^·•‧，。、]+")


@dataclass(frozen=True, slots=True)
class Anchor:
    """The subject that a pronoun at the start of the next sentence stands for.

    Attributes:
        topic: The subject; empty if there is none, or more than one.
        start: Where the sentence that names it begins.
    """

    topic: str = ""
    start: int = 0

    def stands_for(self, text: str) -> re.Match[str] | None:
        """Return the pronoun that opens a text, if it can stand for the subject."""
        match = _PRONOUN.match(text)
        if match is None or not self.topic:
            return None
        dotted = _DOTTED.search(self.topic) is not None and "的" not in self.topic
        foreign = FOREIGN.fullmatch(self.topic) is not None
        fits = dotted or foreign if match["who"] in "他她" else not dotted
        return match if fits else None

    def after(self, sentence: Sentence, text: str, topic: str) -> "Anchor":
        """Return the subject known after a sentence."""
        if topic and topic != self.topic:
            others = _DOTTED.sub("", text.replace(topic, "", 1)) != text.replace(topic, "", 1)
            return Anchor() if others else Anchor(topic, sentence.start)
        if len(text) > LONGEST_BETWEEN or (not topic and _DOTTED.search(text)):
            return Anchor()
        return self if sentence.end - self.start < LONGEST_EVIDENCE else Anchor()
