"""Faithfulness: how much of the response do the retrieved contexts support?

    faithfulness = claims of the response that the contexts support / claims of the response

Source: Es et al. (2023), "RAGAS: Automated Evaluation of Retrieval Augmented Generation",
section 3, https://arxiv.org/abs/2309.15217.
"""

from collections.abc import Sequence

from llamaindex_rag_eval.judge import ClaimsOf, Support, SupportOf
from llamaindex_rag_eval.metrics.base import Metric, Score, SingleTurnSample
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
    answered: a wrong context repeated faithfully scores high, and so does one safe sentence. One
    invented claim among twelve costs a twelfth: to find invented claims, or to gate on them, take
    `fully_supported`.
    """

    name = "faithfulness"
    needs = frozenset({"query", "response", "contexts"})
    requests = (ClaimsOf, SupportOf)
    undefined = "The response makes no claim."

    async def measure(self, sample: SingleTurnSample) -> Score:
        support = await support_by_contexts(self.judge, sample, sample.response)
        return Score(faithfulness_score(support, graded=self.graded), evidence=support)


def fully_supported_score(support: Sequence[Support]) -> float | None:
    """Return whether the contexts support every claim.

    Args:
        support: One entry per claim of the response, in any order.

    Returns:
        1 if all are supported, else 0; None if there is no claim to check.

    Example:
        >>> seine = Support(claim="Paris is on the Seine.", verdict="supported", sources=(0,))
        >>> louvre = Support(claim="The Louvre is red.", verdict="not_mentioned")
        >>> fully_supported_score([seine]), fully_supported_score([seine, louvre])
        (1.0, 0.0)
    """
    return float(all(entry.supported for entry in support)) if support else None


class FullySupported(Metric):
    """Fully supported: do the retrieved contexts support every claim of the response?

        fully_supported = 1 if the contexts support every claim of the response, else 0

    Whether nothing in the response is invented, 0 or 1; higher is better. Its mean is the share of
    answers without an unsupported claim; the feedback names those claims.

    Asks the judge for what faithfulness asks. A response that makes claims over no contexts
    scores 0.

    Limitations: One claim that the judge misreads makes an answer of many claims 0, so long answers
    score lower. It does not ask whether the contexts are true, or the question was answered.

    Source: ours, from the claims of Es et al. (2023), "RAGAS", section 3,
    https://arxiv.org/abs/2309.15217; whole answers are judged so in Honovich et al. (2022), "TRUE",
    https://arxiv.org/abs/2204.04991.
    """

    name = "fully_supported"
    needs = frozenset({"query", "response", "contexts"})
    requests = (ClaimsOf, SupportOf)
    undefined = "The response makes no claim."

    async def measure(self, sample: SingleTurnSample) -> Score:
        support = await support_by_contexts(self.judge, sample, sample.response)
        lacking = [entry.claim for entry in support if not entry.supported]
        note = f"Not supported: {' | '.join(lacking)}" if lacking else ""
        return Score(fully_supported_score(support), evidence=support, note=note)
