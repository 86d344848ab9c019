"""`rag-eval import`: another tool's file as a golden set."""

from pathlib import Path

from llamaindex_rag_eval.cli import options
from llamaindex_rag_eval.cli.console import Printer
from llamaindex_rag_eval.cli.paths import writable

__all__ = ["import_command"]


def import_command(
    path: options.ImportPath,
    source: options.ImportFrom,
    out: options.GoldenOut = Path("golden.jsonl"),
    docs: options.GoldenDocs = None,
    as_json: options.AsJson = False,
    quiet: options.Quiet = False,
) -> None:
    """Read a golden set from the format of another tool.

    Gold spans are places in documents: give the documents, unless the file was exported from
    here with its places in it. With them, items also get the difficulty and the split that they
    lack.
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
        hint = "" if docs is not None else "; give the documents (--docs)"
        printer.note(f"{len(found.unplaced)} items have contexts without a place{hint}")
    printer.data(
        {
            "golden": str(out),
            "items": len(golden),
            "unplaced": list(found.unplaced),
            "left_out": found.twins,
        }
    )
    printer.show(f"{len(golden)} questions in {out}.")
