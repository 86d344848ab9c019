"""Means by metric, as a dictionary, which is what the results of other tools are.

    means["faithfulness"], dict(means), print(means)   # {'faithfulness': 0.9000, …}

Source: `Result` of ragas 0.0.1 to 0.1.21, https://github.com/explodinggradients/ragas, in
src/ragas/evaluation.py; `ragas_score` as there until v0.0.18.
"""

import math
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from llamaindex_rag_eval.errors import UnknownMetricError
from llamaindex_rag_eval.formulas.means import harmonic_mean
from llamaindex_rag_eval.metrics.registry import metric_class
from llamaindex_rag_eval.metrics.result import Result
from llamaindex_rag_eval.metrics.shared.grading import AspectMetric
from llamaindex_rag_eval.metrics.spec import parse_spec

if TYPE_CHECKING:
    from llamaindex_rag_eval.runs.run import Run

RAGAS_SCORE = "ragas_score"


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
        self._specs = dict(names or {info.spec: info.spec for info in run.metrics})
        super().__init__(
            (name, Scores(number_of(run.result(sample_id, spec)) for sample_id in run.ids))
            for name, spec in self._specs.items()
        )

    @property
    def ragas_score(self) -> float:
        """The harmonic mean of the metrics' means, those of a yes or no left out, in [0, 1].

        NaN if a metric has no mean, or there are none; 0 if a mean is 0 or less.
        """
        parts = [mean for name, mean in self.items() if not _is_aspect(self._specs[name])]
        if any(map(math.isnan, parts)):
            return math.nan
        mean = harmonic_mean([max(0.0, float(part)) for part in parts])
        return math.nan if mean is None else mean

    def __missing__(self, name: str) -> "Scores | float":
        """Return the `ragas_score`, or the only metric of this name with any settings."""
        if name == RAGAS_SCORE and len(self) > 1:
            return self.ragas_score
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


def _is_aspect(spec: str) -> bool:
    try:
        return issubclass(metric_class(parse_spec(spec)[0]), AspectMetric)
    except UnknownMetricError:  # one of the user's
        return False
