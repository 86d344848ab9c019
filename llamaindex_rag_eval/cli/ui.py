"""`rag-eval ui`: the stored runs over time, as pages on this machine alone."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from llamaindex_rag_eval.cli.console import Printer, Quiet
from llamaindex_rag_eval.cli.options import STORE, Page
from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.runs.store import DEFAULT_STORE

if TYPE_CHECKING:
    from llamaindex_rag_eval.ui.history import History

FILES_STORE = DEFAULT_STORE.with_name("files.db")
"""What was read of files of runs, in their folder; it may be deleted."""


def ui_command(
    folder: Path = Path(),
    /,
    *,
    store: Annotated[
        str | None,
        Parameter(
            env_var="RAG_EVAL_STORE",
            metavar="FILE|URL",
            help=f"Another database of runs than FOLDER/{STORE}: a file, or a URL.",
        ),
    ] = None,
    page: Page = Page(),
    quiet: Quiet = False,
) -> None:
    """Show the stored runs over time in a browser, on this machine alone.

    Each metric over the runs with its intervals, two runs side by side, each question through all
    runs, and how the questions grew. Shown are the runs that `rag-eval evaluate --keep` stored in
    FOLDER, and the files of runs in it, as `rag-eval evaluate -o` and `rag-eval demo` write them.
    Nothing of them is changed. Reload the page to see runs that were made since; Ctrl-C ends it.

    Args:
        folder: The folder of a project: its stored runs, and files of runs in it.
    """
    try:
        from llamaindex_rag_eval.ui.server import serve_ui
    except ImportError as error:
        raise InputError(
            f"the pages need {error.name}; install it: pip install 'llamaindex-rag-eval[ui]'"
        ) from error
    printer = Printer(quiet=quiet)
    history = _history(folder, store)
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

    def ready(address: str) -> None:
        page.show(address)
        printer.note(f"{count} runs. Open it in a browser; Ctrl-C ends it.")

    serve_ui(history, _shown(store or str(folder.resolve())), port=page.port, ready=ready)


def _history(folder: Path, store: str | None) -> "History":
    """Return the runs of a folder.

    Raises:
        InputError: There are none; says how to store one.
    """
    from llamaindex_rag_eval.runs.store.run_store import RunStore
    from llamaindex_rag_eval.ui.history import History
    from llamaindex_rag_eval.ui.run_files import RunFiles, run_files_in

    if not folder.is_dir():
        raise InputError(f"{str(folder)!r} is no folder; expected the folder of a project")
    where = store if store is not None else str(folder / DEFAULT_STORE)
    runs = RunStore(where) if "://" in where or Path(where).is_file() else None
    files = RunFiles(folder, folder / FILES_STORE) if run_files_in(folder) else None
    if files is None and (runs is None or not runs.runs()):
        raise InputError(
            f"no run is stored at {_shown(where)!r}, and {str(folder)!r} has no file of a run; "
            "`rag-eval evaluate answers.jsonl --keep` stores one, `rag-eval demo` makes two to try"
        )
    return History(runs, files)


def _shown(where: str) -> str:
    """Return a file, or the URL of a database without its password."""
    from llamaindex_rag_eval.models.database import shown_url

    return shown_url(where) if "://" in where else where
