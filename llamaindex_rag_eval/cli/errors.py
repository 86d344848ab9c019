"""Errors: the exit code for each, and what a usage error says."""

from collections.abc import Mapping, Sequence
from enum import IntEnum

from cyclopts import CycloptsError
from cyclopts.exceptions import MissingArgumentError, UnknownOptionError, UnusedCliTokensError

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
    "stability": "`rag-eval compare` on two runs of the same answers, each scored with --no-cache",
    "trend": "`rag-eval ui`, which shows each metric over the runs",
    "cache": "`llamaindex_rag_eval.Store(FILE)`: count(), rows() and clear()",
}
"""Command of an earlier version -> what does its work."""


RENAMED: Mapping[str, tuple[str, str]] = {
    **{
        f"--{key}": ("--call", f"{key}=")
        for key in ("base-url", "timeout", "retries", "patience", "reply-limit", "reply-format")
    },
    "--logprobs": ("--call", "logprobs=yes"),
    "--no-logprobs": ("--call", "logprobs=no"),
}
"""Option of an earlier version -> that of today, and what its value begins with."""

GONE: Mapping[str, str] = {
    "compare --baseline": "the order of the runs: the baseline is the first",
    "gate --baseline": "--no-worse-than RUN",
    **{
        f"{command} --batch-format": "the name of the LLM, which says the form of its batch files"
        for command in ("align", "compare", "diagnose", "evaluate", "generate", "refresh")
    },
    "generate --card": "rag-eval golden card GOLDEN -o FILE",
    "report --card": "rag-eval golden card GOLDEN -o FILE",
    "generate --journal": "--out: the journal is beside it",
    "gate --max-failed": "--max-missing SHARE",
    "calibrate --next": "rag-eval label RUN --to-csv FILE",
    "calibrate --other": "rag-eval label RUN --to-csv FILE",
    "fetch --experiment": "our metrics inside that tool (docs/publish.md)",
    "evaluate --repeats": "two runs scored with --no-cache, and rag-eval compare",
    "generate --seed-examples": "--log FILE",
    "generate --style": "--traffic FILE, or --brief TEXT",
}
"""Command and option that are gone, or never were but are expected -> what does the work."""


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
        raise InputError(f"there is no command {tokens[0]!r} any more; use {successor}")


def with_current_option(words: Sequence[str], error: UnknownOptionError) -> list[str]:
    """Return words with the option of today in place of the one that is not known; it is reported.

    Raises:
        UnknownOptionError: It was no option of this command in an earlier version.
    """
    option = _option_of(error)
    known = {name for argument in error.argument_collection for name in argument.names}
    if option not in RENAMED or RENAMED[option][0] not in known:
        raise error
    position = [word.partition("=")[0] for word in words].index(option)
    value, rest = words[position].removeprefix(option), list(words[position + 1 :])
    name, setting = RENAMED[option]
    if setting.endswith("="):
        setting += value[1:] if value else rest.pop(0) if rest else ""
    printer.note(f"`{option}` is now `{name} {setting}`")
    return [*words[:position], name, setting, *rest]


def _option_of(error: UnknownOptionError) -> str:
    return (error.token.keyword or error.token.value).partition("=")[0]


def exit_of(error: Exception) -> Exit:
    """Return the exit code for an error."""
    return Exit.STOPPED if isinstance(error, BudgetError | EndpointError) else Exit.WRONG


def line_of(error: Exception) -> str:
    """Return what an error says, in one line; of a usage error, also what would be right."""
    text = str(error)
    if not isinstance(error, CycloptsError):
        return text
    command = " ".join(("rag-eval", *(error.command_chain or ())))
    if isinstance(error, UnknownOptionError):
        option = _option_of(error)
        if successor := GONE.get(f"{command.split()[-1]} {option}"):
            return f"there is no option {option} here; use {successor}"
    if isinstance(error, UnusedCliTokensError):
        tokens = [repr(token) for token in error.unused_tokens or ()]
        text = f"unexpected argument{'s' * (len(tokens) > 1)} {', '.join(tokens)}."
    if isinstance(error, MissingArgumentError | UnusedCliTokensError):
        example = error.app.help_epilogue if error.app else None
        return f"{text} {(example or '').replace('`', '')}"
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
