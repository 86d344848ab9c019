"""`rag-eval card`: the data card of a golden set as it is now."""

from pathlib import Path
from typing import Annotated

import typer
from typer import Option

from llamaindex_rag_eval.cli import options
from llamaindex_rag_eval.cli.console import Printer
from llamaindex_rag_eval.cli.inputs import card_in
from llamaindex_rag_eval.cli.paths import writable

CardFile = Annotated[
    Path | None, Option("--out", "-o", help="Write it here; by default it is printed.")
]


def card_command(
    golden: options.Golden,
    out: CardFile = None,
    quiet: options.Quiet = False,
) -> None:
    """Describe a golden set: what it contains, what reviewers decided, what it can measure.

    What is known from its generation only (rejected questions, cells not filled, cost) is
    included if the file `.account.json` that `rag-eval generate` wrote is beside it.
    """
    card = card_in(golden)
    if out is None:
        typer.echo(card, nl=False)
        return
    writable(out).write_text(card, encoding="utf-8")
    Printer(quiet=quiet).show(f"Data card in {out}.")
