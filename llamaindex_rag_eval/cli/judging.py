"""Options about models: who judges, how an LLM is called, and what it may cost."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from cyclopts import Group, Parameter
from cyclopts.types import NonNegativeFloat, NonNegativeInt, PositiveInt
from cyclopts.validators import Number

import llamaindex_rag_eval as rag
from llamaindex_rag_eval.errors import InputError

if TYPE_CHECKING:
    from llama_index.core.llms import LLM

    from llamaindex_rag_eval.models.by_name import CallSettings

MODEL = Group("Model", sort_key=1)
LIMITS = Group("Cost", sort_key=2)

NAMES = (
    "openai:MODEL; openai-like:URL:MODEL; PROVIDER:MODEL for an installed "
    "llama-index-llms-PROVIDER, as anthropic:MODEL or ollama:MODEL; or MODULE:ATTRIBUTE."
)


def llm_named(role: str, otherwise: str) -> Parameter:
    """Return the option `--llm`: what the LLM does, and what is done without one."""
    return Parameter(name="--llm", metavar="NAME", help=f"{role}: {NAMES} Without it, {otherwise}.")


@Parameter(name="*", group=MODEL)
@dataclass(frozen=True, kw_only=True)
class Model:
    """An LLM by name, and how it is called; `None` leaves each as it is."""

    llm: Annotated[
        str | None,
        llm_named("The judge", "embedded language rules judge: no key, no network"),
    ] = None
    base_url: Annotated[str | None, Parameter(metavar="URL")] = None
    """The address of the LLM's API."""
    timeout: Annotated[float | None, Parameter(metavar="SECONDS", validator=Number(gte=0.1))] = None
    """For one call of the LLM; 120 at most by default, and less where its client has a limit of
    its own."""
    retries: NonNegativeInt | None = None
    """How often a call is tried again after a lost connection or a rate limit; by default 8
    times."""
    patience: Annotated[str | None, Parameter(metavar="DURATION")] = None
    """How long to wait while the LLM's endpoint is away, as 90s or 1h; then the command ends with
    exit code 6, and goes on when it is run again. By default 10m, and 15s for an endpoint that has
    never answered. A wrong key, model or host name is told at once."""
    reply_limit: Annotated[PositiveInt | None, Parameter(metavar="TOKENS")] = None
    """Most tokens of a reply; by default it follows from what is asked."""
    reply_format: Literal["schema", "object", "json", "tool", "text"] | None = None
    """How the LLM is held to the form of a reply; object as llama.cpp takes it. By default the
    strictest that it takes."""
    logprobs: Annotated[bool | None, Parameter(negative="--no-logprobs")] = None
    """Ask for log-probabilities with verdicts on claims, where the API has them: graded scores
    count by them. Without the option, they are asked for."""
    verbose: bool = False
    """Print on stderr what is found out about the LLM."""

    def calls(self, *, keyless: bool = False) -> "CallSettings | None":
        """Return how the LLM is called; `None` if there is none.

        Raises:
            InputError: There is no LLM that the options are for, or one is not understood.
        """
        given: dict[str, Any] = {name: getattr(self, name) for name in CALLS}
        if self.llm is None:
            named = [f"--{key.replace('_', '-')}" for key in given if given[key] is not None]
            if named:
                raise InputError(f"{' and '.join(named)}: only with --llm; rules are not called")
            return None
        from llamaindex_rag_eval.models.by_name import CallSettings
        from llamaindex_rag_eval.models.durations import read_duration

        if self.patience is not None:
            given["patience"] = read_duration(self.patience, "--patience")
        return CallSettings(**given, keyless=keyless)

    def client(self, *, keyless: bool = False) -> "LLM | None":
        """Return the LLM; `None` if there is none."""
        calls = self.calls(keyless=keyless)
        return None if self.llm is None else rag.llm_at(self.llm, calls)


CALLS = tuple(field.name for field in fields(Model) if field.name not in ("llm", "verbose"))
"""Options that say how an LLM is called."""


@Parameter(name="*", group=LIMITS)
@dataclass(frozen=True, kw_only=True)
class Limits:
    """What a model may cost."""

    max_calls: PositiveInt | None = None
    """Stop after this many calls; finished results are kept."""
    max_tokens: PositiveInt | None = None
    """Stop after this many tokens."""
    max_cost: NonNegativeFloat | None = None
    """Stop after this many dollars."""

    def __bool__(self) -> bool:
        """Return whether there is a limit."""
        return (self.max_calls, self.max_tokens, self.max_cost) != (None, None, None)

    def budget(self) -> "rag.Budget":
        """Return the limits as models take them."""
        return rag.Budget(self.max_calls, self.max_tokens, self.max_cost)


@Parameter(name="*", group=MODEL)
@dataclass(frozen=True, kw_only=True)
class Checking(Model):
    """Who judges: an LLM, a small model, or rules; and where replies are kept."""

    checker: Annotated[str | None, Parameter(name="--judge", metavar="NAME")] = None
    """A small model that judges which claims the sources support, in place of the LLM or the
    rules: nli:MODEL or minicheck:MODEL, of Hugging Face or a folder; or ollama-minicheck. Settings
    in brackets, as 'nli:MODEL(threshold=0.7)'. Claims and all else come from --llm, or from
    rules."""
    cache: Annotated[list[str] | None, Parameter(metavar="FILE|URL")] = None
    """A file (SQLite) or a database URL that keeps the judge's replies, so that nothing is asked
    twice, not even by processes that run at the same time. Given again, it names another one that
    is only read, as on a read-only mount: --cache new.db --cache shared.db writes new replies to
    new.db."""

    def judge(
        self,
        *,
        limits: Limits = Limits(),
        keyless: bool = False,
        **settings: Any,
    ) -> "rag.Judge | None":
        """Return the judge that the options name; `None` stands for the embedded rules.

        Args:
            limits: What it may cost.
            keyless: Whether an LLM will not be called, as in a dry run.
            settings: Further arguments of `judge_at`.

        Raises:
            InputError: Options that need an LLM are given without one, or name something unknown.
            OutputError: The cache cannot be written.
        """
        calls = self.calls(keyless=keyless)
        if self.llm is None:
            _require_llm(limits, settings)
            if settings.get("embed") is None and self.checker is None:
                return None
        from llamaindex_rag_eval.judge.by_name import judge_at

        given = {"cache": self.cache, **settings, "budget": limits.budget()}
        return judge_at(self.llm, calls=calls, checker=self.checker, **given)


def _require_llm(limits: Limits, settings: Mapping[str, Any]) -> None:
    """Refuse options that only an LLM has a use for.

    Raises:
        InputError: There is one.
    """
    if settings.get("votes", 1) > 1:
        raise InputError("--votes needs --llm: rules always answer the same")
    if limits and settings.get("embed") is None:
        raise InputError(
            "--max-calls, --max-tokens and --max-cost need --llm or --embed: rules cost nothing"
        )
    if settings.get("prompts") is not None:
        raise InputError("--prompts needs --llm: rules are not prompted")


@Parameter(name="*", group=MODEL)
@dataclass(frozen=True, kw_only=True)
class Judging(Checking):
    """Who judges, which model compares texts, and the prompts."""

    embed: Annotated[str | None, Parameter(metavar="NAME")] = None
    """The embedding model that compares texts: openai:MODEL; openai-like:URL:MODEL; PROVIDER:MODEL
    for an installed llama-index-embeddings-PROVIDER, as huggingface:MODEL or ollama:MODEL; or
    MODULE:ATTRIBUTE. Without it, their words are compared."""
    prompts: Annotated[str | None, Parameter(metavar="LANGUAGE|FOLDER")] = None
    """The prompts for the LLM: de, ja or zh, or a folder written by `rag-eval prompts`."""

    def judge(self, **settings: Any) -> "rag.Judge | None":
        """Return the judge that the options name, as `Checking.judge`."""
        return super().judge(**{"embed": self.embed, "prompts": self.prompts, **settings})


@Parameter(name="*", group=LIMITS)
@dataclass(frozen=True, kw_only=True)
class PricedLimits(Limits):
    """What a judge may cost, by which prices."""

    prices: Path | None = None
    """A JSON table of prices, in dollars for a million tokens."""


DryRun = Annotated[
    bool,
    Parameter(
        group=LIMITS,
        negative=(),
        help="Print what the LLM would cost (calls, tokens, money), and ask nothing. What is named "
        "is loaded, so that a mistake is found; OpenAI's models need no key for this.",
    ),
]
