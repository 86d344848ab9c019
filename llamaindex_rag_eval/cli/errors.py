"""Errors: how one becomes a line on stderr and an exit code."""

from collections.abc import Callable, Mapping, Sequence
from enum import IntEnum
from functools import wraps
from typing import TYPE_CHECKING, ParamSpec

import typer

from llamaindex_rag_eval._interrupt import INTERRUPTED, INTERRUPTED_LINE, tell_interrupted
from llamaindex_rag_eval.cli.console import PlainConsole
from llamaindex_rag_eval.errors import BudgetError, EndpointError, RagEvalError

if TYPE_CHECKING:
    from llamaindex_rag_eval.cli.console import Printer

P = ParamSpec("P")


class Exit(IntEnum):
    """How a command ended."""

    OK = 0
    PARTLY = 1
    WRONG = 2
    GATE = 3
    PENDING = 4
    TOO_FEW = 5
    STOPPED = 6
    INTERRUPTED = INTERRUPTED


EXITS: Mapping[Exit, str] = {
    Exit.OK: "everything was done",
    Exit.PARTLY: "done, but some results failed, or a golden set is smaller than asked for",
    Exit.WRONG: "wrong usage or input, so that nothing was started",
    Exit.GATE: "a gate did not hold",
    Exit.PENDING: "batch files wait for replies: add these, and run it again to go on",
    Exit.TOO_FEW: "too few questions to tell whether a gate holds",
    Exit.STOPPED: "stopped before its end, since the budget is spent or the model takes no calls: "
    "what was answered is kept, run it again to go on",
    Exit.INTERRUPTED: INTERRUPTED_LINE,
}
"""Exit code -> what it means."""


def with_exit_codes(command: Callable[P, None]) -> Callable[P, None]:
    """Return the command with errors printed in one line and turned into exit codes."""

    @wraps(command)
    def wrapper(*args: P.args, **kwargs: P.kwargs) -> None:
        try:
            command(*args, **kwargs)
        except (BudgetError, EndpointError) as error:
            _print_error(str(error))
            raise typer.Exit(Exit.STOPPED) from None
        except RagEvalError as error:
            _print_error(str(error))
            raise typer.Exit(Exit.WRONG) from None
        except KeyboardInterrupt:
            tell_interrupted()
            raise typer.Exit(Exit.INTERRUPTED) from None

    return wrapper


def exit_if_failed(printer: "Printer", reasons: Sequence[str], *, stopped: bool = False) -> None:
    """Print why results failed or are missing; if any, leave with the exit code for it.

    Args:
        printer: Prints the reasons.
        reasons: Why results failed or are missing.
        stopped: Whether the work ended before its end.
    """
    for reason in reasons:
        printer.note(reason)
    if stopped:
        raise typer.Exit(Exit.STOPPED)
    if reasons:
        raise typer.Exit(Exit.PARTLY)


def _print_error(text: str) -> None:
    console = PlainConsole(stderr=True, highlight=False)
    console.print(f"error: {text}", markup=False, soft_wrap=True)
