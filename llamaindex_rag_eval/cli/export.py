"""`rag-eval golden export`: a golden set for another tool."""

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

import testset
from llamaindex_rag_eval.cli.console import printer
from llamaindex_rag_eval.cli.options import GoldenDocuments, Out
from testset.formats import EXPORT_FORMATS


def export_command(
    golden: Path,
    /,
    *,
    to: Annotated[str, Parameter(metavar="FORMAT", help=f"{', '.join(EXPORT_FORMATS)}.")],
    out: Out,
    documents: GoldenDocuments = GoldenDocuments(),
) -> None:
    """Write a golden set in the format of another tool.

    Rejected and stale items are left out, except in our own format.

    Args:
        golden: The golden set.
        out: The file; a folder for autorag and beir.
    """
    items = testset.GoldenSet.read(golden)
    files = testset.export_golden(items, out, to=to, corpus=documents.corpus())  # type: ignore[arg-type]  # from the user, checked there
    printer.data({"files": [str(file) for file in files]})
    printer.show(f"{golden} as {to}: {', '.join(map(str, files))}")
