"""String presence: does the response hold the reference, word for word?

    string_presence = 1 if the reference stands in the response, else 0

Source: https://docs.ragas.io/en/stable/concepts/metrics/available_metrics/traditional/.
"""

from llamaindex_rag_eval.data.sample import SingleTurnSample
from llamaindex_rag_eval.formulas import string_presence
from llamaindex_rag_eval.metrics.base import Metric
from llamaindex_rag_eval.metrics.score import Score

__all__ = ["StringPresence"]


class StringPresence(Metric):
    """Whether the reference stands in the response, 0 or 1; higher is better.

    Every character counts. No judge is asked.
    """

    name = "string_presence"
    needs = frozenset({"response", "reference"})
    undefined = "The reference is empty."
    kin = {"ragas": "StringPresence"}

    async def measure(self, sample: SingleTurnSample) -> Score:
        """Score one sample."""
        return Score(string_presence(sample.response, sample.reference))
