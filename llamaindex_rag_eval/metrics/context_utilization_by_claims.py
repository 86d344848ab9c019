"""Context utilization by claims: how much of what was found does the response use?

    context_utilization_by_claims = claims of the reference that a context and the response support
                                    / claims of the reference that a context supports

Source: Ru et al. (2024), "RAGChecker", section 3.3, https://arxiv.org/abs/2408.08067, where it
is called context utilization.
"""

from llamaindex_rag_eval.judge import ClaimsOf, SupportOf
from llamaindex_rag_eval.metrics.shared.claim_metric import ClaimMetric
from llamaindex_rag_eval.metrics.shared.claims import ClaimMatrix, share

__all__ = ["ContextUtilizationByClaims", "context_utilization_by_claims_score"]


def context_utilization_by_claims_score(matrix: ClaimMatrix) -> float | None:
    """Return the share of the reference's claims in the contexts that the response says.

    Returns:
        A share in [0, 1], higher is better; None if the contexts support no claim of the
        reference.

    Example:
        >>> from llamaindex_rag_eval.metrics.shared.claims import supports_of
        >>> context_utilization_by_claims_score(
        ...     ClaimMatrix(
        ...         reference_in_contexts=supports_of("10", "01", "00"),
        ...         reference_in_response=supports_of("1", "0", "1"),
        ...     )
        ... )
        0.5
    """
    return share(
        by_response.supported
        for by_contexts, by_response in zip(
            matrix.reference_in_contexts, matrix.reference_in_response, strict=True
        )
        if by_contexts.supported
    )


class ContextUtilizationByClaims(ClaimMetric):
    """Share of what the contexts hold of the reference that the response says, in [0, 1].

    Higher is better. Asks the judge three times, for what other claim metrics ask as well.
    """

    name = "context_utilization_by_claims"
    needs = frozenset({"query", "response", "contexts", "reference"})
    requests = (ClaimsOf, SupportOf, SupportOf)
    undefined = "The contexts support no claim of the reference."
    kin = {"RAGChecker": "context_utilization"}
    parts = ("reference_in_contexts", "reference_in_response")

    def of(self, matrix: ClaimMatrix) -> float | None:
        """Return the share that was used."""
        return context_utilization_by_claims_score(matrix)
