"""DeepEval's metrics for RAG over ours: their settings, attributes and methods."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, ClassVar

from llamaindex_rag_eval._sync import run_sync
from llamaindex_rag_eval.compat.deepeval_case import LLMTestCaseParams, TestCase, TurnParams
from llamaindex_rag_eval.compat.models import LlmLike, judge_from, refuse
from llamaindex_rag_eval.compat.names import TABLE, here
from llamaindex_rag_eval.data.sample import MultiTurnSample, Sample, SingleTurnSample
from llamaindex_rag_eval.errors import (
    InputError,
    MissingFieldError,
    NeedsModelError,
    RagEvalError,
    UnknownMetricError,
)
from llamaindex_rag_eval.metrics.base import BaseMetric
from llamaindex_rag_eval.metrics.conversation import ConversationMetric, transcript
from llamaindex_rag_eval.metrics.g_eval import GEval as OurGEval
from llamaindex_rag_eval.metrics.registry import metric_class, metric_of
from llamaindex_rag_eval.metrics.result import Result
from llamaindex_rag_eval.metrics.shared.criteria import CRITERIA
from llamaindex_rag_eval.metrics.spec import format_spec, parse_spec

FIELDS: Mapping[str, str] = TABLE["deepeval"]["fields"]
CONVERSATION: Mapping[str, str] = TABLE["deepeval"]["talk_fields"]
"""Field of a sample, or of a conversation -> field of a test case."""

HALF = 0.5
"""DeepEval's own default threshold."""


class OwnMetric:
    """A metric of one's own, as DeepEval has it: subclasses define `measure`.

    Attributes:
        threshold: From which score on a test case passes.
        score: Of the test case measured last; `None` where it is undefined.
        reason: Why it is that.
        success: Whether that test case passes.
        error: Why it could not be measured.
    """

    threshold: float = HALF
    strict_mode: bool = False
    score: float | None = None
    reason: str | None = None
    success: bool | None = None
    error: str | None = None

    @property
    def __name__(self) -> str:
        """What results show."""
        return type(self).__qualname__

    def measure(self, test_case: TestCase, **_shown: object) -> float | None:
        """Return the score of a test case; subclasses do, and keep it."""
        raise NotImplementedError(f"{self.__name__} defines no `measure(test_case)`")

    async def a_measure(self, test_case: TestCase, **_shown: object) -> float | None:
        """Return the score of a test case; see `measure`."""
        return self.measure(test_case)

    def is_successful(self) -> bool:
        """Return whether the test case measured last passes; one without a score does not."""
        return bool(self.success)


class DeepEvalMetric(OwnMetric):
    """A metric under DeepEval's name, with its settings, attributes and methods.

    Args:
        threshold: From which score on a test case passes; up to which where lower is better.
        model: Judges: an LLM of LlamaIndex, or its name as `openai:gpt-4o` or `gpt-4o`; without
            it, `Settings.llm`, else the rules that need no model.
        strict_mode: Only the best score passes, and it is 1 or 0 (0 or 1 where lower is better).
        settings: Those of its own, by name, and those of DeepEval that change no score here.

    Attributes:
        metric: Our metric.
        own_values: Our settings, or fields of the sample, by its own settings.

    Raises:
        InputError: A setting is unknown or missing.
    """

    spec: str
    fields: Mapping[str, str] = FIELDS
    required: ClassVar[Mapping[str, str]] = {}
    takes: ClassVar[Mapping[str, Mapping[str, Any]]] = {}

    def __init__(
        self,
        threshold: float = HALF,
        model: LlmLike | None = None,
        strict_mode: bool = False,
        **settings: Any,
    ) -> None:
        name, self.own_values = type(self).__qualname__, dict[str, Any]()
        for own, table in self.takes.items():
            if own in settings:
                self.own_values |= _in_our_terms(own, settings.pop(own), table)
                self.spec = table.get("metric", self.spec)
            elif "needed" in table:
                raise InputError(f"{name!r} needs {own!r}")
        refuse(name, settings, "deepeval_metrics")
        self.metric = self.ours()
        self.threshold = float(self.best) if strict_mode else threshold
        self.model, self.strict_mode = model, strict_mode

    def ours(self) -> BaseMetric:
        """Return our metric."""
        name, settings = parse_spec(self.spec)
        own = {k: v for k, v in self.own_values.items() if k not in metric_class(name).needs}
        return metric_of(format_spec(name, settings | own))

    @property
    def best(self) -> int:
        """The best score: 1, or 0 where lower is better."""
        return int(self.metric.direction != "lower")

    @property
    def __name__(self) -> str:
        """What DeepEval shows in its results, as `Answer Relevancy`."""
        words = type(self).__qualname__.removesuffix("Metric")
        return re.sub(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", " ", words)

    def ready(self) -> BaseMetric:
        """Return our metric with its own model.

        Raises:
            NeedsModelError: There is no model, and rules cannot judge it.
        """
        judge = judge_from(self.model)
        metric = self.metric if judge is None else self.metric.with_judge(judge)
        if not metric.answerable():
            raise NeedsModelError(
                f"{self.__name__!r} needs a model, as model='gpt-4o-mini' or an LLM of LlamaIndex; "
                "or set `Settings.llm` of LlamaIndex"
            )
        return metric

    def sample_of(self, test_case: TestCase) -> Sample:
        """Return what our metric sees of a test case; one over answers sees a transcript.

        Raises:
            MissingFieldError: The test case lacks what only this metric reads.
        """
        for field in self.required.values():
            if getattr(test_case, field, None) is None:
                raise MissingFieldError(type(self).__qualname__, field)
        sample = test_case.sample(self.fields)
        if isinstance(sample, MultiTurnSample) and not isinstance(self.metric, ConversationMetric):
            talk, goal = transcript(sample.messages), sample.reference
            sample = SingleTurnSample(query=test_case.input, response=talk, reference=goal)
        own = {k: v for k, v in self.own_values.items() if k in self.metric.needs}
        return sample.model_copy(update=own)

    async def a_measure(self, test_case: TestCase, **_shown: object) -> float | None:
        """Return the score of a test case, which is kept in `score`, `reason` and `success`.

        Raises:
            MissingFieldError: The test case lacks a field; under DeepEval's name.
            RagEvalError: The metric failed on it.
        """
        self.score = self.reason = self.success = self.error = None
        try:
            result = await self.ready().result(self.sample_of(test_case))
        except MissingFieldError as error:
            name, field = type(self).__qualname__, self.fields.get(error.field, error.field)
            raise MissingFieldError(name, field) from None
        self.take(result)
        if self.error is not None:
            raise RagEvalError(f"{self.__name__!r} failed: {self.error}")
        return self.score

    def measure(self, test_case: TestCase, **_shown: object) -> float | None:
        """Return the score of a test case; see `a_measure`."""
        return run_sync(self.a_measure(test_case))

    def take(self, result: Result) -> None:
        """Keep a result as that of the test case measured last."""
        self.error = result.reason if result.status == "failed" else None
        self.score = None if result.score is None else float(result.score)
        if self.strict_mode and self.score is not None:
            self.score = float(self.best if self.score == self.best else 1 - self.best)
        self.reason = result.reason
        self.success = self.score is not None and (
            self.score >= self.threshold if self.best else self.score <= self.threshold
        )


def _in_our_terms(own: str, value: Any, table: Mapping[str, Any]) -> dict[str, Any]:
    """Return a setting of a metric as ours: `to` names it, `words` or `values` say how.

    Raises:
        InputError: The value has no equivalent here.
    """
    parts = [value] if isinstance(value, str) or not isinstance(value, Sequence) else value
    text = ", ".join(part if isinstance(part, str) else str(part) for part in parts)
    if "words" in table:
        value = table["words"].format(text)
    elif "values" in table:
        if text not in table["values"]:
            values = ", ".join(filter(None, table["values"]))
            raise InputError(f"{own!r} takes {values} here, got {value!r}")
        value = table["values"][text]
    elif hasattr(value, "model_json_schema"):
        value = value.model_json_schema()
    elif isinstance(value, Sequence):
        value = tuple(value)
    return {} if value == "" else {table["to"]: value}


@dataclass
class Rubric:
    """What an answer of some levels is like, for `GEval`; levels are 0 to 10."""

    score_range: tuple[int, int]
    expected_outcome: str

    def __str__(self) -> str:
        low, high = self.score_range
        return f"Level {low}{f' to {high}' if high != low else ''}: {self.expected_outcome}"


def fields_of(evaluation_params: Iterable[LLMTestCaseParams]) -> Mapping[str, str]:
    """Return the fields that a judge sees, beside question and answer; calls as a conversation."""
    seen = {LLMTestCaseParams(param).value for param in evaluation_params}
    if "tools_called" in seen:
        return CONVERSATION
    fields = {k: v for k, v in FIELDS.items() if v in {"input", "actual_output", *seen}}
    if "context" in seen:
        fields.setdefault("contexts", "context")
    return fields


class GEval(DeepEvalMetric):
    """A grade on criteria of one's own. Our `g_eval`, which needs an LLM.

    Args:
        name: What it is called.
        evaluation_params: What the judge sees beside question and answer.
        criteria: What a good answer is like.
        evaluation_steps: How to find out; written by the judge if not given.
        rubric: What answers of some levels are like.
        threshold: From which score on a test case passes.
        model: Judges; see `DeepEvalMetric`.
        strict_mode: Only the best score passes, and it is 1 or 0.
        ignored: Settings of DeepEval that change no score here.

    Raises:
        InputError: There are neither criteria nor steps, or a setting is unknown.
    """

    def __init__(
        self,
        name: str,
        evaluation_params: Sequence[LLMTestCaseParams],
        criteria: str | None = None,
        evaluation_steps: Sequence[str] | None = None,
        rubric: Sequence[Rubric] | None = None,
        model: LlmLike | None = None,
        threshold: float = HALF,
        strict_mode: bool = False,
        **ignored: object,
    ) -> None:
        if not (criteria or evaluation_steps):
            raise InputError(f"GEval {name!r} needs 'criteria' or 'evaluation_steps'")
        self.name, self.steps = name, evaluation_steps or ()
        self.criteria = "\n".join([criteria or name, *map(str, rubric or ())])
        self.fields = fields_of(evaluation_params)
        super().__init__(threshold, model, strict_mode, **ignored)

    def ours(self) -> BaseMetric:
        """Return our metric."""
        return OurGEval(criteria=self.criteria, steps=self.steps)

    @property
    def __name__(self) -> str:
        """What DeepEval shows in its results."""
        return f"{self.name} [GEval]"


class ConversationalGEval(GEval):
    """A grade of a whole conversation on criteria of one's own; see `GEval`.

    Args:
        name: What it is called.
        evaluation_params: Not needed: the judge sees all of a conversation.
        settings: As those of `GEval`.
    """

    def __init__(
        self, name: str, evaluation_params: Sequence[TurnParams] = (), **settings: Any
    ) -> None:
        del evaluation_params
        super().__init__(name, (), **settings)
        self.fields = CONVERSATION

    def ours(self) -> BaseMetric:
        """Return our metric."""
        criteria = f"{CRITERIA['conversation'].definition} {self.criteria}"
        return OurGEval(criteria=criteria, steps=self.steps)


@cache
def metric_named(name: str) -> Any:
    """Return DeepEval's metric of this name, over the metric of ours that is its equivalent.

    Raises:
        AttributeError: None of ours is, or it takes what a test case does not have.
    """
    if (value := here("deepeval", name)) is not None:
        return value
    spec = TABLE["deepeval"]["metrics"].get(name, name)
    try:
        kind = metric_class(parse_spec(spec)[0])
    except UnknownMetricError as error:
        raise AttributeError(f"nothing of DeepEval is called {name!r} here: {error}") from None
    fields = CONVERSATION if issubclass(kind, (ConversationMetric, OurGEval)) else FIELDS
    required = TABLE["deepeval"]["required"].get(name, {})
    takes = TABLE["deepeval"]["settings"].get(name, {})
    known = {*fields, *(table["to"] for table in takes.values())}
    if not name.endswith("Metric") or (kind.needs - known and fields is FIELDS):
        raise AttributeError(f"nothing of DeepEval is called {name!r} here")
    about = f"DeepEval's {name!r}: our `{kind.name}`."
    own = {"spec": spec, "fields": {**fields, **required}, "required": required, "takes": takes}
    return type(name, (DeepEvalMetric,), {**own, "__doc__": about})
