"""Judges by name: an LLM or rules, with embeddings, cache, prompts, votes and limits."""

from pathlib import Path

from llamaindex_rag_eval.judge.fact_check import FactCheckOracle
from llamaindex_rag_eval.judge.judge import Judge, judge_of
from llamaindex_rag_eval.judge.prompts import prompts_at
from llamaindex_rag_eval.judge.suite import SuiteOracle
from llamaindex_rag_eval.models import (
    Budget,
    EmbeddedOracle,
    Limit,
    LLMOracle,
    Oracle,
    Store,
    Usage,
)
from llamaindex_rag_eval.models.by_name import CallSettings, embed_model_at, llm_at
from llamaindex_rag_eval.models.limit import RETRIES, TIMEOUT
from llamaindex_rag_eval.models.transport import Connect, Transport
from llamaindex_rag_eval.models.usage import prices_from


def judge_at(
    name: str | None,
    *,
    checker: str | None = None,
    embed: str | None = None,
    cache: str | Path | None = None,
    prompts: str | Path | None = None,
    votes: int = 1,
    suite: bool = False,
    budget: Budget | None = None,
    prices: str | Path | None = None,
    concurrency: int = 64,
    calls: CallSettings | None = None,
    connect: Connect = Transport,
) -> Judge:
    """Return a judge that asks an LLM, or one of rules beside an embedding model.

    Args:
        name: The LLM, as `openai:gpt-4o-mini`; see `llm_at`. None for the embedded rules, which
            have no prompts or votes.
        checker: The fact checker that says which claims sources support, in place of the LLM or
            the rules, as `nli:MODEL`; see `fact_checker_at`. Or a file that `rag-eval align` wrote,
            as `judge.toml`; see `Judge.load`.
        embed: The embedding model for similarities, as `huggingface:MODEL`; see `embed_model_at`.
            By default words are compared instead.
        cache: A file or database URL for its replies; by default they are kept in memory.
        prompts: A language that comes with the package, or a folder of prompts; by default English.
        votes: How often each judgement is asked; an odd number, the majority counts.
        suite: Whether claims, support, useful contexts and verdict of a sample are asked in one
            request, for capable models; see `SuiteOracle`.
        budget: What may be spent; by default anything.
        prices: A JSON table of prices in place of the one that comes with the package.
        concurrency: The most calls in flight.
        calls: How the LLM is called: its address, time-out, retries, limit and form of replies.
        connect: Makes the connection to the LLM; by default over the network.

    Raises:
        InputError: A name names no model, `votes` is even, or there are no such prompts.
        EngineError: The module or attribute is not there, or is not an LLM.
        DatasetError: A file of prompts or prices is broken.
        OutputError: The cache cannot be written.
    """
    store = Store(cache) if cache else None
    calls = calls or CallSettings()
    embed_model = None if embed is None else embed_model_at(embed, keyless=calls.keyless)
    usage = Usage(None if prices is None else prices_from(prices))
    limit = Limit(
        concurrency,
        retries=RETRIES if calls.retries is None else calls.retries,
        timeout=TIMEOUT if calls.timeout is None else calls.timeout,
        patience=calls.patience,
        budget=budget,
        usage=usage,
    )
    if name is None:
        rules = EmbeddedOracle(embed_model, limit=limit)
        return _judge(rules, store, checker)
    oracle: Oracle = LLMOracle(
        llm_at(name, calls),
        embed_model,
        limit=limit,
        prompts=None if prompts is None else prompts_at(prompts),
        way=calls.reply_format,
        reply_limit=calls.reply_limit,
        logprobs=calls.logprobs is not False,
        connect=connect,
    )
    oracle = SuiteOracle(oracle) if suite else oracle
    return _judge(oracle, store, checker, votes=votes)


def _judge(oracle: Oracle, store: Store | None, checker: str | None, *, votes: int = 1) -> Judge:
    """Return a judge over an oracle, with a fact checker before it if one is named.

    The fact checker stands before the votes: asked again, it says the same.
    """
    judge = judge_of(oracle, store=store, votes=votes)
    if checker is None or checker.endswith(".toml"):
        return judge if checker is None else Judge.load(checker, judge)
    return judge_of(FactCheckOracle(checker, judge.oracle), store=store)
