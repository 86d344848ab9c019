"""Errors: the exit code for each, and what a usage error says."""

from collections.abc import Mapping, Sequence
from enum import IntEnum

from cyclopts import CycloptsError
from cyclopts.exceptions import MissingArgumentError, UnusedCliTokensError

import llamaindex_rag_eval as rag
from llamaindex_rag_eval._interrupt import INTERRUPTED, INTERRUPTED_LINE
from llamaindex_rag_eval.cli import library
from llamaindex_rag_eval.cli.console import printer
from llamaindex_rag_eval.errors import BudgetError, EndpointError, InputError


class Exit(IntEnum):
    """How a command ended."""

    OK = 0
    PARTLY = 1
    WRONG = 2
    GATE = 3
    PENDING = 4
    TOO_FEW = 5
    STOPPED = 6
    NOT_COMPARABLE = 7
    INTERRUPTED = INTERRUPTED


EXITS: Mapping[Exit, str] = {
    Exit.OK: "everything was done",
    Exit.PARTLY: "done, but some results failed, or a golden set is smaller than asked for",
    Exit.WRONG: "wrong usage or input, so that nothing was started",
    Exit.GATE: "a gate did not hold: worse, or a limit is missed",
    Exit.PENDING: "batch files wait for replies: add these, and run it again to go on",
    Exit.TOO_FEW: "too few questions to tell whether a gate holds",
    Exit.STOPPED: "stopped before its end, since the budget is spent or the model takes no calls: "
    "what was answered is kept, run it again to go on",
    Exit.NOT_COMPARABLE: "a gate compared runs that differ in more than their pipelines",
    Exit.INTERRUPTED: INTERRUPTED_LINE,
}
"""Exit code -> what it means."""

REMOVED: Mapping[str, str] = {
    "stability": "rag-eval evaluate ANSWERS --repeats 5 --llm NAME",
    "trend": "rag-eval runs --metric METRIC",
}
"""Command of an earlier version -> what does its work."""


def refuse(reasons: Mapping[str, object]) -> None:
    """Raise the first message of which the condition holds.

    Args:
        reasons: Message -> its condition.

    Raises:
        InputError: One holds.
    """
    for message, holds in reasons.items():
        if holds:
            raise InputError(message)


def refuse_removed(tokens: Sequence[str]) -> None:
    """Raise if the command is one of an earlier version.

    Raises:
        InputError: It is; the message names what does its work now.
    """
    if tokens and (successor := REMOVED.get(tokens[0])):
        raise InputError(f"there is no command {tokens[0]!r} any more; use `{successor}`")


def exit_of(error: Exception) -> Exit:
    """Return the exit code for an error."""
    return Exit.STOPPED if isinstance(error, BudgetError | EndpointError) else Exit.WRONG


def line_of(error: Exception) -> str:
    """Return what an error says, in one line; of a usage error, also what would be right."""
    text = str(error)
    if not isinstance(error, CycloptsError):
        return text
    if isinstance(error, UnusedCliTokensError):
        text = f"unexpected argument {' '.join(error.unused_tokens or ())!r}."
    if isinstance(error, MissingArgumentError):
        example = error.app.help_epilogue if error.app else None
        return f"{text} {(example or '').replace('`', '')}"
    command = " ".join(("rag-eval", *(error.command_chain or ())))
    return f"{text} See {command} --help"


def exit_if_unscored(runs: "Sequence[rag.Run]") -> None:
    """Print why results of runs failed or are missing; if any, leave with the exit code for it."""
    stopped = any(run.provenance.stopped for run in runs)
    exit_if_failed(library.why_without_score(*runs), stopped=stopped)


def exit_if_failed(reasons: Sequence[str], *, stopped: bool = False) -> None:
    """Print why results failed or are missing; if any, leave with the exit code for it.

    Args:
        reasons: Why results failed or are missing.
        stopped: Whether the work ended before its end.
    """
    for reason in reasons:
        printer.note(reason)
    if stopped or reasons:
        raise SystemExit(Exit.STOPPED if stopped else Exit.PARTLY)
