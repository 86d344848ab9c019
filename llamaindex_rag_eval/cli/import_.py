"""`rag-eval import`: another tool's file as a golden set."""

from pathlib import Path
from typing import Annotated

import typer

from llamaindex_rag_eval.cli.options import AsJson, Quiet
from llamaindex_rag_eval.cli.outputs import writable
from llamaindex_rag_eval.cli.screen import Screen
from testset.formats import IMPORT_FORMATS

__all__ = ["import_command"]


def import_command(
    path: Annotated[Path, typer.Argument(help="The file; a folder for autorag and beir.")],
    source: Annotated[
        str,
        typer.Option(
            "--from",
            metavar="FORMAT",
            help=f"{', '.join(IMPORT_FORMATS)}.",
        ),
    ],
    out: Annotated[Path, typer.Option("--out", "-o", help="The golden set to write.")] = Path(
        "golden.jsonl"
    ),
    docs: Annotated[
        Path | None,
        typer.Option("--docs", help="The documents in which the evidence is looked for."),
    ] = None,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Read a golden set from the format of another tool.

    Evidence is kept as places in documents: give the documents, unless the file was exported
    from here with its places in it. With them, items also get the difficulty and the split that
    they lack.
    """
    from testset import Corpus
    from testset.formats.exchange import import_golden, with_missing_fields

    screen = Screen(quiet=quiet, as_json=as_json)
    writable(out)
    corpus = Corpus.read(docs) if docs is not None else None
    found = import_golden(path, source=source, corpus=corpus)  # type: ignore[arg-type]  # from the user, checked there
    golden = found.golden if corpus is None else with_missing_fields(found.golden, corpus)
    golden.write(out)
    if found.unplaced:
        hint = "" if docs is not None else "; give the documents (--docs)"
        screen.note(f"{len(found.unplaced)} items have contexts without a place{hint}")
    screen.data(
        {
            "golden": str(out),
            "items": len(found.golden),
            "unplaced": list(found.unplaced),
            "left_out": found.twins,
        }
    )
    screen.show(f"{len(found.golden)} questions in {out}.")
