"""Judges by name: an LLM with its cache, prompts, votes and limits, in one call."""

from pathlib import Path

from llamaindex_rag_eval.judge.judge import Judge, judge_of
from llamaindex_rag_eval.judge.prompts import prompts_at
from llamaindex_rag_eval.models import (
    Budget,
    Limit,
    LLMOracle,
    Store,
    Usage,
)
from llamaindex_rag_eval.models.batch import BatchFolder
from llamaindex_rag_eval.models.by_name import llm_at
from llamaindex_rag_eval.models.usage import prices_from

__all__ = ["judge_at"]

REPLIES = "replies.db"
"""The replies of a folder of batch files, checked and parsed."""


def judge_at(
    name: str,
    *,
    cache: str | Path | None = None,
    prompts: str | Path | None = None,
    votes: int = 1,
    budget: Budget | None = None,
    prices: str | Path | None = None,
    concurrency: int = 64,
    batch: BatchFolder | None = None,
) -> Judge:
    """Return a judge that asks an LLM.

    Args:
        name: The LLM, as `openai:gpt-4o-mini`; see `llm_at`.
        cache: A file or database URL for its replies; by default they are kept in memory.
        prompts: A language that comes with the package, or a folder of prompts; by default English.
        votes: How often each judgement is asked; an odd number, the majority counts.
        budget: What may be spent; by default anything.
        prices: A JSON table of prices in place of the one that comes with the package.
        concurrency: The most calls in flight.
        batch: A folder of batch files that answers in place of the network. Replies are kept in it
            where no `cache` is given.

    Raises:
        InputError: The name names no LLM, `votes` is even, or there are no such prompts.
        EngineError: The module or attribute is not there, or is not an LLM.
        DatasetError: A file of prompts or prices is broken.
        OutputError: The cache cannot be written.
    """
    usage = Usage(None if prices is None else prices_from(prices))
    limit = Limit(concurrency, budget=budget, usage=usage)
    chosen = None if prompts is None else prompts_at(prompts)
    oracle = LLMOracle(llm_at(name), limit=limit, prompts=chosen, batch=batch)
    if cache is None and batch is not None:
        cache = batch.folder / REPLIES
    return judge_of(oracle, store=None if cache is None else Store(cache), votes=votes)
