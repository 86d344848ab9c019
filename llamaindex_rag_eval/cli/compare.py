"""`rag-eval compare`: which pipeline is better than the baseline?"""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from llamaindex_rag_eval.cli import options
from llamaindex_rag_eval.cli.console import Printer
from llamaindex_rag_eval.cli.errors import exit_if_failed
from llamaindex_rag_eval.cli.inputs import judge_from, name_of, names_in, source_at
from llamaindex_rag_eval.cli.paths import writable
from llamaindex_rag_eval.errors import InputError

if TYPE_CHECKING:
    from rich.table import Table

    from llamaindex_rag_eval.comparison.comparison import Comparison
    from llamaindex_rag_eval.comparison.many_runs import Comparisons
    from llamaindex_rag_eval.data.dataset import EvaluationDataset
    from llamaindex_rag_eval.judge import Judge
    from llamaindex_rag_eval.runs.run import Run

__all__ = ["compare_command"]


def compare_command(
    runs: options.ComparedRuns,
    baseline: options.Baseline = None,
    metrics: options.Metrics = None,
    report: options.AlsoReport = None,
    clusters: options.Clusters = False,
    seed: options.Seed = 0,
    store: options.Store = options.STORE,
    llm: options.Llm = None,
    cache: options.Cache = None,
    quiet: options.Quiet = False,
    as_json: options.AsJson = False,
) -> None:
    """Compare two pipelines or more, question by question.

    For each metric: the means, the difference with its interval, a permutation test corrected
    for the number of metrics and pipelines, and how many questions are missing on either side.
    """
    from llamaindex_rag_eval.report.html import write_html

    printer = Printer(quiet=quiet, as_json=as_json)
    references = ([] if baseline is None else [baseline]) + [r for r in runs if r != baseline]
    if len(references) < 2:
        raise InputError(f"expected two runs or more, got {len(references)}")
    if report is not None:
        writable(report)
    judge = judge_from(llm, cache)
    sources = [(reference, source_at(reference, store)) for reference in references]
    scored = _scored(sources, names_in(metrics), judge, printer)
    compared = _compared(scored, clusters=clusters, seed=seed)
    if report is not None:
        write_html(compared, report)
    printer.data(compared.as_json())
    printer.show(_table(compared), *compared.verdict, *compared.notes)
    if report is not None:
        printer.show(f"Report in {report}.")
    exit_if_failed(printer, *scored)


def _scored(
    sources: "Sequence[tuple[str, Run | EvaluationDataset]]",
    metrics: tuple[str, ...],
    judge: "Judge | None",
    printer: Printer,
) -> "list[Run]":
    """Return runs with the same metrics, scoring what is not scored yet.

    Without `metrics`, answers are scored by those of the run beside them, or the default ones.
    """
    from llamaindex_rag_eval.metrics.registry import DEFAULT_METRICS
    from llamaindex_rag_eval.runs.evaluate import evaluate
    from llamaindex_rag_eval.runs.run import Run

    first = next((source for _, source in sources if isinstance(source, Run)), None)
    wanted = metrics or (tuple(info.spec for info in first.metrics) if first else DEFAULT_METRICS)
    runs = []
    for reference, source in sources:
        known = {info.spec for info in source.metrics} if isinstance(source, Run) else set()
        if isinstance(source, Run) and set(metrics) <= known:
            runs.append(source)
            continue
        name = source.name if isinstance(source, Run) else name_of(Path(reference))
        with printer.progress(f"scoring {name}") as progress:
            run = evaluate(
                source.samples, metrics=wanted, judge=judge, name=name, progress=progress
            )
        runs.append(run)
    return runs


def _compared(runs: "Sequence[Run]", *, clusters: bool, seed: int) -> "Comparison | Comparisons":
    from llamaindex_rag_eval.comparison.compare import compare
    from llamaindex_rag_eval.comparison.many_runs import Comparisons, told_apart

    if len(runs) == 2:
        return compare(*runs, clusters=clusters, seed=seed)
    return Comparisons.of(told_apart(runs), clusters=clusters, seed=seed)


def _table(compared: "Comparison | Comparisons") -> "Table":
    from llamaindex_rag_eval.comparison.many_runs import Comparisons
    from llamaindex_rag_eval.report.tables import comparison_table, comparisons_table

    if isinstance(compared, Comparisons):
        return comparisons_table(compared)
    return comparison_table(compared)
