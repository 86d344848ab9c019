"""Files of runs in a folder, as `rag-eval evaluate -o` writes them.

What is read of them is put into a store of its own beside them, so that each is read once. That
store may be deleted at any time; the files are only read.
"""

import hashlib
import json
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from pathlib import Path

from llamaindex_rag_eval.errors import InputError, OutputError, RagEvalError
from llamaindex_rag_eval.runs.run import Run
from llamaindex_rag_eval.runs.store.run_store import RunStore
from llamaindex_rag_eval.runs.store.tables import StoredRun

FIRST_TEXT = '{"run":'
"""What a file of a run begins with."""


def run_files_in(folder: Path) -> list[Path]:
    """Return the files of a folder that hold a run or may have held one, by name."""
    return [path for path in sorted(folder.glob("*.jsonl")) if _may_be_run(path)]


def _may_be_run(path: Path) -> bool:
    """Return whether a file begins as a run does, or as no JSON Lines at all: reading it says."""
    try:
        with path.open(encoding="utf-8-sig") as file:
            head = file.read(len(FIRST_TEXT))
            return head == FIRST_TEXT or not isinstance(json.loads(head + file.readline()), dict)
    except (OSError, ValueError, RecursionError):
        return True


class RunFiles:
    """The runs in the files of a folder.

    Args:
        folder: The folder.
        store: The file of the store that holds what was read.
    """

    def __init__(self, folder: Path, store: Path) -> None:
        self.folder = folder
        self.store = RunStore(store)
        self.problems: dict[str, str] = {}

    def ids(self, progress: Callable[[int, int], None] | None = None) -> set[str]:
        """Return the ids of the runs whose files are there now; new and changed ones are read.

        `problems` then says which files cannot be read, and why.

        Args:
            progress: Called with how many files are read, and how many there are to read.

        Raises:
            OutputError: The store beside them cannot be written.
        """
        files = {_stamp(path): path for path in run_files_in(self.folder)}
        self.problems = {}
        if not files:
            return set()
        known = {stamp: run.id for run in self._stored() for stamp in run.tags}
        new = [stamp for stamp in files if stamp not in known]
        for number, stamp in enumerate(new, start=1):
            try:
                run = Run.read(files[stamp])
                name = run.name or files[stamp].stem
                known[stamp] = self.store.add(run, name=name, tags=[stamp]).id
            except RagEvalError as error:
                self.problems[files[stamp].name] = str(error)
            if progress is not None:
                progress(number, len(new))
        if new:
            self._delete_all_but(files.keys())
        return {known[stamp] for stamp in files.keys() & known.keys()}

    def _stored(self) -> Sequence[StoredRun]:
        try:
            return self.store.runs()
        except OutputError as error:
            raise OutputError(f"{error}; delete it: it only holds what was read of files") from None

    def _delete_all_but(self, stamps: Collection[str]) -> None:
        """Delete what was read of files that are gone, or other now."""
        for run in self.store.runs():
            if not set(run.tags) & set(stamps):
                with suppress(InputError):  # another process did
                    self.store.delete(run.id)


def _stamp(path: Path) -> str:
    """Return what changes when a file does: a hash of its name, size and time."""
    try:
        stat = path.stat()
        text = f"{path.name} {stat.st_size} {stat.st_mtime_ns}"
    except FileNotFoundError:  # since it was listed; reading it says so
        text = path.name
    return hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()[:32]
