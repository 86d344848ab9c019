"""Links: facts and passages that share a name, a number or terms; no model is asked for them."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Literal

from llamaindex_rag_eval.judge.rules.entities import entities_of, normal_entity
from testset.corpus.index import CorpusIndex, keys_of
from testset.golden.spans import LocatedFact

__all__ = ["Link", "LinkKind", "links_of", "partners_of"]

LinkKind = Literal["bridge", "comparison", "across", "conflict"]

SEARCHED = 20
"""Passages that a search for partners looks at."""
NAMES = 12
"""Names of a passage that are searched for; the first ones say what it is about."""
SAME_SUBJECT = 0.5
"""Jaccard overlap of terms from which two facts with different numbers are about one point."""
COMPARABLE = 0.25
"""Jaccard overlap of terms from which two facts about different things can be compared."""
LEAST_DIGITS = 3
"""Digits of a shared number at least; facts share shorter numbers by chance."""


@dataclass(frozen=True, slots=True)
class Link:
    """Two facts and what they share.

    Attributes:
        kind: "conflict": one point, different numbers; "bridge": a shared name; "comparison":
            the same property of two things; "across": a shared number.
        first: A fact.
        second: A fact of another passage.
        shared: The names, terms or numbers.
        strength: How much they have in common, in [0, 1].
    """

    kind: LinkKind
    first: LocatedFact
    second: LocatedFact
    shared: tuple[str, ...]
    strength: float


def links_of(firsts: Sequence[LocatedFact], seconds: Sequence[LocatedFact]) -> tuple[Link, ...]:
    """Return the links between the facts of two passages, the strongest first.

    Empty if no fact shares anything with a fact of the other passage.
    """
    found = [link for pair in product(firsts, seconds) for link in _links(*pair)]
    return tuple(sorted(found, key=lambda link: -link.strength))


def partners_of(index: CorpusIndex, number: int, *, count: int = 1) -> tuple[int, ...]:
    """Return passages of other documents that share names with one; fewer if there are fewer.

    Args:
        index: The passages and their index.
        number: The passage.
        count: How many are wanted.
    """
    passage = index.passages[number]
    names = entities_of(f"{' '.join(passage.headings)}\n{passage.text}")[:NAMES]
    query = " ".join(names) or passage.text
    elsewhere = [
        other
        for other, _ in index.bm25.search(query, k=SEARCHED + 1)
        if index.passages[other].document.doc_id != passage.document.doc_id
        and index.passages[other].text != passage.text
    ]
    wanted = {normal_entity(name) for name in names}
    shared = [other for other in elsewhere if wanted & _names(index.passages[other].text)]
    best = [*shared, *(other for other in elsewhere if other not in shared)]
    by_document: dict[str, int] = {}
    for other in best:
        by_document.setdefault(index.passages[other].document.doc_id, other)
    return tuple(by_document.values())[:count]


def _links(first: LocatedFact, second: LocatedFact) -> Iterator[Link]:
    keys, others = (set(keys_of(fact.statement)) for fact in (first, second))
    overlap = len(keys & others) / max(1, len(keys | others))
    named, also = _names(first.statement), _names(second.statement)
    names = named & also
    numbers, more = _numbers(first.statement), _numbers(second.statement)
    if overlap == 1.0 or first.statement == second.statement:
        return
    differ = bool(numbers and more and not numbers & more)
    if names and named == also and differ and overlap >= SAME_SUBJECT:
        yield Link("conflict", first, second, tuple(sorted(names)), overlap)
    elif names:
        yield Link("bridge", first, second, tuple(sorted(names)), 0.5 + overlap / 2)
    elif overlap >= COMPARABLE:
        yield Link("comparison", first, second, tuple(sorted(keys & others)), overlap)
    elif any(len(number) >= LEAST_DIGITS for number in numbers & more):
        yield Link("across", first, second, tuple(sorted(numbers & more)), overlap)


def _names(text: str) -> set[str]:
    """Return the names of a text, numbers and dates left out."""
    return {normal_entity(name) for name in entities_of(text) if not re.search(r"\d", name)}


def _numbers(text: str) -> set[str]:
    return set(re.findall(r"\d+(?:[.,]\d+)*", text))
