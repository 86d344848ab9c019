"""Rubrics: which of the described levels does the response reach?

    rubric = (level - lowest level) / (highest level - lowest level)

Source: Kim et al. (2024), "Prometheus", https://arxiv.org/abs/2310.08491; the rubric metrics of
https://docs.ragas.io/en/stable/concepts/metrics/available_metrics/rubrics_based/.
"""

from collections.abc import Mapping

from llamaindex_rag_eval.metrics.base import Score, SingleTurnSample, setting
from llamaindex_rag_eval.metrics.shared.criteria import rubric_levels
from llamaindex_rag_eval.metrics.shared.grading import GradedMetric

QUESTION = "Which of these levels describes the response best."


class _RubricMetric(GradedMetric):
    """A metric that asks the judge for one level of a rubric.

    Limitations: Levels are taken as evenly spaced, whatever their descriptions say. If two
    descriptions overlap, judges differ. Try the rubric on labelled answers first: `rag-eval more
    calibrate`.
    """

    sees = frozenset({"contexts", "reference"})


class Rubric(_RubricMetric):
    """Rubric: which of these levels does the response reach?

    In [0, 1], higher is better. The judge sees the contexts and the reference too, where the
    sample has them. An empty response is of the lowest level.

    Args:
        judge: Who judges.
        levels: Level -> what a response of this level is like; two or more.
        threshold: From which value on a result passes.

    Raises:
        InputError: The levels are no rubric.
    """

    name = "rubric"
    needs = frozenset({"query", "response"})

    levels: Mapping[int, str] = setting(valid=rubric_levels, convert=dict)

    async def measure(self, sample: SingleTurnSample) -> Score:
        return await self.graded(sample, QUESTION, rubric_levels(self.levels))


class InstanceRubric(_RubricMetric):
    """Rubric of the sample: which of the levels that come with the question is reached?

    In [0, 1], higher is better. The levels are the sample's field `rubrics`. An empty response
    is of the lowest level.

    Limitations: Every sample has a scale of its own, so that a mean mixes easy rubrics with hard
    ones.
    """

    name = "instance_rubric"
    needs = frozenset({"query", "response", "rubrics"})
    undefined = "The sample has no rubric."

    async def measure(self, sample: SingleTurnSample) -> Score:
        if not sample.rubrics:
            return Score(None)
        return await self.graded(sample, QUESTION, rubric_levels(sample.rubrics))
