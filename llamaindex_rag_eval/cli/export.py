"""`rag-eval export`: a golden set for another tool."""

from llamaindex_rag_eval.cli import options
from llamaindex_rag_eval.cli.console import Printer

__all__ = ["export_command"]


def export_command(
    golden: options.Golden,
    to: options.ExportTo,
    out: options.ExportOut,
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
