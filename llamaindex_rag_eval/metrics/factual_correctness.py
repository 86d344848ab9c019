"""Factual correctness: do the claims of the response and of the reference agree?

    precision = TP / (TP + FP)        claims of the response that the reference supports
    recall = 1 - FN / claims of G     claims of the reference that the response supports
    F_beta = (1 + beta²) · precision · recall / (beta² · precision + recall)

Source: https://docs.ragas.io/en/stable/concepts/metrics/available_metrics/factual_correctness/.
We take recall over the reference's own claims, so that it cannot depend on how finely the
response was split into claims. Against a reference that is only a short answer, claims beside the
question leave the precision (`shared/claims.py`).
"""

from collections.abc import Mapping
from typing import Literal

from llamaindex_rag_eval.formulas.means import f_measure
from llamaindex_rag_eval.judge import ClaimsOf, SupportOf
from llamaindex_rag_eval.judge.claims import Granularity
from llamaindex_rag_eval.metrics.base import Score, SingleTurnSample, setting
from llamaindex_rag_eval.metrics.response_correctness import (
    response_precision_score,
    response_recall_score,
)
from llamaindex_rag_eval.metrics.shared.claims import (
    Part,
    ProbabilisticMetric,
    claim_matrix,
)

Mode = Literal["precision", "recall", "f1"]


def factual_correctness_score(
    precision: float | None, recall: float | None, *, mode: Mode = "f1", beta: float = 1.0
) -> float | None:
    """Return precision, recall or their F measure, as the mode says.

    Args:
        precision: Share of the response's claims that the reference supports.
        recall: Share of the reference's claims that the response supports.
        mode: Which of the two, or both.
        beta: How many times as much recall counts as precision.

    Returns:
        A number in [0, 1], higher is better; None if a share that counts is None.

    Example:
        >>> factual_correctness_score(0.5, 1.0, mode="recall")
        1.0
        >>> factual_correctness_score(0.5, 1.0) == 2 / 3
        True
    """
    if mode == "f1":
        return f_measure(precision, recall, beta=beta)
    return precision if mode == "precision" else recall


class FactualCorrectness(ProbabilisticMetric):
    """Agreement of the claims of response and reference, in [0, 1]; higher is better.

    Asks the judge for the claims of both texts and their support in the other; for `precision`
    or `recall` alone, half of it. Against a reference that is only a short answer, the claims of
    the response that bear on the question count.

    Limitations: All claims weigh the same, whether they were asked for or not. A right claim that
    the reference lacks is scored as wrong, unless the reference is only a short answer. Values
    depend on how finely the judge splits, so compare runs with the same judge.

    Args:
        judge: Who judges.
        mode: `f1`, or one side alone.
        beta: How many times as much recall counts as precision.
        atomicity: `high` splits into the smallest claims, `low` keeps sentences together.
        coverage: `high` takes every detail, `low` the main statements only.
        graded: Count each claim by its probability of support, where the judge gives one.
        threshold: From which value on a result passes.

    Raises:
        InputError: A setting is out of range.
    """

    name = "factual_correctness"
    needs = frozenset({"query", "response", "reference"})
    requests = (ClaimsOf, ClaimsOf, SupportOf, SupportOf)
    undefined = "The response or the reference makes no claim."

    mode: Mode = "f1"
    beta: float = setting(default=1.0, valid=lambda beta: beta >= 0, expected="0 or more")
    atomicity: Granularity = "high"
    coverage: Granularity = "high"

    async def measure(self, sample: SingleTurnSample) -> Score:
        parts: Mapping[Mode, tuple[Part, ...]] = {
            "precision": ("response_in_reference",),
            "recall": ("reference_in_response",),
            "f1": ("response_in_reference", "reference_in_response"),
        }
        matrix = await claim_matrix(
            self.judge,
            sample,
            parts[self.mode],
            atomicity=self.atomicity,
            coverage=self.coverage,
        )
        value = factual_correctness_score(
            response_precision_score(matrix, graded=self.graded),
            response_recall_score(matrix, graded=self.graded),
            mode=self.mode,
            beta=self.beta,
        )
        return Score(value, matrix.evidence())
