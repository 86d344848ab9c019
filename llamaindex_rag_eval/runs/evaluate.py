"""Evaluate samples on metrics: concurrent, isolated from failures, streamed to disk, resumable."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias, cast, overload

from llamaindex_rag_eval._sync import run_sync
from llamaindex_rag_eval.data.dataset import EvaluationDataset, HasSamples
from llamaindex_rag_eval.data.sample import Sample
from llamaindex_rag_eval.errors import InputError, MissingFieldError, NeedsModelError
from llamaindex_rag_eval.judge import Judge, JudgeLike, judge_of
from llamaindex_rag_eval.metrics.base import BaseMetric
from llamaindex_rag_eval.metrics.registry import DEFAULT_METRICS, metric_of
from llamaindex_rag_eval.models import Usage
from llamaindex_rag_eval.models.dry_run import dry_run_of
from llamaindex_rag_eval.runs.evaluator import Evaluator, Progress, usages_of
from llamaindex_rag_eval.runs.known import KnownResults
from llamaindex_rag_eval.runs.replies import keeping_replies, replies_file
from llamaindex_rag_eval.runs.run import Run
from llamaindex_rag_eval.runs.shard import SAMPLES_IN_FLIGHT

if TYPE_CHECKING:
    from llamaindex_rag_eval.engines.engine import Engine
    from llamaindex_rag_eval.runs.folder import RunFolder

Questions: TypeAlias = EvaluationDataset | HasSamples | Iterable[Sample]

Target: TypeAlias = "Engine | EvaluationDataset | HasSamples | Iterable[Sample]"


@overload
def evaluate(
    target: Target,
    golden: Questions | None = None,
    *,
    metrics: Sequence[BaseMetric | str] = DEFAULT_METRICS,
    judge: JudgeLike | None = None,
    concurrency: int = SAMPLES_IN_FLIGHT,
    workers: int | None = None,
    out: str | Path | None = None,
    cache: bool = True,
    name: str = "",
    progress: Progress | None = None,
) -> Run: ...


@overload
def evaluate(
    target: "str | Path | Questions",
    *,
    metrics: Sequence[BaseMetric | str] = DEFAULT_METRICS,
    judge: JudgeLike | None = None,
    concurrency: int = SAMPLES_IN_FLIGHT,
    workers: int | None = None,
    out: str | Path,
    cache: bool = True,
    name: str = "",
    progress: Progress | None = None,
    on: str,
) -> "RunFolder": ...


def evaluate(
    target: "Target | str | Path",
    golden: Questions | None = None,
    *,
    metrics: Sequence[BaseMetric | str] = DEFAULT_METRICS,
    judge: JudgeLike | None = None,
    concurrency: int = SAMPLES_IN_FLIGHT,
    workers: int | None = None,
    out: str | Path | None = None,
    cache: bool = True,
    name: str = "",
    progress: Progress | None = None,
    on: str | None = None,
) -> "Run | RunFolder":
    """Score a query engine on a golden set, or samples that hold their answers already.

    Args:
        target: A query engine, retriever or chat engine, to be run over `golden`; or, without
            `golden`, samples with their answers.
        golden: The questions.
        metrics: Metrics, or their names, as `"ndcg@10"`.
        judge: The judge of metrics that have none of their own.
        concurrency: Samples evaluated at a time.
        workers: Processes that samples are spread over; results are the same for any number. By
            default as many as there are cores, if rules have work for more than some seconds. A
            model is asked by one, and by up to four if calls keep a core busy and nobody listens to
            LlamaIndex's events: its limits, and so its budget, hold for all of them together. They
            share its replies if a store keeps them. Metrics that cannot be sent to another process
            stay in this one, and a warning says why.
        out: A JSON Lines file that results are written to as they come. Results that it holds
            already for the same sample, metric and judge are reused, so that a killed run
            continues where it stopped. The answers of a query engine are written beside it, to
            `….answers.jsonl`.
        cache: Keep the replies of a model beside `out`, in `….replies.db`, if its judge has no
            store: a run that was killed, or is made again, pays for none of them twice.
        name: The name of the run.
        progress: Called after every result; on Ray, after every block.
        on: `ray` or `ray://host:port`, to score on a Ray cluster: `target` is then samples, or the
            Parquet, JSON Lines or CSV files of them at a path or URI; `out` is a folder, which
            Parquet files are written to, and `workers` the number of actors. Judges may be models.

    Returns:
        A run with a result for every sample and metric; on Ray, its folder. An exception is a
        failed result with its reason, and does not affect the others.

    Raises:
        NeedsModelError: A metric needs an LLM, and the judge answers by rules.
        MissingFieldError: No sample has a field that a metric needs.
        InputError: There are no samples or no metrics, a metric is unknown, or `workers` is above 1
            and a judge asks by batch files.
        OutputError: `out` cannot be written, or the store of a judge not be opened.
    """
    if on is not None:
        from llamaindex_rag_eval.runs.on_ray.evaluate import evaluate_on_ray

        if golden is not None or out is None:
            raise InputError("on= scores answers and needs out=, a folder; ask engines first")
        return evaluate_on_ray(
            target if isinstance(target, str | Path) else EvaluationDataset.of(target),
            metrics_with_judge(metrics, judge),
            out=out,
            on=on,
            workers=workers,
            concurrency=concurrency,
            cache=cache,
            name=name,
            progress=progress,
        )
    return run_sync(
        aevaluate(
            cast("Target", target),
            golden,
            metrics=metrics,
            judge=judge,
            concurrency=concurrency,
            workers=workers,
            out=out,
            cache=cache,
            name=name,
            progress=progress,
        )
    )


async def aevaluate(
    target: Target,
    golden: Questions | None = None,
    *,
    metrics: Sequence[BaseMetric | str] = DEFAULT_METRICS,
    judge: JudgeLike | None = None,
    concurrency: int = SAMPLES_IN_FLIGHT,
    workers: int | None = None,
    out: str | Path | None = None,
    cache: bool = True,
    name: str = "",
    known: KnownResults | None = None,
    progress: Progress | None = None,
) -> Run:
    """Score a query engine or samples; see `evaluate`.

    With `known`, results of other pipelines serve where the answer is the same.
    """
    chosen = metrics_with_judge(metrics, judge)
    if golden is None:
        samples = EvaluationDataset.of(target)
    else:
        # Imported here, so that evaluating or comparing answers needs nothing that asks engines.
        from llamaindex_rag_eval.engines.runner import arun

        answers = Path(out).with_suffix(".answers.jsonl") if out else None
        samples = await arun(cast("Engine", target), golden, out=answers)
    _require_fields(chosen, samples.samples)
    async with keeping_replies(chosen, replies_file(out) if out and cache else None) as kept:
        evaluator = Evaluator(samples, kept, out=Path(out) if out else None, name=name, known=known)
        return await evaluator.evaluate(concurrency=concurrency, workers=workers, progress=progress)


def estimate(
    samples: EvaluationDataset | HasSamples | Iterable[Sample],
    *,
    metrics: Sequence[BaseMetric | str] = DEFAULT_METRICS,
    judge: JudgeLike | None = None,
) -> Usage:
    """Return the calls, tokens and money that `evaluate` would spend, without spending any.

    The metrics run with answers by rule, and each request is counted as the call it would be.
    Requests that the judge's cache can answer are free. The usage of an embedded judge is empty,
    since rules cost nothing.

    Args:
        samples: The samples, with their answers.
        metrics: As for `evaluate`.
        judge: As for `evaluate`.

    Raises:
        InputError: As `evaluate`.
    """
    chosen = metrics_with_judge(metrics, judge)
    counters = usages_of(chosen)
    usage = Usage(counters[0].prices if counters else None)
    judges: dict[int, Judge] = {}
    counting = []
    for metric in chosen:
        own = metric.judge
        if id(own) not in judges:
            judges[id(own)] = Judge(dry_run_of(own.oracle, usage))
        counting.append(metric.replace_judge(judges[id(own)]))
    run_sync(Evaluator(EvaluationDataset.of(samples), counting).evaluate(workers=1))
    return usage


def metrics_with_judge(
    metrics: Sequence[BaseMetric | str], judge: JudgeLike | None
) -> list[BaseMetric]:
    """Return the metrics, each with its judge, after checking that the judge can answer it.

    Raises:
        InputError: There are none, one is unknown, or one is asked for twice.
        NeedsModelError: A metric needs an LLM, and the judge answers by rules.
    """
    if not metrics:
        raise InputError("expected at least one metric; `rag-eval metrics` lists them")
    shared = judge_of(judge)
    chosen = [(metric_of(m) if isinstance(m, str) else m).with_judge(shared) for m in metrics]
    specs = [metric.spec for metric in chosen]
    twice = sorted({spec for spec in specs if specs.count(spec) > 1})
    if twice:
        raise InputError(f"metric {twice[0]!r} is asked for twice; settings tell metrics apart")
    unanswerable = [metric.spec for metric in chosen if not metric.answerable()]
    if unanswerable:
        raise NeedsModelError(
            f"{', '.join(map(repr, unanswerable))} cannot be judged by rules; give an LLM, as in "
            "`judge=LLMOracle(llm)` or `--llm openai:gpt-4o-mini`, or leave them out"
        )
    return chosen


def _require_fields(metrics: Sequence[BaseMetric], samples: Sequence[Sample]) -> None:
    """Raise if there is no sample, or a metric lacks a field on every sample."""
    if not samples:
        raise InputError("expected at least one sample, got none")
    answered = [sample for sample in samples if not getattr(sample, "error", "")]
    for metric in metrics:
        if answered and all(metric.missing(sample) for sample in answered):
            missing = str(metric.missing(answered[0]))
            raise MissingFieldError(metric.spec, missing, sample_id=answered[0].id)
