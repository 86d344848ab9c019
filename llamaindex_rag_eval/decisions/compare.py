"""Comparing: which of several pipelines is better, and how certain is that?

compare({"bm25": engine_a, "dense": engine_b}, golden, metrics=["ndcg@10"])
"""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict, Unpack, overload

from llamaindex_rag_eval._sync import synced
from llamaindex_rag_eval.decisions.by_people import Labels
from llamaindex_rag_eval.decisions.comparison import Comparison
from llamaindex_rag_eval.decisions.comparisons import Comparisons, require_runs
from llamaindex_rag_eval.decisions.pairing import Pairing
from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.judge import JudgeLike
from llamaindex_rag_eval.metrics.base import BaseMetric
from llamaindex_rag_eval.runs.clusters import Clustering
from llamaindex_rag_eval.runs.run import Run

if TYPE_CHECKING:  # finished runs are compared without what asks engines
    from llamaindex_rag_eval.decisions.pipelines import PipelineProgress, Pipelines, Questions


class ComparisonOptions(TypedDict, total=False):
    """The options of `acompare`, which says what each is for."""

    metrics: Sequence[BaseMetric | str] | None
    judge: JudgeLike | None
    out: str | Path | None
    workers: int | None
    progress: "PipelineProgress | None"
    clusters: Clustering
    alpha: float
    primary: str
    labels: Labels | None


@overload
async def acompare(a: Run, b: Run, /, **options: Unpack[ComparisonOptions]) -> Comparison: ...


@overload
async def acompare(
    a: "Pipelines", b: "Questions | None" = None, /, **options: Unpack[ComparisonOptions]
) -> Comparisons: ...


async def acompare(
    a: "Run | Pipelines",
    b: "Run | Questions | None" = None,
    /,
    *,
    metrics: Sequence[BaseMetric | str] | None = None,
    judge: JudgeLike | None = None,
    out: str | Path | None = None,
    workers: int | None = None,
    progress: "PipelineProgress | None" = None,
    clusters: Clustering = "documents",
    alpha: float = 0.05,
    primary: str = "",
    labels: Labels | None = None,
) -> Comparison | Comparisons:
    """Compare pipelines question by question: two runs, or any number of pipelines by name.

        compare(run_a, run_b)
        compare({"bm25": engine_a, "dense": engine_b}, golden, metrics=["ndcg@10"])

    Args:
        a: The baseline run; or the pipelines by name, the baseline first: query engines,
            retrievers, chat engines, functions, answers, or runs that are scored already.
        b: The run that is compared with it: differences are `b - a`; or, for pipelines, the
            questions they are asked.
        metrics: The metrics to compare, or their names; p-values are corrected for no others. By
            default those that both runs have; for pipelines those of the first run among them,
            or else the default ones. A run among pipelines that lacks one is scored again.
        judge: The judge for metrics without a judge of their own.
        out: A folder for the answers and results, a file a pipeline; a killed comparison goes on
            from there.
        workers: Processes that score, as for `evaluate`.
        progress: Called after each result of a pipeline that is scored.
        clusters: `documents` takes questions that share a gold document, or a conversation, for
            one draw; `none` takes all for independent, which makes intervals too narrow where
            they are not.
        alpha: Up to which adjusted p-value a difference counts as shown.
        primary: The metric that decides (`Policy.primary`): four fifths of `alpha` are for it, so
            that it pays little for the number of others; by default `answer_verdict`, or else the
            first with a direction.
        labels: Labels by people, or their file: the metric that decides is compared as people would
            score it, if 20 answers or more of each run are labelled. What they say of all labelled
            metrics is in `Comparison.by_people`.

    Returns:
        For two runs, a contrast for each metric over the questions of both; p-values are corrected
        over the metrics. For pipelines, the same for each against the baseline, over the questions
        of all, corrected over metrics × pairs of pipelines. A question without a score on one side
        is counted as missing there, and `Contrast.bounds` say what it could change.

    Raises:
        InputError: They share no question or no metric; two runs do not both have one of
            `metrics`; there are fewer than two.
        NeedsModelError: A metric needs an LLM, and the judge is rules.
        OutputError: `out` cannot be written.
        DatasetError: The file of labels cannot be read.
    """
    if isinstance(a, Run):
        if not isinstance(b, Run):
            raise InputError(f"expected a second run, got {type(b).__name__}")
        pairs = [Pairing.of(a, b, metrics)]
        return Comparison.of_pairings(pairs, clusters, alpha, primary, labels)[0]
    if isinstance(b, Run):
        raise InputError("expected questions for the pipelines, got a run")
    require_runs(list(a))  # before anything is asked
    from llamaindex_rag_eval.decisions.pipelines import score_pipelines

    runs = await score_pipelines(
        a, b, metrics=metrics, judge=judge, out=out, workers=workers, progress=progress
    )
    return Comparisons.of(runs, clusters, alpha, primary, labels, metrics=metrics)


compare = synced(acompare)
"""Compare pipelines question by question: `acompare`, with its arguments, where no `await` is."""
