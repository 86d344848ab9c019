"""`rag-eval compare`: which pipeline is better than the baseline?"""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from llamaindex_rag_eval.cli.evaluate import leave_if_failed
from llamaindex_rag_eval.cli.judging import judge_from
from llamaindex_rag_eval.cli.options import AsJson, Cache, Llm, Metrics, Quiet
from llamaindex_rag_eval.cli.outputs import writable
from llamaindex_rag_eval.cli.screen import Screen
from llamaindex_rag_eval.cli.stored import Store
from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.runs.store import DEFAULT_STORE

if TYPE_CHECKING:
    from rich.table import Table

    from llamaindex_rag_eval.comparison.comparison import Comparison
    from llamaindex_rag_eval.comparison.many_runs import Comparisons
    from llamaindex_rag_eval.runs.run import Run

__all__ = ["compare_command"]


def compare_command(
    runs: Annotated[
        list[str],
        typer.Argument(
            metavar="RUN...",
            help="The baseline, then what is compared with it: files of answers or of runs; or "
            "kept runs: last, last~1, a name, a tag or an id.",
        ),
    ],
    baseline: Annotated[
        str | None,
        typer.Option("--baseline", "-b", metavar="RUN", help="The baseline, if not the first."),
    ] = None,
    metrics: Metrics = None,
    report: Annotated[
        Path | None, typer.Option("--report", "-r", help="Also write an HTML report.")
    ] = None,
    clusters: Annotated[
        bool, typer.Option("--clusters", help="Count questions on one document as one draw.")
    ] = False,
    seed: Annotated[int, typer.Option("--seed", help="Same seed, same intervals.")] = 0,
    store: Store = str(DEFAULT_STORE),
    llm: Llm = None,
    cache: Cache = None,
    quiet: Quiet = False,
    as_json: AsJson = False,
) -> None:
    """Compare two pipelines or more, question by question.

    For each metric: the means, the difference with its interval, a permutation test corrected
    for the number of metrics and pipelines, and how many questions are missing on either side.
    """
    from llamaindex_rag_eval.cli.sources import scored_runs
    from llamaindex_rag_eval.report.html import write_html

    screen = Screen(quiet=quiet, as_json=as_json)
    references = ([] if baseline is None else [baseline]) + [r for r in runs if r != baseline]
    if len(references) < 2:
        raise InputError(f"expected two runs or more, got {len(references)}")
    if report is not None:
        writable(report)
    judge = judge_from(llm, cache)
    scored = scored_runs(references, metrics=metrics, judge=judge, screen=screen, store=store)
    compared = _compared(scored, clusters=clusters, seed=seed)
    if report is not None:
        write_html(compared, report)
    screen.data(compared.as_json())
    screen.show(_table(compared), *compared.verdict, *compared.notes)
    if report is not None:
        screen.show(f"Report in {report}.")
    leave_if_failed(screen, *scored)


def _compared(runs: "tuple[Run, ...]", *, clusters: bool, seed: int) -> "Comparison | Comparisons":
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
