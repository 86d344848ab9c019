"""The grammars: which rules read sentences of a passage, by its language."""

from collections.abc import Iterator

from testset.corpus.passages import Passage
from testset.rules import chinese, english, german, japanese
from testset.rules.faq import faq
from testset.rules.glossary import glossary
from testset.rules.lists import procedures
from testset.rules.passage_candidate import Candidate, Rule
from testset.rules.tables import tables

__all__ = ["RULES", "passage_candidates"]

_EVERYWHERE: tuple[Rule, ...] = (faq, glossary, procedures, tables)
RULES: dict[str, tuple[Rule, ...]] = {
    "en": (*_EVERYWHERE, english.questions),
    "de": (*_EVERYWHERE, german.questions),
    "ja": (*_EVERYWHERE, japanese.questions),
    "zh": (*_EVERYWHERE, chinese.questions),
}
"""Language -> its rules. Other languages get those that copy a question from the document."""


def passage_candidates(passage: Passage) -> Iterator[Candidate]:
    """Yield every question that rules read off a passage."""
    for rule in RULES.get(_read_as(passage), (faq,)):
        yield from rule(passage)


def _read_as(passage: Passage) -> str:
    """Return the language whose rules apply; plain ASCII of no known language reads as English."""
    if passage.language == "other" and passage.text.isascii():
        return "en"
    return passage.language
