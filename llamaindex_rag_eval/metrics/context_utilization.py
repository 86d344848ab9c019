"""Context utilization: were the contexts that the response uses ranked first?

    context_utilization = sum over ranks j of (precision@j · v_j) / sum of v_j

where v_j is 1 if the context at rank j was useful to arrive at the response, else 0: context
precision with the response in place of the reference, for want of one.

Source: https://docs.ragas.io/en/stable/concepts/metrics/available_metrics/context_precision/,
"without reference".
"""

from llamaindex_rag_eval.data.sample import SingleTurnSample
from llamaindex_rag_eval.formulas import average_precision_of_verdicts
from llamaindex_rag_eval.judge import RelevanceOf
from llamaindex_rag_eval.metrics.base import Metric
from llamaindex_rag_eval.metrics.score import Score

__all__ = ["ContextUtilization"]


class ContextUtilization(Metric):
    """Average precision of the contexts that the response uses, in [0, 1]; higher is better.

    Asks the judge once, about all contexts together. 0 if contexts came and none was used;
    undefined if none came, or if the response is empty.
    """

    name = "context_utilization"
    needs = frozenset({"query", "contexts", "response"})
    requests = (RelevanceOf,)
    undefined = "Nothing was retrieved."
    aliases = ("llm_context_precision_without_reference",)
    kin = {"ragas": "LLMContextPrecisionWithoutReference"}

    async def measure(self, sample: SingleTurnSample) -> Score:
        """Score one sample."""
        if not sample.response.strip():
            return Score(None, note="The response is empty.")
        verdicts = await self.judge.relevance(
            sample.query, contexts=sample.contexts, answer=sample.response
        )
        useful = [verdict.useful for verdict in verdicts]
        return Score(average_precision_of_verdicts(useful), evidence=verdicts)
