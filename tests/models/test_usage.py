"""Budgets and usage, against a server that counts."""

import asyncio
from typing import Any

import pytest

from llamaindex_rag_eval.errors import BudgetError, CallError
from llamaindex_rag_eval.judge import Judge
from llamaindex_rag_eval.metrics.faithfulness import Faithfulness
from llamaindex_rag_eval.models import Budget, Limit, LLMOracle, Price, Usage
from tests.models.asking import claims_requests, llm_at, oracle_at, serving
from tests.server import Fault, LoopbackServer


async def test_a_budget_of_calls_is_never_exceeded(server: LoopbackServer) -> None:
    oracle = oracle_at(server, limit=Limit(8, budget=Budget(calls=5)))
    results = await asyncio.gather(*map(oracle.ask, claims_requests(20)), return_exceptions=True)
    assert server.stats().calls == 5
    assert sum(isinstance(result, BudgetError) for result in results) == 15


async def test_a_budget_of_tokens_stops_the_next_call(server: LoopbackServer) -> None:
    oracle = oracle_at(server, limit=Limit(budget=Budget(tokens=1)))
    first, second = claims_requests(2)
    await oracle.ask(first)
    with pytest.raises(BudgetError, match="1 tokens is spent"):
        await oracle.ask(second)


@pytest.mark.parametrize("budget", [Budget(calls=0), Budget(tokens=0), Budget(cost=0.0)])
async def test_a_budget_of_nothing_allows_no_call(server: LoopbackServer, budget: Budget) -> None:
    oracle = oracle_at(server, limit=Limit(budget=budget))
    with pytest.raises(BudgetError, match="is spent"):
        await oracle.ask(claims_requests(1)[0])
    assert server.stats().calls == 0


async def test_a_budget_of_money_stops_the_next_call(server: LoopbackServer) -> None:
    usage = Usage({"gpt-4o-mini": Price(prompt=1e6, completion=1e6)})
    oracle = oracle_at(server, limit=Limit(budget=Budget(cost=1.0), usage=usage))
    first, second = claims_requests(2)
    await oracle.ask(first)
    with pytest.raises(BudgetError, match=r"\$1.0 is spent"):
        await oracle.ask(second)
    total = usage.total
    # A dollar a token.
    assert total.cost == total.prompt_tokens + total.completion_tokens


async def test_prompts_in_flight_count_against_a_budget_of_money(server: LoopbackServer) -> None:
    usage = Usage({"gpt-4o-mini": Price(prompt=1e6, completion=0)})
    limit = Limit(8, budget=Budget(cost=1.0), usage=usage)
    asking = map(oracle_at(server, limit=limit).ask, claims_requests(8))
    results = await asyncio.gather(*asking, return_exceptions=True)
    # A dollar a token: the first call alone goes beyond it, and has no reply yet.
    assert sum(isinstance(result, BudgetError) for result in results) == 7
    assert server.stats().calls == usage.total.calls == 1


async def test_a_model_without_a_price_is_not_called_on_a_budget_of_money(
    server: LoopbackServer,
) -> None:
    oracle = oracle_at(server, "text", limit=Limit(budget=Budget(cost=1.0)))
    with pytest.raises(BudgetError, match="no price is known for 'a-local-model'"):
        await oracle.ask(claims_requests(1)[0])
    assert server.stats().calls == 0


async def test_usage_is_counted_by_model_request_and_metric(server: LoopbackServer) -> None:
    limit = Limit()
    judges = [Judge(LLMOracle(llm_at(server, way), limit=limit)) for way in ("schema", "tool")]
    sample: dict[str, Any] = {
        "query": "q",
        "response": "Ada is tall.",
        "contexts": ["Ada is tall."],
    }
    for judge in judges:
        await Faithfulness(judge).aevaluate(**sample)
    usage, tally = limit.usage, server.stats()
    calls = {kind: {n: c.calls for n, c in counts.items()} for kind, counts in usage.by.items()}
    assert calls == {
        "model": {"gpt-4o-mini": 2, "gpt-4": 2},
        "request": {"ClaimsOf": 2, "SupportOf": 2},
        "metric": {"faithfulness": 4},
    }
    assert usage.total.prompt_tokens == tally.prompt_tokens
    assert usage.total.completion_tokens == tally.completion_tokens


async def test_a_cancelled_call_leaves_its_place(server: LoopbackServer) -> None:
    oracle = oracle_at(server, limit=Limit(2))
    tasks = [asyncio.create_task(oracle.ask(request)) for request in claims_requests(12)]
    await asyncio.sleep(0.005)
    for task in tasks[::2]:
        task.cancel()
    results = await asyncio.gather(*tasks, return_exceptions=True)
    assert {type(r).__name__ for r in results[1::2]} == {"Claims"}
    assert oracle.limit.window.in_flight == 0


async def test_the_llms_own_retries_do_not_multiply_ours() -> None:
    with serving(Fault(kind="server_error", mode="permanent")) as server:
        oracle = oracle_at(server, limit=Limit(retries=2))
        with pytest.raises(CallError):
            await oracle.ask(claims_requests(1)[0])
        # One try, and two more.
        assert server.stats().calls == 3
