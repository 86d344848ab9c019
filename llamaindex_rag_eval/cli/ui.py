"""`rag-eval ui`: the stored runs over time, as pages on this machine alone."""

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from llamaindex_rag_eval.cli import library
from llamaindex_rag_eval.cli.console import printer
from llamaindex_rag_eval.cli.options import DecidedBy, Page
from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.runs.store import DEFAULT_STORE


def ui_command(
    folder: Path = Path(),
    /,
    *,
    store: Annotated[
        str | None,
        Parameter(
            env_var="RAG_EVAL_STORE",
            metavar="FILE|URL",
            help=f"Another database of runs than FOLDER/{DEFAULT_STORE}: a file, or a URL.",
        ),
    ] = None,
    decided_by: DecidedBy = DecidedBy(),
    page: Page = Page(),
) -> None:
    """Show the stored runs over time in a browser.

    On this machine alone. Each metric over the runs with its intervals, two runs side by side, and
    each question through all runs. Shown are the runs that
    `rag-eval evaluate --keep` stored in FOLDER, and the files of runs in it, as `rag-eval
    evaluate -o` and `rag-eval demo` write them. Nothing of them is changed; labels of answers go
    to FOLDER/labels.jsonl. Reload the page to see runs that were made since; Ctrl-C ends it.

    Args:
        folder: The folder of a project: its stored runs, and files of runs in it.
    """
    serve = page.server("ui")
    policy = decided_by.policy()
    history = library.history_in(folder, store)
    if history.files is not None:
        with printer.progress("reading files of runs") as progress:
            history.files.ids(progress)
    count = len(history.runs())
    if not count and history.problems:
        raise InputError(
            f"no file of {str(folder)!r} can be read as a run; write them again by `rag-eval "
            f"evaluate -o`: {'; '.join(history.problems.values())}"
        )
    for file, why in history.problems.items():
        printer.note(f"{file} is left out: {why}")
    ready = page.ready(f"{count} runs. Open it in a browser; Ctrl-C ends it.")
    origin = library.without_password(store or str(folder.resolve()))
    serve(history, origin, labels=folder / library.LABELS, policy=policy, ready=ready)
