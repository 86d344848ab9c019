"""Stability: how much a judge's scores vary when the same samples are judged again.

Example: `stability(samples, metrics=["faithfulness"], judge=llm, repeats=5)[0].flip_rate`.
"""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from llamaindex_rag_eval.data.dataset import EvaluationDataset, HasSamples
from llamaindex_rag_eval.data.json_fields import JsonFields
from llamaindex_rag_eval.data.sample import Sample
from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.judge import Judge, JudgeLike, judge_of
from llamaindex_rag_eval.metrics.base import BaseMetric
from llamaindex_rag_eval.metrics.registry import DEFAULT_METRICS
from llamaindex_rag_eval.models.voting import votable
from llamaindex_rag_eval.runs.clusters import clusters_of
from llamaindex_rag_eval.runs.evaluate import evaluate
from llamaindex_rag_eval.runs.provenance import MetricInfo
from llamaindex_rag_eval.runs.run import Run
from llamaindex_rag_eval.stats.interval import Estimate

RepeatJudge = Callable[[int], JudgeLike]
"""Called with the number of a repetition, from 1; returns the judge of that repetition."""


@dataclass(frozen=True, slots=True)
class Stability(JsonFields):
    """One metric, measured several times on the same samples by the same judge.

    Attributes:
        metric: The metric.
        repeats: Number of repetitions.
        n: Samples with a score in every repetition; the following numbers are over them.
        incomplete: Samples with a score in some repetitions, but not in all.
        threshold: A score at or above it counts as yes.
        flip_rate: Chance in [0, 1] that two repetitions give a sample different verdicts, with
            its interval over samples; 0 if the judge always gives the same verdict.
        means: The mean over samples in each repetition.
        judge_deviation: Standard deviation of one repetition's mean that is due to the judge
            alone, in the unit of the metric; `None` without samples.
        judge_share: Share of the variance of single scores that is due to the judge and not to
            the samples, in [0, 1]; `None` if nothing varies or there are fewer than two samples.
    """

    _json = (
        "metric=metric.spec repeats samples=n incomplete threshold flip_rate=flip_rate.value "
        "means judge_deviation judge_share"
    )

    metric: MetricInfo
    repeats: int
    n: int
    incomplete: int
    threshold: float
    flip_rate: Estimate
    means: tuple[float, ...]
    judge_deviation: float | None
    judge_share: float | None

    @property
    def spread(self) -> float | None:
        """The greatest mean minus the least; `None` without samples."""
        return max(self.means) - min(self.means) if self.means else None


def stability(
    samples: HasSamples | Iterable[Sample],
    *,
    metrics: Sequence[BaseMetric | str] = DEFAULT_METRICS,
    judge: JudgeLike | RepeatJudge,
    repeats: int = 5,
) -> tuple[Stability, ...]:
    """Evaluate samples several times by the same judge, and return how much its scores vary.

    Args:
        samples: The samples, with their answers.
        metrics: Metrics, or their names; those that ask no judge are always stable.
        judge: A judge over an LLM, which is asked for independent answers as by `VotingOracle`;
            or a function from the number of the repetition to a judge.
        repeats: Number of repetitions, 2 or more.

    Returns:
        One entry per metric.

    Raises:
        InputError: `repeats` is below 2, or the judge always answers the same.
        NeedsModelError: A metric needs an LLM, and the judge answers by rules.
    """
    repeat = repeat_judge(judge)
    if repeats < 2:
        raise InputError(f"repeats is {repeats}; expected 2 or more")
    data = EvaluationDataset.of(samples)
    return stability_of(
        [evaluate(data, metrics=metrics, judge=repeat(number)) for number in range(1, repeats + 1)]
    )


def stability_of(runs: Sequence[Run]) -> tuple[Stability, ...]:
    """Return how much the scores of repeated runs vary.

    Args:
        runs: Two or more runs of the same samples, metrics and judge.

    Raises:
        InputError: There are fewer than two.
    """
    if len(runs) < 2:
        raise InputError(f"expected two runs or more, got {len(runs)}")
    return tuple(_stability(info, runs) for info in runs[0].metrics)


def repeat_judge(judge: JudgeLike | RepeatJudge) -> RepeatJudge:
    """Return a function from the number of a repetition to a judge that answers independently.

    Raises:
        InputError: The judge always answers the same.
    """
    if callable(judge):
        return judge
    oracle = votable(judge_of(judge).oracle)
    return lambda number: Judge(oracle.voter(number))


def _stability(info: MetricInfo, runs: Sequence[Run]) -> Stability:
    from llamaindex_rag_eval.stats.inference import mean_estimate

    values = [run.values(info.spec) for run in runs]
    ever = dict.fromkeys(key for found in values for key in found)
    always = [key for key in ever if all(key in found for found in values)]
    rows = [[found[key] for found in values] for key in always]
    clusters = clusters_of(runs[0].samples).of(always)
    threshold = _threshold(info)
    flips = [flip_chance([value >= threshold for value in row]) for row in rows]
    return Stability(
        metric=info,
        repeats=len(runs),
        n=len(rows),
        incomplete=len(ever) - len(rows),
        threshold=threshold,
        flip_rate=mean_estimate(flips, clusters=clusters, bounds=(0.0, 1.0)),
        means=tuple(sum(column) / len(rows) for column in zip(*rows, strict=True)),
        judge_deviation=math.sqrt(within_square(rows) / len(rows)) if rows else None,
        judge_share=judge_share(rows),
    )


def _threshold(info: MetricInfo) -> float:
    if info.threshold is not None:
        return info.threshold
    low, high = info.bounds
    return (low + high) / 2 if math.isfinite(low) and math.isfinite(high) else 0.0


def judge_share(rows: Sequence[Sequence[float]]) -> float | None:
    """Return the share of the variance of scores that lies within samples: 1 - ICC(1), at least 0.

    With r scores of each of n samples, W = mean square within and B = between samples, the share
    is W / (W + max(0, (B - W) / r)). Source: Shrout and Fleiss (1979), "Intraclass Correlations:
    Uses in Assessing Rater Reliability", case 1.

    Args:
        rows: The scores of each sample, r ≥ 2 of each.

    Returns:
        A share in [0, 1]: 0 if a sample always gets the same score, 1 if scores do not depend on
        the sample. `None` with fewer than two samples, or if all scores are equal.

    Example:
        >>> judge_share([[0.0, 0.0], [1.0, 1.0]])
        0.0
        >>> judge_share([[0.0, 1.0], [1.0, 0.0]])
        1.0
    """
    if len(rows) < 2:
        return None
    repeats, centres = len(rows[0]), [sum(row) / len(row) for row in rows]
    centre = sum(centres) / len(centres)
    within = within_square(rows)
    between = repeats * sum((c - centre) ** 2 for c in centres) / (len(rows) - 1)
    total = within + max(0.0, (between - within) / repeats)
    return within / total if total else None


def within_square(rows: Sequence[Sequence[float]]) -> float:
    """Return the mean square of scores around the mean of their sample; 0 without samples.

    Example:
        >>> within_square([[0.0, 1.0], [1.0, 1.0]])  # (1/4 + 1/4) / (2 · (2 - 1))
        0.25
    """
    squares = sum((value - sum(row) / len(row)) ** 2 for row in rows for value in row)
    degrees = sum(len(row) - 1 for row in rows)
    return squares / degrees if degrees else 0.0


def flip_chance(row: Sequence[bool]) -> float:
    """Return the chance that two different repetitions disagree: 2·k·(r - k) / (r·(r - 1)).

    Example:
        >>> flip_chance([True, True, True, False])  # 2 · 3 · 1 / (4 · 3)
        0.5
    """
    yes, repeats = sum(row), len(row)
    return 2 * yes * (repeats - yes) / (repeats * (repeats - 1))
