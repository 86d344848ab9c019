"""The lexicon: which words of a corpus are names, told by how they are written elsewhere in it."""

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

__all__ = ["Lexicon"]

_MID_SENTENCE = re.compile(r"(?<=[a-z,;] )[A-Z][\w'’-]+")
_CODE = re.compile(r"\b(?:[A-Z]{2,}[\w-]*|[A-Z][a-z]+[A-Z]\w*|[A-Z]+-?\d[\w-]*)\b")
_SMALL = re.compile(r"(?<![\w'’-])[a-z][a-z'’-]+")
_FUNCTION_WORDS = frozenset(
    [
        "a",
        "an",
        "the",
        "this",
        "that",
        "these",
        "those",
        "he",
        "she",
        "it",
        "they",
        "we",
        "you",
        "i",
        "his",
        "her",
        "its",
        "their",
        "our",
        "your",
        "my",
        "in",
        "on",
        "at",
        "by",
        "of",
        "to",
        "for",
        "from",
        "with",
        "as",
        "and",
        "or",
        "but",
        "if",
        "when",
        "while",
        "although",
        "though",
        "because",
        "since",
        "until",
        "after",
        "before",
        "during",
        "under",
        "over",
        "between",
        "among",
        "some",
        "many",
        "most",
        "several",
        "few",
        "all",
        "no",
        "each",
        "every",
        "both",
        "any",
        "either",
        "neither",
        "such",
        "other",
        "another",
        "there",
        "here",
        "what",
        "which",
        "who",
        "how",
        "why",
        "one",
        "two",
        "three",
        "four",
        "five",
        "six",
        "seven",
        "eight",
        "nine",
        "ten",
        "first",
        "second",
        "third",
        "not",
        "only",
        "also",
        "however",
        "thus",
        "therefore",
        "despite",
        "within",
        "without",
        "through",
        "throughout",
        "following",
        "according",
        "unlike",
        "like",
        "much",
        "more",
        "less",
        "north",
        "south",
        "east",
        "west",
        "late",
        "early",
        "modern",
        "today",
        "now",
        "then",
        "later",
    ]
)


@dataclass(frozen=True)
class Lexicon:
    """What the documents themselves tell about their words.

    Attributes:
        names: Words capitalised inside a sentence, and codes like `VT-240`.
        common: Words written in small letters as often as with a capital.
    """

    names: frozenset[str] = frozenset()
    common: frozenset[str] = frozenset()

    @classmethod
    def of(cls, texts: Iterable[str]) -> "Lexicon":
        """Return the lexicon of some texts."""
        names: Counter[str] = Counter()
        small: Counter[str] = Counter()
        for text in texts:
            names.update(_MID_SENTENCE.findall(text))
            names.update(_CODE.findall(text))
            small.update(_SMALL.findall(text))
        common = {word for word, count in small.items() if count >= names[word.capitalize()]}
        return cls(frozenset(names), frozenset(common))

    def is_name(self, word: str) -> bool:
        """Return whether a word at the start of a sentence is a name."""
        plain = re.sub(r"['’]s?$", "", word)
        usual = plain.lower() in self.common and plain not in self.names
        return plain[:1].isupper() and not usual and plain.lower() not in _FUNCTION_WORDS

    def lowered(self, phrase: str) -> str:
        """Return a phrase as it reads inside a sentence: names keep their capital."""
        first = phrase.split()[0]
        plain = re.sub(r"['’]s?$", "", first)
        owned = first != plain and first[:1].isupper()
        keep = owned or (self.is_name(first) and plain.lower() not in self.common)
        return phrase if keep else phrase[:1].lower() + phrase[1:]
