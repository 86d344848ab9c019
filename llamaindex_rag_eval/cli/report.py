"""`rag-eval report`: one run, or several compared, as one HTML file."""

from pathlib import Path
from typing import Annotated

import typer

from llamaindex_rag_eval.cli.cards import card_beside, card_of
from llamaindex_rag_eval.cli.options import AsJson, Quiet
from llamaindex_rag_eval.cli.outputs import writable
from llamaindex_rag_eval.cli.screen import Screen
from llamaindex_rag_eval.cli.stored import Store, run_at
from llamaindex_rag_eval.runs.store import DEFAULT_STORE

__all__ = ["report_command"]


def report_command(
    runs: Annotated[
        list[str],
        typer.Argument(
            metavar="RUN...",
            help="One run, or several to compare with the first: files (.jsonl) or kept runs.",
        ),
    ],
    out: Annotated[Path, typer.Option("--out", "-o", help="The report to write.")] = Path(
        "report.html"
    ),
    card: Annotated[
        Path | None,
        typer.Option(
            "--card",
            help="The golden set that was asked, or the data card that `generate --card` wrote. "
            "By default golden.jsonl beside the run, if it holds the questions.",
            show_default=False,
        ),
    ] = None,
    store: Store = str(DEFAULT_STORE),
    quiet: Quiet = False,
    as_json: AsJson = False,
) -> None:
    """Write a report that opens in any browser, without a server or a network.

    It shows the verdict, the scores with their intervals, and every question with its answer,
    its contexts, and the claims that were or were not supported; and of the golden set its data
    card.
    """
    screen = Screen(quiet=quiet, as_json=as_json)
    writable(out)
    from llamaindex_rag_eval.comparison.many_runs import Comparisons, told_apart
    from llamaindex_rag_eval.report.html import write_html

    found = [run_at(reference, store) for reference in runs]
    told = card_of(card) if card is not None else card_beside(runs[0], found[0])
    about = found[0] if len(found) == 1 else Comparisons.of(told_apart(found))
    write_html(about, out, card=told)
    screen.data({"report": str(out)})
    screen.show(f"Report in {out}: open it in a browser.")
