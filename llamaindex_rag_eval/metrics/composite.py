"""Composites: several metrics as one number.

A part that is undefined makes the whole undefined, and a part that fails makes it fail: a
composite never rises because a part is missing.
"""

import asyncio
from collections.abc import Sequence

from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.formulas.means import harmonic_mean, weighted_mean
from llamaindex_rag_eval.judge import JudgeLike
from llamaindex_rag_eval.metrics.answer_relevancy import AnswerRelevancy
from llamaindex_rag_eval.metrics.base import (
    BaseMetric,
    Metric,
    Sample,
    Score,
    SingleTurnSample,
    setting,
)
from llamaindex_rag_eval.metrics.context_relevance import ContextRelevancy
from llamaindex_rag_eval.metrics.faithfulness import Faithfulness


class _Composite(Metric):
    """A metric over several others: they are scored concurrently and combined.

    Args:
        judge: Who judges for parts without a judge of their own.
        parts: The metrics, one or more; a lower value must not be better.
        weights: Of the parts, 0 or more; equal if not given.
        threshold: From which value on a result passes.

    Raises:
        InputError: There are no parts, a part measures what should be low, or the weights do
            not fit.
    """

    undefined = "A part is undefined."

    parts: Sequence[BaseMetric] = setting(convert=tuple)
    weights: Sequence[float] | None = setting(
        default=None, convert=lambda weights: weights if weights is None else tuple(weights)
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.parts:
            raise InputError("a composite needs one part or more")
        low = [part.spec for part in self.parts if part.direction == "lower"]
        if low:
            raise InputError(
                f"{low[0]!r} is better when lower; a mean would mix the two directions"
            )
        # In other metrics a class attribute; here the requests depend on the parts.
        self.__dict__["requests"] = tuple(r for part in self.parts for r in part.requests)
        # Weights that do not fit are refused here and not at the first sample.
        weighted_mean([0.0] * len(self.parts), weights=self.weights)

    def missing(self, sample: Sample) -> str | None:
        """Return the first field that a part needs and the sample does not have."""
        return next(filter(None, (part.missing(sample) for part in self.parts)), None)

    async def measure(self, sample: SingleTurnSample) -> Score:
        scores = await asyncio.gather(*(part.score(sample) for part in self.parts))
        specs = [part.spec for part in self.parts]
        undefined = [spec for spec, score in zip(specs, scores, strict=True) if score.value is None]
        note = f"Undefined: {', '.join(undefined)}." if undefined else ""
        value = self.compute([score.value for score in scores])
        evidence = {
            spec: {"value": score.value, "evidence": score.evidence}
            for spec, score in zip(specs, scores, strict=True)
        }
        return Score(value, evidence, note)


class HarmonicMean(_Composite):
    """Harmonic mean: how good is the answer where it is weakest?

        harmonic_mean = sum of weights / sum of (weight / part)

    Between the lowest and the highest part; higher is better; 0 if a part is 0.

    Limitations: One part of 0 makes it 0, whatever the others are, and an undefined part makes it
    undefined.

    Source: https://en.wikipedia.org/wiki/Harmonic_mean.
    """

    name = "harmonic_mean"

    @staticmethod
    def formula(values: Sequence[float | None], *, weights: Sequence[float] | None) -> float | None:
        """Return the harmonic mean; a part below 0 counts as 0."""
        parts = [None if value is None else max(0.0, value) for value in values]
        return harmonic_mean(parts, weights=weights)


class WeightedMean(_Composite):
    """Weighted mean: how good is the answer by these metrics, each by its weight?

        weighted_mean = sum of (weight · part) / sum of weights

    Between the lowest and the highest part; higher is better.

    Limitations: A good part hides a bad one, and parts of different scales, as a cosine and a
    share, have no common unit. Look at the parts.

    Source: https://en.wikipedia.org/wiki/Weighted_arithmetic_mean.
    """

    name = "weighted_mean"
    bounds = (-1.0, 1.0)
    formula = weighted_mean


class RagasScore(HarmonicMean):
    """Ragas score: how good is the whole pipeline where it is weakest?

        ragas_score = 3 / (1/context_relevancy + 1/faithfulness + 1/answer_relevancy)

    In [0, 1], higher is better; 0 if a part is 0.

    Limitations: `context_relevancy` depends on the size of the chunks and `answer_relevancy` on the
    embedding model, so it compares only pipelines that share both.

    Args:
        judge: Who judges.
        threshold: From which value on a result passes.

    Source: Es et al. (2023), "RAGAS: Automated Evaluation of Retrieval Augmented Generation",
    https://arxiv.org/abs/2309.15217, and the score of the same name of its first releases.
    """

    name = "ragas_score"

    def __init__(self, judge: JudgeLike | None = None, *, threshold: float | None = None) -> None:
        parts = (ContextRelevancy(), Faithfulness(), AnswerRelevancy())
        super().__init__(judge, parts=parts, threshold=threshold)
