"""Faithfulness: how much of the response do the retrieved contexts support?

    faithfulness = claims of the response that the contexts support / claims of the response

Source: Es et al. (2023), "RAGAS: Automated Evaluation of Retrieval Augmented Generation",
section 3, https://arxiv.org/abs/2309.15217.
"""

from collections.abc import Sequence

from llamaindex_rag_eval.judge import ClaimsOf, Support, SupportOf
from llamaindex_rag_eval.metrics.base import Score, SingleTurnSample
from llamaindex_rag_eval.metrics.shared.claims import (
    ProbabilisticMetric,
    degree,
    share,
    support_by_contexts,
)


def faithfulness_score(support: Sequence[Support], *, graded: bool = False) -> float | None:
    """Return the share of claims that the contexts support.

    Args:
        support: One entry per claim of the response, in any order.
        graded: Count each by its probability instead of its verdict.

    Returns:
        A share in [0, 1], higher is better; None if there is no claim to check.

    Example:
        >>> seine = Support(claim="Paris is on the Seine.", verdict="supported", sources=(0,))
        >>> rhine = Support(claim="Paris is on the Rhine.", verdict="contradicted")
        >>> faithfulness_score([seine, rhine])
        0.5
    """
    return share(degree(entry, graded=graded) for entry in support)


class Faithfulness(ProbabilisticMetric):
    """Share of the response's claims that the contexts support, in [0, 1]; higher is better.

    Asks the judge twice: for the claims of the response, and for their support. A
    response that makes claims over no contexts scores 0. It is the mean of the
    claims' probabilities of support, where the judge gives them; `graded=False` counts verdicts.

    Limitations: It does not ask whether the contexts are true, or whether the question was
    answered: a wrong context repeated faithfully scores high, and so does one safe sentence.
    """

    name = "faithfulness"
    needs = frozenset({"query", "response", "contexts"})
    requests = (ClaimsOf, SupportOf)
    undefined = "The response makes no claim."

    async def measure(self, sample: SingleTurnSample) -> Score:
        support = await support_by_contexts(self.judge, sample, sample.response)
        return Score(faithfulness_score(support, graded=self.graded), evidence=support)
