"""BM25: search by words.

Source: Robertson and Zaragoza (2009), "The Probabilistic Relevance Framework: BM25 and Beyond",
section 3, https://doi.org/10.1561/1500000019; with the idf of Lucene, which is never negative.
"""

import math
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from llamaindex_rag_eval.judge.rules.tokens import terms
from testset.corpus.counts import TermCounts

K1 = 1.5
"""How soon it no longer matters that a text has a term once more; the default of `bm25s`."""
B = 0.75
"""How much a long text has to have a term more often, in [0, 1]; the default of `bm25s`."""

EXACT_TO = 5
"""Decimals in which scores are compared: what differs beyond depends on the machine."""

KEPT_POSTINGS = 64
"""Terms whose texts stay in memory."""


class Bm25:
    """BM25 over texts; equal scores come in the order of the texts.

    Term frequencies are weighted as in ATIRE, `tf (k1 + 1) / (tf + k1 (1 - b + b length / mean))`.

    Example:
        >>> from testset.corpus.counts import counted_part, united
        >>> bm25 = Bm25(united([counted_part(["a red vent", "a blue pump"])]))
        >>> [number for number, _ in bm25.search("pumps", k=2)]
        [1]

    Args:
        counts: How often the texts hold their terms.
    """

    def __init__(self, counts: TermCounts) -> None:
        self._names, self._times = counts.names, counts.times
        self.size = int(self._times.shape[0])
        lengths = np.asarray(self._times.sum(axis=1, dtype=np.float64)).ravel()
        mean = float(lengths.mean()) if self.size else 0.0
        self._norms = K1 * (1 - B + B * lengths / mean) if mean else np.ones(self.size)
        self._postings = lru_cache(maxsize=KEPT_POSTINGS)(self._find_postings)
        self._seen = cache(lambda key: len(self._postings(key)[0]))

    def idf(self, key: str) -> float:
        """Return how rare a term is: 0 or more; the highest value for one that never occurs."""
        seen = self._seen(key)
        return math.log(1 + (self.size - seen + 0.5) / (seen + 0.5))

    def known(self, key: str) -> bool:
        """Return whether any text holds a term."""
        return self._seen(key) > 0

    def _find_postings(self, key: str) -> tuple[NDArray[np.int32], NDArray[np.float64]]:
        """Return the numbers of the texts that hold a term, and how often each does."""
        first = bisect_left(self._names, f"{key}\t")  # a column for each way to write it
        last = bisect_left(self._names, f"{key}\n", first)
        start, end = self._times.indptr[first], self._times.indptr[last]
        numbers, counts = self._times.indices[start:end], self._times.data[start:end]
        if last - first > 1:
            sums = np.bincount(numbers, weights=counts)
            numbers = np.flatnonzero(sums)
            counts = sums[numbers]
        return np.asarray(numbers, dtype=np.int32), np.asarray(counts, dtype=np.float64)

    def scores(self, query: str) -> NDArray[np.float64]:
        """Return one score per text, 0 where it shares no term with the query."""
        scores = np.zeros(self.size)
        for key in dict.fromkeys(keys_of(query)):
            numbers, counts = self._postings(key)
            scores[numbers] += self.idf(key) * (K1 + 1) * counts / (counts + self._norms[numbers])
        return scores

    def search(self, query: str, *, k: int, without: Sequence[int] = ()) -> list[tuple[int, float]]:
        """Return the numbers and scores of the `k` best texts with any shared term.

        Args:
            query: The words to search for.
            k: How many texts are wanted; there may be fewer.
            without: The numbers of texts that are passed over.
        """
        scores = self.scores(query)
        scores[np.array(without, dtype=np.int64)] = 0
        return [(number, float(scores[number])) for number in best(scores, k) if scores[number] > 0]

    def rank(self, query: str, wanted: Iterable[int]) -> int | None:
        """Return the rank, from 1, of the best of some texts; `None` if none is found."""
        scores = np.round(self.scores(query), EXACT_TO)
        matching = [number for number in wanted if scores[number] > 0]
        if not matching:
            return None
        first = min(matching, key=lambda number: (-scores[number], number))
        ahead = np.count_nonzero(scores > scores[first])
        return int(ahead + np.count_nonzero(scores[:first] == scores[first])) + 1


def best(scores: NDArray[np.floating[Any]], k: int) -> list[int]:
    """Return the places of the `k` highest scores, highest first, equal ones in their order.

    Scores that differ by rounding only are equal: it differs between machines.

    Example:
        >>> best(np.array([0.1, 0.5, 0.1, 0.9]), 3)
        [3, 1, 0]
    """
    scores = np.round(scores, EXACT_TO)
    among = np.arange(len(scores))
    if 0 < k < len(scores):
        least = np.partition(scores, len(scores) - k)[len(scores) - k]
        among = np.flatnonzero(scores >= least)
    order = np.argsort(-scores[among], kind="stable")[: max(k, 0)]
    numbers: list[int] = among[order].tolist()
    return numbers


def keys_of(text: str) -> list[str]:
    """Return the keys of the terms of a text: stems, numbers, CJK characters and pairs."""
    return [term.key for term in terms(text)]
