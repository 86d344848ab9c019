"""The English rules: all that is asked about an English passage, each question looked over."""

from collections.abc import Iterator
from dataclasses import replace

from testset.corpus.passages import Passage
from testset.rules.english.acronym import acronyms
from testset.rules.english.apposition import appositions
from testset.rules.english.aside import asides
from testset.rules.english.deed import deeds
from testset.rules.english.definition import definitions, namings
from testset.rules.english.event import events
from testset.rules.english.manner import manners, periods
from testset.rules.english.measure import measures
from testset.rules.english.numeric import counted_subjects, counts, values
from testset.rules.english.passive import passives, subjects_told
from testset.rules.english.person import agents, doers
from testset.rules.english.place import places
from testset.rules.english.purpose import purposes
from testset.rules.english.reason import objects, reasons
from testset.rules.english.relation import conditions, parts, relations
from testset.rules.english.share import populations, shares
from testset.rules.english.sound import is_sound, lack_of
from testset.rules.english.statement import statements
from testset.rules.english.superlative import superlatives
from testset.rules.english.task import tasks
from testset.rules.english.temporal import durations, temporal
from testset.rules.english.which import kinds
from testset.rules.passage_candidate import Candidate, Rule

__all__ = ["questions"]

_RULES: tuple[Rule, ...] = (
    acronyms,
    agents,
    appositions,
    asides,
    conditions,
    counted_subjects,
    counts,
    deeds,
    definitions,
    doers,
    durations,
    events,
    kinds,
    manners,
    measures,
    namings,
    objects,
    parts,
    passives,
    periods,
    places,
    populations,
    purposes,
    reasons,
    relations,
    shares,
    statements,
    subjects_told,
    superlatives,
    tasks,
    temporal,
    values,
)


def questions(passage: Passage) -> Iterator[Candidate]:
    """Yield every sound question that the rules read off an English passage."""
    for rule in _RULES:
        for candidate in rule(passage):
            if is_sound(candidate):
                yield replace(candidate, quality=candidate.quality - lack_of(candidate))
