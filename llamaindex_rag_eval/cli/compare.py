"""`rag-eval compare`: is the second pipeline better than the first?"""

from pathlib import Path
from typing import Annotated

import typer

from llamaindex_rag_eval.cli.evaluate import leave_if_failed
from llamaindex_rag_eval.cli.judging import judge_from
from llamaindex_rag_eval.cli.options import AsJson, Cache, Llm, Metrics, Quiet
from llamaindex_rag_eval.cli.outputs import writable
from llamaindex_rag_eval.cli.screen import Screen

__all__ = ["compare_command"]


def compare_command(
    a: Annotated[Path, typer.Argument(help="The baseline: answers, or a run that scored them.")],
    b: Annotated[Path, typer.Argument(help="What is compared with it.")],
    metrics: Metrics = None,
    report: Annotated[
        Path | None, typer.Option("--report", "-r", help="Also write an HTML report.")
    ] = None,
    clusters: Annotated[
        bool, typer.Option("--clusters", help="Count questions on one document as one draw.")
    ] = False,
    seed: Annotated[int, typer.Option("--seed", help="Same seed, same intervals.")] = 0,
    llm: Llm = None,
    cache: Cache = None,
    quiet: Quiet = False,
    as_json: AsJson = False,
) -> None:
    """Compare two pipelines question by question.

    For each metric: both means, the difference with its interval, a permutation test corrected
    for the number of metrics, and how many questions are missing on either side.
    """
    from llamaindex_rag_eval.cli.sources import scored_pair
    from llamaindex_rag_eval.comparison import compare
    from llamaindex_rag_eval.report.console import comparison_table
    from llamaindex_rag_eval.report.html import write_html

    screen = Screen(quiet=quiet, as_json=as_json)
    if report is not None:
        writable(report)
    judge = judge_from(llm, cache)
    runs = scored_pair((a, b), metrics=metrics, judge=judge, screen=screen)
    comparison = compare(*runs, clusters=clusters, seed=seed)
    if report is not None:
        write_html(comparison, report)
    screen.data(comparison.as_json())
    screen.show(comparison_table(comparison), *comparison.verdict, *comparison.notes)
    if report is not None:
        screen.show(f"Report in {report}.")
    leave_if_failed(screen, *runs)
