"""Context precision: were the useful contexts ranked first?

    context_precision = sum over ranks j of (precision@j · v_j) / sum of v_j

where v_j is 1 if the context at rank j was useful to arrive at the reference, else 0.

Source: Es et al. (2023), "RAGAS: Automated Evaluation of Retrieval Augmented Generation",
https://docs.ragas.io/en/stable/concepts/metrics/available_metrics/context_precision/.
"""

from llamaindex_rag_eval.data.sample import SingleTurnSample
from llamaindex_rag_eval.formulas import average_precision_of_verdicts
from llamaindex_rag_eval.judge import RelevanceOf
from llamaindex_rag_eval.metrics.base import Metric
from llamaindex_rag_eval.metrics.score import Score

__all__ = ["ContextPrecision"]


class ContextPrecision(Metric):
    """Average precision of the contexts that led to the reference, in [0, 1]; higher is better.

    Asks the judge once, about all contexts together. 0 if contexts came and none was useful;
    undefined if none came, or if the reference is empty.
    """

    name = "context_precision"
    needs = frozenset({"query", "contexts", "reference"})
    requests = (RelevanceOf,)
    undefined = "Nothing was retrieved."
    aliases = (
        "llm_context_precision_with_reference",
        "contextual_precision",
        "ContextualPrecisionMetric",
    )
    kin = {"ragas": "LLMContextPrecisionWithReference", "DeepEval": "ContextualPrecisionMetric"}

    async def measure(self, sample: SingleTurnSample) -> Score:
        """Score one sample."""
        if not sample.reference.strip():
            return Score(None, note="The reference is empty.")
        verdicts = await self.judge.relevance(
            sample.query, contexts=sample.contexts, answer=sample.reference
        )
        useful = [verdict.useful for verdict in verdicts]
        return Score(average_precision_of_verdicts(useful), evidence=verdicts)
