"""Means by metric, as a dictionary, which is what the results of other tools are.

    means["faithfulness"], dict(means), print(means)   # {'faithfulness': 0.9000, …}

Source: `Result` of ragas 0.0.1 to 0.1.21, https://github.com/explodinggradients/ragas, in
src/ragas/evaluation.py.
"""

import math
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from llamaindex_rag_eval.metrics.result import Result

if TYPE_CHECKING:
    from llamaindex_rag_eval.runs.run import Run


class Scores(float):
    """The scores of a metric: their mean as a number, one a sample as a sequence.

    ragas to 0.1 gives a metric's mean, and since 0.2 its scores; code for either reads this. NaN
    is a score that is undefined or failed, and does not count in the mean.

    Example:
        >>> scores = Scores([1.0, 0.5, math.nan])
        >>> scores, scores[0], len(scores)
        (0.75, 1.0, 3)
    """

    scores: tuple[float, ...]

    def __new__(cls, scores: Iterable[float]) -> "Scores":
        """Return the mean of the scores, which keeps them."""
        kept = tuple(scores)
        scored = [score for score in kept if not math.isnan(score)]
        mean = super().__new__(cls, sum(scored) / len(scored) if scored else math.nan)
        mean.scores = kept
        return mean

    def __getnewargs__(self) -> tuple[tuple[float, ...]]:  # type: ignore[override]  # for pickle
        return (self.scores,)

    def __len__(self) -> int:
        return len(self.scores)

    def __iter__(self) -> Iterator[float]:
        return iter(self.scores)

    def __getitem__(self, index: int) -> float:
        return self.scores[index]

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Scores | list | tuple):
            return self.scores == tuple(other)
        return super().__eq__(other)

    __hash__ = float.__hash__


class Means(dict[str, Scores]):
    """The metrics of a run with their scores, in the order they were asked for.

    Args:
        run: The run.
        names: What a metric is called -> its spec; by default its spec.
    """

    def __init__(self, run: "Run", names: Mapping[str, str] | None = None) -> None:
        specs = names or {info.spec: info.spec for info in run.metrics}
        super().__init__(
            (name, Scores(number_of(run.result(sample_id, spec)) for sample_id in run.ids))
            for name, spec in specs.items()
        )

    def __missing__(self, name: str) -> Scores:
        """Return the only metric of this name with any settings."""
        names = [key for key in self if key.partition("(")[0] == name]
        if len(names) != 1:
            raise KeyError(f"{name!r} is none of {', '.join(self)}")
        return self[names[0]]

    def __repr__(self) -> str:
        return "{" + ", ".join(f"{name!r}: {mean:.4f}" for name, mean in self.items()) + "}"

    __str__ = __repr__


def number_of(result: Result | None) -> float:
    """Return the score of a result; NaN where it is undefined or failed, as ragas has it."""
    return math.nan if result is None or result.score is None else float(result.score)
