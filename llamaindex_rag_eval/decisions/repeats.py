"""Repeats: how much the scores of several answers to one question vary.

This is the one-way random-effects decomposition of Shrout and Fleiss (1979), "Intraclass
Correlations: Uses in Assessing Rater Reliability", case 1: the variance within what is repeated,
against that of all.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, variance

from llamaindex_rag_eval.data.json_fields import JsonFields
from llamaindex_rag_eval.data.repeats import REPEAT_OF
from llamaindex_rag_eval.runs.provenance import MetricInfo
from llamaindex_rag_eval.runs.run import Run


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
    """

    _json = "metric=metric.spec questions answers deviation share"

    metric: MetricInfo
    questions: int
    answers: int
    deviation: float
    share: float | None

    @property
    def sentence(self) -> str:
        """Return the numbers in words."""
        share = "" if self.share is None else f", {self.share:.0%} of the variance of scores"
        return (
            f"{self.metric.spec}: {self.answers} answers to one question differ by "
            f"±{self.deviation:.3f}{share} (the judge's part with it)."
        )


def answer_spread(run: Run) -> tuple[AnswerSpread, ...]:
    """Return how much scores vary between answers, for each metric; none without repeated answers.

    Args:
        run: The run over repeated answers.
    """
    groups: dict[str, list[str]] = {}
    for sample in run.samples:
        if (first := sample.metadata.get(REPEAT_OF)) is not None:
            groups.setdefault(str(first), []).append(sample.id)
    several = [ids for ids in groups.values() if len(ids) > 1]
    spreads = (_spread(info, several, run.values(info.spec)) for info in run.metrics)
    return tuple(spread for spread in spreads if spread is not None)


def _spread(
    info: MetricInfo, groups: Sequence[Sequence[str]], scores: Mapping[str, float]
) -> AnswerSpread | None:
    rows = [[scores[key] for key in ids] for ids in groups if all(key in scores for key in ids)]
    if not rows:
        return None
    return AnswerSpread(
        metric=info,
        questions=len(rows),
        answers=max(map(len, rows)),
        deviation=math.sqrt(within_square(rows)),
        share=share_within(rows) if len({*map(len, rows)}) == 1 else None,
    )


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
