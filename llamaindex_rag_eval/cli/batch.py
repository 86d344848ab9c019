"""Batch files: work over them in rounds, and what is left to do."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Annotated, Any, TypeVar

from cyclopts import Parameter

import llamaindex_rag_eval as rag
from llamaindex_rag_eval.cli import library
from llamaindex_rag_eval.cli.console import printer
from llamaindex_rag_eval.cli.errors import Exit, refuse
from llamaindex_rag_eval.cli.judging import Checking
from llamaindex_rag_eval.cli.options import BATCH, options
from llamaindex_rag_eval.errors import InputError, PendingError

T = TypeVar("T")

REPLIES = "replies.db"
"""The replies of a folder of batch files, checked and parsed."""


@options(group=BATCH)
class Batch:
    """Whether an LLM is asked through batch files."""

    batch: Annotated[Path | None, Parameter(metavar="DIR")] = None
    """Write what the LLM is asked to batch files in this folder, at half the price, and read its
    replies from there; run it again with the replies until all is done."""
    batch_submit: bool = False
    """Send the batch files, and wait for the replies."""

    def rounds(self, model: Checking, *, keyless: bool = False) -> "Rounds":
        """Return the rounds in which a model is asked.

        Raises:
            InputError: The other options are given without a folder or an LLM, the LLM takes no
                batch files of this form, or the folder cannot be read.
        """
        if self.batch is None:
            needed = "--batch-submit needs --batch: the folder of the batch files"
            refuse({needed: self.batch_submit})
            return Rounds(model)
        # Files are written without a key; embeddings are asked for at once.
        keyless = keyless or not (self.batch_submit or getattr(model, "embed", None))
        client = model.client(keyless=keyless)
        if client is None:
            raise InputError("--batch needs --llm: rules ask no model")
        folder = library.BatchFolder(self.batch, form=library.form_for(client))
        return Rounds(model, folder, client, submit=self.batch_submit, keyless=keyless)


@dataclass(frozen=True)
class Rounds:
    """Rounds in which a model is asked through batch files; without a folder, work as usual.

    Attributes:
        model: The options of the model.
        folder: The folder of batch files.
        client: The model.
        submit: Whether files are sent, and replies waited for.
        keyless: Whether nothing is sent, so that no key is needed.
    """

    model: Checking
    folder: "library.BatchFolder | None" = None
    client: "library.LLM | None" = None
    submit: bool = False
    keyless: bool = False

    def judge(self, *, beside: Path | None = None, **settings: Any) -> "rag.Judge | None":
        """Return the judge that the options name, as `Checking.judge`, over the batch files.

        Args:
            beside: Where an LLM's replies are kept, if no cache is named; a dry run counts what is
                there as free. Those of batch files are kept in their folder.
            settings: As for `Checking.judge`.
        """
        kept = settings.pop("cache", None) or self.model.cache
        if self.folder is None:
            if beside and self.model.llm and (beside.exists() or not settings.get("keyless")):
                kept = kept or str(beside)
            return self.model.judge(cache=kept, **settings)
        if settings.get("limits"):
            raise InputError(
                "--batch excludes --max-calls, --max-tokens and --max-cost: a batch is sent as a "
                "whole; --dry-run says what it will cost"
            )
        connect = partial(library.BatchTransport, self.folder)
        settings |= {"cache": kept or self.folder.folder / REPLIES, "keyless": self.keyless}
        return self.model.judge(connect=connect, **settings)

    def work(self, work: Callable[[], T]) -> T:
        """Return what `work` returns: after one round, or with --batch-submit after all of them.

        Work that cannot go on without a reply ends the command with its exit code.
        """
        folder = self.folder
        if folder is None or self.client is None:
            return work()
        if not self.submit:
            try:
                done = work()
            except PendingError:
                folder.write_round()
                self.exit_if_waiting()
                raise
            folder.write_round()
            return done
        return library.work_in_rounds(work, folder, self.client, progress=self._progress())

    def _progress(self) -> Callable[[str, str, int, int], None]:
        """Return what prints how far a file is, each line once."""
        note = cache(printer.note)

        def progress(file: str, status: str, done: int, total: int) -> None:
            note(f"{file}: {status.replace('_', ' ')}, {done} of {total} requests")

        return progress

    def finished(self, work: Callable[[], T]) -> T:
        """Return what `work` returns; end the command if replies are missing."""
        done = self.work(work)
        self.exit_if_waiting()
        return done

    def exit_if_waiting(self) -> None:
        """Print what to do with files that wait for replies; if any, leave with the exit code."""
        folder = self.folder
        if folder is None:
            return
        if folder.unknown or folder.unreadable:
            printer.note(
                f"left aside in {folder.folder}: {folder.unknown} reply lines of other requests, "
                f"{folder.unreadable} that are no reply of a provider (docs, judges, Batch files)"
            )
        if folder.waiting:
            files = ", ".join(map(str, folder.waiting))
            printer.note(
                f"send {files} as a batch (or use --batch-submit), put the reply file into "
                f"{folder.folder}, and run this command again"
            )
            raise SystemExit(Exit.PENDING)
