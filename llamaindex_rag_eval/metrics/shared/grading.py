"""Gradings: metrics that are one judgement, a level of a described scale or a yes or no."""

import asyncio
from typing import Any, ClassVar

from llamaindex_rag_eval.judge import Critique, CritiqueOf, Grade, GradeOf, Level
from llamaindex_rag_eval.metrics.base import Metric, Score, SingleTurnSample, setting
from llamaindex_rag_eval.metrics.shared.criteria import Worded, level_share
from llamaindex_rag_eval.models.request import Request


class GradedMetric(Metric):
    """A metric that the judge grades in one go; it sees the fields of `needs` and `sees`.

    An empty response is of the lowest level, and nothing is asked.

    Attributes:
        sees: Fields that the judge sees where the sample has them.
    """

    requests: ClassVar[tuple[type[Request[Any]], ...]] = (GradeOf,)
    sees: ClassVar[frozenset[str]] = frozenset()

    async def graded(
        self,
        sample: SingleTurnSample,
        definition: str,
        levels: tuple[Level, ...],
        steps: tuple[str, ...] = (),
    ) -> Score:
        """Return the level that the judge gives a sample, as a score."""
        if not sample.response.strip():
            return Score(0.0, note="The response is empty.")
        shown: dict[str, Any] = {
            field: getattr(sample, field)
            for field in ("query", "contexts", "reference")
            if field in self.needs | self.sees
        }
        shown |= {"definition": definition, "levels": levels, "steps": steps}
        ask: Any = self.requests[-1]
        request = ask(criterion=self.name, response=sample.response, **shown)
        grade: Grade = await self.judge.ask(request)
        value = level_share(grade.level, levels)
        return Score(value, evidence=grade, note=grade.reason)


class ScaleMetric(Worded, GradedMetric):
    """A graded metric with a scale of its own."""

    needs = frozenset({"query", "response"})

    async def measure(self, sample: SingleTurnSample) -> Score:
        return await self.graded(sample, self.definition, self.levels)


def majority(votes: tuple[Critique, ...]) -> tuple[bool, float]:
    """Return the verdict of more than half of the votes, and the share of votes for it.

    Args:
        votes: An odd number of votes.

    Example:
        >>> yes, no = Critique(verdict=True), Critique(verdict=False)
        >>> verdict, agreement = majority((yes, no, yes))
        >>> verdict, agreement == 2 / 3
        (True, True)
    """
    yes = sum(vote.verdict for vote in votes)
    verdict = 2 * yes > len(votes)
    return verdict, (yes if verdict else len(votes) - yes) / len(votes)


VOTES = setting(
    default=1,
    valid=lambda votes: votes >= 1 and votes % 2 == 1,
    expected="an odd number of votes",
)
"""How many votes are asked for; a majority of them must be possible."""


class AspectMetric(Worded, Metric):
    """A yes or no on one aspect of the response: 1 for yes, 0 for no.

    An empty response has no aspect: 0, and nothing is asked. The judge sees the fields that
    `needs` names.

    Args:
        judge: Who judges.
        strictness: An odd number of independent votes; the majority counts.
        threshold: From which value on a result passes.

    Raises:
        InputError: `strictness` is not an odd number from 1 up.
    """

    needs = frozenset({"query", "response"})
    requests = (CritiqueOf,)

    strictness: int = VOTES

    async def measure(self, sample: SingleTurnSample) -> Score:
        if not sample.response.strip():
            return Score(0.0, note="The response is empty.")
        request = self.request_for(sample)
        votes = tuple(
            await asyncio.gather(
                *(
                    self.judge.critique(request.model_copy(update={"vote": vote}))
                    for vote in range(self.strictness)
                )
            )
        )
        verdict, agreement = majority(votes)
        reason = next(vote.reason for vote in votes if vote.verdict == verdict)
        evidence = {"verdict": verdict, "agreement": agreement, "votes": votes}
        return Score(float(verdict), evidence, note=reason)

    def request_for(self, sample: SingleTurnSample) -> CritiqueOf:
        """Return the request of the first vote."""
        return CritiqueOf(
            aspect=self.name,
            definition=self.definition,
            response=sample.response,
            query=sample.query,
            contexts=sample.contexts if "contexts" in self.needs else (),
            reference=sample.reference if "reference" in self.needs else "",
        )
