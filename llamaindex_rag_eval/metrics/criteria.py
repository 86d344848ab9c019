"""Guideline: does the response keep to a guideline of one's own?

    guideline = 1 if the majority of votes says so, else 0

Source: LlamaIndex's `GuidelineEvaluator`,
https://docs.llamaindex.ai/en/stable/api_reference/evaluation/guideline/.
"""

from llamaindex_rag_eval.data.sample import SingleTurnSample
from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.judge import CritiqueOf, JudgeLike
from llamaindex_rag_eval.metrics.shared.aspect import AspectMetric

__all__ = ["Guideline"]


class Guideline(AspectMetric):
    """Whether the response keeps to the guideline, 0 or 1; higher is better.

    The judge sees the contexts too, where the sample has some. An empty response scores 0, and
    nothing is asked.

    Args:
        judge: Who judges.
        guideline: What a response should keep to.
        strictness: An odd number of independent votes; the majority counts.
        threshold: From which value on a result passes.

    Raises:
        InputError: The guideline is blank, or the votes can tie.
    """

    name = "guideline"
    kin = {"LlamaIndex": "GuidelineEvaluator"}

    def __init__(
        self,
        judge: JudgeLike | None = None,
        *,
        guideline: str,
        strictness: int = 1,
        threshold: float | None = None,
    ) -> None:
        super().__init__(judge, strictness=strictness, threshold=threshold)
        if not guideline.strip():
            raise InputError("guideline must say what to keep to, got ''")
        self.guideline = guideline

    def asked(self, sample: SingleTurnSample) -> CritiqueOf:
        """Return the request of the first vote."""
        return CritiqueOf(
            aspect="keeps to the guideline",
            definition=self.guideline,
            response=sample.response,
            query=sample.query,
            contexts=sample.contexts,
        )
