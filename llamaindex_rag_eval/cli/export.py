"""`rag-eval export`: a golden set for another tool."""

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

import testset
from llamaindex_rag_eval.cli.console import Printer
from llamaindex_rag_eval.cli.options import Encoding, Out
from testset.formats import EXPORT_FORMATS


def export_command(
    golden: Path,
    /,
    *,
    to: Annotated[str, Parameter(metavar="FORMAT", help=f"{', '.join(EXPORT_FORMATS)}.")],
    out: Out,
    docs: Path | None = None,
    encoding: Encoding = None,
    printer: Printer = Printer(),
) -> None:
    """Write a golden set in the format of another tool.

    Rejected and stale items are left out, except in our own format.

    Args:
        golden: The golden set.
        out: The file; a folder for autorag and beir.
        docs: The documents of the golden set, to locate its gold spans.
    """
    items = testset.GoldenSet.read(golden)
    corpus = testset.Corpus.read(docs, encoding=encoding) if docs is not None else None
    files = testset.export_golden(items, out, to=to, corpus=corpus)  # type: ignore[arg-type]  # from the user, checked there
    printer.data({"files": [str(file) for file in files]})
    printer.show(f"{golden} as {to}: {', '.join(map(str, files))}")
