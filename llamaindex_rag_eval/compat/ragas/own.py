"""Metrics of one's own in ragas's form: classes with `_single_turn_ascore` or `_multi_turn_ascore`.

    @dataclass
    class Brief(SingleTurnMetric):
        name: str = "brief"

        async def _single_turn_ascore(self, sample, callbacks):
            return float(len(sample.response) < 200)

Source: https://docs.ragas.io/en/stable/, "Writing your own metrics".
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from llamaindex_rag_eval._sync import run_sync
from llamaindex_rag_eval.data.sample import MultiTurnSample, Sample
from llamaindex_rag_eval.data.tables import FIELD_OF_ALIAS
from llamaindex_rag_eval.metrics.base import BaseMetric, Score


class MetricType(Enum):
    """What a metric is computed on."""

    SINGLE_TURN = "single_turn"
    MULTI_TURN = "multi_turn"


@dataclass
class Metric:
    """A metric of one's own.

    Attributes:
        name: What results are called.
        _required_columns: The fields that a sample must have, by `MetricType`.
        llm: Set to that of `evaluate` where it is `None`.
        embeddings: Likewise.
    """

    _required_columns: Mapping[MetricType, set[str]] = field(default_factory=dict)
    name: str = ""
    llm: Any = None
    embeddings: Any = None

    async def single_turn_ascore(self, sample: Sample, callbacks: object = None) -> float:
        """Return the score of a sample."""
        kind = "multi" if isinstance(sample, MultiTurnSample) else "single"
        score = getattr(self, f"_{kind}_turn_ascore")
        absent = type(sample).model_fields.keys() - sample.model_fields_set
        return float(await score(sample.model_copy(update=dict.fromkeys(absent)), callbacks))

    multi_turn_ascore = single_turn_ascore

    def single_turn_score(self, sample: Sample, callbacks: object = None) -> float:
        """Return the score of a sample; see `single_turn_ascore`."""
        return run_sync(self.single_turn_ascore(sample, callbacks))

    multi_turn_score = single_turn_score

    def get_required_columns(self, with_optional: bool = False) -> dict[str, set[str]]:
        """Return the fields that a sample must have, or may have, too, by name of `MetricType`."""
        marks = ("", "optional") if with_optional else ("",)
        return {
            kind.name: {c.partition(":")[0] for c in columns if c.partition(":")[2] in marks}
            for kind, columns in self._required_columns.items()
        }

    @property
    def required_columns(self) -> dict[str, set[str]]:
        """The fields that a sample must have; see `get_required_columns`."""
        return self.get_required_columns()

    def ours(self) -> BaseMetric:
        """Return the metric as one of this package."""
        wanted = set().union(*self.required_columns.values())
        needs = {FIELD_OF_ALIAS.get(name, name) for name in wanted}
        if MetricType.MULTI_TURN in self._required_columns:
            needs = {"messages" if name == "query" else name for name in needs}
        own = self

        class Own(BaseMetric):
            async def score(self, sample: Sample) -> Score:
                return Score(await own.single_turn_ascore(sample))

        Own.name, Own.needs = self.name or type(self).__name__, frozenset(needs)
        return Own()


class MetricWithLLM(Metric):
    """A metric of one's own that asks an LLM."""


class MetricWithEmbeddings(Metric):
    """A metric of one's own that asks an embedding model."""


class SingleTurnMetric(Metric):
    """A metric of one's own on questions and answers."""


class MultiTurnMetric(Metric):
    """A metric of one's own on conversations."""
