"""`rag-eval golden card`: the data card of a golden set as it is now."""

import sys
from pathlib import Path

from llamaindex_rag_eval.cli.console import printer
from llamaindex_rag_eval.cli.inputs import card_in
from llamaindex_rag_eval.cli.options import OptionalOut
from llamaindex_rag_eval.cli.paths import writable


def card_command(golden: Path, /, *, out: OptionalOut = None) -> None:
    """Describe a golden set: its data card.

    It says what the set contains, what reviewers decided, and what it can measure. What is
    known from its generation only (rejected questions, cells not filled, cost) is included if
    the file `.account.json` that `rag-eval generate` wrote is beside it.

    Args:
        golden: The golden set.
        out: Write it here; by default it is printed.
    """
    card = card_in(golden)
    if out is None:
        sys.stdout.write(card)
        return
    writable(out).write_text(card, encoding="utf-8")
    printer.show(f"Data card in {out}.")
