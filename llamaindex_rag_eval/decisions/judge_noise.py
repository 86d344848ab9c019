"""Judge noise: how much of the variance of a difference comes from the judge?

    judge's share = variance of the mean difference from one judging to the next
                    / variance of the mean difference of a single judging

With d[i, k] the difference of question i in judging k of r, and n questions, the first is
W / n with W the mean square of d about the mean of its question; the second is V / n with V the
mean over judgings of the variance of d over questions. The rest, (V - W) / n, comes from the
questions and the pipelines.

Source: the one-way random-effects decomposition of Shrout and Fleiss (1979), "Intraclass
Correlations: Uses in Assessing Rater Reliability", case 1, of paired differences.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from llamaindex_rag_eval.data.json_fields import JsonFields
from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.runs.provenance import MetricInfo
from llamaindex_rag_eval.runs.run import Run

QUANTILE_95 = 1.959964
"""Standard deviations to either side that hold 95 % of a normal distribution."""


@dataclass(frozen=True, slots=True)
class JudgeNoise(JsonFields):
    """One metric on the same answers of two pipelines, judged several times.

    Attributes:
        metric: The metric.
        repeats: How many judgings.
        n: Questions that both pipelines have a score for in every judging.
        differences: The mean of `b - a` in each judging; empty without questions.
        judge_deviation: Standard deviation of one judging's mean difference that comes from
            the judge alone, in the unit of the metric; `None` without questions.
        standard_error: Of one judging's mean difference, all sources together; `None` below two
            questions.
    """

    _json = "metric=metric.spec repeats n differences judge_deviation standard_error share"

    metric: MetricInfo
    repeats: int
    n: int
    differences: tuple[float, ...]
    judge_deviation: float | None
    standard_error: float | None

    @property
    def share(self) -> float | None:
        """The judge's share of the variance of the difference, in [0, 1]; lower is better.

        `None` where nothing varies, or below two questions.
        """
        if self.judge_deviation is None or not self.standard_error:
            return None
        return min(1.0, (self.judge_deviation / self.standard_error) ** 2)


def judge_noise(a: Sequence[Run], b: Sequence[Run]) -> tuple[JudgeNoise, ...]:
    """Return the judge's share of the variance of each metric's difference between two pipelines.

    Args:
        a: Runs over the same answers of the first pipeline, each judged anew.
        b: The same of the second pipeline, as many.

    Raises:
        InputError: There are fewer than two judgings, or not as many of both.
    """
    if len(a) != len(b) or len(a) < 2:
        raise InputError(f"expected as many judgings of both, 2 or more; got {len(a)} and {len(b)}")
    known = {info.spec for info in b[0].metrics}
    return tuple(_noise(info, a, b) for info in a[0].metrics if info.spec in known)


def noise_sentences(noise: Sequence[JudgeNoise]) -> tuple[str, ...]:
    """Return in a sentence how far the judge alone moves the differences; none for no noise."""
    if not noise:
        return ()
    judged = f"Judged {noise[0].repeats} times"
    moved = ", ".join(_with_numbers(entry) for entry in noise if entry.judge_deviation)
    if not moved:
        return (f"{judged}, no difference moved.",)
    return (f"{judged}, the judge alone moves the difference: {moved}.",)


def _with_numbers(noise: JudgeNoise) -> str:
    share = "" if noise.share is None else f", {noise.share:.0%} of its variance"
    return f"{noise.metric.spec} by ±{QUANTILE_95 * (noise.judge_deviation or 0.0):.3f}{share}"


def _noise(info: MetricInfo, a: Sequence[Run], b: Sequence[Run]) -> JudgeNoise:
    # Imported here, since that module asks engines and judges, which finished runs do not need.
    from llamaindex_rag_eval.decisions.stability import within_square

    left, right = ([run.values(info.spec) for run in runs] for runs in (a, b))
    keys = [key for key in left[0] if all(key in scores for scores in (*left, *right))]
    gaps = [[y[key] - x[key] for x, y in zip(left, right, strict=True)] for key in keys]
    columns = list(zip(*gaps, strict=True))
    return JudgeNoise(
        metric=info,
        repeats=len(a),
        n=len(keys),
        differences=tuple(sum(column) / len(column) for column in columns),
        judge_deviation=math.sqrt(within_square(gaps) / len(keys)) if keys else None,
        standard_error=math.sqrt(_variance(columns) / len(keys)) if len(keys) > 1 else None,
    )


def _variance(columns: Sequence[Sequence[float]]) -> float:
    """Return the mean over columns of the variance within each."""
    found = []
    for column in columns:
        centre = sum(column) / len(column)
        found.append(sum((value - centre) ** 2 for value in column) / (len(column) - 1))
    return sum(found) / len(found)
