"""Difficulty: how hard it is to find and put together what answers a question.

A question is as hard as the hardest of three things: at which rank a search finds its gold
passages, how many of its words stand in them, and how many of them it takes. The search is by words
(BM25), beside an embedding model the better of both, or the deployed retriever where one is given:
then its words do not count, since how it matches them is measured.
"""

from collections.abc import Sequence

from llamaindex_rag_eval.formulas.spans import hits_by_rank
from testset.checks.draft import Draft
from testset.checks.round_trip import word_share
from testset.corpus.deployed import Retrieved
from testset.corpus.documents import Corpus
from testset.corpus.index import CorpusIndex
from testset.golden.golden_set import GoldenSet
from testset.golden.item import Difficulty, GoldenItem, GoldSpan

LEVELS: tuple[Difficulty, ...] = ("easy", "medium", "hard")
RANKS = (1, 5)
"""The last rank that is easy, and the last that is medium: a retriever of one or of five contexts
still shows it."""
OVERLAPS = (0.6, 0.3)
"""The smallest overlap, a share in [0, 1], that is easy, and that is medium."""
HOPS = (1, 2)
"""The largest number of gold groups of an easy, and of a medium question."""


def difficulty_level(*, rank: int | None, overlap: float, hops: int) -> Difficulty:
    """Return how hard a question is: the hardest level of its three parts.

    Args:
        rank: The rank, from 1, at which a search finds the last of the gold passages; `None` if it
            finds not all of them.
        overlap: The share of the question's words, weighted by rarity, that stand in its gold
            passages, in [0, 1].
        hops: How many gold groups are needed; for 0 there is nothing to find.

    Returns:
        "easy", "medium" or "hard"; empty where there is nothing to find.

    Example:
        >>> difficulty_level(rank=1, overlap=0.9, hops=1)
        'easy'
        >>> difficulty_level(rank=1, overlap=0.4, hops=1)
        'medium'
        >>> difficulty_level(rank=None, overlap=0.9, hops=1)
        'hard'
    """
    if hops == 0:
        return ""
    by_rank = len(RANKS) if rank is None else sum(rank > bound for bound in RANKS)
    by_overlap = sum(overlap < bound for bound in OVERLAPS)
    by_hops = sum(hops > bound for bound in HOPS)
    return LEVELS[max(by_rank, by_overlap, by_hops)]


def with_difficulty(golden: GoldenSet, corpus: Corpus) -> tuple[GoldenItem, ...]:
    """Return the items of a set with the difficulty they have over these documents.

    Items whose gold spans are not in the documents keep the difficulty they had.
    """
    index = CorpusIndex.of(corpus.documents)
    levels = (difficulty_over(Draft.of(item), index) for item in golden)
    return tuple(
        item.model_copy(update={"difficulty": level, "difficulty_by": by}) if level else item
        for item, (level, by) in zip(golden, levels, strict=True)
    )


def difficulty_over(draft: Draft, index: CorpusIndex) -> tuple[Difficulty, str]:
    """Return how hard a draft is, and by what that was measured; blanks if nothing is to be found.

    A retriever of whose nodes none stands in the documents measures nothing.
    """
    hits = draft.hits
    if hits is not None and draft.gold and (not hits.spans or hits.lost < len(hits.spans)):
        return _deployed_level(draft.gold, hits), hits.by
    passages = [index.passages_at(*group) for group in draft.gold]
    if not all(passages) or not passages:
        return "", ""
    shown = "\n".join(index.passages[numbers[0]].shown for numbers in passages)
    level = difficulty_level(
        rank=_last([index.rank(draft.full_question, numbers) for numbers in passages]),
        overlap=word_share(draft.question, shown, index),
        hops=len(passages),
    )
    return level, index.ranked_by


def _deployed_level(gold: Sequence[Sequence[GoldSpan]], deployed: Retrieved) -> Difficulty:
    """Return the level by the ranks of the nodes that cover the gold spans."""
    nodes = [span or ("", rank, rank + 1) for rank, span in enumerate(deployed.spans)]
    groups = [[(span.doc_id, span.start, span.end) for span in group] for group in gold]
    hits = hits_by_rank(nodes, groups).by_rank
    ranks = [
        next((rank for rank, hit in enumerate(hits, 1) if number in hit), None)
        for number in range(len(groups))
    ]
    return difficulty_level(rank=_last(ranks), overlap=1.0, hops=len(gold))


def _last(ranks: Sequence[int | None]) -> int | None:
    """Return the last rank; `None` if one is missing."""
    known = [rank for rank in ranks if rank is not None]
    return max(known) if len(known) == len(ranks) else None
