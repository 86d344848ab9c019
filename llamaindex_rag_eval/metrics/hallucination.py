"""Hallucination: how much of the response stands neither in the contexts nor in the reference?

    hallucination = claims of the response that neither any context nor the reference supports
                    / claims of the response

Source: Ru et al. (2024), "RAGChecker", section 3.3, https://arxiv.org/abs/2408.08067.
"""

from llamaindex_rag_eval.judge import ClaimsOf, SupportOf
from llamaindex_rag_eval.metrics.shared.claim_metric import ClaimMetric
from llamaindex_rag_eval.metrics.shared.claims import ClaimMatrix, share
from llamaindex_rag_eval.metrics.shared.graded_metric import GradedMetric, degree

__all__ = ["Hallucination", "hallucination_score"]


def hallucination_score(matrix: ClaimMatrix, *, graded: bool = False) -> float | None:
    """Return the share of the response's claims that nothing supports.

    Args:
        matrix: What was judged.
        graded: Count each claim by its probabilities, as if the two judgements erred
            independently; what faithfulness, hallucination and self-knowledge count is still 1.

    Returns:
        A share in [0, 1], lower is better; None if the response makes no claim.

    Example:
        >>> from llamaindex_rag_eval.metrics.shared.claims import supports_of
        >>> contexts, reference = supports_of("1", "0", "0"), supports_of("0", "1", "0")
        >>> hallucination_score(
        ...     ClaimMatrix(response_in_contexts=contexts, response_in_reference=reference)
        ... ) == 1 / 3
        True
    """
    return share(
        (1 - degree(by_contexts, graded=graded)) * (1 - degree(by_reference, graded=graded))
        for by_contexts, by_reference in zip(
            matrix.response_in_contexts, matrix.response_in_reference, strict=True
        )
    )


class Hallucination(GradedMetric, ClaimMetric):
    """Share of the response's claims that nothing supports, in [0, 1]; lower is better.

    Asks the judge three times, for what other claim metrics ask as well. `graded=True` counts
    each claim by the probability that neither supports it, where the judge gives probabilities.
    """

    name = "hallucination"
    needs = frozenset({"query", "response", "contexts", "reference"})
    requests = (ClaimsOf, SupportOf, SupportOf)
    direction = "lower"
    undefined = "The response makes no claim."
    kin = {"RAGChecker": "hallucination", "DeepEval": "HallucinationMetric"}
    parts = ("response_in_contexts", "response_in_reference")

    def of(self, matrix: ClaimMatrix) -> float | None:
        """Return the share of unsupported claims."""
        return hallucination_score(matrix, graded=self.graded)
