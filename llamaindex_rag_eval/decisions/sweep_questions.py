"""Questions of a sweep: in which order they are asked, and after how many it is looked at scores.

Questions that are not independent are asked together: half a document would count as a whole one.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from itertools import accumulate, chain

from llamaindex_rag_eval.data.dataset import EvaluationDataset
from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.runs.clusters import Clustering, clusters_of
from llamaindex_rag_eval.stats.race import looks_of

FIRST = 20
"""Questions before the first look; with fewer, next to no difference can be shown."""


@dataclass(frozen=True, slots=True)
class Schedule:
    """The questions in the order in which they are asked.

    Attributes:
        ids: The ids of all questions.
        clusters: The cluster of each id.
        looks: After how many of `ids` scores are looked at; the last is after all.
    """

    ids: tuple[str, ...]
    clusters: Mapping[str, int]
    looks: tuple[int, ...]

    @classmethod
    def of(
        cls,
        golden: EvaluationDataset,
        *,
        first: int = FIRST,
        clusters: Clustering = "documents",
        seed: int = 0,
    ) -> "Schedule":
        """Return the schedule of a data set; the order of its samples changes nothing.

        Args:
            golden: The questions.
            first: How many, at least, before the first look.
            clusters: What is not independent, and asked together.
            seed: Another seed shuffles clusters in another way.

        Raises:
            InputError: There are no questions, or `first` is below 1.
        """
        if not golden:
            raise InputError("expected at least one question, got none")
        if first < 1:
            raise InputError(f"first is {first}; expected 1 or more")
        labels = clusters_of(golden, clusters).labels
        members: dict[int, list[str]] = {}
        for sample_id in sorted(labels):
            members.setdefault(labels[sample_id], []).append(sample_id)
        shuffled = sorted(
            members.values(), key=lambda ids: sha256(f"{seed} {ids[0]}".encode()).hexdigest()
        )
        ends = [*accumulate(map(len, shuffled))]
        wanted = looks_of(ends[-1], first)
        looks = {next(end for end in ends if end >= least) for least in wanted}
        return cls(tuple(chain.from_iterable(shuffled)), labels, tuple(sorted(looks)))

    @property
    def shares(self) -> tuple[float, ...]:
        """The share of the questions that is asked at each look, the last 1."""
        return tuple(look / len(self.ids) for look in self.looks)
