"""Stored runs: the option `--store`, and the runs that references stand for."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter
from cyclopts.types import PositiveInt

import llamaindex_rag_eval as rag
from llamaindex_rag_eval.cli import library
from llamaindex_rag_eval.cli.console import printer
from llamaindex_rag_eval.cli.inputs import answers_or_run, holds_run, names_of
from llamaindex_rag_eval.cli.options import STORE, options
from llamaindex_rag_eval.runs.store import DEFAULT_STORE

SUFFIXES = (".jsonl", ".ndjson", ".json", ".csv")
"""A reference that ends so is a file, even one that is missing, and no stored run."""

RUN_HELP = "A file, last, last~1, a name, a tag or an id."


@options(group=STORE)
class Stored:
    """The database of runs."""

    store: Annotated[str, Parameter(env_var="RAG_EVAL_STORE", metavar="FILE|URL")] = str(
        DEFAULT_STORE
    )
    """The database of runs: a file, or a URL as postgresql+psycopg://host/name."""

    @property
    def runs(self) -> "library.RunStore":
        """The database, opened."""
        return library.RunStore(self.store)

    def run(self, reference: str) -> "rag.Run":
        """Return a run: that of a file, or else a stored one.

        Args:
            reference: A file that `rag-eval evaluate` wrote; or `last`, `last~1`, a name, a tag, or
                the first characters of an id.

        Raises:
            DatasetError: The file holds no run.
            InputError: No stored run has this name, tag or id.
        """
        path = Path(reference)
        if path.is_file() or path.suffix in SUFFIXES:
            return rag.Run.read(_beside_table(path))
        return self.runs.get(reference)

    def named(self, references: Sequence[str]) -> "list[rag.Run]":
        """Return runs under names of which none is there twice.

        Raises:
            DatasetError: A file holds no run.
            InputError: No stored run has this name, tag or id.
        """
        runs = [self.run(reference) for reference in references]
        names = names_of(references, runs)
        return [run.named(name) for run, name in zip(runs, names, strict=True)]

    def source(
        self, reference: str, images: Path | None = None
    ) -> "rag.Run | rag.EvaluationDataset":
        """Return what a file holds, answers or a run, or else the stored run of this name.

        Images of answers are read from the folder `images`.

        Raises:
            DatasetError: The file holds neither a run nor samples.
            InputError: No stored run has this name, tag or id.
        """
        path = Path(reference)
        if path.is_file() or path.suffix in SUFFIXES:
            return answers_or_run(_beside_table(path), images)
        return self.run(reference)

    def before(self, run: "rag.Run") -> "rag.Run | None":
        """Return the newest stored run of the same name that is older; `None` if there is none.

        Raises:
            DatasetError: That run is broken.
            OutputError: The store cannot be read.
        """
        started = run.provenance.started
        if not (run.name and started) or (
            "://" not in self.store and not Path(self.store).is_file()
        ):
            return None
        older = [entry for entry in self.runs.runs(name=run.name) if "" < entry.started < started]
        return self.runs.get(max(older, key=lambda entry: entry.started).id) if older else None


def _beside_table(path: Path) -> Path:
    """Return the run that stands beside its table of scores; the path itself without one."""
    run = path.with_suffix(".jsonl")
    return run if path.suffix == ".csv" and run.is_file() and holds_run(run) else path


@options(group=STORE)
class StoredRuns(Stored):
    """Which stored runs."""

    name: Annotated[str, Parameter(alias="-n")] = ""
    """Only runs of this name."""
    tag: Annotated[str, Parameter(alias="-t")] = ""
    """Only runs with this tag."""
    last: PositiveInt = 20
    """How many of the newest runs."""


@options(group=STORE)
class Keeping(Stored):
    """Whether and as what a run is stored."""

    keep: Annotated[bool, Parameter(alias="-k")] = False
    """Store the run, for `runs`, `compare`, `ui`."""
    name: Annotated[str, Parameter(alias="-n")] = ""
    """The name of the run."""
    tag: Annotated[list[str] | None, Parameter(alias="-t")] = None
    """A tag to find the run by; repeatable."""

    def add(self, run: "rag.Run") -> None:
        """Store a run, if that is asked for."""
        if self.keep or self.tag:
            stored = self.runs.add(run, tags=self.tag or ())
            printer.note(f"stored {stored.name!r} as {stored.id}")


def folder_of(reference: str) -> Path:
    """Return the folder in which there may be more about a run: that of its file, or this one."""
    path = Path(reference)
    return path.parent if path.is_file() else Path()
