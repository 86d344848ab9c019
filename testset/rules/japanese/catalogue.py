"""Every Japanese question that a passage allows, sentence by sentence and clause by clause."""

from collections.abc import Callable, Iterator

from testset.corpus.passages import Passage
from testset.rules.japanese.argument import arguments, sayings, subjects
from testset.rules.japanese.carried import carried
from testset.rules.japanese.clause import Clause, clauses_of
from testset.rules.japanese.definition import definitions, meanings
from testset.rules.japanese.doer import doers
from testset.rules.japanese.doing import agents, objects
from testset.rules.japanese.manner import manners
from testset.rules.japanese.naming import called, called_so, in_brackets
from testset.rules.japanese.numeric import counts, ranks
from testset.rules.japanese.place import places
from testset.rules.japanese.reason import reasons
from testset.rules.japanese.relation import existing, parts, properties, superlatives
from testset.rules.japanese.temporal import dates
from testset.rules.passage_candidate import Candidate

__all__ = ["questions"]

_OF_PASSAGES = (called_so, definitions, in_brackets, meanings, reasons)
_OF_CLAUSES: tuple[Callable[[Clause], Iterator[Candidate]], ...] = (
    agents,
    arguments,
    called,
    counts,
    dates,
    doers,
    existing,
    manners,
    objects,
    parts,
    places,
    properties,
    ranks,
    sayings,
    subjects,
    superlatives,
)


def questions(passage: Passage) -> Iterator[Candidate]:
    """Yield what can be asked about each sentence of a passage."""
    for ask in _OF_PASSAGES:
        yield from ask(passage)
    for clause in (*clauses_of(passage), *carried(passage)):
        for ask_of in _OF_CLAUSES:
            yield from ask_of(clause)
