"""Options about models: who judges, how an LLM is called, and what it may cost."""

from pathlib import Path
from typing import Annotated, Any

from cyclopts import Parameter
from cyclopts.types import NonNegativeFloat, PositiveInt

import llamaindex_rag_eval as rag
from llamaindex_rag_eval.cli import library
from llamaindex_rag_eval.cli.errors import refuse
from llamaindex_rag_eval.cli.options import CALLS, LIMITS, MODEL, options
from llamaindex_rag_eval.errors import InputError


@options(group=MODEL)
class Model:
    """An LLM by name, and how it is called."""

    llm: Annotated[str | None, Parameter(metavar="NAME")] = None
    """The model that judges, or writes and translates: openai:MODEL; openai-like:URL:MODEL;
    PROVIDER:MODEL for an installed llama-index-llms-PROVIDER, as anthropic:MODEL or ollama:MODEL;
    or MODULE:ATTRIBUTE. Without it, rules do what they can: no key, no network."""
    call: Annotated[list[str] | None, Parameter(group=CALLS, metavar="KEY=VALUE")] = None
    """How the LLM is called, again for each of: base-url=URL of its API; timeout=SECONDS of a call
    (120, or less where its client has a limit); retries=N after a lost connection or a rate limit
    (8); patience=DURATION to wait while its endpoint is away, as 90s or 1h, before the command ends
    with exit code 6 (10m; 15s if it has never answered); reply-limit=TOKENS of a reply (as is asked
    for); reply-format=schema, object (as llama.cpp takes it), json, tool or text (the strictest
    that it takes); logprobs=no, not to ask for log-probabilities."""

    def calls(self, *, keyless: bool = False) -> "library.CallSettings | None":
        """Return how the LLM is called; `None` if there is none.

        Raises:
            InputError: There is no LLM that `--call` is for, or a setting of it is not understood.
        """
        if self.llm is None:
            if self.call:
                raise InputError(f"--call {self.call[0]} needs --llm: rules are not called")
            return None
        return library.CallSettings.read(self.call or (), option="--call", keyless=keyless)

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
    prices: Path | None = None
    """A JSON table of prices, in dollars for a million tokens."""

    def __bool__(self) -> bool:
        """Return whether there is a limit."""
        return (self.max_calls, self.max_tokens, self.max_cost) != (None, None, None)

    def settings(self) -> dict[str, Any]:
        """Return the limits as `judge_at` takes them."""
        budget = rag.Budget(self.max_calls, self.max_tokens, self.max_cost)
        return {"budget": budget, "prices": self.prices}


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
    rules: nli:MODEL or minicheck:MODEL, of Hugging Face or a folder. Settings in brackets, as
    'nli:MODEL(threshold=0.7)'. Claims and all else come from --llm, or from rules. Or a file that
    `rag-eval align` wrote, as judge.toml, beside the --llm it is for."""
    cache: Annotated[str | None, Parameter(metavar="FILE|URL")] = None
    """A file (SQLite) or a database URL that keeps the judge's replies, so that nothing is asked
    twice, not even by processes that run at the same time."""

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
                    "--suite one needs --llm: rules are not prompted": settings.get("suite"),
                }
            )
            if not embeds and self.checker is None:
                return None
        settings = {"cache": self.cache, **settings, **limits.settings()}
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
