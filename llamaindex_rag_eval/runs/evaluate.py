"""Evaluate samples on metrics: concurrent, isolated from failures, streamed to disk, resumable."""

import logging
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias, cast

from llamaindex_rag_eval._sync import synced
from llamaindex_rag_eval.data.dataset import EvaluationDataset, HasSamples, Samples
from llamaindex_rag_eval.data.sample import Sample
from llamaindex_rag_eval.errors import (
    InputError,
    MissingFieldError,
    NeedsModelError,
)
from llamaindex_rag_eval.judge import JudgeLike, judge_of
from llamaindex_rag_eval.metrics.base import BaseMetric
from llamaindex_rag_eval.metrics.registry import DEFAULT_METRICS, metric_from
from llamaindex_rag_eval.runs.evaluator import Evaluator, Progress
from llamaindex_rag_eval.runs.replies import keeping_replies, replies_file
from llamaindex_rag_eval.runs.run import Run
from llamaindex_rag_eval.runs.shard import SAMPLES_IN_FLIGHT

if TYPE_CHECKING:
    from llamaindex_rag_eval.engines.engine import Engine

logger = logging.getLogger(__name__)

Metrics: TypeAlias = Sequence[BaseMetric | str]

Target: TypeAlias = "Engine | Samples"


async def aevaluate(
    target: Target,
    golden: "Samples | Metrics | None" = None,
    *,
    metrics: Metrics = DEFAULT_METRICS,
    judge: JudgeLike | None = None,
    concurrency: int = SAMPLES_IN_FLIGHT,
    workers: int | None = None,
    out: str | Path | None = None,
    cache: bool = True,
    images: str | Path | None = None,
    name: str = "",
    progress: Progress | None = None,
) -> Run:
    """Score a query engine on a golden set, or samples that hold their answers already.

    Args:
        target: A query engine, retriever or chat engine, to be run over `golden`; or, without
            `golden`, samples with their answers: a data set, a frame of pandas, a data set of
            Hugging Face, rows, or columns.
        golden: The questions: a golden set, samples, or texts. Beside samples, the metrics.
        metrics: Metrics, or their names, as `"ndcg@10"`; by default those of `DEFAULT_METRICS` for
            which some sample has the fields.
        judge: The judge of metrics that have none of their own.
        concurrency: Samples evaluated at a time.
        workers: Processes that samples are spread over; results are the same for any number. By
            default as many as there are cores, if rules have work for more than some seconds; a
            model is asked by one. Its limits, and so its budget, hold for all of them together.
            They share its replies if a store keeps them. Metrics that cannot be sent to another
            process stay in this one, and a warning says why.
        out: A JSON Lines file that results are written to as they come. Results that it holds
            already of the same samples, metric and judge are reused, so that a killed run continues
            where it stopped. The answers of a query engine are written beside it, to
            `….answers.jsonl`.
        cache: Keep the replies of a model beside `out`, in `….replies.db`, if its judge has no
            store: a run that was killed, or is made again, pays for none of them twice.
        images: The folder that images may be read from which samples, or the nodes of an engine,
            name by their path. Without it none is read.
        name: The name of the run.
        progress: Called after every result.

    Returns:
        A run with a result for every sample and metric. An exception is a failed result with its
        reason, and does not affect the others.

    Raises:
        NeedsModelError: Every metric needs an LLM, and the judge answers by rules. If only some do,
            their results are failed, and a warning says so.
        MissingFieldError: No sample has a field that a metric needs.
        InputError: There are no samples or no metrics, a metric is unknown, or `workers` is above 1
            and a judge asks by batch files.
        OutputError: `out` cannot be written, or the store of a judge not be opened.
    """
    questions, metrics = _questions_and_metrics(target, golden, metrics)
    chosen = metrics_with_judge(metrics, judge, strict=False)
    if questions is None:
        samples = _answered(target)
    else:
        # Imported here, so that evaluating or comparing answers needs nothing that asks engines.
        from llamaindex_rag_eval.engines.runner import arun

        answers = Path(out).with_suffix(".answers.jsonl") if out else None
        samples = await arun(cast("Engine", target), EvaluationDataset.of(questions), out=answers)
    if images is not None:
        samples = samples.with_images(images)
    chosen = fitting(chosen, samples) if metrics is DEFAULT_METRICS else chosen
    require_fields(chosen, samples.samples)
    async with keeping_replies(chosen, replies_file(out) if out and cache else None) as kept:
        evaluator = Evaluator(samples, kept, out=Path(out) if out else None, name=name)
        return await evaluator.evaluate(concurrency=concurrency, workers=workers, progress=progress)


evaluate = synced(aevaluate)
"""Score a query engine or samples: `aevaluate`, with its arguments, where no `await` is."""


def metrics_with_judge(
    metrics: Metrics, judge: JudgeLike | None, *, strict: bool = True
) -> list[BaseMetric]:
    """Return the metrics, each with its judge, after checking that the judge can answer it.

    Raises:
        InputError: There are none, one is unknown, or one is asked for twice.
        NeedsModelError: A metric needs an LLM, and the judge answers by rules; unless `strict`,
            all of them do. Else a warning says which results will be failed.
    """
    if not metrics:
        raise InputError("expected at least one metric; `rag-eval more metrics` lists them")
    shared = judge_of(judge)
    chosen = [metric_from(metric).with_judge(shared) for metric in metrics]
    specs = [metric.spec for metric in chosen]
    twice = sorted({spec for spec in specs if specs.count(spec) > 1})
    if twice:
        raise InputError(f"metric {twice[0]!r} is asked for twice; settings tell metrics apart")
    unanswerable = [metric.spec for metric in chosen if not metric.answerable()]
    if unanswerable:
        sentence = (
            f"{', '.join(map(repr, unanswerable))} cannot be judged by rules; give an LLM, as in "
            "`judge=LLMOracle(llm)` or `--llm openai:gpt-4o-mini`, or leave them out"
        )
        if strict or len(unanswerable) == len(chosen):
            raise NeedsModelError(sentence)
        logger.warning("%s", sentence)
    return chosen


def _questions_and_metrics(
    target: Target, second: "Samples | Metrics | None", metrics: Metrics
) -> "tuple[Samples | None, Metrics]":
    """Return the questions, if there are any, and the metrics: the second argument is either."""
    if isinstance(second, list | tuple) and (
        not _is_engine(target) or any(isinstance(entry, BaseMetric | type) for entry in second)
    ):
        return None, cast("Metrics", second)
    return cast("Samples | None", second), metrics


def _answered(target: Target) -> EvaluationDataset:
    """Return the samples of a data set; refuse an engine."""
    if _is_engine(target):
        raise InputError(
            f"{type(target).__name__!r} is an engine, which has to be asked questions: write "
            "`evaluate(engine, questions, metrics=[…])`"
        )
    return EvaluationDataset.of(target)


def _is_engine(target: Target) -> bool:
    if isinstance(target, Sequence | Mapping | HasSamples):
        return False
    from llamaindex_rag_eval.engines.engine import is_engine

    return is_engine(target)


def fitting(metrics: list[BaseMetric], samples: EvaluationDataset) -> list[BaseMetric]:
    """Return the metrics for which some sample has the fields; all if there are none."""
    fitting = [m for m in metrics if not all(map(m.missing, samples.samples))]
    return fitting or metrics


def require_fields(metrics: Sequence[BaseMetric], samples: Iterable[Sample]) -> None:
    """Raise if there is no sample, or every sample lacks a field of a metric.

    Raises:
        InputError: There is no sample.
        MissingFieldError: Names all such metrics, and those that can be computed.
    """
    lacking = {metric.spec: metric for metric in metrics}
    fields: dict[str, str] = {}
    count, first = 0, ""
    for sample in samples:
        count += 1
        if sample.error:  # no answer, so that nothing tells what a data set lacks
            continue
        for spec, metric in [*lacking.items()]:
            field = metric.missing(sample)
            if field is None:
                del lacking[spec]
            else:
                first = first or sample.id
                fields.setdefault(spec, field)
    if not count:
        raise InputError("expected at least one sample, got none")
    if lacked := {spec: fields[spec] for spec in lacking if spec in fields}:
        needs = "; ".join(f"{spec!r} needs {field!r}" for spec, field in lacked.items())
        others = ",".join(metric.spec for metric in metrics if metric.spec not in lacked)
        hint = f"; the others can be computed: -m {others}" if others else ""
        sentence = f"{needs}; none of {count} samples has what is needed{hint}" if count > 1 else ""
        raise MissingFieldError(*next(iter(lacked.items())), sample_id=first, sentence=sentence)
