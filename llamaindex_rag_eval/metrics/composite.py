"""Composites: several metrics as one number.

A part that is undefined makes the whole undefined, and a part that fails makes it fail: a
composite never rises because a part is missing.
"""

import asyncio
from abc import abstractmethod
from collections.abc import Sequence

from llama_index.core.prompts.mixin import PromptDictType, PromptMixinType

from llamaindex_rag_eval.data.sample import Sample, SingleTurnSample
from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.formulas import harmonic_mean, weighted_mean
from llamaindex_rag_eval.judge import Judge, JudgeLike, judge_of
from llamaindex_rag_eval.metrics.answer_relevancy import AnswerRelevancy
from llamaindex_rag_eval.metrics.base import BaseMetric, Metric
from llamaindex_rag_eval.metrics.context_relevance import ContextRelevancy
from llamaindex_rag_eval.metrics.faithfulness import Faithfulness
from llamaindex_rag_eval.metrics.result import Score


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

    def __init__(
        self,
        judge: JudgeLike | None = None,
        *,
        parts: Sequence[BaseMetric],
        weights: Sequence[float] | None = None,
        threshold: float | None = None,
    ) -> None:
        super().__init__(judge, threshold=threshold)
        if not parts:
            raise InputError("a composite needs one part or more")
        low = [part.spec for part in parts if part.direction == "lower"]
        if low:
            raise InputError(
                f"{low[0]!r} is better when lower; a mean would mix the two directions"
            )
        self.parts = tuple(parts if judge is None else (part.with_judge(judge) for part in parts))
        self.weights = None if weights is None else tuple(weights)
        # In other metrics a class attribute; here the requests depend on the parts.
        self.__dict__["requests"] = tuple(r for part in self.parts for r in part.requests)
        # Weights that do not fit are refused here and not at the first sample.
        weighted_mean([0.0] * len(self.parts), weights=self.weights)

    def settings(self) -> dict[str, object]:
        """Return the settings, the parts by their specs."""
        given = super().settings()
        return {**given, "parts": tuple(p.spec for p in self.parts)} if "parts" in given else given

    def with_judge(self, judge: JudgeLike) -> BaseMetric:
        """Return this composite with the judge for every part that has none of its own."""
        own = self._judge or judge_of(judge)
        return self._of_parts(own, [part.with_judge(judge) for part in self.parts])

    def replace_judge(self, judge: Judge) -> BaseMetric:
        """Return this composite with the judge for every part, in place of their own."""
        return self._of_parts(judge, [part.replace_judge(judge) for part in self.parts])

    def _of_parts(self, judge: Judge, parts: Sequence[BaseMetric]) -> BaseMetric:
        copy = super().replace_judge(judge)
        copy.__dict__["parts"] = tuple(parts)
        return copy

    def _get_prompts(self) -> PromptDictType:
        return {}

    def _update_prompts(self, prompts_dict: PromptDictType) -> None:
        """Do nothing: the prompts belong to the parts."""

    def _get_prompt_modules(self) -> PromptMixinType:
        """Return the parts by name, so that prompts are `faithfulness:claims`.

        A second part of a name is `faithfulness_2`.
        """
        modules: PromptMixinType = {}
        names = [part.name for part in self.parts]
        for place, part in enumerate(self.parts):
            before = names[:place].count(part.name)
            modules[f"{part.name}_{before + 1}" if before else part.name] = part
        return modules

    def missing(self, sample: Sample) -> str | None:
        """Return the first field that a part needs and the sample does not have."""
        return next(filter(None, (part.missing(sample) for part in self.parts)), None)

    def answerable(self) -> bool:
        """Return whether every part's judge can answer what it asks."""
        return all(part.answerable() for part in self.parts)

    async def measure(self, sample: SingleTurnSample) -> Score:
        scores = await asyncio.gather(*(part.score(sample) for part in self.parts))
        specs = [part.spec for part in self.parts]
        undefined = [spec for spec, score in zip(specs, scores, strict=True) if score.value is None]
        note = f"Undefined: {', '.join(undefined)}." if undefined else ""
        value = self.combine([score.value for score in scores])
        evidence = {
            spec: {"value": score.value, "evidence": score.evidence}
            for spec, score in zip(specs, scores, strict=True)
        }
        return Score(value, evidence, note)

    @abstractmethod
    def combine(self, values: Sequence[float | None]) -> float | None:
        """Return the values of the parts as one number; `None` if one is `None`."""


class HarmonicMean(_Composite):
    """Harmonic mean: how good is the answer where it is weakest?

        harmonic_mean = sum of weights / sum of (weight / part)

    Between the lowest and the highest part; higher is better; 0 if a part is 0.

    Limitations: One part of 0 makes it 0, whatever the others are, and an undefined part makes it
    undefined.

    Source: https://en.wikipedia.org/wiki/Harmonic_mean.
    """

    name = "harmonic_mean"

    def combine(self, values: Sequence[float | None]) -> float | None:
        """Return the harmonic mean; a part below 0 counts as 0."""
        parts = [None if value is None else max(0.0, value) for value in values]
        return harmonic_mean(parts, weights=self.weights)


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

    def combine(self, values: Sequence[float | None]) -> float | None:
        """Return the weighted mean."""
        return weighted_mean(values, weights=self.weights)


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
