"""Pipelines: the runs of engines, of answers and of runs that lack a metric, scored for comparing.

This is the part of a comparison that asks engines and judges; finished runs are taken as they are.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from llamaindex_rag_eval.data.dataset import EvaluationDataset, HasSamples
from llamaindex_rag_eval.data.files import plain_name
from llamaindex_rag_eval.data.sample import Sample
from llamaindex_rag_eval.decisions.pairing import has_metrics
from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.judge import JudgeLike
from llamaindex_rag_eval.metrics.base import BaseMetric
from llamaindex_rag_eval.metrics.registry import DEFAULT_METRICS
from llamaindex_rag_eval.runs.evaluate import aevaluate
from llamaindex_rag_eval.runs.run import Run

if TYPE_CHECKING:  # finished runs are compared without what asks engines
    from llamaindex_rag_eval.engines.engine import Engine

Questions = HasSamples | Iterable[Sample]

Pipelines: TypeAlias = "Mapping[str, Engine | Run | EvaluationDataset]"
"""Name -> a query engine, a retriever, …; or its answers; or the run that scored them."""

PipelineProgress = Callable[[str, int, int], None]
"""Called with a pipeline's name, how many of its results there are, and how many there will be."""


async def score_pipelines(
    pipelines: Pipelines,
    golden: Questions | None = None,
    *,
    metrics: Sequence[BaseMetric | str] | None = None,
    judge: JudgeLike | None = None,
    out: str | Path | None = None,
    workers: int | None = None,
    progress: PipelineProgress | None = None,
) -> list[Run]:
    """Return the run of each pipeline; see `compare` for the arguments.

    Engines are asked, answers are scored. A run that has the metrics is taken as it is; the
    answers of one that lacks a metric are scored again.

    Raises:
        InputError: An engine comes without questions.
        NeedsModelError: A metric needs an LLM, and the judge is rules.
        OutputError: `out` cannot be written.
    """
    questions = None if golden is None else EvaluationDataset.of(golden)
    wanted, runs = metrics or _metrics_of(pipelines), list[Run]()
    # One pipeline after the other: their latencies are measured without each other's load.
    for position, (name, pipeline) in enumerate(pipelines.items(), start=1):
        if isinstance(pipeline, Run) and has_metrics(pipeline, metrics):
            runs.append(pipeline.named(name))
            continue
        # Numbered, as names may differ in a sign alone.
        stem = None if out is None else str(Path(out) / f"{position}-{plain_name(name)}")
        run = await aevaluate(
            await _answers(name, pipeline, questions, stem),
            metrics=wanted,
            judge=judge,
            out=None if stem is None else f"{stem}.jsonl",
            workers=workers,
            name=name,
            progress=None if progress is None else partial(progress, name),
        )
        runs.append(run)
    return runs


def _metrics_of(pipelines: Pipelines) -> Sequence[BaseMetric | str]:
    """Return the metrics of the first run among the pipelines, or the default ones."""
    runs = [pipeline for pipeline in pipelines.values() if isinstance(pipeline, Run)]
    return tuple(info.spec for info in runs[0].metrics) if runs else DEFAULT_METRICS


async def _answers(
    name: str,
    pipeline: "Engine | Run | EvaluationDataset",
    questions: EvaluationDataset | None,
    stem: str | None,
) -> EvaluationDataset:
    if isinstance(pipeline, EvaluationDataset):
        return pipeline
    if isinstance(pipeline, Run):
        return EvaluationDataset.of(pipeline.samples)
    if questions is None:
        raise InputError(f"the pipeline {name!r} needs questions to answer; give a golden set")
    from llamaindex_rag_eval.engines.runner import arun

    out = None if stem is None else f"{stem}.answers.jsonl"
    return await arun(pipeline, questions, out=out)
