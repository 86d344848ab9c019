"""Spreading: how many questions of each type each topic gets, so that topics get their share.

Each question goes to the topic that is furthest behind its share of all questions so far, over
all types together: rounding type by type would give every odd question to the same topics.
"""

from collections import Counter
from collections.abc import Mapping

from testset.corpus.documents import shuffle_key
from testset.generation.quotas import Cell, largest_remainder

__all__ = ["spread"]


def spread(
    topics: Mapping[str, int], types: Mapping[str, float], size: int, *, seed: int = 7
) -> dict[Cell, int]:
    """Return how many items each cell of topic and type should have; they add up to `size`.

    Args:
        topics: Topic -> how many passages it has.
        types: Question type -> its share.
        size: How many items in all.
        seed: Settles which of two topics that are equally behind comes first.

    Example:
        >>> sorted(spread({"a": 1, "b": 1}, {"double": 1.0, "summary": 1.0}, 2).values())
        [0, 0, 1, 1]
    """
    counts = largest_remainder(types, size)
    cells: Counter[Cell] = Counter({(topic, name): 0 for name in counts for topic in topics})
    whole = sum(topics.values())
    given: Counter[str] = Counter()
    ties = {topic: shuffle_key(seed, topic) for topic in topics}
    for name in sorted(counts):
        for _ in range(counts[name]):
            so_far = given.total() + 1 if topics else 1
            behind = {topic: so_far * n / whole - given[topic] for topic, n in topics.items()}
            topic = max(sorted(topics), key=lambda entry: (behind[entry], ties[entry]))
            given[topic] += 1
            cells[topic, name] += 1
    return dict(cells)
