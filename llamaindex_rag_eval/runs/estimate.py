"""What an evaluation would cost: the metrics run, and each request is counted instead of asked."""

from collections.abc import Iterable

from llamaindex_rag_eval._sync import run_sync
from llamaindex_rag_eval.data.dataset import EvaluationDataset, Samples
from llamaindex_rag_eval.errors import EngineError, MissingFieldError
from llamaindex_rag_eval.judge import JudgeLike
from llamaindex_rag_eval.metrics.registry import DEFAULT_METRICS
from llamaindex_rag_eval.metrics.result import Result
from llamaindex_rag_eval.models import Usage
from llamaindex_rag_eval.models.dry_run import dry_run_of
from llamaindex_rag_eval.runs.evaluate import Metrics, aevaluate, fitting, metrics_with_judge
from llamaindex_rag_eval.runs.evaluator import usages_of


def estimate(
    samples: "Samples",
    *,
    metrics: Metrics = DEFAULT_METRICS,
    judge: JudgeLike | None = None,
) -> Usage:
    """Return the calls, tokens and money that `evaluate` would spend, without spending any.

    The metrics run with answers by rule, and each request is counted as the call it would be.
    Requests that the judge's cache can answer are free. The usage of an embedded judge is empty,
    since rules cost nothing. Where a metric fails in this rehearsal, as one whose request neither
    rules nor a stand-in answer, the count is the least there will be, and `uncounted` says why.

    Args:
        samples: The samples, with their answers.
        metrics: As for `evaluate`.
        judge: As for `evaluate`.

    Raises:
        InputError: As `evaluate`.
    """
    answered = EvaluationDataset.of(samples)
    chosen = metrics_with_judge(metrics, judge, strict=False)
    chosen = fitting(chosen, answered) if metrics is DEFAULT_METRICS else chosen
    counters = usages_of(chosen)
    usage = Usage(counters[0].prices if counters else None)
    judges = {
        id(judge): judge.over(dry_run_of(judge.oracle, usage))
        for metric in chosen
        for judge in metric.judges
    }
    counting = [metric.map_judges(lambda judge: judges[id(judge)]) for metric in chosen]
    run = run_sync(aevaluate(answered, metrics=counting, workers=1))
    asking = {metric.spec for metric in chosen if metric.answerable()}
    usage.uncounted = _unrehearsed(result for result in run.results if result.metric in asking)
    return usage


_CERTAIN = (MissingFieldError.__name__, EngineError.__name__)
"""Failures that a rehearsal shares with the run: no request follows them."""


def _unrehearsed(results: Iterable[Result]) -> str:
    """Return which metrics a rehearsal could not follow to their end, and why; else ""."""
    reasons: dict[str, str] = {}
    for result in results:
        known = result.error_type in _CERTAIN
        if result.status == "failed" and not known:
            reasons.setdefault(result.metric, result.reason)
    return "; ".join(
        f"what {metric!r} asks after this is not known: {reason}"
        for metric, reason in reasons.items()
    )
