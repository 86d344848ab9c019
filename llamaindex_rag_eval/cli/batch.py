"""Batch files: work over them in rounds, and what is left to do."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import typer

from llamaindex_rag_eval.cli.console import Printer
from llamaindex_rag_eval.cli.errors import Exit
from llamaindex_rag_eval.errors import InputError, PendingError

if TYPE_CHECKING:
    from llamaindex_rag_eval.cli.llm_options import LlmOptions
    from llamaindex_rag_eval.models.batch import BatchFolder
    from llamaindex_rag_eval.models.batch_forms import BatchFormat

T = TypeVar("T")


def batch_folder(
    batch: Path | None, submit: bool, form: "BatchFormat | None", llm: "LlmOptions | None"
) -> "BatchFolder | None":
    """Return the folder that the options name; `None` if no batch files are asked for.

    Raises:
        InputError: The other options are given without a folder or an LLM, the LLM takes no batch
            files of this form, or the folder cannot be read.
    """
    if batch is None:
        if submit or form:
            option = "--batch-submit" if submit else "--batch-format"
            raise InputError(f"{option} needs --batch: the folder of the batch files")
        return None
    if llm is None:
        raise InputError("--batch needs --llm: rules ask no model")
    from llamaindex_rag_eval.models.batch import BatchFolder
    from llamaindex_rag_eval.models.batch_forms import form_for
    from llamaindex_rag_eval.models.by_name import llm_at

    return BatchFolder(batch, form=form_for(llm_at(llm.name, llm.calls), form))


def in_rounds(
    work: Callable[[], T],
    folder: "BatchFolder | None",
    llm: "LlmOptions | None",
    submit: bool,
    printer: Printer,
) -> T:
    """Return what `work` returns: after one round, or with `submit` after all of them.

    Work that cannot go on without a reply ends the command with its exit code.
    """
    if folder is None:
        return work()
    if not submit or llm is None:
        try:
            done = work()
        except PendingError:
            folder.write_round()
            exit_if_waiting(folder, printer)
            raise
        folder.write_round()
        return done
    from llamaindex_rag_eval.models.batch_submit import work_in_rounds
    from llamaindex_rag_eval.models.by_name import llm_at

    seen: dict[str, str] = {}

    def progress(file: str, status: str, done: int, total: int) -> None:
        line = f"{file}: {status.replace('_', ' ')}, {done} of {total} requests"
        if seen.get(file) != line:
            seen[file] = line
            printer.note(line)

    return work_in_rounds(work, folder, llm_at(llm.name, llm.calls), progress=progress)


def finished(
    work: Callable[[], T],
    folder: "BatchFolder | None",
    llm: "LlmOptions | None",
    submit: bool,
    printer: Printer,
) -> T:
    """Return what `work` returns, as `in_rounds`; end the command if replies are missing."""
    done = in_rounds(work, folder, llm, submit, printer)
    if folder is not None:
        exit_if_waiting(folder, printer)
    return done


def exit_if_waiting(folder: "BatchFolder", printer: Printer) -> None:
    """Print what to do with the files that wait for replies; if any, leave with the exit code."""
    if folder.unknown or folder.unreadable:
        printer.note(
            f"left aside in {folder.folder}: {folder.unknown} reply lines of other requests, "
            f"{folder.unreadable} that are no reply"
        )
    if folder.waiting:
        files = ", ".join(map(str, folder.waiting))
        printer.note(
            f"send {files} as a batch (or use --batch-submit), put the reply file into "
            f"{folder.folder}, and run this command again"
        )
        raise typer.Exit(Exit.PENDING)
