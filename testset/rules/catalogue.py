"""The catalogue of rules: which apply to a passage, by its language."""

from collections.abc import Iterator

from testset.passages import Passage
from testset.rules import english
from testset.rules.candidate import Candidate, Rule
from testset.rules.chinese import chinese
from testset.rules.english.wording import reworded
from testset.rules.faq import faq
from testset.rules.german import german
from testset.rules.german_order import german_order
from testset.rules.glossary import glossary
from testset.rules.japanese import japanese
from testset.rules.japanese_parts import japanese_parts
from testset.rules.lists import procedures
from testset.rules.tables import tables

__all__ = ["RULES", "candidates_of"]

_EVERYWHERE: tuple[Rule, ...] = (faq, glossary, procedures, tables)
RULES: dict[str, tuple[Rule, ...]] = {
    "en": (
        *_EVERYWHERE,
        english.agents,
        english.conditions,
        english.counted_subjects,
        english.counts,
        english.definitions,
        english.doers,
        english.durations,
        english.kinds,
        english.manners,
        english.namings,
        english.objects,
        english.parts,
        english.passives,
        english.periods,
        english.places,
        english.populations,
        english.reasons,
        english.relations,
        english.shares,
        english.statements,
        english.subjects_told,
        english.superlatives,
        english.temporal,
        english.values,
    ),
    "de": (*_EVERYWHERE, german, german_order),
    "ja": (*_EVERYWHERE, japanese, japanese_parts),
    "zh": (*_EVERYWHERE, chinese),
}
"""Language -> its rules. Other languages get those that copy a question from the document."""


def candidates_of(passage: Passage) -> Iterator[Candidate]:
    """Yield every question that rules read off a passage."""
    for rule in RULES.get(_read_as(passage), (faq,)):
        for candidate in rule(passage):
            yield candidate
            yield from reworded(candidate)


def _read_as(passage: Passage) -> str:
    """Return the language whose rules apply; plain ASCII of no known language reads as English."""
    if passage.language == "other" and passage.text.isascii():
        return "en"
    return passage.language
