"""Words that stand together: whether any passage of a corpus, with its headings, holds them all."""

import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from llamaindex_rag_eval.judge.rules.tokens import Term, terms
from testset.corpus.counts import TermCounts
from testset.corpus.passages import Passage

SHORTEST_PART = 4
"""Letters of a word that is also looked for inside longer words, as in compounds."""
MOST_READ = 200
"""Passages that are read to see whether the words stand there as they are written; where more hold
all their terms, some is taken to."""


class WordSearch:
    """Finds words in passages by their terms, and then by their letters.

    Args:
        counts: The terms of the passages, by columns.
        passages: The passages.
    """

    def __init__(self, counts: TermCounts, passages: Sequence[Passage]) -> None:
        self._counts, self._passages = counts, passages

    def any_holds(self, words: Sequence[str]) -> bool:
        """Return whether some passage, with its headings, holds all of the words, in any case."""
        wanted = list(dict.fromkeys(term for word in words for term in terms(word)))
        among = np.ones(len(self._passages), dtype=np.bool_)
        for term in wanted:
            among &= self._holding(term)
        numbers = np.flatnonzero(among)
        if len(numbers) > MOST_READ:
            return True
        texts = (self._passages[number].shown.casefold() for number in numbers.tolist())
        return any(all(word.casefold() in text for word in words) for text in texts)

    def _holding(self, term: Term) -> NDArray[np.bool_]:
        """Return whether each passage has a term, or a longer word with it."""
        names, times = self._counts
        part = term.kind == "word" and len(term.key) >= SHORTEST_PART
        wanted = (
            term.key.encode("utf-8", "surrogatepass") if part else b"\n%b\t" % term.key.encode()
        )
        offsets = [match.start() for match in re.finditer(re.escape(wanted), b"\n" + names.text)]
        holding = np.zeros(len(self._passages), dtype=np.bool_)
        for column in np.unique(names.at(offsets)).tolist():
            holding[times.indices[times.indptr[column] : times.indptr[column + 1]]] = True
        return holding
