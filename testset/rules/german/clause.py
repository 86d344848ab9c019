"""A German main clause: what stands before the verb, the verb, and what follows."""

import re
from dataclasses import dataclass

from testset.corpus.passages import Passage, Sentence
from testset.rules.german.closed_classes import (
    DETERMINERS,
    RELATIVE,
    is_adverbial,
    points_elsewhere,
)
from testset.rules.german.names import names_in
from testset.rules.german.verbs import is_plural
from testset.rules.german.words import listed

__all__ = ["Clause"]

_PARTITIVE = re.compile(r"(?:Eine?r?s?|Viele|Einige|Mehrere|Keine?r?s?) (?:der|des|von)\b")
_LINKS = listed("von van de der den des und du la le di da del am of the für in aus ibn al el bin")
_QUALITY = re.compile(r"^[A-ZÄÖÜ]\w+(?:isches|liches|nes|tes|ges|ves|ales|bares|loses)$")
"""Adjectives in front of a noun without an article."""
_LONGEST_BARE = 4
_NEEDED = listed("dass ob wie warum weshalb wo zu")
"""What opens a clause that the verb cannot do without; "zu" stands for an infinitive."""


@dataclass(frozen=True, slots=True)
class Clause:
    """A main clause.

    Attributes:
        sentence: Where it stands.
        passage: What it stands in.
        front: What stands before the verb, as written.
        verb: The finite verb.
        rest: What follows, without subordinate clauses and joining adverbs.
        joint: The word that opens the clause at the end; empty if there is none.
        tail: That clause.
    """

    sentence: Sentence
    passage: Passage
    front: str
    verb: str
    rest: str
    joint: str = ""
    tail: str = ""

    @property
    def whole(self) -> bool:
        """Whether the main clause is complete without the clause at its end."""
        return self.joint not in _NEEDED

    @property
    def relative(self) -> bool:
        """Whether a relative clause ends the sentence."""
        return RELATIVE.match(f"{self.tail} ") is not None

    @property
    def text(self) -> str:
        """The document's text."""
        return self.passage.document.text

    @property
    def adverbial(self) -> bool:
        """Whether the front is not the subject."""
        return is_adverbial(self.front)

    @property
    def subject(self) -> str:
        """The front as it reads inside a sentence."""
        first = self.front.split()[0]
        words = self.front.split()
        described = first.endswith("e") and is_plural(self.verb) and len(words) > 1
        quality = len(words) > 1 and _QUALITY.search(first) is not None and words[1][:1].isupper()
        small = quality or first.lower() in DETERMINERS or (described and words[1][:1].isupper())
        return self.front[:1].lower() + self.front[1:] if small else self.front

    @property
    def names(self) -> int:
        """How many names the front holds."""
        return names_in(self.front, self.text)

    @property
    def named(self) -> bool:
        """Whether the subject tells by itself which one is meant, or speaks of a whole kind."""
        words = self.front.split()
        if points_elsewhere(self.front[:1].lower() + self.front[1:]) or _PARTITIVE.match(
            self.front
        ):
            return False
        if words[0] in {"Der", "Die", "Das"}:
            return self.names > 0 or names_in(self.rest, self.text) > 1
        if words[0] in {"Ein", "Eine"}:
            return len(words) > 1
        return self.bare or self.names > 0

    @property
    def bare(self) -> bool:
        """Whether the subject has no article: a name, a bare plural, or a mass noun."""
        words = self.front.split()
        nouns = all(word[:1].isupper() or word in _LINKS for word in words)
        return nouns and not self.adverbial and words[0].lower() not in DETERMINERS

    @property
    def generic(self) -> bool:
        """Whether the subject is a bare plural or a mass noun."""
        words = self.front.split()
        if not words[-1][:1].isupper() or words[0].lower() in DETERMINERS:
            return False
        owned = len(words) > 1 and words[0].endswith("s") and names_in(words[0], self.text) > 0
        return len(words) <= _LONGEST_BARE and is_plural(self.verb) and not owned

    def ask(self, opening: str, body: str) -> str:
        """Return the question: its opening, the verb, the subject, and the rest asked about."""
        self_first, plain = ("sich", body[5:]) if body.startswith("sich ") else ("", body)
        return " ".join(f"{opening} {self.verb} {self_first} {self.subject} {plain}".split()) + "?"
