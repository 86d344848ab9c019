"""Stored runs: what a command's RUN stands for, a file or a run that was kept."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from llamaindex_rag_eval.runs.store import DEFAULT_STORE

if TYPE_CHECKING:
    from llamaindex_rag_eval.runs.run import Run

__all__ = ["Store", "run_at"]

Store = Annotated[
    str,
    typer.Option(
        "--store",
        envvar="RAG_EVAL_STORE",
        metavar="FILE|URL",
        help="Where runs are kept: a file, or a database as postgresql+psycopg://host/name.",
    ),
]


def run_at(reference: str, store: str = str(DEFAULT_STORE)) -> "Run":
    """Return a run: that of a file, or else the kept one that is called so.

    Args:
        reference: A file that `rag-eval evaluate` wrote; or `last`, `last~1`, a name, a tag, or
            the first characters of an id.
        store: Where runs are kept.

    Raises:
        DatasetError: The file holds no run.
        InputError: Nothing is called so.
    """
    from llamaindex_rag_eval.runs.run import Run
    from llamaindex_rag_eval.runs.store.run_store import RunStore

    path = Path(reference)
    if path.suffix == ".jsonl" or path.is_file():
        return Run.read(path)
    return RunStore(store).get(reference)
