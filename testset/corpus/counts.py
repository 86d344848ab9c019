"""How often passages hold terms: what searches by words and by parts of words look up."""

import io
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, count
from typing import Any

import numpy as np
from numpy.typing import NDArray

from llamaindex_rag_eval.judge.rules.tokens import Term, terms

_KINDS = {"w": "word", "n": "number", "c": "cjk"}
MOST_COUNTED = np.iinfo(np.uint16).max
"""A term that a passage has more often counts as often as this."""


class Names:
    """The names of terms, sorted, as one text: a million of them are no million objects.

    Args:
        text: The names in UTF-8, a line break after each.

    Example:
        >>> names = Names.of(["b", "ä", "a"])
        >>> list(names), names[1], names.first("b")
        (['a', 'b', 'ä'], 'b', 1)
    """

    def __init__(self, text: bytes) -> None:
        self.text = text
        self._ends = np.flatnonzero(np.frombuffer(text, dtype=np.uint8) == ord("\n"))

    @classmethod
    def of(cls, names: Iterable[str]) -> "Names":
        """Return names, sorted."""
        lines = "".join(f"{name}\n" for name in sorted(names))
        return cls(lines.encode("utf-8", "surrogatepass"))

    def __len__(self) -> int:
        return len(self._ends)

    def __getitem__(self, number: int) -> str:
        start = int(self._ends[number - 1]) + 1 if number else 0
        return self.text[start : self._ends[number]].decode("utf-8", "surrogatepass")

    def __iter__(self) -> Iterator[str]:
        return (line[:-1].decode("utf-8", "surrogatepass") for line in io.BytesIO(self.text))

    def first(self, text: str, low: int = 0) -> int:
        """Return the number of the first name, from a number on, that is not before a text."""
        return bisect_left(self, text, low)


@dataclass(frozen=True)
class TermCounts:
    """How often passages hold terms.

    Attributes:
        names: The terms, as `term_name` writes them.
        times: Passage × term -> how often it has the term, below its title and headings, which
            count as its text does; a sparse matrix by columns.
    """

    names: Names
    times: Any


@dataclass(frozen=True)
class CountedPart:
    """The counts of a few passages.

    Attributes:
        names: The terms, in the order in which they are first met.
        numbers: The numbers of the terms, of one passage after the other.
        times: How often the passage has each of these.
        sizes: How many terms each passage has.
    """

    names: list[str]
    numbers: NDArray[np.int32]
    times: NDArray[np.uint16]
    sizes: NDArray[np.int32]


def term_name(term: Term) -> str:
    """Return a term as one string; those of equal keys stand together when sorted."""
    return f"{term.key}\t{term.surface}\t{term.kind[0]}"


def term_of(name: str) -> Term:
    """Return the term that a string names."""
    key, surface, kind = name.split("\t")
    return Term(key, surface, _KINDS[kind])  # type: ignore[arg-type]  # one of the kinds


def counted(texts: Sequence[str]) -> TermCounts:
    """Count the terms of texts."""
    return united([counted_part(texts)])


def counted_part(texts: Sequence[str], paths: Sequence[Sequence[str]] = ()) -> CountedPart:
    """Count the terms of a few texts, each with those of the title and headings above it."""
    rows = [Counter(terms(text)) for text in texts]
    in_headings = {line: terms(line) for path in paths for line in path}
    for row, path in zip(rows, paths, strict=False):
        for line in path:
            row.update(in_headings[line])
    columns: defaultdict[Term, int] = defaultdict(count().__next__)
    numbers = np.fromiter(map(columns.__getitem__, chain.from_iterable(rows)), dtype=np.int32)
    times = np.fromiter(chain.from_iterable(row.values() for row in rows), dtype=np.int64)
    return CountedPart(
        [term_name(term) for term in columns],
        numbers,
        np.minimum(times, MOST_COUNTED).astype(np.uint16),
        np.array([len(row) for row in rows], dtype=np.int32),
    )


def united(parts: Iterable[CountedPart]) -> TermCounts:
    """Return the counts of all parts in their order; each part is read once."""
    from scipy.sparse import csr_array

    columns: defaultdict[str, int] = defaultdict(count().__next__)
    numbers, times, sizes = [], [], []
    for part in parts:
        own = np.fromiter(map(columns.__getitem__, part.names), dtype=np.int32)
        numbers.append(own[part.numbers])
        times.append(part.times)
        sizes.append(part.sizes)
    names = Names.of(columns)
    order = np.empty(len(columns), dtype=np.int32)
    order[np.fromiter((columns.pop(name) for name in names), dtype=np.int64)] = np.arange(
        len(names)
    )
    ends = np.cumsum(np.concatenate([[0], *sizes]), dtype=np.int64)
    indices = order[_emptied(numbers, np.int32)]
    data = _emptied(times, np.uint16)
    times = csr_array((data, indices, ends), shape=(len(ends) - 1, len(names)))
    return TermCounts(names, times.tocsc())


def _emptied(parts: list[NDArray[Any]], dtype: type) -> NDArray[Any]:
    """Return the arrays of a list as one, and let them go."""
    whole = np.concatenate([*parts, np.zeros(0, dtype=dtype)])
    parts.clear()
    return whole
