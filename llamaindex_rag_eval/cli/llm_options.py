"""`--llm` and the options that come with it: every command that takes an LLM has them all."""

import inspect
import logging
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import wraps
from typing import Annotated, Any, Literal

from typer import Option

from llamaindex_rag_eval.cli.console import PlainFormatter
from llamaindex_rag_eval.errors import InputError


@dataclass(frozen=True)
class LlmOptions:
    """An LLM by name, and how it is called; `None` leaves each as it is.

    Attributes:
        name: As `openai:MODEL`.
        base_url: The address of its API.
        timeout: Seconds for one call.
        retries: Tries after a transient error.
        patience: How long to wait while its endpoint is away.
        reply_limit: Most tokens of a reply.
        reply_format: How it is held to the form of a reply.
        logprobs: Whether it is asked for log-probabilities.
        keyless: Whether it will not be called, as in a dry run.
    """

    name: str
    base_url: str | None = None
    timeout: float | None = None
    retries: int | None = None
    patience: float | None = None
    reply_limit: int | None = None
    reply_format: Literal["schema", "object", "json", "tool", "text"] | None = None
    logprobs: bool | None = None
    keyless: bool = False

    @property
    def calls(self) -> Any:
        """How it is called, as `llm_at` and `judge_at` take it."""
        from llamaindex_rag_eval.models.by_name import CallSettings

        return CallSettings(
            base_url=self.base_url,
            timeout=self.timeout,
            retries=self.retries,
            patience=self.patience,
            reply_limit=self.reply_limit,
            reply_format=self.reply_format,
            logprobs=self.logprobs,
            keyless=self.keyless,
        )


NAMES = (
    "openai:MODEL; openai-like:URL:MODEL; PROVIDER:MODEL for an installed "
    "llama-index-llms-PROVIDER, as anthropic:MODEL or ollama:MODEL; or MODULE:ATTRIBUTE."
)

ROLES = {
    "generate": ("Who writes the questions and checks them", "rules write plain ones"),
    "refresh": ("Who checks what changed", "rules check it"),
    "prompts": ("Who translates the prompts", "none is translated"),
}
"""Command -> what its LLM does, and what is done without one; others judge."""


def _name_option(command: str) -> Any:
    """Return the option `--llm` of a command, which says what the LLM does there."""
    role, otherwise = ROLES.get(command, ("The judge", "embedded language rules judge"))
    words = f"{role}: {NAMES} Without it, {otherwise}: no key, no network."
    return Annotated[str | None, Option("--llm", metavar="NAME", help=words)]


BaseUrl = Annotated[
    str | None, Option("--base-url", metavar="URL", help="The address of the LLM's API.")
]
Timeout = Annotated[
    float | None,
    Option(
        "--timeout",
        metavar="SECONDS",
        min=0.1,
        help="For one call of the LLM; 120 at most "
        "by default, and less where its client has a limit of its own.",
    ),
]
Retries = Annotated[
    int | None,
    Option(
        "--retries",
        min=0,
        help="How often a call is tried again after a lost connection or a rate limit; by default "
        "8 times.",
    ),
]
Patience = Annotated[
    str | None,
    Option(
        "--patience",
        metavar="DURATION",
        help="How long to wait while the LLM's endpoint is away, as 90s or 1h; then the command "
        "ends with exit code 6, and goes on when it is run again. By default 10m, and 15s for an "
        "endpoint that has never answered. A wrong key, model or host name is told at once.",
    ),
]
ReplyLimit = Annotated[
    int | None,
    Option(
        "--reply-limit",
        metavar="TOKENS",
        min=1,
        help="Most tokens of a reply; by default it follows from what is asked.",
    ),
]
ReplyFormat = Annotated[
    str | None,
    Option(
        "--reply-format",
        metavar="FORM",
        help="How the LLM is held to the form of a reply: schema, object (as llama.cpp), json, "
        "tool or text. By default the strictest that it takes.",
    ),
]
Logprobs = Annotated[
    bool | None,
    Option(
        "--logprobs/--no-logprobs",
        help="Ask for log-probabilities with verdicts on claims, where the API has them: graded "
        "scores count by them. Without the option, they are asked for.",
    ),
]
Verbose = Annotated[
    bool, Option("--verbose", help="Print on stderr what is found out about the LLM.")
]

OPTIONS: dict[str, Any] = {
    "base_url": BaseUrl,
    "timeout": Timeout,
    "retries": Retries,
    "patience": Patience,
    "reply_limit": ReplyLimit,
    "reply_format": ReplyFormat,
    "logprobs": Logprobs,
}
FORMATS = ("schema", "object", "json", "tool", "text")


def with_llm_options(command: Callable[..., None]) -> Callable[..., None]:
    """Return a command whose parameter `llm` is made of several options; others as they are."""
    signature = inspect.signature(command)
    if "llm" not in signature.parameters:
        return command

    @wraps(command)
    def wrapper(llm: str | None, verbose: bool, **given: Any) -> None:
        calls = {name: given.pop(name) for name in OPTIONS}
        if verbose:
            _log_to_stderr()
        options = _llm_options(llm, calls)
        if options is not None and given.get("dry_run"):
            options = replace(options, keyless=True)
        command(llm=options, **given)

    keyword = inspect.Parameter.KEYWORD_ONLY
    parameters = []
    for parameter in signature.parameters.values():
        if parameter.name == "llm":
            name = _name_option(command.__name__.removesuffix("_command"))
            added = {"llm": name, **OPTIONS}
            parameters += [
                inspect.Parameter(name, keyword, default=None, annotation=kind)
                for name, kind in added.items()
            ]
        else:
            parameters.append(parameter.replace(kind=keyword))
    parameters.append(inspect.Parameter("verbose", keyword, default=False, annotation=Verbose))
    annotations = {parameter.name: parameter.annotation for parameter in parameters}
    wrapper.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]  # read by inspect
    wrapper.__annotations__ = {**annotations, "return": None}
    return wrapper


def _llm_options(name: str | None, calls: dict[str, Any]) -> LlmOptions | None:
    """Return the LLM with its options.

    Raises:
        InputError: There is no LLM that the options are for, or no such form.
    """
    if name is None:
        given = [f"--{key.replace('_', '-')}" for key, value in calls.items() if value is not None]
        if given:
            raise InputError(f"{' and '.join(given)}: only with --llm; rules are not called")
        return None
    if calls["reply_format"] not in (None, *FORMATS):
        expected = ", ".join(FORMATS)
        raise InputError(f"--reply-format is {calls['reply_format']!r}; expected one of {expected}")
    if calls["patience"] is not None:
        from llamaindex_rag_eval.models.durations import read_duration

        calls["patience"] = read_duration(calls["patience"], "--patience")
    return LlmOptions(name, **calls)


def _log_to_stderr() -> None:
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(PlainFormatter("%(message)s"))
    logger = logging.getLogger("llamaindex_rag_eval")
    logger.addHandler(handler)
    logger.setLevel(logging.INFO)
