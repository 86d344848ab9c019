"""Every Chinese question that a passage allows, clause by clause."""

from collections.abc import Callable, Iterator

from testset.corpus.passages import Passage
from testset.rules.chinese.agent import (
    doers,
    holders_of_views,
    makers,
    office_holders,
    passive_agents,
)
from testset.rules.chinese.bracketed import bracketed
from testset.rules.chinese.clause import Clause, clauses_of
from testset.rules.chinese.definition import definitions, record_holders, records
from testset.rules.chinese.naming import fame, names, stands_for
from testset.rules.chinese.numeric import counts, shares
from testset.rules.chinese.place import birthplaces, places, venues
from testset.rules.chinese.reason import aims, causes, means, purposes, reasons
from testset.rules.chinese.relation import (
    attributes,
    influences,
    objects,
    partners,
    parts,
    relations,
    seats,
    subjects,
)
from testset.rules.chinese.temporal import begun, dated, fronted_dates, since
from testset.rules.passage_candidate import Candidate

__all__ = ["questions"]

_ASKERS: tuple[Callable[[Clause], Iterator[Candidate]], ...] = (
    aims,
    attributes,
    begun,
    birthplaces,
    causes,
    counts,
    dated,
    definitions,
    doers,
    fame,
    fronted_dates,
    holders_of_views,
    influences,
    makers,
    means,
    names,
    objects,
    office_holders,
    partners,
    parts,
    passive_agents,
    places,
    purposes,
    reasons,
    record_holders,
    records,
    relations,
    seats,
    shares,
    since,
    stands_for,
    subjects,
    venues,
)
_OF_INHERITED = (begun, birthplaces, counts, dated, doers, objects, places, venues)
"""What is safe to ask where the subject stands in an earlier clause."""


def questions(passage: Passage) -> Iterator[Candidate]:
    """Yield what can be asked about each clause of a passage, and about what is in brackets."""
    yield from bracketed(passage)
    for clause in clauses_of(passage):
        for asker in _OF_INHERITED if clause.inherits else _ASKERS:
            yield from asker(clause)
