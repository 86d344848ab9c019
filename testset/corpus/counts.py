"""How often passages hold terms: what searches by words and by parts of words look up."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from itertools import chain, count
from typing import Any, NamedTuple

import numpy as np

from llamaindex_rag_eval.judge.rules.tokens import Term, terms

_KINDS = {"w": "word", "n": "number", "c": "cjk"}
MOST_COUNTED = np.iinfo(np.uint16).max
"""A term that a passage has more often counts as often as this."""


class TermCounts(NamedTuple):
    """How often passages hold terms.

    Attributes:
        names: The terms, sorted, as `term_name` writes them.
        times: Passage × term -> how often it has the term, below its title and headings, which
            count as its text does; a sparse matrix by columns.
    """

    names: Sequence[str]
    times: Any


def term_name(term: Term) -> str:
    """Return a term as one string; those of equal keys stand together when sorted."""
    return f"{term.key}\t{term.surface}\t{term.kind[0]}"


def term_of(name: str) -> Term:
    """Return the term that a string names."""
    key, surface, kind = name.split("\t")
    return Term(key, surface, _KINDS[kind])  # type: ignore[arg-type]  # one of the kinds


def counted_part(
    texts: Sequence[str], paths: Sequence[Sequence[str]] = ()
) -> tuple[list[str], Any]:
    """Count the terms of a few texts, each with those of the title and headings above it.

    Returns:
        The terms in the order in which they are first met, and text × term -> how often the text
        has it, a sparse matrix by rows.
    """
    from scipy.sparse import csr_array

    rows = [Counter(terms(text)) for text in texts]
    in_headings = {line: terms(line) for path in paths for line in path}
    for row, path in zip(rows, paths, strict=False):
        for line in path:
            row.update(in_headings[line])
    columns: defaultdict[Term, int] = defaultdict(count().__next__)
    numbers = np.fromiter(map(columns.__getitem__, chain.from_iterable(rows)), dtype=np.int32)
    times = np.fromiter(chain.from_iterable(row.values() for row in rows), dtype=np.int64)
    times, ends = np.minimum(times, MOST_COUNTED).astype(np.uint16), np.cumsum([0, *map(len, rows)])
    names = [term_name(term) for term in columns]
    return names, csr_array((times, numbers, ends), shape=(len(rows), len(names)))


def united(parts: Iterable[tuple[list[str], Any]]) -> TermCounts:
    """Return the counts of all parts in their order; each part is read once."""
    from scipy.sparse import vstack

    columns: defaultdict[str, int] = defaultdict(count().__next__)
    matrices = []
    for own, part in parts:
        part.indices = np.fromiter(map(columns.__getitem__, own), dtype=np.int32)[part.indices]
        matrices.append(part)
    names = sorted(columns)
    order = np.empty(len(columns), dtype=np.int32)
    order[np.fromiter(map(columns.__getitem__, names), dtype=np.int64)] = np.arange(len(names))
    for part in matrices:
        part.resize(part.shape[0], len(names))
        part.indices = order[part.indices]
    return TermCounts(names, vstack(matrices, format="csr").tocsc())
