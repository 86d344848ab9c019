"""Context precision and utilization: which of the retrieved contexts were of use, and how early?

Precision looks at what the reference needs, utilization at what the response uses, for want of a
reference. Two ways each:

    average precision = sum over ranks j of (precision@j · v_j) / sum of v_j

where v_j is 1 if the judge finds the context at rank j useful to arrive at the answer, else 0; and
by claims, over the claim matrix of RAGChecker, which does not look at the order.
"""

from typing import ClassVar, Literal

from llamaindex_rag_eval.formulas.ranking import average_precision_of_verdicts
from llamaindex_rag_eval.judge import RelevanceOf
from llamaindex_rag_eval.metrics.base import Metric, Score, SingleTurnSample
from llamaindex_rag_eval.metrics.shared.claims import ClaimMatrix, ClaimMetric, share


class _UsefulFirst(Metric):
    """Average precision of the contexts that the judge finds useful to arrive at an answer."""

    requests = (RelevanceOf,)
    undefined = "Nothing was retrieved."
    answer: ClassVar[Literal["reference", "response"]]

    async def measure(self, sample: SingleTurnSample) -> Score:
        answer: str = getattr(sample, self.answer)
        if not answer.strip():
            return Score(None, note=f"The {self.answer} is empty.")
        verdicts = await self.judge.relevance(sample.query, contexts=sample.contexts, answer=answer)
        useful = [verdict.useful for verdict in verdicts]
        return Score(average_precision_of_verdicts(useful), evidence=verdicts)


class ContextPrecision(_UsefulFirst):
    """Context precision: were the useful contexts ranked first?

        context_precision = sum over ranks j of (precision@j · v_j) / sum of v_j

    Average precision of the contexts that led to the reference, in [0, 1]; higher is better.

    Asks the judge once, about all contexts together. 0 if contexts came and none was useful;
    undefined if none came, or if the reference is empty.

    Limitations: Only the order counts: one useful context at rank 1 scores 1, whatever stands below
    it, and useful ones that were not retrieved cost nothing. Read it beside `context_recall`.

    Source: Es et al. (2023), "RAGAS: Automated Evaluation of Retrieval Augmented Generation",
    https://docs.ragas.io/en/stable/concepts/metrics/available_metrics/context_precision/.
    """

    name = "context_precision"
    needs = frozenset({"query", "contexts", "reference"})
    answer = "reference"


class ContextUtilization(_UsefulFirst):
    """Context utilization: were the contexts that the response uses ranked first?

        context_utilization = sum over ranks j of (precision@j · v_j) / sum of v_j

    Average precision of the contexts that the response uses, in [0, 1]; higher is better.

    Asks the judge once, about all contexts together. 0 if contexts came and none was used;
    undefined if none came, or if the response is empty.

    Limitations: It takes the response as it is: contexts that led to a wrong answer are useful.

    Source: https://docs.ragas.io/en/stable/concepts/metrics/available_metrics/context_precision/,
    "without reference".
    """

    name = "context_utilization"
    needs = frozenset({"query", "contexts", "response"})
    answer = "response"


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
    """Context precision by claims: how many of the retrieved contexts are relevant?

        context_precision_by_claims = contexts that support a claim of the reference / contexts

    Share of the contexts that support a claim of the reference, in [0, 1]; higher is better.

    Asks the judge for the same as context recall.

    Limitations: Contexts that repeat the same claim all count, and the value usually falls as more
    contexts are retrieved. What an incomplete reference leaves out is irrelevant.

    Source: Ru et al. (2024), "RAGChecker", section 3.3, https://arxiv.org/abs/2408.08067, where it
    is called context precision. It does not look at the order of the contexts.
    """

    name = "context_precision_by_claims"
    undefined = "Nothing was retrieved."
    formula = context_precision_by_claims_score
    matrix_parts = ("reference_in_contexts",)

    async def measure(self, sample: SingleTurnSample) -> Score:
        """Score one sample; without contexts nothing is asked."""
        if not sample.contexts:
            return Score(None)
        score = await super().measure(sample)
        return score if score.evidence else Score(None, note="The reference makes no claim.")


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
    """Context utilization by claims: how much of what was found does the response use?

        context_utilization_by_claims
            = claims of the reference that a context and the response support
              / claims of the reference that a context supports

    Share of what the contexts hold of the reference that the response says, in [0, 1].

    Higher is better. Asks the judge three times, for what other claim metrics ask as well.

    Limitations: It looks only at claims of the reference: it is 1 also if the rest of the response
    is invented, or if retrieval found one claim of ten.

    Source: Ru et al. (2024), "RAGChecker", section 3.3, https://arxiv.org/abs/2408.08067, where it
    is called context utilization.
    """

    name = "context_utilization_by_claims"
    undefined = "The contexts support no claim of the reference."
    formula = context_utilization_by_claims_score
    matrix_parts = ("reference_in_contexts", "reference_in_response")
