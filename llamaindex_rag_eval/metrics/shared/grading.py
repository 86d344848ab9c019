"""Scales: metrics that let the judge choose a described level, and put it on 0 to 1."""

from collections.abc import Sequence
from typing import ClassVar

from llamaindex_rag_eval.data.sample import SingleTurnSample
from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.judge import GradeOf, Level
from llamaindex_rag_eval.metrics.base import Metric
from llamaindex_rag_eval.metrics.score import Score

__all__ = ["ScaleMetric", "level_share", "levels_of"]


def level_share(level: int, scale: Sequence[int]) -> float:
    """Return how far up its scale a level is: 0 for the lowest, 1 for the highest.

    Args:
        level: The level chosen.
        scale: The values of all levels, two or more, in any order.

    Returns:
        A number in [0, 1] that grows evenly with the level's value.

    Raises:
        InputError: The scale has fewer than two values, or not this one.

    Example:
        >>> level_share(3, [1, 2, 3, 4, 5])
        0.5
    """
    if len(set(scale)) < 2 or level not in scale:
        raise InputError(f"expected a level of a scale of two or more, got {level!r} of {scale!r}")
    return (level - min(scale)) / (max(scale) - min(scale))


def levels_of(*descriptions: str, start: int = 0) -> tuple[Level, ...]:
    """Return a scale from the descriptions of its levels, the lowest first.

    Example:
        >>> [level.value for level in levels_of("Wrong.", "Partly right.", "Right.")]
        [0, 1, 2]
    """
    return tuple(
        Level(value=value, description=text) for value, text in enumerate(descriptions, start)
    )


class ScaleMetric(Metric):
    """A metric that the judge grades in one go; the judge sees the fields that `needs` names.

    An empty response is of the lowest level, and nothing is asked.

    Attributes:
        definition: What is to be judged.
        levels: The scale, each level described, the lowest first.
    """

    requests = (GradeOf,)
    definition: ClassVar[str]
    levels: ClassVar[tuple[Level, ...]]

    async def measure(self, sample: SingleTurnSample) -> Score:
        """Score one sample."""
        if not sample.response.strip():
            return Score(0.0, note="The response is empty.")
        grade = await self.judge.grade(
            GradeOf(
                criterion=self.name,
                definition=self.definition,
                levels=self.levels,
                response=sample.response,
                query=sample.query if "query" in self.needs else "",
                contexts=sample.contexts if "contexts" in self.needs else (),
                reference=sample.reference if "reference" in self.needs else "",
            )
        )
        value = level_share(grade.level, [level.value for level in self.levels])
        return Score(value, evidence=grade, note=grade.reason)
