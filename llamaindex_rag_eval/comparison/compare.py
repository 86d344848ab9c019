"""Comparison: which of several pipelines is better, and how sure can one be?

Example: `compare({"bm25": engine_a, "dense": engine_b}, golden, metrics=["ndcg@10"])`.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import overload

from llamaindex_rag_eval._sync import run_sync
from llamaindex_rag_eval.calibration.stability import RepeatJudge, repeat_judge
from llamaindex_rag_eval.comparison.comparison import Comparison
from llamaindex_rag_eval.comparison.judge_noise import judge_noise
from llamaindex_rag_eval.comparison.many_runs import Comparisons
from llamaindex_rag_eval.data.dataset import EvaluationDataset, HasSamples
from llamaindex_rag_eval.data.sample import Sample
from llamaindex_rag_eval.engines.runner import Engine, arun
from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.judge import JudgeLike, judge_of
from llamaindex_rag_eval.metrics.base import BaseMetric
from llamaindex_rag_eval.metrics.registry import DEFAULT_METRICS
from llamaindex_rag_eval.runs.evaluate import aevaluate
from llamaindex_rag_eval.runs.run import Run

__all__ = ["acompare", "compare"]

Questions = HasSamples | Iterable[Sample]

Pipelines = Mapping[str, Engine | Run | EvaluationDataset]
"""Name -> a query engine, a retriever, …; or its answers; or the run that scored them."""


@overload
def compare(
    a: Run,
    b: Run,
    /,
    *,
    clusters: bool = False,
    alpha: float = 0.05,
    resamples: int | None = None,
    seed: int = 0,
) -> Comparison: ...


@overload
def compare(
    a: Pipelines,
    b: Questions | None = None,
    /,
    *,
    metrics: Sequence[BaseMetric | str] | None = None,
    judge: JudgeLike | RepeatJudge | None = None,
    repeats: int = 1,
    baseline: str = "",
    out: str | Path | None = None,
    clusters: bool = False,
    alpha: float = 0.05,
    resamples: int | None = None,
    seed: int = 0,
) -> Comparisons: ...


def compare(
    a: Run | Pipelines,
    b: Run | Questions | None = None,
    /,
    *,
    metrics: Sequence[BaseMetric | str] | None = None,
    judge: JudgeLike | RepeatJudge | None = None,
    repeats: int = 1,
    baseline: str = "",
    out: str | Path | None = None,
    clusters: bool = False,
    alpha: float = 0.05,
    resamples: int | None = None,
    seed: int = 0,
) -> Comparison | Comparisons:
    """Compare pipelines question by question: two runs, or any number of pipelines by name.

        compare(run_a, run_b)
        compare({"bm25": engine_a, "dense": engine_b}, golden, metrics=["ndcg@10"])

    Args:
        a: The baseline run; or the pipelines by name: query engines, retrievers, chat engines,
            functions, answers, or runs that are scored already. `grid` makes many.
        b: The run that is compared with it: differences are `b - a`; or, for pipelines, the
            questions they are asked.
        metrics: Metrics or their names, for pipelines that are not scored yet; those of a run
            among them by default, or else the default ones.
        judge: Who judges for metrics without a judge of their own.
        repeats: How often each answer is judged. From two on, the comparison says what part of
            each difference is the judge's mood; the first judging is what is compared.
        baseline: The name of the pipeline that the others are held against; the first by default.
        out: A folder for the answers and results, a file a pipeline; a killed comparison goes on
            from there.
        clusters: Take the questions on one document as one draw. Wider intervals, right where
            documents rather than questions were sampled.
        alpha: Up to which adjusted p-value a difference counts as shown.
        resamples: Draws of the bootstrap and signs of the permutation test; fewer are faster.
        seed: Same seed, same intervals and p-values.

    Returns:
        For two runs, a contrast for each metric of both, over the questions of both; p-values are
        corrected over the metrics. For pipelines, the same for each against the baseline, over
        the questions of all, corrected over metrics × pipelines. A question without a score on
        one side is counted as missing there, and `Contrast.bounds` say what it could change.

    Raises:
        InputError: They share no question or no metric; there are fewer than two; `repeats` is
            above 1 and the judge always answers the same.
        NeedsModelError: A metric needs an LLM, and the judge is rules.
        OutputError: `out` cannot be written.
    """
    if isinstance(a, Run):
        if not isinstance(b, Run):
            raise InputError(f"expected a second run, got {type(b).__name__}")
        return Comparison.of(a, b, clusters=clusters, alpha=alpha, resamples=resamples, seed=seed)
    if isinstance(b, Run):
        raise InputError("expected questions for the pipelines, got a run")
    return run_sync(
        acompare(
            a,
            b,
            metrics=metrics,
            judge=judge,
            repeats=repeats,
            baseline=baseline,
            out=out,
            clusters=clusters,
            alpha=alpha,
            resamples=resamples,
            seed=seed,
        )
    )


async def acompare(
    pipelines: Pipelines,
    golden: Questions | None = None,
    /,
    *,
    metrics: Sequence[BaseMetric | str] | None = None,
    judge: JudgeLike | RepeatJudge | None = None,
    repeats: int = 1,
    baseline: str = "",
    out: str | Path | None = None,
    clusters: bool = False,
    alpha: float = 0.05,
    resamples: int | None = None,
    seed: int = 0,
) -> Comparisons:
    """Compare pipelines by name; see `compare`."""
    if repeats < 1:
        raise InputError(f"repeats is {repeats}; expected 1 or more")
    if len(pipelines) < 2:
        raise InputError(f"expected two pipelines or more, got {len(pipelines)}")
    questions = None if golden is None else EvaluationDataset.of(golden)
    wanted, judges = metrics or _metrics_of(pipelines), _judges(judge, repeats)
    judged: dict[str, list[Run]] = {}
    # One pipeline after the other: their latencies are measured without each other's load.
    for name, pipeline in pipelines.items():
        if isinstance(pipeline, Run) and repeats == 1 and _has(pipeline, metrics):
            judged[name] = [pipeline.named(name)]
            continue
        stem = None if out is None else Path(out) / _stem(name, list(pipelines))
        answers = await _answers(name, pipeline, questions, stem)
        judged[name] = [
            await aevaluate(answers, metrics=wanted, judge=one, out=_file(stem, number), name=name)
            for number, one in enumerate(judges, start=1)
        ]
    found = Comparisons.of(
        [runs[0] for runs in judged.values()],
        baseline=baseline,
        clusters=clusters,
        alpha=alpha,
        resamples=resamples,
        seed=seed,
    )
    return found if repeats == 1 else _with_noise(found, judged)


def _with_noise(found: Comparisons, judged: Mapping[str, Sequence[Run]]) -> Comparisons:
    """Return the comparisons with what repeated judgings say of each difference."""
    return replace(
        found,
        pairs=tuple(
            replace(
                pair,
                noise=judge_noise(judged[pair.pairing.a.name], judged[pair.pairing.b.name]),
            )
            for pair in found.pairs
        ),
    )


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


def _judges(judge: JudgeLike | RepeatJudge | None, repeats: int) -> list[JudgeLike]:
    """Return a judge for each judging, independent of the others."""
    if callable(judge):
        return [judge(number) for number in range(1, repeats + 1)]
    shared = judge_of(judge)
    if repeats == 1:
        return [shared]
    repeat = repeat_judge(shared)
    return [repeat(number) for number in range(1, repeats + 1)]


def _metrics_of(pipelines: Pipelines) -> Sequence[BaseMetric | str]:
    """Return the metrics of the first run among the pipelines, or the default ones."""
    runs = [pipeline for pipeline in pipelines.values() if isinstance(pipeline, Run)]
    return tuple(info.spec for info in runs[0].metrics) if runs else DEFAULT_METRICS


def _has(run: Run, metrics: Sequence[BaseMetric | str] | None) -> bool:
    """Return whether a run needs no more scoring."""
    labels = {metric if isinstance(metric, str) else metric.spec for metric in metrics or ()}
    return labels <= {info.spec for info in run.metrics}


def _stem(name: str, names: Sequence[str]) -> str:
    """Return the name of a pipeline's files: numbered, as names may differ in a sign alone."""
    plain = re.sub(r"[^\w=.-]+", "-", name).strip("-.")[:60]
    return f"{names.index(name) + 1}-{plain}"


def _file(stem: Path | None, number: int) -> Path | None:
    if stem is None:
        return None
    return Path(f"{stem}.jsonl" if number == 1 else f"{stem}.judging-{number}.jsonl")
