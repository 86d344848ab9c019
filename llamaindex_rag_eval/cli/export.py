"""`rag-eval export`: a golden set for another tool."""

from pathlib import Path
from typing import Annotated

import typer

from llamaindex_rag_eval.cli.options import AsJson, Quiet
from llamaindex_rag_eval.cli.screen import Screen
from testset.formats import EXPORT_FORMATS

__all__ = ["export_command"]


def export_command(
    golden: Annotated[Path, typer.Argument(help="The golden set.")],
    to: Annotated[
        str,
        typer.Option(
            "--to",
            metavar="FORMAT",
            help=", ".join(EXPORT_FORMATS),
        ),
    ],
    out: Annotated[
        Path, typer.Option("--out", "-o", help="The file; a folder for autorag and beir.")
    ],
    docs: Annotated[
        Path | None,
        typer.Option("--docs", help="The documents; autorag and beir hold them too."),
    ] = None,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Write a golden set in the format of another tool.

    Rejected and stale items stay out, except in our own format.
    """
    from testset import Corpus, GoldenSet
    from testset.formats.exchange import export_golden

    screen = Screen(quiet=quiet, as_json=as_json)
    items = GoldenSet.read(golden)
    corpus = Corpus.read(docs) if docs is not None else None
    files = export_golden(items, out, to=to, corpus=corpus)  # type: ignore[arg-type]  # from the user, checked there
    screen.data({"files": [str(file) for file in files]})
    screen.show(f"{golden} as {to}: {', '.join(map(str, files))}")
