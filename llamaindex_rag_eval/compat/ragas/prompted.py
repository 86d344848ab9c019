"""Metrics by a prompt or a function of one's own, and experiments, as ragas has them since 0.3.

Source: https://docs.ragas.io/en/stable/, "Metrics" and "Experimentation" of its core concepts.
"""

import asyncio
import csv
import inspect
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from llamaindex_rag_eval._sync import run_sync
from llamaindex_rag_eval.compat.models import LlmLike, judge_from
from llamaindex_rag_eval.compat.ragas.metric import MetricResult
from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.judge import GradeOf, Level

STEPS = 10
"""Parts of the range of a number, between which a judge names one."""


class DiscreteMetric:
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

    def score(self, llm: LlmLike | None = None, **fields: object) -> MetricResult:
        """Return the value for these fields; see `ascore`."""
        return run_sync(self.ascore(llm, **fields))


class NumericMetric(DiscreteMetric):
    """A number in a range, by a prompt of one's own: the least and the greatest are allowed."""

    @property
    def values(self) -> Sequence[Any]:
        """The values that the judge may name: whole numbers of a short range, or tenths of it."""
        if isinstance(self.allowed_values, range):
            return self.allowed_values
        low, high = self.allowed_values
        return [low + (high - low) * n / STEPS for n in range(STEPS + 1)]


class FunctionMetric:
    """A metric that a function of one's own computes."""

    def __init__(self, function: Callable[..., Any], name: str = "") -> None:
        self.function, self.name = function, name or function.__name__

    def __call__(self, *args: Any, **fields: Any) -> Any:
        """Call the function."""
        return self.function(*args, **fields)

    async def ascore(self, **fields: Any) -> MetricResult:
        """Return what the function returns for these fields."""
        value = self.function(**fields)
        return _result(await value if inspect.isawaitable(value) else value)

    def score(self, **fields: Any) -> MetricResult:
        """Return what the function returns for these fields; also inside a running loop."""
        if inspect.iscoroutinefunction(self.function):
            return run_sync(self.ascore(**fields))
        return _result(self.function(**fields))


def _result(value: Any) -> MetricResult:
    return value if isinstance(value, MetricResult) else MetricResult(value)


def metric_of_function(*, name: str = "", **ignored: object) -> Callable[..., FunctionMetric]:
    """Return a decorator that makes a metric of a function."""
    del ignored
    return lambda function: FunctionMetric(function, name)


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


class Experiment:
    """A function over the rows of a data set."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function = function

    def __call__(self, *args: Any, **options: Any) -> Any:
        """Call the function."""
        return self.function(*args, **options)

    async def arun(self, dataset: Iterable[Any], *args: Any, name: str = "") -> Dataset:
        """Return what the function returns for each row."""
        rows = await asyncio.gather(*(self.function(row, *args) for row in dataset))
        return Dataset(name or "experiment", rows=rows)


def experiment(*args: object, **ignored: object) -> Callable[[Callable[..., Any]], Experiment]:
    """Return a decorator that makes an experiment of a function."""
    del args, ignored
    return Experiment
