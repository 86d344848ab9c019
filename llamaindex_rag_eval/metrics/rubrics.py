"""Rubrics: which of the described levels does the response reach?

    rubric = (level - lowest level) / (highest level - lowest level)

Source: Kim et al. (2024), "Prometheus", https://arxiv.org/abs/2310.08491; the rubric metrics of
https://docs.ragas.io/en/stable/concepts/metrics/available_metrics/rubrics_based/.
"""

import re
from collections.abc import Mapping

from llamaindex_rag_eval.data.sample import SingleTurnSample
from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.judge import Level
from llamaindex_rag_eval.metrics.result import Score
from llamaindex_rag_eval.metrics.settings import setting
from llamaindex_rag_eval.metrics.shared.grading import GradedMetric

QUESTION = "Which of these levels describes the response best."
_NUMBER = re.compile(r"\d+")


def rubric_levels(rubric: Mapping[int, str] | Mapping[str, str]) -> tuple[Level, ...]:
    """Return the levels of a rubric, the lowest first.

    Args:
        rubric: Level -> description; a level is a number, or a name with one in it, as
            `score3_description`.

    Raises:
        InputError: A name has no number, or there are fewer than two levels.

    Example:
        >>> [level.value for level in rubric_levels({"score2_description": "b", "score1": "a"})]
        [1, 2]
    """
    levels: dict[int, str] = {}
    for name, description in rubric.items():
        number = _NUMBER.search(str(name))
        if number is None:
            raise InputError(f"a level of a rubric needs a number, got {name!r}")
        levels[int(number[0])] = description
    if len(levels) < 2:
        raise InputError(f"a rubric needs two levels or more, got {dict(rubric)!r}")
    return tuple(Level(value=value, description=levels[value]) for value in sorted(levels))


class _RubricMetric(GradedMetric):
    """A metric that asks the judge for one level of a rubric.

    Limitations: Levels count as evenly spaced, whatever their descriptions say, and where two
    descriptions overlap judges differ. Try the rubric on labelled answers first: `rag-eval
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
    aliases = ("rubrics_score", "domain_specific_rubrics", "labelled_rubrics_score")
    kin = {"ragas": "RubricsScore"}

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
    aliases = ("instance_rubrics",)
    kin = {"ragas": "InstanceRubrics"}

    async def measure(self, sample: SingleTurnSample) -> Score:
        if not sample.rubrics:
            return Score(None)
        return await self.graded(sample, QUESTION, rubric_levels(sample.rubrics))
