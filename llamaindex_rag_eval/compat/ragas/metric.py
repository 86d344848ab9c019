"""ragas's metric objects over our metrics: their settings, names and methods."""

import asyncio
import inspect
import math
import re
from collections.abc import Callable, Collection, Coroutine, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from enum import Enum
from typing import Any, ClassVar, TypeAlias

from llamaindex_rag_eval._sync import run_sync
from llamaindex_rag_eval.compat.models import EmbeddingsLike, LlmLike, judge_from
from llamaindex_rag_eval.compat.names import TABLE
from llamaindex_rag_eval.compat.ragas.own import Metric as OwnMetric
from llamaindex_rag_eval.data.sample import Sample, SingleTurnSample, sample_of
from llamaindex_rag_eval.errors import InputError, NeedsModelError, RagEvalError
from llamaindex_rag_eval.metrics.base import BaseMetric
from llamaindex_rag_eval.metrics.registry import metric_class, metric_from
from llamaindex_rag_eval.metrics.result import Result


@dataclass(frozen=True, slots=True)
class MetricResult:
    """The result of one metric on one sample.

    Attributes:
        value: The score, or a text; `None` where it is undefined or failed.
        reason: Why, if that is known.
    """

    value: Any
    reason: str | None = None

    def __float__(self) -> float:
        return float(self.value)


class Scored:
    """What has a result on fields, and on rows of them: `ascore` says which."""

    ascore: Callable[..., Coroutine[Any, Any, MetricResult]]

    def score(self, *args: Any, **fields: Any) -> MetricResult:
        """Return the result on fields, also inside a running loop; see `ascore`."""
        return run_sync(self.ascore(*args, **fields))

    async def abatch_score(self, inputs: Iterable[Mapping[str, object]]) -> list[MetricResult]:
        """Return the results on rows of fields, in order; see `ascore`."""
        return await asyncio.gather(*(self.ascore(**fields) for fields in inputs))

    def batch_score(self, inputs: Iterable[Mapping[str, object]]) -> list[MetricResult]:
        """Return the results on rows of fields, in order; see `ascore`."""
        return run_sync(self.abatch_score(inputs))


class DistanceMeasure(str, Enum):
    """How `NonLLMStringSimilarity` compares two strings."""

    LEVENSHTEIN = "levenshtein"
    HAMMING = "hamming"
    JARO = "jaro"
    JARO_WINKLER = "jaro_winkler"


SETTINGS: Mapping[str, Mapping[str, str]] = TABLE["ragas"]["settings"]
"""ragas's name of a setting -> the `name` of ours, and those of its values that differ."""

DEFAULTS: Mapping[str, Mapping[str, object]] = TABLE["ragas"]["defaults"]
"""ragas's class -> its settings, where its default is not ours."""

UNDEFINED: Mapping[str, float] = TABLE["ragas"]["undefined"]
"""ragas's class -> its score of a single sample that has none here."""


class RagasMetric(Scored):
    """A metric under ragas's name and with its methods; its settings may be set later, too.

    Args:
        llm: Judges; without it, that of `evaluate`, else `Settings.llm`, else the rules.
        embeddings: For similarities.
        name: What results are called.
        settings: The settings of our metric: `rag-eval more metrics NAME` lists them.

    Attributes:
        metric: Our metric.
        name: What results are called.
        own: The metric of one's own that it is, if it is one.
        settings: What was given, and ragas's defaults, under ragas's names.
    """

    class_name: ClassVar[str] = ""
    own: OwnMetric | None = None

    def __init__(
        self,
        llm: LlmLike | None = None,
        embeddings: EmbeddingsLike | None = None,
        name: str = "",
        **settings: object,
    ) -> None:
        self.llm, self.embeddings = llm, embeddings
        kind = metric_class(self.class_name)
        self.settings = {**DEFAULTS.get(self.class_name, {}), **settings}
        if name and "aspect" in inspect.signature(kind).parameters:
            self.settings.setdefault("aspect", name)
        self.name = name or _result_name(self.class_name, settings)
        self.metric = self._built(kind)

    def _built(self, kind: type[BaseMetric]) -> BaseMetric:
        settings: dict[str, Any] = dict(_in_our_names(*each) for each in self.settings.items())
        try:
            metric = kind(**settings)
        except TypeError as error:
            raise InputError(f"{self.class_name!r} cannot be made: {error}") from None
        if optional := TABLE["ragas"]["optional"].get(self.class_name):
            metric.needs = kind.needs - {optional}  # type: ignore[misc]  # of this one alone
        return metric

    def __getattr__(self, name: str) -> object:
        settings: Mapping[str, object] = vars(self).get("settings", {})
        if name not in settings:
            raise AttributeError(f"{type(self).__name__!r} has no attribute {name!r}")
        return settings[name]

    def __setattr__(self, name: str, value: object) -> None:
        ours, _ = _in_our_names(name, value)
        metric = None if name in vars(self) else vars(self).get("metric")
        if metric is not None and ours in inspect.signature(type(metric)).parameters:
            self.settings[name] = value
            self.metric = self._built(type(metric))
        else:
            super().__setattr__(name, value)

    @classmethod
    def of(cls, metric: BaseMetric, name: str) -> "RagasMetric":
        """Return a metric of ours under this name."""
        named = object.__new__(cls)
        named.settings = metric.settings()
        named.llm = named.embeddings = None
        named.metric, named.name = metric, name
        return named

    @classmethod
    def from_any(cls, given: "MetricLike") -> "RagasMetric":
        """Return a metric of ragas or of ours, or by our name.

        Raises:
            InputError: It is neither.
        """
        if isinstance(given, RagasMetric):
            return given
        if isinstance(given, OwnMetric):
            named = cls.of(given.ours(), given.name or type(given).__name__)
            named.own = given
            return named
        metric = metric_from(given)
        return cls.of(metric, metric.spec)

    def __repr__(self) -> str:
        return f"{type(self).__name__}(name={self.name!r})"

    def ready(self, llm: LlmLike | None, embeddings: EmbeddingsLike | None) -> BaseMetric:
        """Return our metric with its own models, or else with these."""
        if self.own is not None:
            self.own.llm = self.own.llm or llm
            self.own.embeddings = self.own.embeddings or embeddings
            return self.metric
        judge = judge_from(self.llm or llm, self.embeddings or embeddings)
        return self.metric if judge is None else self.metric.with_judge(judge)

    async def single_turn_ascore(self, sample: Sample, callbacks: object = None) -> float:
        """Return the score of a sample; where it is undefined, NaN or what ragas returns.

        Args:
            sample: The sample.
            callbacks: Taken, and not called.

        Raises:
            MissingFieldError: The sample lacks a field.
            RagEvalError: The metric failed on it.
        """
        del callbacks
        result = await self.result(sample)
        return UNDEFINED.get(self.class_name, math.nan) if result.score is None else result.score

    async def result(self, sample: Sample) -> Result:
        """Return our result on a sample; see `single_turn_ascore`.

        Raises:
            NeedsModelError: There is no LLM, and rules cannot judge it.
        """
        metric = self.ready(None, None)
        require_model([(self.name, metric)])
        result = await metric.result(sample)
        if result.status == "failed":
            raise RagEvalError(f"{self.name!r} failed: {result.reason}")
        return result

    multi_turn_ascore = _single_turn_ascore = _multi_turn_ascore = single_turn_ascore

    def single_turn_score(self, sample: Sample, callbacks: object = None) -> float:
        """Return the score of a sample; see `single_turn_ascore`."""
        return run_sync(self.single_turn_ascore(sample, callbacks))

    multi_turn_score = single_turn_score

    async def ascore(self, **fields: object) -> MetricResult:
        """Return the result on fields under ragas's names, as `ragas.metrics.collections` do."""
        result = await self.result(sample_of(fields))
        if result.score is None:
            return MetricResult(UNDEFINED.get(self.class_name), result.reason)
        return MetricResult(result.score, result.reason if result.judged_by else None)

    def likeness(self, wanted: object, given: object) -> float:
        """Return the score of one value for another, both as texts."""
        sample = SingleTurnSample(reference=str(wanted), response=str(given))
        with ThreadPoolExecutor(1) as pool:  # a loop runs in this thread
            return pool.submit(self.single_turn_score, sample).result()


def require_model(metrics: Collection[tuple[str, BaseMetric]]) -> None:
    """Raise `NeedsModelError` if every one of these metrics, by name, needs an LLM it lacks."""
    needing = [name for name, metric in metrics if not metric.answerable()]
    if len(needing) == len(metrics):
        raise NeedsModelError(
            f"{', '.join(map(repr, needing))} cannot be judged by rules: give `llm=`, as "
            "llm_factory('gpt-4o-mini'), or set `Settings.llm` of LlamaIndex"
        )


def _in_our_names(name: str, value: object) -> tuple[str, object]:
    """Return a setting of ragas as ours: its name and its value."""
    if (ours := SETTINGS.get(name)) is None:
        return name, value
    if isinstance(value, RagasMetric):
        return ours["name"], value.likeness
    return ours["name"], ours.get(str(value), getattr(value, "value", value))


def _result_name(class_name: str, settings: Mapping[str, object]) -> str:
    snake = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", class_name).lower()
    name = TABLE["ragas"]["results"].get(class_name, snake)
    mode = settings.get("mode")
    return name if mode is None else re.sub(r"mode=\w+", f"mode={mode}", name)


MetricLike: TypeAlias = RagasMetric | OwnMetric | BaseMetric | str
"""A metric of ragas, one's own in its form, one of ours, or its name."""
