"""Graded claim metrics: each claim counts by how likely it is supported, instead of yes or no.

    graded value = mean over claims of the probability that the claim is supported

A verdict throws away how sure the judge was; where its probabilities are good, their mean tells
responses apart better than the share of supported claims does. The embedded rules give one with
every verdict, an LLM that votes the share of its votes, and of a single LLM's verdicts each counts
as 0 or 1, so that the graded value is the plain one.

Metrics that need a yes or no have no such option: those that ask which source supports a claim
(noise, citations, contexts by claims), and `answer_correctness`, which agreed less with people by
degrees than by verdicts.

Source: ours; the probability is the usual one of a logistic model, Platt (1999), "Probabilistic
Outputs for Support Vector Machines and Comparisons to Regularized Likelihood Methods".
"""

from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.judge import JudgeLike, Support
from llamaindex_rag_eval.metrics.base import Metric

__all__ = ["GradedMetric", "degree"]


def degree(entry: Support, *, graded: bool) -> float:
    """Return how far a claim is supported, in [0, 1]: without `graded`, 0 or 1.

    Example:
        >>> likely = Support(claim="a", verdict="supported", sources=(0,), probability=0.75)
        >>> degree(likely, graded=True), degree(likely, graded=False)
        (0.75, 1.0)
    """
    return entry.degree if graded else float(entry.supported)


class GradedMetric(Metric):
    """A metric over claims that can count each by its probability.

    Args:
        judge: Who judges.
        graded: Count each claim by the probability that it is supported, where the judge gives
            one; else 0 or 1, as its verdict says.
        threshold: From which value on (for `lower`: up to which) a result passes.

    Raises:
        InputError: `graded` is neither true nor false.
    """

    def __init__(
        self,
        judge: JudgeLike | None = None,
        *,
        graded: bool = False,
        threshold: float | None = None,
    ) -> None:
        super().__init__(judge, threshold=threshold)
        if not isinstance(graded, bool):
            raise InputError(f"graded must be True or False, got {graded!r}")
        self.graded = graded
