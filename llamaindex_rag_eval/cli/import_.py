"""`rag-eval import`: another tool's file as a golden set."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from llamaindex_rag_eval.cli.options import AsJson, Quiet
from llamaindex_rag_eval.cli.outputs import writable
from llamaindex_rag_eval.cli.screen import Screen

if TYPE_CHECKING:
    from testset import Corpus, GoldenSet

__all__ = ["import_command"]


def import_command(
    path: Annotated[Path, typer.Argument(help="The file; a folder for autorag and beir.")],
    source: Annotated[
        str,
        typer.Option(
            "--from",
            metavar="FORMAT",
            help="autorag, beir, csv, deepeval, jsonl, labelled_rag, langsmith, raget, ragas.",
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
    from testset.formats.import_ import import_golden

    screen = Screen(quiet=quiet, as_json=as_json)
    writable(out)
    corpus = Corpus.read(docs) if docs is not None else None
    found = import_golden(path, source=source, corpus=corpus)  # type: ignore[arg-type]  # from the user, checked there
    golden = found.golden if corpus is None else _completed(found.golden, corpus)
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


def _completed(golden: "GoldenSet", corpus: "Corpus") -> "GoldenSet":
    """Return a set in which no item lacks a difficulty or, if none had one, a split."""
    from testset.golden.difficulty import with_difficulty
    from testset.golden.golden_set import GoldenSet
    from testset.golden.splits import with_splits

    measured = with_difficulty(golden, corpus)
    items = tuple(old if old.difficulty else new for old, new in zip(golden, measured, strict=True))
    complete = GoldenSet(items, size=len(items))
    if any(item.split for item in items):
        return complete  # a second draw could put one document on both sides
    return GoldenSet(with_splits(complete), size=len(items))
