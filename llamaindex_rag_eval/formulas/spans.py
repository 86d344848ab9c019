"""Spans: which parts of the gold evidence do the retrieved chunks cover?

A span is `(document id, start, end)`, characters counted from 0, `end` exclusive. The gold of a
question is a list of groups that are all needed (AND); each group is a list of spans of which any
one will do (OR). A chunk hits a span of its own document when it covers at least `threshold` of
the span's characters, so the size of the chunk does not matter and no chunk ids need to agree.

A span that is cut by a chunk border counts as well: it is hit at the rank where all chunks up to
there, taken together, reach the threshold, by the chunk that completes it.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache

from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.formulas.gains import Gain, dcg, distinct, top

Span = tuple[str, int, int]

DEFAULT_THRESHOLD = 0.5
"""Half of the characters: of two chunks that do not overlap, only one can hold more than half."""

MOST_GROUPS = 8
"""Gold groups up to which every order of the chunks is tried: at most 2**8 sets of groups."""


@dataclass(frozen=True, slots=True)
class SpanHits:
    """What each retrieved chunk hits, and the lists that ranking measures read.

    Attributes:
        by_rank: The gold groups that the chunk at each rank hits; empty for none.
        groups: How many gold groups there are.
    """

    by_rank: tuple[frozenset[int], ...]
    groups: int

    @classmethod
    def of(cls, ranks: Iterable[Iterable[Iterable[int]]], chunks: int) -> "SpanHits":
        """Return the hits of so many chunks, of the ranks that hit each span of each group."""
        by_group = [frozenset(rank for hit in spans for rank in hit) for spans in ranks]
        groups = range(len(by_group))
        by_rank = (frozenset(g for g in groups if n in by_group[g]) for n in range(chunks))
        return cls(tuple(by_rank), len(by_group))

    @property
    def relevance(self) -> tuple[float, ...]:
        """Return how many groups each chunk is the first to hit: a repetition gains nothing.

        Example:
            >>> SpanHits(by_rank=(frozenset({0, 1}), frozenset({1})), groups=3).relevance
            (2.0, 0.0)
        """
        gains: list[float] = []
        reached: frozenset[int] = frozenset()
        for hit in self.by_rank:
            gains.append(float(len(hit - reached)))
            reached |= hit
        return tuple(gains)

    @property
    def gold(self) -> tuple[float, ...]:
        """Return the gains of the best known ranking, for measures that need an ideal.

        The chunks that gained something, then one chunk for each group that none hit. A chunk
        that hits two groups at once stays one item, so no measure over it exceeds 1.

        Example:
            >>> SpanHits(by_rank=(frozenset(), frozenset({0, 1})), groups=3).gold
            (2.0, 1.0)
        """
        gains = [gain for gain in self.relevance if gain]
        missing = self.groups - int(sum(gains))
        return (*sorted(gains, reverse=True), *([1.0] * missing))

    def ideal_dcg(self, *, k: int | None = None, gain: Gain = "linear") -> float:
        """Return the highest DCG that the same chunks reach in another order.

        A group that no chunk hits counts as one more chunk that hits it alone. With more than
        eight groups the order is found greedily, and never ranks below the one given.

        Args:
            k: Ranks looked at; None looks at all.
            gain: As for `dcg`.

        Example:
            >>> hits = SpanHits(by_rank=(frozenset({0}), frozenset({0, 1})), groups=2)
            >>> hits.ideal_dcg(), round(dcg(hits.relevance), 4)  # 2/1; 1/1 + 1/log2(3)
            (2.0, 1.6309)
        """
        hit = {group for chunk in self.by_rank for group in chunk}
        missing = [frozenset({group}) for group in range(self.groups) if group not in hit]
        chunks = (*dict.fromkeys(chunk for chunk in self.by_rank if chunk), *missing)
        if self.groups <= MOST_GROUPS:
            return _best_dcg(chunks, k, gain)
        given = dcg(top(self.relevance, k), gain=gain)
        return max(given, dcg(top(_greedy_gains(chunks), k), gain=gain))

    @property
    def useful(self) -> tuple[float, ...]:
        """Return 1 for each chunk that hits any group, also one hit before, else 0.

        What precision reads: a second chunk with the evidence is no noise.

        Example:
            >>> SpanHits(by_rank=(frozenset({0}), frozenset({0})), groups=1).useful
            (1.0, 1.0)
        """
        return tuple(float(bool(hit)) for hit in self.by_rank)

    def recall_at_k(self, *, k: int | None = None) -> float | None:
        """Return the share of the gold groups hit within the first `k` chunks.

        Returns:
            A share in [0, 1], higher is better; 0 if nothing was retrieved; None without groups.

        Example:
            >>> SpanHits(by_rank=(frozenset({0}), frozenset({1})), groups=2).recall_at_k(k=1)
            0.5
        """
        return sum(top(self.relevance, k)) / self.groups if self.groups else None


def _best_dcg(chunks: Sequence[frozenset[int]], k: int | None, gain: Gain) -> float:
    """Return the highest DCG of any order of the chunks, each group gained once."""

    @cache
    def best(reached: frozenset[int], rank: int) -> float:
        if k is not None and rank > k:
            return 0.0
        return max(
            (
                dcg([len(chunk - reached)], gain=gain) / math.log2(rank + 1)
                + best(reached | chunk, rank + 1)
                for chunk in chunks
                if chunk - reached
            ),
            default=0.0,
        )

    return best(frozenset(), 1)


def _greedy_gains(chunks: Sequence[frozenset[int]]) -> list[float]:
    """Return the gains when each next chunk is one with the most groups that are new."""
    gains: list[float] = []
    reached: frozenset[int] = frozenset()
    while new := max((chunk - reached for chunk in chunks), key=len, default=frozenset()):
        gains.append(float(len(new)))
        reached |= new
    return gains


def hits_by_rank(
    retrieved: Sequence[Span],
    gold: Sequence[Sequence[Span]],
    *,
    threshold: float = DEFAULT_THRESHOLD,
) -> SpanHits:
    """Return which gold groups the chunk at each rank hits.

    Args:
        retrieved: Spans of the chunks in rank order; a chunk that comes again is dropped.
        gold: Groups that are all needed, each a list of spans of which one is enough.
        threshold: Share of a span's characters that must be covered, in (0, 1].

    Raises:
        InputError: The threshold is out of range, a gold span is empty, a group has no span.

    Example:
        >>> hits_by_rank([("a", 0, 6), ("b", 0, 9)], [[("a", 0, 10)], [("c", 0, 5)]]).by_rank
        (frozenset({0}), frozenset())
    """
    if not 0 < threshold <= 1:
        raise InputError(f"threshold must be above 0 and at most 1, got {threshold!r}")
    chunks = distinct(retrieved)
    ranks = [[ranks_that_hit(span, chunks, threshold) for span in group] for group in gold]
    if [] in ranks:
        raise InputError(f"gold group {ranks.index([])} has no span")
    return SpanHits.of(ranks, len(chunks))


def ranks_that_hit(span: Span, chunks: Sequence[Span], threshold: float) -> list[int]:
    """Return the ranks of the chunks that hold enough of the span, alone or as the last part."""
    ranks: list[int] = []
    parts: list[Span] = []
    for rank, chunk in enumerate(chunks):
        if not covered_share(span, [chunk]):
            continue
        completes = not ranks and covered_share(span, [*parts, chunk]) >= threshold
        if completes or covers(chunk, span, threshold=threshold):
            ranks.append(rank)
        parts.append(chunk)
    return ranks


def covers(chunk: Span, span: Span, *, threshold: float = DEFAULT_THRESHOLD) -> bool:
    """Return whether the chunk alone covers at least `threshold` of the span's characters.

    Raises:
        InputError: The span is empty.

    Example:
        >>> covers(("a", 0, 5), ("a", 0, 10)), covers(("b", 0, 5), ("a", 0, 10))
        (True, False)
    """
    return covered_share(span, [chunk]) >= threshold


def covered_share(span: Span, chunks: Sequence[Span]) -> float:
    """Return the share of the span's characters that lie in at least one of the chunks.

    Returns:
        A share in [0, 1]; 0 without chunks. Chunks that overlap count once.

    Raises:
        InputError: The span is empty.

    Example:
        >>> covered_share(("a", 0, 10), [("a", 0, 4), ("a", 2, 6), ("b", 0, 10)])
        0.6
    """
    document, start, end = span
    if not start < end:
        raise InputError(f"a gold span must start before it ends, got {span!r}")
    covered, reach = 0, start
    for _, low, high in sorted(chunk for chunk in chunks if chunk[0] == document):
        covered += overlap(max(low, reach), high, start, end)
        reach = max(reach, high)
    return covered / (end - start)


def overlap(a_start: int, a_end: int, b_start: int, b_end: int) -> int:
    """Return how many characters two half-open ranges share; 0 if they only touch.

    Example:
        >>> overlap(0, 5, 3, 9), overlap(0, 3, 3, 9)
        (2, 0)
    """
    return max(0, min(a_end, b_end) - max(a_start, b_start))
