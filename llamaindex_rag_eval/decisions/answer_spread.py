"""Answer spread: how much scores vary between several answers of a pipeline to one question.

    answers' share = variance between answers to a question / variance of single scores

The variance between answers holds that of the judge; where the same answers were judged several
times, the judge's is taken off. Source: the one-way random-effects decomposition of Shrout and
Fleiss (1979), "Intraclass Correlations: Uses in Assessing Rater Reliability", case 1.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from llamaindex_rag_eval.data.json_fields import JsonFields
from llamaindex_rag_eval.data.repeats import REPEAT_OF
from llamaindex_rag_eval.decisions.stability import judge_share, within_square
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
        judge = (
            "the judge's part with it"
            if self.judge_deviation is None
            else f"the judge's ±{self.judge_deviation:.3f} taken off"
        )
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
        first = sample.metadata.get(REPEAT_OF)
        if first is not None:
            groups.setdefault(str(first), []).append(sample.id)
    several = [ids for ids in groups.values() if len(ids) > 1]
    found = (_spread(info, several, runs) for info in runs[0].metrics)
    return tuple(one for one in found if one is not None)


def _spread(
    info: MetricInfo, groups: Sequence[Sequence[str]], runs: Sequence[Run]
) -> AnswerSpread | None:
    values = [run.values(info.spec) for run in runs]
    whole = [ids for ids in groups if all(key in found for key in ids for found in values)]
    if not whole:
        return None
    rows = [[values[0][key] for key in ids] for ids in whole]
    judged = None
    if len(runs) > 1:
        judged = within_square([[found[key] for found in values] for ids in whole for key in ids])
    return AnswerSpread(
        metric=info,
        questions=len(rows),
        answers=max(map(len, rows)),
        deviation=math.sqrt(max(0.0, within_square(rows) - (judged or 0.0))),
        share=judge_share(rows) if len({len(row) for row in rows}) == 1 else None,
        judge_deviation=None if judged is None else math.sqrt(judged),
    )
