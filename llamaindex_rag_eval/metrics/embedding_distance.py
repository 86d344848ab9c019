"""Embedding distance: how far apart in meaning are response and reference?

    embedding_distance = distance of e(response) and e(reference)

Source: LangChain's `embedding_distance` evaluator.
"""

from typing import get_args

from llamaindex_rag_eval.data.sample import SingleTurnSample
from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.formulas import Distance, embedding_distance
from llamaindex_rag_eval.judge import JudgeLike
from llamaindex_rag_eval.judge.vectors import VectorsOf
from llamaindex_rag_eval.metrics.base import Metric
from llamaindex_rag_eval.metrics.score import Score

__all__ = ["EmbeddingDistance"]


class EmbeddingDistance(Metric):
    """Distance of the two embeddings, from 0 up; lower is better.

    Asks the judge for both embeddings at once. `cosine` ends at 2, `hamming` at 1, the others
    have no end.

    Args:
        judge: Who embeds.
        distance: `cosine`, `euclidean`, `manhattan`, `chebyshev` or `hamming`.
        threshold: Up to which value a result passes.

    Raises:
        InputError: No such distance.
    """

    name = "embedding_distance"
    needs = frozenset({"response", "reference"})
    requests = (VectorsOf,)
    bounds = (0.0, float("inf"))
    direction = "lower"
    undefined = "The response or the reference is empty."
    kin = {"LangChain": "embedding_distance"}

    def __init__(
        self,
        judge: JudgeLike | None = None,
        *,
        distance: Distance = "cosine",
        threshold: float | None = None,
    ) -> None:
        super().__init__(judge, threshold=threshold)
        if distance not in get_args(Distance):
            raise InputError(f"distance must be one of {get_args(Distance)}, got {distance!r}")
        self.distance: Distance = distance

    async def measure(self, sample: SingleTurnSample) -> Score:
        """Score one sample."""
        if not sample.response.strip() or not sample.reference.strip():
            return Score(None)
        reply = await self.judge.ask(VectorsOf(texts=(sample.response, sample.reference)))
        return Score(embedding_distance(reply.rows[0], reply.rows[1], measure=self.distance))
