"""Pairwise preference: is the response better than another one?

    pairwise_preference = 1 if it is better, 0 if the other is, 1/2 if neither is

The judge is asked in both orders; if it does not name the same response both times, neither is
better.

Source: Zheng et al. (2023), "Judging LLM-as-a-Judge", section 3.4,
https://arxiv.org/abs/2306.05685; LlamaIndex's `PairwiseComparisonEvaluator`.
"""

import asyncio

from llamaindex_rag_eval.judge import PreferenceOf
from llamaindex_rag_eval.metrics.base import Metric, Sample, Score, SingleTurnSample

OTHER = "second_response"
"""Key of the other response in the metadata of a sample; LlamaIndex's name for it."""

WORTH = {"first": 1.0, "tie": 0.5, "second": 0.0}
REVERSED = {"first": "second", "tie": "tie", "second": "first"}


class PairwisePreference(Metric):
    """Whether the response beats `second_response`: 1, 1/2 or 0; higher is better.

    `second_response` is given like a field and kept in the sample's metadata. The judge sees the
    reference too, where the sample has one.

    Limitations: It is relative: the better of two bad answers scores 1. Asking in both orders
    removes a preference for the first, not one for longer answers.

    Args:
        judge: Who judges.
        criterion: What makes a response better; left to the judge if blank.
        threshold: From which value on a result passes.
    """

    name = "pairwise_preference"
    needs = frozenset({"query", "response"})
    requests = (PreferenceOf, PreferenceOf)

    criterion: str = ""

    def missing(self, sample: Sample) -> str | None:
        """Return the first field that is missing; the other response counts as a field."""
        return super().missing(sample) or (None if OTHER in sample.metadata else OTHER)

    async def measure(self, sample: SingleTurnSample) -> Score:
        other = str(sample.metadata[OTHER])
        if sample.response.strip() == other.strip():
            return Score(0.5, note="Both responses are the same.")
        forth, back = await asyncio.gather(
            self.judge.preference(self._request(sample, sample.response, other)),
            self.judge.preference(self._request(sample, other, sample.response)),
        )
        agreed = forth.winner == REVERSED[back.winner]
        value = WORTH[forth.winner] if agreed else WORTH["tie"]
        note = "" if agreed else "The judge changed its mind with the order."
        return Score(value, {"forth": forth, "back": back}, note)

    def _request(self, sample: SingleTurnSample, first: str, second: str) -> PreferenceOf:
        return PreferenceOf(
            query=sample.query,
            first=first,
            second=second,
            reference=sample.reference,
            criterion=self.criterion,
        )
