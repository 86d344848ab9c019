"""Every German question that a passage allows, clause by clause."""

from collections.abc import Callable, Iterator

from testset.corpus.passages import Passage
from testset.rules.german.agent import agents, appointed, doers
from testset.rules.german.aside import asides
from testset.rules.german.clause import Clause
from testset.rules.german.clauses import clauses_of
from testset.rules.german.definition import definitions, holders, meanings, namings, plurals
from testset.rules.german.naming import called, identities
from testset.rules.german.numeric import (
    counted_behind,
    counted_subjects,
    counts,
    existing,
    measures,
    shares,
)
from testset.rules.german.object import objects, statements
from testset.rules.german.place import places
from testset.rules.german.reason import causes, means, reasons
from testset.rules.german.relation import members, relations
from testset.rules.german.temporal import durations, frequencies, fronted_times, times
from testset.rules.german.which import kinds, things
from testset.rules.passage_candidate import Candidate

__all__ = ["questions"]

_ASKERS: tuple[Callable[[Clause], Iterator[Candidate]], ...] = (
    agents,
    appointed,
    called,
    causes,
    counted_behind,
    counted_subjects,
    counts,
    definitions,
    doers,
    durations,
    existing,
    frequencies,
    fronted_times,
    holders,
    identities,
    kinds,
    meanings,
    means,
    measures,
    members,
    namings,
    objects,
    places,
    plurals,
    reasons,
    relations,
    shares,
    statements,
    things,
    times,
)


def questions(passage: Passage) -> Iterator[Candidate]:
    """Yield what can be asked about each clause of a passage, and about its asides."""
    yield from asides(passage)
    for clause in clauses_of(passage):
        for asker in _ASKERS if clause.whole else (statements,):
            yield from asker(clause)
