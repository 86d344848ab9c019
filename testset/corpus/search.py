"""Search by words (BM25), for the checks that ask what a retriever would find.

Source: Robertson and Zaragoza (2009), "The Probabilistic Relevance Framework: BM25 and Beyond",
section 3, https://doi.org/10.1561/1500000019; with the idf of Lucene, which is never negative.
"""

import math
from collections import Counter
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from llamaindex_rag_eval.judge.rules.tokens import terms

__all__ = ["Bm25", "keys_of"]

K1 = 1.5
B = 0.75


def keys_of(text: str) -> list[str]:
    """Return the keys of the terms of a text: stems, numbers, CJK characters and pairs."""
    return [term.key for term in terms(text)]


class Bm25:
    """An index over texts; equal scores come in the order of the texts.

    Example:
        >>> [number for number, _ in Bm25(["a red vent", "a blue pump"]).search("pumps", k=2)]
        [1]
    """

    def __init__(self, texts: Sequence[str]) -> None:
        counts = [Counter(keys_of(text)) for text in texts]
        lengths = np.array([sum(count.values()) for count in counts], dtype=np.float64)
        mean = float(lengths.mean()) if len(lengths) else 1.0
        self._norm = K1 * (1 - B + B * lengths / (mean or 1.0))
        self._postings = _postings(counts)
        self.size = len(texts)

    def idf(self, key: str) -> float:
        """Return how rare a term is: 0 or more; the highest value for one that never occurs."""
        seen = len(self._postings[key][0]) if key in self._postings else 0
        return math.log(1 + (self.size - seen + 0.5) / (seen + 0.5))

    def known(self, key: str) -> bool:
        """Return whether any text holds a term."""
        return key in self._postings

    def scores(self, query: str) -> NDArray[np.float64]:
        """Return one score per text, 0 where it shares no term with the query."""
        total = np.zeros(self.size)
        for key in dict.fromkeys(keys_of(query)):
            if key in self._postings:
                numbers, counts = self._postings[key]
                gain = counts * (K1 + 1) / (counts + self._norm[numbers])
                total[numbers] += self.idf(key) * gain
        return total

    def search(self, query: str, *, k: int) -> list[tuple[int, float]]:
        """Return the numbers and scores of the `k` best texts with any shared term."""
        total = self.scores(query)
        best = np.argsort(-total, kind="stable")[:k]
        return [(int(number), float(total[number])) for number in best if total[number] > 0]

    def rank(self, query: str, wanted: Iterable[int]) -> int | None:
        """Return the rank, from 1, of the best of some texts; `None` if none is found."""
        total = self.scores(query)
        found = [number for number in wanted if total[number] > 0]
        if not found:
            return None
        best = min(found, key=lambda number: (-total[number], number))
        ahead = np.count_nonzero(total > total[best])
        return int(ahead + np.count_nonzero(total[:best] == total[best])) + 1


def _postings(
    counts: Sequence[Counter[str]],
) -> dict[str, tuple[NDArray[np.int64], NDArray[np.float64]]]:
    numbers: dict[str, list[int]] = {}
    times: dict[str, list[int]] = {}
    for number, count in enumerate(counts):
        for key, seen in count.items():
            numbers.setdefault(key, []).append(number)
            times.setdefault(key, []).append(seen)
    return {
        key: (np.array(found), np.array(times[key], dtype=np.float64))
        for key, found in numbers.items()
    }
