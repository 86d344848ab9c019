"""Repeats: how much scores vary where the same is judged again, or answered again.

All rests on the one-way random-effects decomposition of Shrout and Fleiss (1979), "Intraclass
Correlations: Uses in Assessing Rater Reliability", case 1: the variance within what is repeated,
against that of all. `stability_of` is about the scores of one pipeline judged several times,
`answer_spread` about several answers to one question.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, variance

from llamaindex_rag_eval.data.json_fields import JsonFields
from llamaindex_rag_eval.data.repeats import REPEAT_OF
from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.judge import JudgeLike, judge_of
from llamaindex_rag_eval.models.voting import voter_of
from llamaindex_rag_eval.runs.clusters import clusters_of
from llamaindex_rag_eval.runs.provenance import MetricInfo
from llamaindex_rag_eval.runs.run import Run
from llamaindex_rag_eval.stats.inference import mean_estimate
from llamaindex_rag_eval.stats.interval import Estimate


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


def judges_of(judge: JudgeLike | None, repeats: int) -> list[JudgeLike]:
    """Return a judge for each judging, which answers independently of the others.

    Raises:
        InputError: There are several judgings, and the judge always answers the same.
    """
    shared = judge_of(judge)
    if repeats == 1:
        return [shared]
    return [shared.over(voter_of(shared.oracle, number)) for number in range(1, repeats + 1)]


def stability_of(runs: Sequence[Run]) -> tuple[Stability, ...]:
    """Return how much the scores of repeated runs vary, for each metric.

    Args:
        runs: Two or more runs of the same samples, metrics and judge.

    Raises:
        InputError: There are fewer than two.
    """
    if len(runs) < 2:
        raise InputError(f"expected two runs or more, got {len(runs)}")
    return tuple(_stability(info, runs) for info in runs[0].metrics)


def _stability(info: MetricInfo, runs: Sequence[Run]) -> Stability:
    scores = _scores_in_all(runs, info)
    rows = list(scores.values())
    ever = {key for run in runs for key in run.values(info.spec)}
    threshold = _threshold(info)
    flips = [flip_chance([value >= threshold for value in row]) for row in rows]
    clusters = clusters_of(runs[0].samples).of(scores)
    return Stability(
        metric=info,
        repeats=len(runs),
        n=len(rows),
        incomplete=len(ever) - len(rows),
        threshold=threshold,
        flip_rate=mean_estimate(flips, clusters=clusters, bounds=(0.0, 1.0)),
        means=tuple(map(fmean, zip(*rows, strict=True))),
        judge_deviation=math.sqrt(within_square(rows) / len(rows)) if rows else None,
        judge_share=share_within(rows),
    )


def _threshold(info: MetricInfo) -> float:
    if info.threshold is not None:
        return info.threshold
    return sum(info.bounds) / 2 if all(map(math.isfinite, info.bounds)) else 0.0


@dataclass(frozen=True, slots=True)
class AnswerSpread(JsonFields):
    """One metric on several answers to each question.

    Attributes:
        metric: The metric.
        questions: Questions of which all answers have a score.
        answers: Answers to each.
        deviation: Standard deviation of the scores of answers to one question, in the unit of the
            metric, at least 0.
        share: The share of the variance of scores that lies between answers to one question, in
            [0, 1], with the judge's; lower is steadier. `None` below two questions, or where
            nothing varies.
        judge_deviation: The standard deviation that comes from the judge alone, which is taken off
            `deviation`; `None` where answers were judged once, and it is in `deviation`.
    """

    _json = "metric=metric.spec questions answers deviation share judge_deviation"

    metric: MetricInfo
    questions: int
    answers: int
    deviation: float
    share: float | None
    judge_deviation: float | None

    @property
    def sentence(self) -> str:
        """Return the numbers in words."""
        share = "" if self.share is None else f", {self.share:.0%} of the variance of scores"
        judge = "the judge's part with it"
        if self.judge_deviation is not None:
            judge = f"the judge's ±{self.judge_deviation:.3f} taken off"
        return (
            f"{self.metric.spec}: {self.answers} answers to one question differ by "
            f"±{self.deviation:.3f}{share} ({judge})."
        )


def answer_spread(runs: Sequence[Run]) -> tuple[AnswerSpread, ...]:
    """Return how much scores vary between answers, for each metric; none without repeated answers.

    Args:
        runs: The run over repeated answers; or several, each judged anew.
    """
    groups: dict[str, list[str]] = {}
    for sample in runs[0].samples:
        if (first := sample.metadata.get(REPEAT_OF)) is not None:
            groups.setdefault(str(first), []).append(sample.id)
    several = [ids for ids in groups.values() if len(ids) > 1]
    spreads = (_spread(info, several, runs) for info in runs[0].metrics)
    return tuple(spread for spread in spreads if spread is not None)


def _spread(
    info: MetricInfo, groups: Sequence[Sequence[str]], runs: Sequence[Run]
) -> AnswerSpread | None:
    scores = _scores_in_all(runs, info)
    whole = [[scores[key] for key in ids] for ids in groups if all(key in scores for key in ids)]
    if not whole:
        return None
    rows = [[judgings[0] for judgings in answers] for answers in whole]
    judged = None
    if len(runs) > 1:
        judged = within_square([judgings for answers in whole for judgings in answers])
    return AnswerSpread(
        metric=info,
        questions=len(rows),
        answers=max(map(len, rows)),
        deviation=math.sqrt(max(0.0, within_square(rows) - (judged or 0.0))),
        share=share_within(rows) if len({*map(len, rows)}) == 1 else None,
        judge_deviation=None if judged is None else math.sqrt(judged),
    )


def _scores_in_all(runs: Sequence[Run], info: MetricInfo) -> Mapping[str, list[float]]:
    """Return the scores of each sample that has one in every run."""
    first, *others = (run.values(info.spec) for run in runs)
    return {
        key: [value, *(scores[key] for scores in others)]
        for key, value in first.items()
        if all(key in scores for scores in others)
    }


def share_within(rows: Sequence[Sequence[float]]) -> float | None:
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
        >>> share_within([[0.0, 0.0], [1.0, 1.0]])
        0.0
        >>> share_within([[0.0, 1.0], [1.0, 0.0]])
        1.0
    """
    if len(rows) < 2:
        return None
    repeats, within = len(rows[0]), within_square(rows)
    between = repeats * variance(map(fmean, rows))
    total = within + max(0.0, (between - within) / repeats)
    return within / total if total else None


def within_square(rows: Sequence[Sequence[float]]) -> float:
    """Return the mean square of scores around the mean of their sample; 0 without samples.

    Example:
        >>> within_square([[0.0, 1.0], [1.0, 1.0]])  # (1/4 + 1/4) / (2 · (2 - 1))
        0.25
    """
    centres = map(fmean, rows)
    squares = sum(
        (value - centre) ** 2 for row, centre in zip(rows, centres, strict=True) for value in row
    )
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
