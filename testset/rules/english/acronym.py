"""English short forms: "the Ely Hen Guild (EHG)" -> "What does EHG stand for?"."""

import re
from collections.abc import Iterator

from testset.corpus.passages import Passage, Sentence
from testset.rules.passage_candidate import Candidate

__all__ = ["acronyms"]

_AFTER = re.compile(r"\((?P<short>[A-Z]{3,6})s?\)")
_BEFORE = re.compile(r"(?<![\w-])(?P<short>[A-Z]{3,6}) \((?P<long>[A-Za-z][A-Za-z -]{5,70})\)")
_SMALL = frozenset({"of", "for", "and", "the", "in", "to", "on", "a", "an", "with", "by"})
QUALITY = 0.75
FEWEST_USES = 2
SHORT_DOCUMENT = 1500
"""Characters: a shorter document has no room to use a short form again."""


def acronyms(passage: Passage) -> Iterator[Candidate]:
    """Yield "What does X stand for?" for the first short form that the text spells out.

    Each letter must begin a word of the long form, in order; small words may be skipped.
    """
    for sentence in passage.sentences:
        text = re.sub(r"\s+", " ", sentence.text)
        for match in _AFTER.finditer(text):
            long = _spelled(match["short"], text[: match.start()].split())
            if long and _is_term(match["short"], passage, sentence):
                yield _made(sentence, match["short"], long)
                return
        for match in _BEFORE.finditer(text):
            long = _spelled(match["short"], match["long"].split())
            if long == match["long"] and _is_term(match["short"], passage, sentence):
                yield _made(sentence, match["short"], match["long"])
                return


def _is_term(short: str, passage: Passage, sentence: Sentence) -> bool:
    """Return whether the document introduces the short form here, and uses it again."""
    text = passage.document.text
    uses = [match.start() for match in re.finditer(rf"\b{short}s?\b", text)]
    often = len(uses) >= FEWEST_USES or len(text) <= SHORT_DOCUMENT
    return often and uses[0] >= sentence.start


def _spelled(short: str, words: list[str]) -> str:
    """Return the words at the end that the letters of a short form begin; empty if none do.

    Example:
        >>> _spelled("HG", ["the", "Hen", "Guild"])
        'Hen Guild'
    """
    place = len(words)
    for letter in reversed(short):
        while place and words[place - 1].lower() in _SMALL:
            if words[place - 1][:1].upper() == letter:
                break
            place -= 1
        if not place or words[place - 1][:1].upper() != letter:
            return ""
        place -= 1
    long = " ".join(words[place:])
    return long if re.fullmatch(r"[A-Za-z][A-Za-z -]+", long) else ""


def _made(sentence: Sentence, short: str, long: str) -> Candidate:
    question = f"What does {short} stand for?"
    place = sentence.start, sentence.end
    return Candidate(question, long, *place, "naming", "english.acronym", QUALITY)
