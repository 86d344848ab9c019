"""Quotas: how many questions of which type from which topic, by the method of largest remainder."""

import math
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from llamaindex_rag_eval.errors import InputError
from testset.corpus.documents import shuffle_key

UNANSWERABLE = ("unanswerable", "false_premise", "underspecified")
"""Types of the default mix that no document answers."""


class Stratum(NamedTuple):
    """A topic and a question type; every question belongs to one stratum."""

    topic: str
    type: str

    @property
    def answered(self) -> str:
        """Whether the documents answer such questions: "yes" or "no"; empty without a type."""
        return self.type and ("no" if self.type in UNANSWERABLE else "yes")

    @property
    def traits(self) -> dict[str, str]:
        """What a question of it is, by the axes of a target, before it is written."""
        return {**self._asdict(), "answered": self.answered, "complete": "yes"}


def largest_remainder(weights: Mapping[str, float], total: int) -> dict[str, int]:
    """Share out `total` in proportion to the weights, in whole numbers that add up.

    Args:
        weights: Name -> weight, 0 or more. Equal remainders go to the name that sorts first.
        total: How many to share out.

    Raises:
        InputError: A weight is negative, or all are 0 while `total` is not.

    Example:
        >>> largest_remainder({"a": 5, "b": 3, "c": 2}, 4)
        {'a': 2, 'b': 1, 'c': 1}
    """
    whole = sum(weights.values())
    if any(weight < 0 for weight in weights.values()) or (total and whole <= 0):
        raise InputError(f"expected weights above 0 to share out {total!r}, got {weights!r}")
    if not total:
        return dict.fromkeys(weights, 0)
    exact = {name: total * weight / whole for name, weight in weights.items()}
    shares = {name: math.floor(share + 1e-9) for name, share in exact.items()}
    left = total - sum(shares.values())
    by_remainder = sorted(exact, key=lambda name: (shares[name] - exact[name], name))
    for name in by_remainder[:left]:
        shares[name] += 1
    return shares


def balanced_topics(topics: Mapping[str, int], types: Sequence[str], *, seed: int = 7) -> list[str]:
    """Return a topic for each question, so that topics get their share over all types together.

    Each question goes to the topic that is furthest behind its share of all questions so far:
    rounding type by type would give every odd question to the same topics.

    Args:
        topics: Topic -> how many passages it has.
        types: The type of each question; of one type, the topics come in their order.
        seed: Decides which of two topics that are equally behind comes first.

    Example:
        >>> sorted(balanced_topics({"a": 1, "b": 1}, ["double", "summary"]))
        ['a', 'b']
    """
    whole, order = sum(topics.values()), [*topics]
    drawn: dict[str, Counter[str]] = defaultdict(Counter)
    given: Counter[str] = Counter()
    ties = {topic: shuffle_key(seed, topic, 0, 0) for topic in topics}
    for so_far, name in enumerate(sorted(types), 1):
        behind = {topic: so_far * n / whole - given[topic] for topic, n in topics.items()}
        topic = max(sorted(topics), key=lambda entry: (behind[entry], ties[entry]))
        given[topic] += 1
        drawn[name][topic] += 1
    turns = {name: iter(sorted(own.elements(), key=order.index)) for name, own in drawn.items()}
    return [next(turns[name]) for name in types]
