"""Exact match: is the response the reference?

    exact_match = 1 if both are the same after normalisation, else 0

Source: Rajpurkar et al. (2016), "SQuAD", section 6.1, https://arxiv.org/abs/1606.05250.
"""

from llamaindex_rag_eval.data.sample import SingleTurnSample
from llamaindex_rag_eval.formulas import exact_match
from llamaindex_rag_eval.metrics.base import Metric
from llamaindex_rag_eval.metrics.score import Score

__all__ = ["ExactMatch"]


class ExactMatch(Metric):
    """Whether response and reference are the same, 0 or 1; higher is better.

    Case, punctuation, English articles and white space do not count. No judge is asked.
    """

    name = "exact_match"
    needs = frozenset({"response", "reference"})
    kin = {"ragas": "ExactMatch", "LangChain": "exact_match"}

    async def measure(self, sample: SingleTurnSample) -> Score:
        """Score one sample."""
        return Score(exact_match(sample.response, sample.reference))
