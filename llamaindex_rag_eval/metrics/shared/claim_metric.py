"""Claim metrics: pure formulas over the claim matrix, which is judged once for all of them."""

from abc import abstractmethod
from typing import ClassVar

from llamaindex_rag_eval.data.sample import SingleTurnSample
from llamaindex_rag_eval.metrics.base import Metric
from llamaindex_rag_eval.metrics.score import Score
from llamaindex_rag_eval.metrics.shared.claims import ClaimMatrix, Part, claim_matrix

__all__ = ["ClaimMetric"]


class ClaimMetric(Metric):
    """A metric computed from some parts of the claim matrix.

    Attributes:
        parts: The parts it reads.
    """

    parts: ClassVar[tuple[Part, ...]]

    async def measure(self, sample: SingleTurnSample) -> Score:
        """Score one sample."""
        matrix = await claim_matrix(self.judge, sample, self.parts)
        return Score(self.of(matrix), evidence=matrix.evidence())

    @abstractmethod
    def of(self, matrix: ClaimMatrix) -> float | None:
        """Return what the formula comes to."""
