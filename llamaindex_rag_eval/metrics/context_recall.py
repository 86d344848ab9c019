"""Context recall: how much of the reference do the retrieved contexts support?

    context_recall = claims of the reference that the contexts support / claims of the reference

RAGChecker calls it claim recall; reported claim by claim, as the evidence here does, Bedrock
calls it context coverage.

Source: Es et al. (2023), "RAGAS: Automated Evaluation of Retrieval Augmented Generation",
https://docs.ragas.io/en/stable/concepts/metrics/available_metrics/context_recall/; Ru et al.
(2024), "RAGChecker", section 3.3, https://arxiv.org/abs/2408.08067.
"""

from collections.abc import Sequence

from llamaindex_rag_eval.data.sample import SingleTurnSample
from llamaindex_rag_eval.judge import ClaimsOf, Support, SupportOf
from llamaindex_rag_eval.metrics.score import Score
from llamaindex_rag_eval.metrics.shared.claims import share
from llamaindex_rag_eval.metrics.shared.graded_metric import GradedMetric, degree

__all__ = ["ContextRecall", "context_recall_score"]


def context_recall_score(support: Sequence[Support], *, graded: bool = False) -> float | None:
    """Return the share of the reference's claims that the contexts support.

    Args:
        support: One entry per claim of the reference, in any order.
        graded: Count each by its probability instead of its verdict.

    Returns:
        A share in [0, 1], higher is better; None if there is no claim to look for.

    Example:
        >>> seine = Support(claim="Paris is on the Seine.", verdict="supported", sources=(0,))
        >>> louvre = Support(claim="The Louvre is there.", verdict="not_mentioned")
        >>> context_recall_score([seine, louvre])
        0.5
    """
    return share(degree(entry, graded=graded) for entry in support)


class ContextRecall(GradedMetric):
    """Share of the reference's claims that the contexts support, in [0, 1]; higher is better.

    Asks the judge twice: for the claims of the reference, and for their support. 0 if nothing
    was retrieved; undefined if the reference makes no claim. `graded=True` takes the mean of the
    claims' probabilities of support instead, where the judge gives them.
    """

    name = "context_recall"
    needs = frozenset({"query", "contexts", "reference"})
    requests = (ClaimsOf, SupportOf)
    undefined = "The reference makes no claim."
    aliases = (
        "llm_context_recall",
        "contextual_recall",
        "ContextualRecallMetric",
        "claim_recall",
        "context_coverage",
        "Builtin.ContextCoverage",
    )
    kin = {
        "ragas": "LLMContextRecall",
        "DeepEval": "ContextualRecallMetric",
        "RAGChecker": "claim_recall",
        "Bedrock": "Builtin.ContextCoverage",
    }

    async def measure(self, sample: SingleTurnSample) -> Score:
        """Score one sample."""
        claims = await self.judge.claims(sample.reference, question=sample.query)
        support = await self.judge.support(claims, sources=sample.contexts)
        return Score(context_recall_score(support, graded=self.graded), evidence=support)
