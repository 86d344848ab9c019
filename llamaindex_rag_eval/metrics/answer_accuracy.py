"""Answer accuracy: do response and reference say the same, whichever is taken for the truth?

    answer_accuracy = (level of the response given the reference / 2
                       + level of the reference given the response / 2) / 2, levels 0 to 2

Source: NVIDIA's answer accuracy,
https://docs.ragas.io/en/stable/concepts/metrics/available_metrics/nvidia_metrics/; the words of
the levels are ours.
"""

import asyncio

from llamaindex_rag_eval.judge import Grade, GradeOf
from llamaindex_rag_eval.metrics.base import Metric, Score, SingleTurnSample
from llamaindex_rag_eval.metrics.shared.criteria import CRITERIA, level_share


class AnswerAccuracy(Metric):
    """Agreement with the reference, judged twice with the roles swapped, in [0, 1].

    Higher is better. A judge that favours whichever text stands first favours neither. An empty
    response scores 0, and nothing is asked.

    Limitations: A right response that says more than its reference loses points when the roles are
    swapped, as does every answer to an incomplete reference. With three levels, one wrong detail
    and half an answer are both in the middle.
    """

    name = "answer_accuracy"
    needs = frozenset({"query", "response", "reference"})
    requests = (GradeOf, GradeOf)
    undefined = "The reference is empty."

    async def measure(self, sample: SingleTurnSample) -> Score:
        if not sample.reference.strip():
            return Score(None)
        if not sample.response.strip():
            return Score(0.0, note="The response is empty.")
        forth, back = await asyncio.gather(
            self._grade(sample.query, sample.response, sample.reference),
            self._grade(sample.query, sample.reference, sample.response),
        )
        levels = CRITERIA[self.name].levels
        value = (level_share(forth.level, levels) + level_share(back.level, levels)) / 2
        return Score(value, {"response_by_reference": forth, "reference_by_response": back})

    async def _grade(self, query: str, response: str, reference: str) -> Grade:
        return await self.judge.grade(
            GradeOf(
                criterion=self.name,
                query=query,
                response=response,
                reference=reference,
                definition=CRITERIA[self.name].definition,
                levels=CRITERIA[self.name].levels,
            )
        )
