"""chrF: how many sequences of up to six characters does the response share with the reference?

    chrf = F_2 of the 1- to 6-gram precision and recall of characters

Source: Popović (2015), "chrF", https://aclanthology.org/W15-3049, computed by sacrebleu.
"""

from llamaindex_rag_eval.data.sample import SingleTurnSample
from llamaindex_rag_eval.formulas import chrf
from llamaindex_rag_eval.metrics.base import Metric
from llamaindex_rag_eval.metrics.score import Score

__all__ = ["Chrf"]


class Chrf(Metric):
    """chrF of the response, in [0, 1]; higher is better.

    Fit for languages without spaces and with many word forms. No judge is asked.
    """

    name = "chrf"
    needs = frozenset({"response", "reference"})
    undefined = "The reference is empty."
    aliases = ("chrf_score",)
    kin = {"ragas": "CHRFScore"}

    async def measure(self, sample: SingleTurnSample) -> Score:
        """Score one sample."""
        return Score(chrf(sample.response, sample.reference))
