"""Options about models: who judges, how an LLM is called, and what it may cost."""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any, Literal

from cyclopts import Parameter
from cyclopts.types import NonNegativeFloat, NonNegativeInt, PositiveInt
from cyclopts.validators import Number

import llamaindex_rag_eval as rag
from llamaindex_rag_eval.cli import library
from llamaindex_rag_eval.cli.errors import refuse
from llamaindex_rag_eval.cli.options import CALLS, LIMITS, MODEL, options
from llamaindex_rag_eval.errors import InputError


@options(group=CALLS)
class Calls:
    """How an LLM is called; `None` leaves each as it is."""

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


@options(group=MODEL)
class Model:
    """An LLM by name, and how it is called."""

    llm: Annotated[str | None, Parameter(metavar="NAME")] = None
    """The model that judges, or writes and translates: openai:MODEL; openai-like:URL:MODEL;
    PROVIDER:MODEL for an installed llama-index-llms-PROVIDER, as anthropic:MODEL or ollama:MODEL;
    or MODULE:ATTRIBUTE. Without it, rules do what they can: no key, no network."""
    how: Calls = Calls()
    verbose: Annotated[bool, Parameter(group=CALLS)] = False
    """Print on stderr what is found out about the LLM."""

    def calls(self, *, keyless: bool = False) -> "library.CallSettings | None":
        """Return how the LLM is called; `None` if there is none.

        Raises:
            InputError: There is no LLM that the options are for, or one is not understood.
        """
        settings = {name: value for name, value in asdict(self.how).items() if value is not None}
        if self.llm is None:
            if settings:
                named = " and ".join(f"--{name.replace('_', '-')}" for name in settings)
                raise InputError(f"{named}: only with --llm; rules are not called")
            return None
        if self.how.patience is not None:
            settings["patience"] = library.read_duration(self.how.patience, "--patience")
        return library.CallSettings(**settings, keyless=keyless)

    def client(self, *, keyless: bool = False) -> "library.LLM | None":
        """Return the LLM; `None` if there is none."""
        calls = self.calls(keyless=keyless)
        return None if self.llm is None else rag.llm_at(self.llm, calls)


@options(group=LIMITS)
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


@options(group=LIMITS)
class PricedLimits(Limits):
    """What a judge may cost, by which prices."""

    prices: Path | None = None
    """A JSON table of prices, in dollars for a million tokens."""


DryRun = Annotated[
    bool,
    Parameter(
        group=LIMITS,
        help="Print what the LLM would cost (calls, tokens, money), and ask nothing. What is named "
        "is loaded, so that a mistake is found; OpenAI's models need no key for this.",
    ),
]


@options(group=MODEL)
class Checking(Model):
    """Who judges: an LLM, a small model, or rules; and where replies are kept."""

    checker: Annotated[str | None, Parameter(name="--judge", metavar="NAME")] = None
    """A small model that judges which claims the sources support, in place of the LLM or the
    rules: nli:MODEL or minicheck:MODEL, of Hugging Face or a folder; or ollama-minicheck. Settings
    in brackets, as 'nli:MODEL(threshold=0.7)'. Claims and all else come from --llm, or from
    rules. Or a file that `rag-eval align` wrote, as judge.toml, beside the --llm it is for."""
    cache: Annotated[list[str] | None, Parameter(metavar="FILE|URL")] = None
    """A file (SQLite) or a database URL that keeps the judge's replies, so that nothing is asked
    twice, not even by processes that run at the same time. Given again, it names another one that
    is only read, as on a read-only mount: --cache new.db --cache shared.db writes new replies to
    new.db."""

    def judge(
        self, *, limits: Limits = Limits(), keyless: bool = False, **settings: Any
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
            embeds = settings.get("embed") is not None
            refuse(
                {
                    "--votes needs --llm: rules always answer the same": settings.get("votes", 1)
                    > 1,
                    "--max-calls, --max-tokens and --max-cost need --llm or --embed: rules cost "
                    "nothing": bool(limits) and not embeds,
                    "--prompts needs --llm: rules are not prompted": bool(settings.get("prompts")),
                }
            )
            if not embeds and self.checker is None:
                return None
        settings = {"cache": self.cache, **settings, "budget": limits.budget()}
        return library.judge_at(self.llm, calls=calls, checker=self.checker, **settings)


@options(group=MODEL)
class Judging(Checking):
    """Who judges, which model compares texts, and the prompts."""

    embed: Annotated[str | None, Parameter(metavar="NAME")] = None
    """The embedding model that compares texts: openai:MODEL; openai-like:URL:MODEL; PROVIDER:MODEL
    for an installed llama-index-embeddings-PROVIDER, as huggingface:MODEL or ollama:MODEL; or
    MODULE:ATTRIBUTE. Without it, their words are compared."""
    prompts: Annotated[str | None, Parameter(metavar="LANGUAGE|FOLDER")] = None
    """The prompts for the LLM: de, ja or zh, or a folder written by `rag-eval more prompts`."""

    def judge(self, **settings: Any) -> "rag.Judge | None":
        """Return the judge that the options name, as `Checking.judge`."""
        return super().judge(**{"embed": self.embed, "prompts": self.prompts, **settings})
