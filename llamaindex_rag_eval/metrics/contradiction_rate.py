"""Contradiction rate: how much of the response do the retrieved contexts contradict?

    contradiction_rate = claims of the response that some context contradicts
                         / claims of the response

Source: ours, from the three verdicts of natural language inference; Bowman et al. (2015), "SNLI",
https://arxiv.org/abs/1508.05326.
"""

from llamaindex_rag_eval.judge import ClaimsOf, SupportOf
from llamaindex_rag_eval.metrics.shared.claim_metric import ClaimMetric
from llamaindex_rag_eval.metrics.shared.claims import ClaimMatrix, share

__all__ = ["ContradictionRate", "contradiction_rate_score"]


def contradiction_rate_score(matrix: ClaimMatrix) -> float | None:
    """Return the share of the response's claims that a context contradicts.

    A claim that one context supports and another contradicts counts: the sources are at odds.

    Returns:
        A share in [0, 1], lower is better; None if the response makes no claim.

    Example:
        >>> from llamaindex_rag_eval.judge import Support
        >>> rhine = Support(claim="Paris is on the Rhine.", verdict="contradicted")
        >>> seine = Support(claim="Paris is on the Seine.", verdict="supported", sources=(0,))
        >>> contradiction_rate_score(ClaimMatrix(response_in_contexts=(rhine, seine)))
        0.5
    """
    return share(
        entry.verdict == "contradicted" or bool(entry.contradicted_by)
        for entry in matrix.response_in_contexts
    )


class ContradictionRate(ClaimMetric):
    """Share of the response's claims that some context contradicts, in [0, 1]; lower is better.

    Asks the judge for the same as faithfulness.
    """

    name = "contradiction_rate"
    needs = frozenset({"query", "response", "contexts"})
    requests = (ClaimsOf, SupportOf)
    direction = "lower"
    undefined = "The response makes no claim."
    parts = ("response_in_contexts",)

    def of(self, matrix: ClaimMatrix) -> float | None:
        """Return the share of contradicted claims."""
        return contradiction_rate_score(matrix)
