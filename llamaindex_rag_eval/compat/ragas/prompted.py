"""Metrics by a prompt or a function of one's own, and experiments, as ragas has them since 0.3.

Source: https://docs.ragas.io/en/stable/, "Metrics" and "Experimentation" of its core concepts.
"""

import asyncio
import csv
import inspect
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, get_args

from pydantic import BaseModel, ConfigDict, ValidationError, create_model

from llamaindex_rag_eval.compat.models import LlmLike, judge_from
from llamaindex_rag_eval.compat.ragas.metric import MetricResult, Scored
from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.judge import GradeOf, Level

STEPS = 10
"""Parts of the range of a number, between which a judge names one."""


class DiscreteMetric(Scored):
    """One of several values, by a prompt of one's own; needs an LLM.

    Args:
        name: What results are called.
        prompt: What is judged, with the names of fields in braces.
        allowed_values: The values.
        llm: Judges; another may be given with each score.
        ignored: Options of ragas that change no value here.
    """

    def __init__(
        self,
        name: str = "",
        prompt: str = "",
        allowed_values: Sequence[Any] = ("pass", "fail"),
        llm: LlmLike | None = None,
        **ignored: object,
    ) -> None:
        del ignored
        self.name, self.prompt, self.llm = name, prompt, llm
        self.allowed_values = allowed_values

    @property
    def values(self) -> Sequence[Any]:
        """The values that the judge may name."""
        return tuple(self.allowed_values)

    async def ascore(self, llm: LlmLike | None = None, **fields: object) -> MetricResult:
        """Return the value for these fields, with the reason.

        Raises:
            InputError: There is no LLM, or a field of the prompt is not given.
        """
        judge = judge_from(llm or self.llm)
        if judge is None:
            raise InputError(f"{self.name!r} needs an LLM: `score(llm=llm, …)`")
        try:
            definition = self.prompt.format_map(fields)
        except KeyError as error:
            raise InputError(f"{self.name!r} needs {error} for its prompt") from None
        levels = tuple(Level(value=n, description=str(v)) for n, v in enumerate(self.values))
        request = GradeOf(criterion=self.name, definition=definition, levels=levels)
        grade = await judge.grade(request)
        return MetricResult(self.values[grade.level], grade.reason)


class NumericMetric(DiscreteMetric):
    """A number in a range, by a prompt of one's own: the least and the greatest are allowed."""

    @property
    def values(self) -> Sequence[Any]:
        """The values that the judge may name: whole numbers of a short range, or tenths of it."""
        if isinstance(self.allowed_values, range):
            return self.allowed_values
        low, high = self.allowed_values
        return [low + (high - low) * n / STEPS for n in range(STEPS + 1)]


class FunctionMetric(Scored):
    """A metric that a function of one's own computes.

    Args:
        function: Returns a value or a `MetricResult`; its arguments are checked by their types.
        name: What results are called.
        allowed_values: A list of the values, the least and the greatest number, or the length of
            a ranking; by default any.
    """

    def __init__(
        self, function: Callable[..., Any], name: str = "", allowed_values: Any = None
    ) -> None:
        self.function, self.name = function, name or function.__name__
        self.allowed_values = allowed_values
        self._fields = _fields_of(function)

    def __call__(self, *args: Any, **fields: Any) -> Any:
        """Call the function."""
        return self.function(*args, **fields)

    async def ascore(self, *args: Any, **fields: Any) -> MetricResult:
        """Return what the function returns for these fields.

        Returns:
            The value; `None`, with a reason, if it is not allowed, or the function failed.

        Raises:
            TypeError: A field is missing, is of another type, or is given without its name.
        """
        checked = self._checked(args, fields)
        try:
            value = self.function(**checked)
            return self._result(await value if inspect.isawaitable(value) else value)
        except Exception as error:  # noqa: BLE001 - a function may raise anything
            return self._failed(error)

    def score(self, *args: Any, **fields: Any) -> MetricResult:
        """Return what the function returns for these fields; see `ascore`."""
        if inspect.iscoroutinefunction(self.function):
            return super().score(*args, **fields)
        checked = self._checked(args, fields)
        try:
            return self._result(self.function(**checked))
        except Exception as error:  # noqa: BLE001 - a function may raise anything
            return self._failed(error)

    def _failed(self, error: Exception) -> MetricResult:
        return MetricResult(None, f"Error executing metric {self.name}: {error!r}")

    def _checked(self, args: Sequence[Any], fields: Mapping[str, Any]) -> dict[str, Any]:
        """Return the fields that the function takes, as their types have them."""
        names = self._fields.model_fields
        if args:
            usage = ", ".join(f"{n}={v!r}" for n, v in zip(names, args, strict=False))
            raise TypeError(
                f"{self.name!r} requires keyword arguments, not positional: write score({usage})"
            )
        if unknown := sorted(fields.keys() - names):
            warnings.warn(f"{self.name!r} received unknown arguments: {unknown}", stacklevel=3)
        try:
            checked = self._fields(**{n: v for n, v in fields.items() if n in names})
        except ValidationError as error:
            lines = [f"{each['loc'][0]}: {each['msg']}" for each in error.errors()]
            raise TypeError(f"Type validation errors for {self.name}: {'; '.join(lines)}") from None
        return {name: getattr(checked, name) for name in names}

    def _result(self, value: Any) -> MetricResult:
        result = value if isinstance(value, MetricResult) else MetricResult(value)
        allowed, value = self.allowed_values, result.value
        if isinstance(allowed, range | tuple) and isinstance(value, int | float):
            if not min(allowed) <= value <= max(allowed):
                return MetricResult(None, f"got {value!r}, expected value in range {allowed}")
        elif isinstance(allowed, list) and value not in allowed:
            return MetricResult(None, f"got {value!r}, expected one of {allowed}")
        elif isinstance(allowed, int) and len(value) != allowed:
            return MetricResult(None, f"got {value!r}, expected {allowed} items")
        return result


def _fields_of(function: Callable[..., Any]) -> type[BaseModel]:
    """Return the arguments of a function as a model; one that may be `None` may be left out."""
    fields: dict[str, Any] = {}
    for name, parameter in inspect.signature(function, eval_str=True).parameters.items():
        kind = Any if parameter.annotation is parameter.empty else parameter.annotation
        default = None if type(None) in get_args(kind) else ...
        if parameter.kind is not parameter.VAR_KEYWORD:
            optional = parameter.default is not parameter.empty
            fields[name] = (kind, parameter.default if optional else default)
    config = ConfigDict(arbitrary_types_allowed=True, protected_namespaces=())
    return create_model(function.__name__, __config__=config, **fields)


def metric_of_function(
    *, name: str = "", allowed_values: Any = None, **ignored: object
) -> Callable[..., FunctionMetric]:
    """Return a decorator that makes a metric of a function; see `FunctionMetric`."""
    del ignored
    return lambda function: FunctionMetric(function, name, allowed_values)


class Dataset(list[Any]):
    """Rows with a name, stored as CSV in the folder `datasets` of `root_dir`."""

    folder = "datasets"

    def __init__(
        self, name: str = "", backend: str = "", root_dir: str = ".", rows: Iterable[Any] = ()
    ) -> None:
        super().__init__(rows)
        del backend
        self.name, self.path = name, Path(root_dir, self.folder, f"{name}.csv")

    def save(self) -> None:
        """Write the rows."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with self.path.open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, list(dict.fromkeys(key for row in self for key in row)))
            writer.writeheader()
            writer.writerows(self)

    @classmethod
    def load(cls, name: str, backend: str = "", root_dir: str = ".") -> "Dataset":
        """Read the rows, texts all of them."""
        dataset = cls(name, backend, root_dir)
        with dataset.path.open(encoding="utf-8", newline="") as file:
            dataset.extend(csv.DictReader(file))
        return dataset


def experiment(*args: object, **ignored: object) -> Callable[[Any], Any]:
    """Return a decorator by which a function has `arun`: what it returns for each row."""
    del args, ignored

    def with_arun(function: Any) -> Any:
        async def arun(dataset: Iterable[Any], *args: Any, name: str = "experiment") -> Dataset:
            return Dataset(name, rows=await asyncio.gather(*(function(r, *args) for r in dataset)))

        function.arun = arun
        return function

    return with_arun
