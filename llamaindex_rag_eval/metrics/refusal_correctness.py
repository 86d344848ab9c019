"""Refusal correctness: does the response decline exactly when it should?

    refusal_correctness = 1 if the response declines and the question ought to be declined, or
                          neither, else 0

Source: ours, after the unanswerable questions of Rajpurkar et al. (2018), "Know What You Don't
Know", https://arxiv.org/abs/1806.03822.
"""

from llamaindex_rag_eval.data.sample import SingleTurnSample
from llamaindex_rag_eval.judge.refusal import RefusalOf
from llamaindex_rag_eval.metrics.base import Metric
from llamaindex_rag_eval.metrics.score import Score

__all__ = ["RefusalCorrectness"]


class RefusalCorrectness(Metric):
    """Whether the response declines exactly when it should, 0 or 1; higher is better.

    A question ought to be declined if the sample's `expected_behaviour` is `refuse`. An empty
    response declines.
    """

    name = "refusal_correctness"
    needs = frozenset({"query", "response", "expected_behaviour"})
    requests = (RefusalOf,)

    async def measure(self, sample: SingleTurnSample) -> Score:
        """Score one sample."""
        refused = not sample.response.strip()
        if not refused:
            request = RefusalOf(query=sample.query, response=sample.response)
            refused = (await self.judge.ask(request)).verdict
        wanted = sample.expected_behaviour == "refuse"
        evidence = {"refused": refused, "expected_behaviour": sample.expected_behaviour}
        return Score(float(refused == wanted), evidence)
