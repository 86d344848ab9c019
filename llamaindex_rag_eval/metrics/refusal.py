"""Refusal: does the response decline to answer?

    refusal = 1 if the response declines to answer, else 0

Source: Bedrock's `Builtin.Refusal`,
https://docs.aws.amazon.com/bedrock/latest/userguide/model-evaluation-metrics.html.
"""

from llamaindex_rag_eval.data.sample import SingleTurnSample
from llamaindex_rag_eval.judge.refusal import RefusalOf
from llamaindex_rag_eval.metrics.base import Metric
from llamaindex_rag_eval.metrics.score import Score

__all__ = ["Refusal"]


class Refusal(Metric):
    """Whether the response declines to answer, 0 or 1; neither is better by itself.

    An empty response is a refusal, and nothing is asked.
    """

    name = "refusal"
    needs = frozenset({"query", "response"})
    requests = (RefusalOf,)
    direction = "neither"
    aliases = ("Builtin.Refusal",)
    kin = {"Bedrock": "Builtin.Refusal"}

    async def measure(self, sample: SingleTurnSample) -> Score:
        """Score one sample."""
        if not sample.response.strip():
            return Score(1.0, note="The response is empty.")
        critique = await self.judge.ask(RefusalOf(query=sample.query, response=sample.response))
        return Score(float(critique.verdict), evidence=critique, note=critique.reason)
