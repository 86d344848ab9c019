"""Self-knowledge: how much of the response is right without standing in any context?

    self_knowledge = claims of the response that the reference supports and no context does
                     / claims of the response

Source: Ru et al. (2024), "RAGChecker", section 3.3, https://arxiv.org/abs/2408.08067.
"""

from llamaindex_rag_eval.judge import ClaimsOf, SupportOf
from llamaindex_rag_eval.metrics.shared.claim_metric import ClaimMetric
from llamaindex_rag_eval.metrics.shared.claims import ClaimMatrix, share
from llamaindex_rag_eval.metrics.shared.graded_metric import GradedMetric, degree

__all__ = ["SelfKnowledge", "self_knowledge_score"]


def self_knowledge_score(matrix: ClaimMatrix, *, graded: bool = False) -> float | None:
    """Return the share of the response's claims that only the reference supports.

    Args:
        matrix: What was judged.
        graded: Count each claim by its probabilities, as if the two judgements erred
            independently; what faithfulness, hallucination and self-knowledge count is still 1.

    Returns:
        A share in [0, 1], neither end is better; None if the response makes no claim.

    Example:
        >>> from llamaindex_rag_eval.metrics.shared.claims import supports_of
        >>> contexts, reference = supports_of("1", "0", "0"), supports_of("0", "1", "0")
        >>> self_knowledge_score(
        ...     ClaimMatrix(response_in_contexts=contexts, response_in_reference=reference)
        ... ) == 1 / 3
        True
    """
    return share(
        degree(by_reference, graded=graded) * (1 - degree(by_contexts, graded=graded))
        for by_contexts, by_reference in zip(
            matrix.response_in_contexts, matrix.response_in_reference, strict=True
        )
    )


class SelfKnowledge(GradedMetric, ClaimMetric):
    """Share of the response's claims that are right but not from the contexts, in [0, 1].

    Neither end is better: knowledge of its own helps where retrieval fails, and cannot be
    checked. Asks the judge three times, for what other claim metrics ask as well. `graded=True`
    counts each claim by the probability that only the reference supports it, where the judge
    gives probabilities.
    """

    name = "self_knowledge"
    needs = frozenset({"query", "response", "contexts", "reference"})
    requests = (ClaimsOf, SupportOf, SupportOf)
    direction = "neither"
    undefined = "The response makes no claim."
    kin = {"RAGChecker": "self_knowledge"}
    parts = ("response_in_contexts", "response_in_reference")

    def of(self, matrix: ClaimMatrix) -> float | None:
        """Return the share of claims from elsewhere."""
        return self_knowledge_score(matrix, graded=self.graded)
