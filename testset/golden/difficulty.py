"""Difficulty: how hard it is to find and put together what answers a question.

A question is as hard as the hardest of three things: where a word search ranks its evidence, how
many of its words stand beside the evidence, and how many pieces of evidence it takes.
"""

from collections.abc import Sequence

from testset.checks.draft import Draft
from testset.checks.round_trip import coverage
from testset.corpus.documents import Corpus
from testset.corpus.index import CorpusIndex
from testset.corpus.passages import passages_of
from testset.golden.golden_set import GoldenSet
from testset.golden.item import Difficulty, GoldenItem, GoldSpan

__all__ = ["difficulty_level", "difficulty_over", "with_difficulty"]

LEVELS: tuple[Difficulty, ...] = ("easy", "medium", "hard")
RANKS = (1, 5)
"""The last rank that is easy, and the last that is medium: what one or five contexts show."""
OVERLAPS = (0.6, 0.3)
"""The least overlap that is easy, and that is medium."""
HOPS = (1, 2)
"""Most pieces of evidence of an easy, and of a medium question."""


def difficulty_level(*, rank: int | None, overlap: float, hops: int) -> Difficulty:
    """Return how hard a question is: the hardest of what its parts say.

    Args:
        rank: The rank, from 1, at which a word search finds the worst-found piece of evidence;
            `None` if it does not.
        overlap: The share of the question's words, weighted by rarity, that stand in the passage
            of its evidence, in [0, 1].
        hops: How many pieces of evidence are needed; for 0 there is nothing to find.

    Returns:
        "easy", "medium" or "hard"; empty without evidence.

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

    Items without evidence in the documents keep what they had.
    """
    passages = [entry for document in corpus.documents for entry in passages_of(document)]
    index = CorpusIndex.of(corpus.documents, passages)
    return tuple(_measured(item, index) for item in golden)


def difficulty_over(draft: Draft, index: CorpusIndex) -> Difficulty:
    """Return how hard a question is over these documents; empty if its evidence is not in them."""
    return _difficulty(draft.full_question, draft.question, draft.gold, index)


def _measured(item: GoldenItem, index: CorpusIndex) -> GoldenItem:
    said = " ".join([*(turn.content for turn in item.turns), item.question])
    level = _difficulty(said, item.question, item.gold, index)
    return item.model_copy(update={"difficulty": level}) if level else item


def _difficulty(
    said: str, question: str, gold: Sequence[Sequence[GoldSpan]], index: CorpusIndex
) -> Difficulty:
    places = [[number for span in group for number in index.passages_at(span)] for group in gold]
    if not all(places) or not places:
        return ""
    ranks = [index.bm25.rank(said, numbers) for numbers in places]
    found = [rank for rank in ranks if rank is not None]
    return difficulty_level(
        rank=max(found) if len(found) == len(ranks) else None,
        overlap=coverage(question, _beside(places, index), index, literal=True),
        hops=len(gold),
    )


def _beside(places: Sequence[Sequence[int]], index: CorpusIndex) -> str:
    """Return the passages that hold the evidence; of alternatives, the first."""
    return "\n".join(index.passages[numbers[0]].text for numbers in places)
