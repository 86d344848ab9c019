"""Context precision by claims: how many of the retrieved contexts are relevant?

    context_precision_by_claims = contexts that support a claim of the reference / contexts

Source: Ru et al. (2024), "RAGChecker", section 3.3, https://arxiv.org/abs/2408.08067, where it
is called context precision. It does not look at the order of the contexts.
"""

from llamaindex_rag_eval.data.sample import SingleTurnSample
from llamaindex_rag_eval.judge import ClaimsOf, SupportOf
from llamaindex_rag_eval.metrics.score import Score
from llamaindex_rag_eval.metrics.shared.claim_metric import ClaimMetric
from llamaindex_rag_eval.metrics.shared.claims import ClaimMatrix

__all__ = ["ContextPrecisionByClaims", "context_precision_by_claims_score"]


def context_precision_by_claims_score(matrix: ClaimMatrix) -> float | None:
    """Return the share of the contexts that support a claim of the reference.

    Returns:
        A share in [0, 1], higher is better; None without contexts, and without claims.

    Example:
        >>> from llamaindex_rag_eval.metrics.shared.claims import supports_of
        >>> context_precision_by_claims_score(
        ...     ClaimMatrix(reference_in_contexts=supports_of("1000", "1010"), contexts=4)
        ... )
        0.5
    """
    if not matrix.contexts or not matrix.reference_in_contexts:
        return None
    return len(matrix.relevant_contexts) / matrix.contexts


class ContextPrecisionByClaims(ClaimMetric):
    """Share of the contexts that support a claim of the reference, in [0, 1]; higher is better.

    Asks the judge for the same as context recall.
    """

    name = "context_precision_by_claims"
    needs = frozenset({"query", "contexts", "reference"})
    requests = (ClaimsOf, SupportOf)
    undefined = "Nothing was retrieved."
    kin = {"RAGChecker": "context_precision"}
    parts = ("reference_in_contexts",)

    async def measure(self, sample: SingleTurnSample) -> Score:
        """Score one sample; without contexts nothing is asked."""
        if not sample.contexts:
            return Score(None)
        score = await super().measure(sample)
        return score if score.evidence else Score(None, note="The reference makes no claim.")

    def of(self, matrix: ClaimMatrix) -> float | None:
        """Return the share of relevant contexts."""
        return context_precision_by_claims_score(matrix)
