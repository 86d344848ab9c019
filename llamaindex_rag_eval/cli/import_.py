"""`rag-eval import`: another tool's file as a golden set."""

from pathlib import Path
from typing import Annotated

from typer import Argument, Option

from llamaindex_rag_eval.cli import options
from llamaindex_rag_eval.cli.console import Printer
from llamaindex_rag_eval.cli.paths import writable
from testset.formats import IMPORT_FORMATS

GoldenOut = Annotated[Path, Option("--out", "-o", help="The golden set to write, JSON Lines.")]
ImportPath = Annotated[Path, Argument(help="The file; a folder for autorag and beir.")]
ImportFrom = Annotated[
    str, Option("--from", metavar="FORMAT", help=f"{', '.join(IMPORT_FORMATS)}.")
]

SHOWN = 10
"""Ids of questions that are printed; `--json` has all."""


def import_command(
    path: ImportPath,
    source: ImportFrom,
    out: GoldenOut = Path("golden.jsonl"),
    docs: options.GoldenDocs = None,
    as_json: options.AsJson = False,
    quiet: options.Quiet = False,
) -> None:
    """Read a golden set from the format of another tool.

    Gold spans are places in documents: give the documents if the file holds contexts, unless it
    was exported from here with their places in it. Columns that are not understood are named. With
    documents, items also get the difficulty and the split that they lack.
    """
    from testset import Corpus
    from testset.formats.exchange import import_golden, with_missing_fields

    printer = Printer(quiet=quiet, as_json=as_json)
    writable(out)
    corpus = Corpus.read(docs) if docs is not None else None
    found = import_golden(path, source=source, corpus=corpus)  # type: ignore[arg-type]  # from the user, checked there
    golden = found.golden if corpus is None else with_missing_fields(found.golden, corpus)
    golden.write(out)
    if found.unplaced:
        which = ", ".join(found.unplaced[:SHOWN]) + (" …" if found.unplaced[SHOWN:] else "")
        printer.note(f"{len(found.unplaced)} questions have contexts in no document: {which}")
    if found.unknown:
        printer.note(
            f"Columns without a place in a golden set, left out: {', '.join(found.unknown)}"
        )
    printer.data(
        {
            "golden": str(out),
            "items": len(golden),
            "unplaced": list(found.unplaced),
            "left_out": found.twins,
            "unknown_columns": list(found.unknown),
        }
    )
    printer.show(f"{len(golden)} questions in {out}.")
