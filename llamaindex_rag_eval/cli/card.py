"""`rag-eval card`: the data card of a golden set as it is now."""

from pathlib import Path
from typing import Annotated

import typer

from llamaindex_rag_eval.cli.cards import card_of
from llamaindex_rag_eval.cli.options import Quiet
from llamaindex_rag_eval.cli.outputs import writable
from llamaindex_rag_eval.cli.screen import Screen

__all__ = ["card_command"]


def card_command(
    golden: Annotated[Path, typer.Argument(help="The golden set.")],
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="Write it here; by default it is printed.")
    ] = None,
    quiet: Quiet = False,
) -> None:
    """Tell what a golden set is made of, what reviewers said of it, and what it can measure.

    What only its generation knew (rejected questions, cells not filled, cost) is told if the file
    `.account.json` that `rag-eval generate` wrote is beside it.
    """
    card = card_of(golden)
    if out is None:
        typer.echo(card, nl=False)
        return
    writable(out).write_text(card, encoding="utf-8")
    Screen(quiet=quiet).show(f"Data card in {out}.")
