"""The base of every metric: a LlamaIndex evaluator with a name, needs, bounds and a pure formula.

A metric of your own is five lines:

    class Brevity(Metric):
        name = "brevity"
        needs = frozenset({"response"})

        async def measure(self, sample: SingleTurnSample) -> Score:
            return Score(1 / (1 + len(sample.response.split())))

What its page needs is imported from here: samples, `Score` and `setting`, too.
"""

import inspect
import time
from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from importlib.util import find_spec
from typing import Any, ClassVar, Literal

from llama_index.core.base.response.schema import Response
from llama_index.core.evaluation import BaseEvaluator
from pydantic import ValidationError

from llamaindex_rag_eval._sync import run_sync
from llamaindex_rag_eval.data.llamaindex import sample_fields
from llamaindex_rag_eval.data.sample import (
    MultiTurnSample as MultiTurnSample,
    Sample as Sample,
    SingleTurnSample as SingleTurnSample,
)
from llamaindex_rag_eval.errors import InputError, MissingFieldError, OracleError
from llamaindex_rag_eval.formulas import texts
from llamaindex_rag_eval.judge import ClaimsOf, JudgeLike
from llamaindex_rag_eval.judge.alignment import Alignment
from llamaindex_rag_eval.judge.answerers import Answerers, answerers, judged_sample
from llamaindex_rag_eval.judge.standalone import StandaloneOf
from llamaindex_rag_eval.metrics.result import Result, Score as Score
from llamaindex_rag_eval.metrics.settings import (
    Judged,
    Setting,
    judge_argument,
    setting as setting,
)
from llamaindex_rag_eval.metrics.shared.criteria import read_table
from llamaindex_rag_eval.metrics.spec import format_spec
from llamaindex_rag_eval.models.instrument import has_handlers, span, tell_evaluation
from llamaindex_rag_eval.models.usage import current_metric

OTHER_NAMES = read_table("names")
"""The aliases and kin of the metrics of this package."""

Direction = Literal["higher", "lower", "neither"]


class BaseMetric(Judged, BaseEvaluator):
    """One question about a sample, answered by a number.

    An annotated attribute with a default is a setting (see `settings`), as is every argument of an
    `__init__` of your own, kept as an attribute of its name; nothing else is kept, so a metric may
    be shared by any number of concurrent evaluations.

    Attributes:
        name: The field's name for it; `spec` adds the settings that are not the default.
        needs: The fields a sample must have.
        needs_one_of: Sets of fields; a sample must have every field of at least one set.
        requests: The requests to the judge, one entry a call.
        bounds: The least and the greatest value.
        direction: Which end of the range is better.
        undefined: Why there may be no value, as a sentence.
        aliases: Other names by which it is found; those of this package are in `names.yaml`.
        kin: The same or a similar metric of other tools, by tool; as the aliases.
        verdicts: Words that a score stands for, the best first, of which summaries show the shares.
        rounds: Whether the threshold also rounds the value to 0 or 1.
        default_threshold: The threshold if none is given; `None` for no verdict.
        library: A module of an extra that computes it, if any.
        formula: What `compute` calls, where the value is a formula of what was judged.
        threshold: The value from which on (for `lower`: up to which) a result passes; `None` for
            the default.
    """

    name: ClassVar[str]
    needs: ClassVar[frozenset[str]] = frozenset()
    needs_one_of: ClassVar[tuple[frozenset[str], ...]] = ()
    bounds: ClassVar[tuple[float, float]] = (0.0, 1.0)
    direction: ClassVar[Direction] = "higher"
    undefined: ClassVar[str] = ""
    aliases: ClassVar[tuple[str, ...]] = ()
    kin: ClassVar[Mapping[str, str]] = {}
    verdicts: ClassVar[tuple[str, ...]] = ()
    rounds: ClassVar[bool] = False
    default_threshold: ClassVar[float | None] = 0.5
    library: ClassVar[str] = ""
    formula: ClassVar[Callable[..., float | None]]
    _sample_type: ClassVar[type[Sample]] = SingleTurnSample

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        kin = dict(OTHER_NAMES.get(vars(cls).get("name", ""), {}))
        aliases, _ = tuple(kin.pop("aliases", ())), kin.pop("specs", None)
        for name, value in (("aliases", aliases), ("kin", kin)):
            if value and name not in vars(cls):
                setattr(cls, name, value)

    _judge: JudgeLike | None = judge_argument(default=None, alias="judge", kw_only=False)
    threshold: float | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.library and find_spec(self.library.partition(".")[0]) is None:
            texts.library(self.library)  # says what to install

    def settings(self) -> dict[str, object]:
        """Return the settings that differ from the default, by name, without the judge.

        Metrics are there by their specs.
        """
        defaults = _defaults(type(self))
        shown = {name: _shown(type(self), name, getattr(self, name)) for name in defaults}
        return {name: value for name, value in shown.items() if value != defaults[name]}

    @property
    def spec(self) -> str:
        """The name with its settings, as `factual_correctness(mode=recall)`; it parses back.

        The threshold is left out where it changes the verdict and not the number.
        """
        counts = {k: v for k, v in self.settings().items() if k != "threshold" or self.rounds}
        return format_spec(self.name, counts)

    def __repr__(self) -> str:
        inside = ", ".join(f"{key}={value!r}" for key, value in self.settings().items())
        return f"{type(self).__name__}({inside})"

    @abstractmethod
    async def score(self, sample: Sample) -> Score:
        """Return the score of a sample; an error of the judge is raised."""

    def compute(self, *values: object) -> float | None:
        """Return the formula of these values, with the settings that are keywords of it."""
        formula = type(self).formula
        names = _arguments(formula) & self._setting_fields.keys()
        return formula(*values, **{name: getattr(self, name) for name in names})

    def missing(self, sample: Sample) -> str | None:
        """Return the field, or the sets of fields to choose from, that the sample lacks."""
        field = next((field for field in sorted(self.needs) if not sample.has(field)), None)
        ways = [sorted(way) for way in self.needs_one_of]
        if field or not ways or any(all(map(sample.has, way)) for way in ways):
            return field
        return ", or ".join(" and ".join(way) for way in ways)

    def require(self, sample: Sample) -> None:
        """Raise `MissingFieldError` if the sample lacks a field that the metric needs."""
        if (field := self.missing(sample)) is not None:
            raise MissingFieldError(self.spec, field, sample_id=sample.id)

    async def result(self, sample: Sample) -> Result:
        """Return the result on one sample; `failed` if the judge gave no answer.

        Raises:
            MissingFieldError: The sample lacks a field the metric needs.
        """
        self.require(sample)
        started, spec = time.perf_counter(), self.spec
        judged: Answerers = {}
        token, token_of_judged = current_metric.set(spec), answerers.set(judged)
        try:
            with span("metric", metric=spec, sample=sample.id) as note:
                score = await self.score(sample)
                note(score=score.value)
                result = Result.from_score(
                    spec,
                    sample,
                    score,
                    undefined=self.undefined,
                    passing=None if score.value is None else self.passes(score.value),
                    seconds=time.perf_counter() - started,
                    judged_by=judged,
                )
                if result.score is not None and has_handlers():
                    passed = {None: "", True: "pass", False: "fail"}[result.passing]
                    tell_evaluation(spec, result.score, result.verdict or passed, result.reason)
                return result
        except OracleError as error:
            return Result.from_error(spec, sample, error, judged_by=judged)
        finally:
            current_metric.reset(token)
            answerers.reset(token_of_judged)

    @property
    def alignment(self) -> Alignment | None:
        """How its judge was aligned for this very metric; `None` if it was not."""
        alignment = getattr(self._judge, "alignment", None)
        return alignment if alignment is not None and alignment.metric == self.spec else None

    @property
    def own_threshold(self) -> float | None:
        """The threshold that was given, or that its judge was aligned to; `None` for neither."""
        aligned = None if self.alignment is None else self.alignment.threshold
        return aligned if self.threshold is None else self.threshold

    def passes(self, value: float) -> bool | None:
        """Return whether a value reaches the threshold; `None` without a threshold."""
        own = self.own_threshold
        threshold = self.default_threshold if own is None else own
        if threshold is None or self.direction == "neither":
            return None
        return value >= threshold if self.direction == "higher" else value <= threshold

    def evaluate(
        self,
        query: str | None = None,
        response: str | None = None,
        contexts: Sequence[str] | None = None,
        **fields: object,
    ) -> Result:
        """Return the result for one sample given by its fields; see `aevaluate`.

        Raises:
            MissingFieldError: A field that the metric needs is missing.
            InputError: A field has the wrong type.
        """
        return run_sync(
            self.result(
                self._sample_of(query=query, response=response, contexts=contexts, **fields)
            )
        )

    async def aevaluate(
        self,
        query: str | None = None,
        response: str | None = None,
        contexts: Sequence[str] | None = None,
        **fields: object,
    ) -> Result:
        """Return the result for one sample given by its fields.

        Failed, and not raised, if a field is missing: in a `BatchEvalRunner`, other metrics go on.

        Args:
            query: The question.
            response: The answer.
            contexts: The retrieved texts.
            **fields: Any other field of a sample or an alias of one, as `reference=…`.

        Raises:
            InputError: A field has the wrong type.
        """
        sample = self._sample_of(query=query, response=response, contexts=contexts, **fields)
        try:
            return await self.result(sample)
        except MissingFieldError as error:
            return Result.from_error(self.spec, sample, error)

    def evaluate_response(
        self, query: str | None = None, response: Response | None = None, **fields: object
    ) -> Result:
        """Return the result for the answer of a query engine; see `evaluate`."""
        row = {} if response is None else sample_fields(response)
        return self.evaluate(query, **{**row, **fields})  # type: ignore[arg-type]  # by name

    async def aevaluate_response(
        self, query: str | None = None, response: Response | None = None, **fields: object
    ) -> Result:
        """Return the result for the answer of a query engine; see `aevaluate`.

        Node ids, scores, places in the documents and images reach the sample.
        """
        row = {} if response is None else sample_fields(response)
        return await self.aevaluate(query, **{**row, **fields})  # type: ignore[arg-type]  # by name

    def _sample_of(self, **given: object) -> Sample:
        row = {key: value for key, value in given.items() if value is not None}
        row.pop("sleep_time_in_seconds", None)
        try:
            return self._sample_type.model_validate(row)
        except ValidationError as error:
            raise InputError(f"{self.spec!r} was given a sample it cannot read: {error}") from None


class Metric(BaseMetric):
    """A metric over one question and its answer."""

    async def score(self, sample: Sample) -> Score:
        """Return the score of a single turn; a conversation is refused."""
        if not isinstance(sample, SingleTurnSample):
            raise InputError(f"{self.spec!r} measures single turns; use `sample.turns()`")
        if sample.earlier_messages and self.requests and "query" in self.needs:
            sample = sample.model_copy(update={"query": await self._question_of(sample)})
        token = judged_sample.set(sample)
        try:
            return await self.measure(sample)
        finally:
            judged_sample.reset(token)

    async def _question_of(self, sample: SingleTurnSample) -> str:
        """Return what a follow-up asks: as a model writes it to stand alone, once for all metrics.

        Without a model it is the conversation and the question; where claims are asked for, rules
        read the question only.
        """
        if self.judge.oracle.answers(StandaloneOf):
            return await self.judge.standalone(sample.query, history=sample.history)
        return sample.query if ClaimsOf in self.requests else sample.asked

    @abstractmethod
    async def measure(self, sample: SingleTurnSample) -> Score:
        """Return the score of a sample."""


@lru_cache(maxsize=1024)
def _arguments(formula: Callable[..., float | None]) -> frozenset[str]:
    parameters = inspect.signature(formula).parameters.values()
    return frozenset(p.name for p in parameters if p.kind is p.KEYWORD_ONLY)


@lru_cache(maxsize=1024)
def _defaults(kind: type[BaseMetric]) -> Mapping[str, object]:
    """Return the settings of a class of metrics with their defaults, without the judge."""
    parameters = inspect.signature(kind).parameters.values()
    return {
        p.name: _shown(kind, p.name, kind._setting_fields.get(p.name, Setting()).keep(p.default))
        for p in parameters
        if p.name != "judge" and p.kind is not p.VAR_KEYWORD
    }


def _shown(kind: type[BaseMetric], name: str, value: object) -> object:
    """Return what specs show of a setting; a metric is shown by its spec."""
    if isinstance(value, tuple):
        return tuple(_shown(kind, name, part) for part in value)
    if isinstance(value, BaseMetric):
        return value.spec
    return kind._setting_fields.get(name, Setting()).show(value)
