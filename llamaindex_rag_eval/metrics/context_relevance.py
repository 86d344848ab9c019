"""Context relevance: how relevant is what was retrieved to the question?

    context_relevance = mean over the contexts of level / 2, levels 0, 1 and 2

Source: the RAG triad of TruLens,
https://www.trulens.org/getting_started/core_concepts/rag_triad/; NVIDIA's scale of three levels,
https://docs.ragas.io/en/stable/concepts/metrics/available_metrics/nvidia_metrics/.
"""

import asyncio

from llamaindex_rag_eval.data.sample import SingleTurnSample
from llamaindex_rag_eval.judge.context_relevance import ContextRelevanceOf
from llamaindex_rag_eval.metrics.base import Metric
from llamaindex_rag_eval.metrics.score import Score
from llamaindex_rag_eval.metrics.shared.grading import level_share

__all__ = ["ContextRelevance"]


class ContextRelevance(Metric):
    """Mean grade of the contexts, in [0, 1]; higher is better.

    Asks the judge once a context, so that no context is graded by its neighbours.
    """

    name = "context_relevance"
    needs = frozenset({"query", "contexts"})
    requests = (ContextRelevanceOf,)
    undefined = "Nothing was retrieved."
    aliases = ("Builtin.ContextRelevance", "nv_context_relevance")
    kin = {
        "ragas": "ContextRelevance",
        "TruLens": "context_relevance",
        "Bedrock": "Builtin.ContextRelevance",
        "LlamaIndex": "ContextRelevancyEvaluator",
    }

    async def measure(self, sample: SingleTurnSample) -> Score:
        """Score one sample."""
        if not sample.contexts:
            return Score(None)
        asked = [ContextRelevanceOf(query=sample.query, contexts=(c,)) for c in sample.contexts]
        grades = await asyncio.gather(*(self.judge.grade(request) for request in asked))
        scale = [level.value for level in asked[0].levels]
        shares = [level_share(grade.level, scale) for grade in grades]
        return Score(sum(shares) / len(shares), evidence=tuple(grades))
