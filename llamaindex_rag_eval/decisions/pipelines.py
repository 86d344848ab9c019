"""Pipelines: the runs of engines, of answers and of runs that lack a metric, scored for comparing.

This is the part of a comparison that asks engines and judges; finished runs do not need it.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from itertools import product
from pathlib import Path
from typing import TypeVar

from llamaindex_rag_eval.data.dataset import EvaluationDataset, HasSamples
from llamaindex_rag_eval.data.sample import Sample
from llamaindex_rag_eval.decisions.pairing import has_metrics
from llamaindex_rag_eval.engines.runner import Engine, arun
from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.judge import Judge, JudgeLike, judge_of
from llamaindex_rag_eval.metrics.base import BaseMetric
from llamaindex_rag_eval.metrics.registry import DEFAULT_METRICS
from llamaindex_rag_eval.models.voting import votable
from llamaindex_rag_eval.runs.evaluate import aevaluate
from llamaindex_rag_eval.runs.run import Run

Questions = HasSamples | Iterable[Sample]

Pipelines = Mapping[str, Engine | Run | EvaluationDataset]
"""Name -> a query engine, a retriever, …; or its answers; or the run that scored them."""

PipelineProgress = Callable[[str, int, int], None]
"""Called with a pipeline's name, how many of its results there are, and how many there will be."""

RepeatJudge = Callable[[int], JudgeLike]
"""Called with the number of a judging, from 1; returns the judge of that judging."""

EngineT = TypeVar("EngineT")


def grid(
    makers: Mapping[str, Callable[..., EngineT]], **settings: Sequence[object]
) -> dict[str, EngineT]:
    """Return an engine for each combination of settings, by name, as `compare` takes them.

        bm25 = partial(BM25Retriever.from_defaults, nodes=nodes)
        grid({"bm25": bm25, "dense": index.as_retriever}, similarity_top_k=[2, 5, 10])

    Args:
        makers: Name -> function that makes an engine, or a retriever, of the settings as keywords.
        settings: Setting -> the values it takes.

    Returns:
        Name with settings -> engine: makers in their order, the last setting changing fastest.

    Raises:
        InputError: There is no maker, or a setting has no value.

    Example:
        >>> list(grid({"bm25": lambda top_k: str}, top_k=[2, 5]))
        ['bm25 top_k=2', 'bm25 top_k=5']
    """
    if not makers:
        raise InputError("a grid needs at least a maker of engines")
    chosen = combinations(settings)
    return {
        f"{name} {text}".rstrip(): make(**parameters)
        for name, make in makers.items()
        for text, parameters in chosen.items()
    }


def combinations(settings: Mapping[str, Sequence[object]]) -> dict[str, dict[str, object]]:
    """Return every combination of values by its name, the last setting changing fastest.

    Raises:
        InputError: A setting has no value, or two combinations have one name.

    Example:
        >>> list(combinations({"chunk_size": [256, 512], "top_k": [5]}))
        ['chunk_size=256 top_k=5', 'chunk_size=512 top_k=5']
    """
    empty = [key for key, values in settings.items() if not values]
    if empty:
        raise InputError(f"a grid needs at least a value of {empty[0]!r}")
    found: dict[str, dict[str, object]] = {}
    for values in product(*settings.values()):
        chosen = dict(zip(settings, values, strict=True))
        name = " ".join(f"{key}={value}" for key, value in chosen.items())
        if name in found:
            raise InputError(f"a grid has {name!r} twice")
        found[name] = chosen
    return found


async def score_pipelines(
    pipelines: Pipelines,
    golden: Questions | None = None,
    *,
    metrics: Sequence[BaseMetric | str] | None = None,
    judge: JudgeLike | RepeatJudge | None = None,
    repeats: int = 1,
    out: str | Path | None = None,
    workers: int | None = None,
    progress: PipelineProgress | None = None,
) -> dict[str, list[Run]]:
    """Return the runs of each pipeline, one a judging; see `compare` for the arguments.

    Engines are asked, answers are scored. A run that has the metrics is taken as it is; the
    answers of one that lacks a metric are scored again.

    Raises:
        InputError: An engine comes without questions; `repeats` is above 1 and the judge always
            answers the same.
        NeedsModelError: A metric needs an LLM, and the judge is rules.
        OutputError: `out` cannot be written.
    """
    questions = None if golden is None else EvaluationDataset.of(golden)
    wanted, judges = metrics or _metrics_of(pipelines), judges_of(judge, repeats)
    runs: dict[str, list[Run]] = {}
    # One pipeline after the other: their latencies are measured without each other's load.
    for name, pipeline in pipelines.items():
        if isinstance(pipeline, Run) and repeats == 1 and has_metrics(pipeline, metrics):
            runs[name] = [pipeline.named(name)]
            continue
        stem = None if out is None else Path(out) / _stem(name, list(pipelines))
        answers = await _answers(name, pipeline, questions, stem)
        runs[name] = [
            await aevaluate(
                answers,
                metrics=wanted,
                judge=one,
                out=_file(stem, number),
                workers=workers,
                name=name,
                progress=None if progress is None else partial(progress, name),
            )
            for number, one in enumerate(judges, start=1)
        ]
    return runs


def _metrics_of(pipelines: Pipelines) -> Sequence[BaseMetric | str]:
    """Return the metrics of the first run among the pipelines, or the default ones."""
    runs = [pipeline for pipeline in pipelines.values() if isinstance(pipeline, Run)]
    return tuple(info.spec for info in runs[0].metrics) if runs else DEFAULT_METRICS


def judges_of(judge: JudgeLike | RepeatJudge | None, repeats: int) -> list[JudgeLike]:
    """Return a judge for each judging, which answers independently of the others.

    Raises:
        InputError: There are several judgings, and the judge always answers the same.
    """
    if callable(judge):
        return [judge(number) for number in range(1, repeats + 1)]
    shared = judge_of(judge)
    if repeats == 1:
        return [shared]
    oracle = votable(shared.oracle)
    return [Judge(oracle.voter(number)) for number in range(1, repeats + 1)]


async def _answers(
    name: str,
    pipeline: Engine | Run | EvaluationDataset,
    questions: EvaluationDataset | None,
    stem: Path | None,
) -> EvaluationDataset:
    if isinstance(pipeline, EvaluationDataset):
        return pipeline
    if isinstance(pipeline, Run):
        return EvaluationDataset.of(pipeline.samples)
    if questions is None:
        raise InputError(f"the pipeline {name!r} needs questions to answer; give a golden set")
    out = None if stem is None else Path(f"{stem}.answers.jsonl")
    return await arun(pipeline, questions, out=out)


def _stem(name: str, names: Sequence[str]) -> str:
    """Return the name of a pipeline's files: numbered, as names may differ in a sign alone."""
    return f"{names.index(name) + 1}-{plain_name(name)}"


def plain_name(name: str) -> str:
    """Return a name as part of a file's name.

    Example:
        >>> plain_name("bm25 top_k=5/../x")
        'bm25-top_k=5-..-x'
    """
    return re.sub(r"[^\w=.-]+", "-", name).strip("-.")[:60]


def _file(stem: Path | None, number: int) -> Path | None:
    if stem is None:
        return None
    return Path(f"{stem}.jsonl" if number == 1 else f"{stem}.judging-{number}.jsonl")
