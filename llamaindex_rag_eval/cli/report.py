"""`rag-eval report`: one run, or two compared, as one HTML file."""

from pathlib import Path
from typing import Annotated

import typer

from llamaindex_rag_eval.cli.options import AsJson, Quiet
from llamaindex_rag_eval.cli.outputs import writable
from llamaindex_rag_eval.cli.screen import Screen
from llamaindex_rag_eval.errors import InputError

__all__ = ["report_command"]


def report_command(
    runs: Annotated[list[Path], typer.Argument(help="One run, or two to compare (.jsonl).")],
    out: Annotated[Path, typer.Option("--out", "-o", help="The report to write.")] = Path(
        "report.html"
    ),
    quiet: Quiet = False,
    as_json: AsJson = False,
) -> None:
    """Write a report that opens in any browser, without a server or a network.

    It shows the verdict, the scores with their intervals, and every question with its answer,
    its contexts, and the claims that were or were not supported.
    """
    if len(runs) > 2:
        raise InputError(f"expected one or two runs, got {len(runs)}")
    screen = Screen(quiet=quiet, as_json=as_json)
    writable(out)
    from llamaindex_rag_eval.cli.sources import name_of
    from llamaindex_rag_eval.comparison import Comparison, compare
    from llamaindex_rag_eval.report.html import write_html
    from llamaindex_rag_eval.run import Run

    read = [Run.read(path) for path in runs]
    named = [run.named(run.name or name_of(path)) for run, path in zip(read, runs, strict=True)]
    subject: Run | Comparison = named[0] if len(named) == 1 else compare(*named)
    write_html(subject, out)
    screen.data({"report": str(out)})
    screen.show(f"Report in {out}: open it in a browser.")
