"""Token F1: how many words do response and reference share?

    token_f1 = 2 · common tokens / (tokens of the response + tokens of the reference)

Source: Rajpurkar et al. (2016), "SQuAD", section 6.1, https://arxiv.org/abs/1606.05250.
"""

from llamaindex_rag_eval.data.sample import SingleTurnSample
from llamaindex_rag_eval.formulas import token_f1
from llamaindex_rag_eval.metrics.base import Metric
from llamaindex_rag_eval.metrics.score import Score

__all__ = ["TokenF1"]


class TokenF1(Metric):
    """Share of common words, in [0, 1]; higher is better.

    Case, punctuation and English articles do not count; Han and kana count by character. Two
    empty texts agree: 1. No judge is asked.
    """

    name = "token_f1"
    needs = frozenset({"response", "reference"})
    aliases = ("squad_f1",)

    async def measure(self, sample: SingleTurnSample) -> Score:
        """Score one sample."""
        return Score(token_f1(sample.response, sample.reference))
