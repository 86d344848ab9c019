"""Hallucination, self-knowledge, contradiction: the claims that do not come from the contexts.

    faithfulness + hallucination + self_knowledge = 1

as every claim of the response is supported by a context, by the reference alone, or by neither. The
contradiction rate counts the claims that a context speaks against.
"""

from llamaindex_rag_eval.metrics.shared.claims import (
    ClaimMatrix,
    ClaimMetric,
    ProbabilisticMetric,
    degree,
    share,
)


def hallucination_score(matrix: ClaimMatrix, *, graded: bool = False) -> float | None:
    """Return the share of the response's claims that nothing supports.

    Args:
        matrix: The claims of the response, judged by the contexts and by the reference.
        graded: Count each claim by its probabilities, as if the errors of the two judgements were
            independent; the sum with faithfulness and the other score is still 1.

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


class Hallucination(ProbabilisticMetric, ClaimMetric):
    """Hallucination: how much of the response is in neither the contexts nor the reference?

        hallucination = claims of the response that neither any context nor the reference supports
                        / claims of the response

    Share of the response's claims that nothing supports, in [0, 1]; lower is better.

    Asks the judge three times, for what other claim metrics ask as well. Each claim counts
    by the probability that neither supports it, where the judge gives probabilities;
    `graded=False` counts verdicts.

    Limitations: A true claim that neither the contexts nor the reference state counts, so that an
    answer with more true detail than the reference looks worse. A wrong claim that a context states
    does not count.

    Source: Ru et al. (2024), "RAGChecker", section 3.3, https://arxiv.org/abs/2408.08067. Where
    nothing was retrieved, RAGChecker's program says 0; here each claim is counted as usual, so that
    a response that nothing supports scores 1.
    """

    name = "hallucination"
    direction = "lower"
    undefined = "The response makes no claim."
    formula = hallucination_score
    matrix_parts = ("response_in_contexts", "response_in_reference")


def self_knowledge_score(matrix: ClaimMatrix, *, graded: bool = False) -> float | None:
    """Return the share of the response's claims that only the reference supports.

    Args:
        matrix: The claims of the response, judged by the contexts and by the reference.
        graded: Count each claim by its probabilities, as if the errors of the two judgements were
            independent; the sum with faithfulness and the other score is still 1.

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


class SelfKnowledge(ProbabilisticMetric, ClaimMetric):
    """Self-knowledge: how much of the response is right without standing in any context?

        self_knowledge = claims of the response that the reference supports and no context does
                         / claims of the response

    Share of the response's claims that are right but not from the contexts, in [0, 1].

    Neither end is better: knowledge of its own helps where retrieval fails, and cannot be
    checked. Asks the judge three times, for what other claim metrics ask as well. Each claim
    counts by the probability that only the reference supports it, where the judge gives
    probabilities; `graded=False` counts verdicts.

    Limitations: Knowledge is seen only as far as the reference states it; other true claims that no
    context has are counted as `hallucination`.

    Source: Ru et al. (2024), "RAGChecker", section 3.3, https://arxiv.org/abs/2408.08067. Where
    nothing was retrieved, RAGChecker's program says 0; here each claim is counted as usual, so that
    a response that the reference supports throughout scores 1.
    """

    name = "self_knowledge"
    direction = "neither"
    undefined = "The response makes no claim."
    formula = self_knowledge_score
    matrix_parts = ("response_in_contexts", "response_in_reference")


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
    """Contradiction rate: how much of the response do the retrieved contexts contradict?

        contradiction_rate = claims of the response that some context contradicts
                             / claims of the response

    Share of the response's claims that some context contradicts, in [0, 1]; lower is better.

    Asks the judge for the same as faithfulness.

    Limitations: It does not say who is right: a true claim that an outdated context contradicts
    counts. An answer that invents what no context mentions contradicts nothing.

    Source: ours, from the three verdicts of natural language inference; Bowman et al. (2015),
    "SNLI", https://arxiv.org/abs/1508.05326.
    """

    name = "contradiction_rate"
    direction = "lower"
    undefined = "The response makes no claim."
    formula = contradiction_rate_score
    matrix_parts = ("response_in_contexts",)
