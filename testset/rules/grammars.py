"""The grammars: which rules read sentences of a passage, by its language."""

from collections.abc import Iterator

from testset.corpus.passages import Passage
from testset.rules import chinese, english, german, japanese
from testset.rules.passage_candidate import Candidate, Rule

__all__ = ["RULES", "passage_candidates"]

RULES: dict[str, tuple[Rule, ...]] = {
    "en": (english.questions,),
    "de": (german.questions,),
    "ja": (japanese.questions,),
    "zh": (chinese.questions,),
}
"""Language -> its rules; other languages have none."""


def passage_candidates(passage: Passage) -> Iterator[Candidate]:
    """Yield every question that rules read off a passage."""
    for rule in RULES.get(_read_as(passage), ()):
        yield from rule(passage)


def _read_as(passage: Passage) -> str:
    """Return the language whose rules apply; plain ASCII of no known language reads as English."""
    if passage.language == "other" and passage.text.isascii():
        return "en"
    return passage.language
