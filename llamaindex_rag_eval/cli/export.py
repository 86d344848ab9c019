"""`rag-eval export`: a golden set for another tool."""

from pathlib import Path
from typing import Annotated

from typer import Option

from llamaindex_rag_eval.cli import options
from llamaindex_rag_eval.cli.console import Printer
from testset.formats import EXPORT_FORMATS

ExportTo = Annotated[str, Option("--to", metavar="FORMAT", help=f"{', '.join(EXPORT_FORMATS)}.")]
ExportOut = Annotated[Path, Option("--out", "-o", help="The file; a folder for autorag and beir.")]


def export_command(
    golden: options.Golden,
    to: ExportTo,
    out: ExportOut,
    docs: options.GoldenDocs = None,
    as_json: options.AsJson = False,
    quiet: options.Quiet = False,
) -> None:
    """Write a golden set in the format of another tool.

    Rejected and stale items are left out, except in our own format.
    """
    from testset import Corpus, GoldenSet
    from testset.formats.exchange import export_golden

    printer = Printer(quiet=quiet, as_json=as_json)
    items = GoldenSet.read(golden)
    corpus = Corpus.read(docs) if docs is not None else None
    files = export_golden(items, out, to=to, corpus=corpus)  # type: ignore[arg-type]  # from the user, checked there
    printer.data({"files": [str(file) for file in files]})
    printer.show(f"{golden} as {to}: {', '.join(map(str, files))}")
