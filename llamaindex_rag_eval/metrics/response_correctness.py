"""Response correctness by claims: how much of the response is right, and how much of what is right?

Source: Ru et al. (2024), "RAGChecker", section 3.3, overall metrics,
https://arxiv.org/abs/2408.08067. Against a reference that is only a short answer, claims of the
response beside the question leave the precision (`shared/claims.py`).
"""

from llamaindex_rag_eval.formulas.means import f_measure
from llamaindex_rag_eval.metrics.shared.claims import (
    ClaimMatrix,
    ClaimMetric,
    ProbabilisticMetric,
    degree,
    share,
)


def response_precision_score(matrix: ClaimMatrix, *, graded: bool = False) -> float | None:
    """Return the share of the response's claims that the reference supports.

    Args:
        matrix: The claims of one text, judged by the other.
        graded: Count each claim by its probability instead of its verdict.

    Returns:
        A share in [0, 1], higher is better; None if the response makes no claim.

    Example:
        >>> from llamaindex_rag_eval.metrics.shared.claims import supports_of
        >>> response_precision_score(ClaimMatrix(response_in_reference=supports_of("1", "0")))
        0.5
    """
    return share(degree(entry, graded=graded) for entry in matrix.held_against_reference)


def response_recall_score(matrix: ClaimMatrix, *, graded: bool = False) -> float | None:
    """Return the share of the reference's claims that the response supports.

    Args:
        matrix: The claims of one text, judged by the other.
        graded: Count each claim by its probability instead of its verdict.

    Returns:
        A share in [0, 1], higher is better; None if the reference makes no claim.

    Example:
        >>> from llamaindex_rag_eval.metrics.shared.claims import supports_of
        >>> response_recall_score(ClaimMatrix(reference_in_response=supports_of("1", "0")))
        0.5
    """
    return share(degree(entry, graded=graded) for entry in matrix.reference_in_response)


def response_f1_score(matrix: ClaimMatrix, *, graded: bool = False) -> float | None:
    """Return the harmonic mean of precision and recall, 0 if either is 0.

    Args:
        matrix: The claims of one text, judged by the other.
        graded: Count each claim by its probability instead of its verdict.

    Returns:
        A number in [0, 1], higher is better; None if either text makes no claim.

    Example:
        >>> from llamaindex_rag_eval.metrics.shared.claims import supports_of
        >>> half = supports_of("1", "0")
        >>> response_f1_score(ClaimMatrix(response_in_reference=half, reference_in_response=half))
        0.5
    """
    return f_measure(
        response_precision_score(matrix, graded=graded),
        response_recall_score(matrix, graded=graded),
    )


class ResponsePrecision(ProbabilisticMetric, ClaimMetric):
    """Response precision: how much of the response does the reference support?

        response_precision = claims of the response that the reference supports
                             / claims of the response

    In [0, 1], higher is better. Against a reference that is only a short answer, the claims that
    bear on the question count.
    Each claim counts by its probability of support, where the judge gives one; `graded=False`
    counts verdicts.

    Limitations: A right claim that the reference lacks is scored as wrong, unless the reference is
    only a short answer; and one right sentence that leaves out the rest scores 1.
    """

    name = "response_precision"
    undefined = "The response makes no claim."
    formula = response_precision_score
    matrix_parts = ("response_in_reference",)


class ResponseRecall(ProbabilisticMetric, ClaimMetric):
    """Response recall: how much of the reference does the response say?

        response_recall = claims of the reference that the response supports
                          / claims of the reference

    In [0, 1], higher is better. Each claim counts by its probability of support, where the
    judge gives one; `graded=False` counts verdicts.

    Limitations: Wrong statements beside the right ones cost nothing, and longer answers tend to
    score higher.
    """

    name = "response_recall"
    undefined = "The reference makes no claim."
    formula = response_recall_score
    matrix_parts = ("reference_in_response",)


class ResponseF1(ProbabilisticMetric, ClaimMetric):
    """Response F1: does the response say what the reference says, all of it and no more?

        response_f1 = 2 · precision · recall / (precision + recall)

    In [0, 1], higher is better; 0 if precision or recall is 0. Against a reference that is only a
    short answer, the claims of the response that bear on the question count.
    Each claim counts by its probability of support, where the judge gives one; `graded=False`
    counts verdicts.

    Limitations: A right claim that the reference lacks is scored as wrong, unless the reference is
    only a short answer. All claims weigh the same, whether they were asked for or not.
    """

    name = "response_f1"
    undefined = "The response or the reference makes no claim."
    formula = response_f1_score
    matrix_parts = ("response_in_reference", "reference_in_response")
