"""Who judges, and what may be spent: the one place where options become a judge."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from llamaindex_rag_eval.errors import InputError

if TYPE_CHECKING:
    from llamaindex_rag_eval.judge import Judge
    from llamaindex_rag_eval.models import Usage

__all__ = [
    "DryRun",
    "MaxCalls",
    "MaxCost",
    "MaxTokens",
    "Prices",
    "PromptsIn",
    "Spending",
    "Votes",
    "judge_from",
    "usage_lines",
]

MaxCalls = Annotated[
    int | None,
    typer.Option("--max-calls", min=1, help="Stop after this many calls; what is done is kept."),
]
MaxTokens = Annotated[
    int | None, typer.Option("--max-tokens", min=1, help="Stop after this many tokens.")
]
MaxCost = Annotated[
    float | None, typer.Option("--max-cost", min=0, help="Stop after this many dollars.")
]
Prices = Annotated[
    Path | None,
    typer.Option(
        "--prices",
        help="A JSON table of prices, in dollars for a million tokens.",
    ),
]
Votes = Annotated[
    int, typer.Option("--votes", min=1, help="Ask an odd number of times; the majority counts.")
]
PromptsIn = Annotated[
    str | None,
    typer.Option(
        "--prompts",
        metavar="LANGUAGE|FOLDER",
        help="Ask the LLM in de, ja or zh, or by the prompts that `rag-eval prompts` wrote.",
        show_default=False,
    ),
]
DryRun = Annotated[
    bool,
    typer.Option("--dry-run", help="Say what it would cost (calls, tokens, money); ask nothing."),
]


@dataclass(frozen=True)
class Spending:
    """What may be spent, and how.

    Attributes:
        max_calls: Calls of the model.
        max_tokens: Tokens of prompts and replies.
        max_cost: Dollars.
        prices: A table of prices in place of the shipped one.
        votes: How often each judgement is asked.
        concurrency: The most calls in flight.
    """

    max_calls: int | None = None
    max_tokens: int | None = None
    max_cost: float | None = None
    prices: Path | None = None
    votes: int = 1
    concurrency: int = 64


def judge_from(
    llm: str | None,
    cache: str | None,
    spending: Spending | None = None,
    *,
    prompts: str | None = None,
) -> "Judge | None":
    """Return the judge that was asked for; `None` stands for the embedded rules.

    Args:
        llm: The LLM's name, as `openai:gpt-4o-mini`.
        cache: A file or database URL for its replies.
        spending: What may be spent.
        prompts: A language that comes with the package, or a folder of prompts.

    Raises:
        InputError: The name names no LLM, rules are asked to vote, or there are no such prompts.
        OutputError: The cache cannot be written.
    """
    spending = spending or Spending()
    if llm is None:
        if spending.votes > 1:
            raise InputError("--votes needs --llm: rules always answer the same")
        if (spending.max_calls, spending.max_tokens, spending.max_cost) != (None, None, None):
            raise InputError(
                "--max-calls, --max-tokens and --max-cost need --llm: rules cost nothing"
            )
        if prompts is not None:
            raise InputError("--prompts needs --llm: rules are not asked in words")
        return None
    from llamaindex_rag_eval.judge import judge_of
    from llamaindex_rag_eval.judge.prompts import prompts_at
    from llamaindex_rag_eval.models import (
        Budget,
        Limit,
        LLMOracle,
        Store,
        Usage,
    )
    from llamaindex_rag_eval.models.by_name import llm_at
    from llamaindex_rag_eval.models.usage import prices_from

    prices = None if spending.prices is None else prices_from(spending.prices)
    budget = Budget(spending.max_calls, spending.max_tokens, spending.max_cost)
    limit = Limit(spending.concurrency, budget=budget, usage=Usage(prices))
    store = None if cache is None else Store(cache)
    words = None if prompts is None else prompts_at(prompts)
    oracle = LLMOracle(llm_at(llm), limit=limit, prompts=words)
    return judge_of(oracle, store=store, votes=spending.votes)


def usage_lines(usage: "Usage") -> tuple[str, ...]:
    """Return in words what is or would be spent, in all and by metric."""
    total = usage.total
    if not total.calls:
        return ("0 calls: embedded rules judge, or the cache holds every reply.",)
    money = "" if total.cost is None else f", ${total.cost:.4f}"
    lines = [
        f"{total.calls:,} calls, {total.prompt_tokens:,} prompt tokens, "
        f"{total.completion_tokens:,} completion tokens{money or ' (no price is known)'}"
    ]
    for name, count in sorted(usage.by["metric"].items(), key=lambda entry: -entry[1].calls):
        lines.append(f"  {name}: {count.calls:,} calls, {count.prompt_tokens:,} prompt tokens")
    return tuple(lines)
