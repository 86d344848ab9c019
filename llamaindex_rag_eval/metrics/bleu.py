"""BLEU: how many sequences of up to four words does the response share with the reference?

    bleu = brevity penalty · geometric mean of the 1- to 4-gram precisions

Source: Papineni et al. (2002), "BLEU", https://aclanthology.org/P02-1040, computed by sacrebleu.
"""

from llamaindex_rag_eval.data.sample import SingleTurnSample
from llamaindex_rag_eval.formulas import bleu
from llamaindex_rag_eval.metrics.base import Metric
from llamaindex_rag_eval.metrics.score import Score

__all__ = ["Bleu"]


class Bleu(Metric):
    """BLEU of the response as one segment, in [0, 1]; higher is better.

    1 for two identical texts, of one sentence or of several. No judge is asked.
    """

    name = "bleu"
    needs = frozenset({"response", "reference"})
    undefined = "The reference is empty."
    aliases = ("bleu_score",)
    kin = {"ragas": "BleuScore"}

    async def measure(self, sample: SingleTurnSample) -> Score:
        """Score one sample."""
        return Score(bleu(sample.response, sample.reference))
