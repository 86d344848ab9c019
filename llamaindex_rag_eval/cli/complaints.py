"""How an error of ours becomes one line on stderr and an exit code."""

from collections.abc import Callable
from functools import wraps
from typing import ParamSpec

import typer

from llamaindex_rag_eval.cli.exits import EXITS, Exit
from llamaindex_rag_eval.cli.screen import complain
from llamaindex_rag_eval.errors import RagEvalError

__all__ = ["plain_errors"]

P = ParamSpec("P")


def plain_errors(command: Callable[P, None]) -> Callable[P, None]:
    """Return a command that says what went wrong in one line, and leaves with its exit code."""

    @wraps(command)
    def said(*args: P.args, **kwargs: P.kwargs) -> None:
        try:
            command(*args, **kwargs)
        except RagEvalError as error:
            complain(str(error))
            raise typer.Exit(Exit.WRONG) from None
        except KeyboardInterrupt:
            complain(EXITS[Exit.INTERRUPTED])
            raise typer.Exit(Exit.INTERRUPTED) from None

    return said
