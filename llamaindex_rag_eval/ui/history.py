"""The history: stored runs and runs in files, together, in the order in which they were made."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.models.database import shown_url
from llamaindex_rag_eval.runs.run import Run
from llamaindex_rag_eval.runs.store import DEFAULT_STORE
from llamaindex_rag_eval.runs.store.question_scores import QuestionScores
from llamaindex_rag_eval.runs.store.run_store import RunStore
from llamaindex_rag_eval.runs.store.tables import StoredRun
from llamaindex_rag_eval.ui.run_files import RunFiles, run_files_in

FILES_STORE = DEFAULT_STORE.with_name("files.db")
"""What was read of files of runs, in their folder; it may be deleted."""


class History:
    """Runs over time. It reads anew on each call, so that runs that are stored meanwhile are seen.

    Args:
        store: The store of runs; `None` for files alone.
        files: Files of runs; `None` for the store alone.
    """

    def __init__(self, store: RunStore | None, files: RunFiles | None = None) -> None:
        self.store = store
        self.files = files
        both = (store, None if files is None else files.store)
        self._stores = tuple(known for known in both if known is not None)
        self._scores: dict[str, QuestionScores] = {}  # of a run's content, so they never change

    @property
    def problems(self) -> Mapping[str, str]:
        """Which files could not be read when the runs were listed last, and why."""
        return {} if self.files is None else self.files.problems

    def runs(self) -> tuple[StoredRun, ...]:
        """Return the runs, the oldest first."""
        by_id: dict[str, StoredRun] = {}
        if self.files is not None and (ids := self.files.ids()):
            read = (run for run in self.files.store.runs() if run.id in ids)
            by_id = {run.id: replace(run, tags=()) for run in read}  # tags are stamps
        if self.store is not None:
            by_id |= {run.id: run for run in self.store.runs()}
        return tuple(
            sorted(by_id.values(), key=lambda run: (run.started or run.kept, run.kept, run.id))
        )

    def run(self, stored: StoredRun) -> Run:
        """Return a whole run.

        Raises:
            InputError: It is not stored any more.
            DatasetError: It is broken.
        """
        *others, last = self._stores
        for store in others:
            with suppress(InputError):
                return store.read(stored)
        return last.read(stored)

    def scores(self, runs: Sequence[StoredRun]) -> dict[str, QuestionScores]:
        """Return the questions and scores of runs, by the ids of the runs."""
        wanted = {run.id for run in runs}
        for store in self._stores:
            self._scores |= store.question_scores(wanted - self._scores.keys())
        return {key: self._scores[key] for key in wanted & self._scores.keys()}


def history_in(folder: Path, store: str | None = None) -> History:
    """Return the runs of the folder of a project.

    Args:
        folder: The folder.
        store: Another database of runs than its own: a file, or a URL.

    Raises:
        InputError: There are none; says how to store one.
    """
    if not folder.is_dir():
        raise InputError(f"{str(folder)!r} is no folder; expected the folder of a project")
    where = store if store is not None else str(folder / DEFAULT_STORE)
    runs = RunStore(where) if "://" in where or Path(where).is_file() else None
    files = RunFiles(folder, folder / FILES_STORE) if run_files_in(folder) else None
    if files is None and (runs is None or not runs.runs()):
        raise InputError(
            f"no run is stored at {without_password(where)!r}, and {str(folder)!r} has no file of "
            "a run; `rag-eval evaluate answers.jsonl --keep` stores one, `rag-eval demo` makes two "
            "to try"
        )
    return History(runs, files)


def without_password(where: str) -> str:
    """Return a file, or the URL of a database without its password."""
    return shown_url(where) if "://" in where else where


def before(run: StoredRun, runs: Sequence[StoredRun]) -> StoredRun | None:
    """Return the run of the same name before this one; `None` if there is none."""
    position = [other.id for other in runs].index(run.id)
    return next((other for other in reversed(runs[:position]) if other.name == run.name), None)
