"""The interface of DeepEval over our metrics: change the import lines, keep the rest.

    from llamaindex_rag_eval.compat.deepeval import AnswerRelevancyMetric, LLMTestCase, assert_test

    def test_answer():
        test_case = LLMTestCase(input="…", actual_output="…", retrieval_context=["…"])
        assert_test(test_case, [AnswerRelevancyMetric(threshold=0.7)])

Numbers differ where our formulas do: docs/from-deepeval.md says how.

Source: https://deepeval.com/docs/getting-started and the pages of its metrics for RAG.
"""

import asyncio
from collections.abc import Iterable, Sequence
from copy import copy
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from llamaindex_rag_eval._sync import run_sync
from llamaindex_rag_eval.compat.deepeval_case import (
    EvaluationDataset as EvaluationDataset,
    Golden as Golden,
    LLMTestCase as LLMTestCase,
    LLMTestCaseParams as LLMTestCaseParams,
    TestCase,
)
from llamaindex_rag_eval.compat.deepeval_metric import (
    DeepEvalMetric as DeepEvalMetric,
    GEval as GEval,
    OwnMetric,
    metric_named,
)
from llamaindex_rag_eval.compat.models import refuse
from llamaindex_rag_eval.runs.evaluate import evaluate as _evaluate

if TYPE_CHECKING:
    from llamaindex_rag_eval.runs.run import Run


@dataclass(frozen=True, slots=True)
class MetricData:
    """What one metric found on one test case, under DeepEval's names."""

    name: str
    threshold: float
    success: bool
    score: float | None
    reason: str | None
    strict_mode: bool
    error: str | None

    def __str__(self) -> str:
        score = "no score" if self.score is None else f"{self.score:.3g}"
        word = "passed" if self.success else "FAILED"
        return f"{word}: {self.name} is {score} (threshold {self.threshold:g}). {self.reason}"


@dataclass(frozen=True, slots=True)
class TestResult:
    """What all metrics found on one test case; it passes if all of them do."""

    __test__ = False  # pytest takes classes of this name for tests

    name: str
    success: bool
    metrics_data: tuple[MetricData, ...]
    test_case: TestCase

    @property
    def input(self) -> str:
        """The question."""
        return self.test_case.input

    @property
    def actual_output(self) -> str | None:
        """The answer."""
        return self.test_case.actual_output


@dataclass(frozen=True, slots=True)
class EvaluationResult:
    """What `evaluate` returns; printed, it is a line a metric.

    Attributes:
        test_results: One a test case.
        runs: All results as ours, with evidence, intervals and failures: for `to_csv`, `compare`.
    """

    test_results: tuple[TestResult, ...]
    runs: "tuple[Run, ...]"

    def __str__(self) -> str:
        passed = sum(result.success for result in self.test_results)
        lines = [f"{passed} of {len(self.test_results)} test cases passed"]
        for row in self.test_results:
            lines += [f"{row.name}: {row.input}", *(f"  {data}" for data in row.metrics_data)]
        return "\n".join(lines)


def assert_test(test_case: TestCase, metrics: Sequence[OwnMetric], run_async: bool = True) -> None:
    """Raise `AssertionError` with what was found if a test case does not pass a metric.

    Raises:
        AssertionError: It does not; a line a metric.
        MissingFieldError: The test case lacks a field.
        RagEvalError: A metric failed on it.
    """
    __tracebackhide__ = True
    del run_async  # metrics are always asked at the same time

    async def measure() -> None:
        await asyncio.gather(*(metric.a_measure(test_case) for metric in metrics))

    run_sync(measure())
    failed = [str(_data(metric)) for metric in metrics if not metric.is_successful()]
    if failed:
        raise AssertionError("\n".join(failed))


def evaluate(
    test_cases: Iterable[TestCase], metrics: Sequence[OwnMetric], **ignored: object
) -> EvaluationResult:
    """Score test cases.

    Args:
        test_cases: A list, or a data set.
        metrics: They are not changed: what they found is returned.
        ignored: Options of DeepEval's `evaluate` that change no score here.

    Raises:
        InputError: There is nothing to score, or an option is unknown.
        NeedsModelError: A metric needs an LLM and there is none.
        MissingFieldError: No test case has a field that a metric needs.
    """
    refuse("evaluate", ignored, "deepeval")
    cases = list(test_cases)
    groups = _groups([metric for metric in metrics if isinstance(metric, DeepEvalMetric)])
    runs = tuple(_run(group, cases) for group in groups)
    data: dict[int, list[MetricData]] = {
        id(metric): [_taken(metric, run, str(n)) for n in range(len(cases))]
        for group, run in zip(groups, runs, strict=True)
        for metric in group
    }
    own = (metric for metric in metrics if not isinstance(metric, DeepEvalMetric))
    data.update((id(metric), run_sync(_measured(metric, cases))) for metric in own)
    rows = [tuple(data[id(metric)][n] for metric in metrics) for n in range(len(cases))]
    results = tuple(
        TestResult(case.name or f"test_case_{n}", all(entry.success for entry in row), row, case)
        for n, (case, row) in enumerate(zip(cases, rows, strict=True))
    )
    return EvaluationResult(results, runs)


def _groups(metrics: Sequence[DeepEvalMetric]) -> list[list[DeepEvalMetric]]:
    """Return the metrics that can share a run: they see the same fields, under different specs."""
    groups: list[list[DeepEvalMetric]] = []
    for metric in metrics:
        for group in groups:
            known = {member.metric.spec for member in group}
            same = (group[0].fields, group[0].own_values) == (metric.fields, metric.own_values)
            if same and metric.metric.spec not in known:
                group.append(metric)
                break
        else:
            groups.append([metric])
    return groups


def _run(group: Sequence[DeepEvalMetric], test_cases: Sequence[TestCase]) -> "Run":
    """Return the results of metrics that share a run; the id of a sample is its number."""
    samples = map(group[0].sample_of, test_cases)
    numbered = [each.model_copy(update={"id": str(n)}) for n, each in enumerate(samples)]
    return _evaluate(numbered, metrics=[metric.ready() for metric in group])


async def _measured(metric: OwnMetric, test_cases: Iterable[TestCase]) -> list[MetricData]:
    """Return what a metric of one's own found on test cases."""
    rows = []
    for test_case in test_cases:
        own = copy(metric)
        try:
            await own.a_measure(test_case)
        except Exception as error:  # noqa: BLE001 - it may raise anything; the others go on
            own.success, own.error = False, repr(error)
        rows.append(_data(own))
    return rows


def _taken(metric: DeepEvalMetric, run: "Run", sample_id: str) -> MetricData:
    """Return what a run found on a sample, as the metric would after `measure`."""
    measured = copy(metric)
    result = run.result(sample_id, metric.metric.spec)
    if result is not None:
        measured.take(result)
    return _data(measured)


def _data(metric: OwnMetric) -> MetricData:
    return MetricData(
        name=metric.__name__,
        threshold=metric.threshold,
        success=metric.is_successful(),
        score=metric.score,
        reason=metric.reason,
        strict_mode=metric.strict_mode,
        error=metric.error,
    )


def __getattr__(name: str) -> Any:
    """Return DeepEval's metric of this name, as `FaithfulnessMetric`; see `metric_named`."""
    return metric_named(name)
