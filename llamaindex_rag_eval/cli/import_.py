"""`rag-eval golden import`: another tool's file as a golden set."""

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

import testset
from llamaindex_rag_eval.cli import library
from llamaindex_rag_eval.cli.console import printer
from llamaindex_rag_eval.cli.options import GoldenDocuments, Out
from llamaindex_rag_eval.cli.paths import writable
from testset.formats import IMPORT_FORMATS

SHOWN = 10
"""Ids of questions that are printed; `--json` has all."""


def import_command(
    path: Path,
    /,
    *,
    source: Annotated[
        str, Parameter(name="--from", metavar="FORMAT", help=f"{', '.join(IMPORT_FORMATS)}.")
    ],
    out: Out = Path("golden.jsonl"),
    documents: GoldenDocuments = GoldenDocuments(),
) -> None:
    """Read a golden set from the format of another tool.

    Gold spans are places in documents: give the documents if the file holds contexts, unless it
    was exported from here with their places in it. Columns that are not understood are named. With
    documents, items also get the difficulty and the split that they lack.

    Args:
        path: The file; a folder for autorag and beir.
        out: The golden set to write, JSON Lines.
    """
    writable(out)
    corpus = documents.corpus()
    imported = testset.import_golden(path, source=source, corpus=corpus)  # type: ignore[arg-type]  # from the user, checked there
    golden = imported.golden
    if corpus is not None:
        golden = library.with_missing_fields(golden, corpus)
    golden.write(out)
    if imported.unplaced:
        which = ", ".join(imported.unplaced[:SHOWN]) + (" …" if imported.unplaced[SHOWN:] else "")
        printer.note(f"{len(imported.unplaced)} questions have contexts in no document: {which}")
    if imported.unknown:
        printer.note(
            f"Columns without a place in a golden set, left out: {', '.join(imported.unknown)}"
        )
    printer.data(
        {
            "golden": str(out),
            "items": len(golden),
            "unplaced": list(imported.unplaced),
            "left_out": imported.twins,
            "unknown_columns": list(imported.unknown),
        }
    )
    printer.show(f"{len(golden)} questions in {out}.")
