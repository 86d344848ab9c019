"""Limits that blocks on Ray share: one account holds for all, and the dead are forgotten."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

import pytest
from llama_index.core.llms import MockLLM

from llamaindex_rag_eval.errors import BudgetError, CallError
from llamaindex_rag_eval.judge.rules.embedding import LexicalEmbedding
from llamaindex_rag_eval.models import Budget, CachedOracle, Limit, LLMOracle, Store, VotingOracle
from llamaindex_rag_eval.runs.on_ray import limits as limits_on_ray
from llamaindex_rag_eval.runs.on_ray.limits import LimitServer, limits_at
from llamaindex_rag_eval.runs.remote_limit import RemoteLimit, dumps, loads


class Method:
    """A method as Ray's handles have it: it is done, also if nobody waits."""

    def __init__(self, method: Any) -> None:
        self._method = method

    def remote(self, *arguments: Any) -> Any:
        return asyncio.ensure_future(self._method(*arguments))


class Handle:
    """The handle of an actor that is in this process."""

    def __init__(self, actor: LimitServer) -> None:
        for name in ("open", "take", "give", "close"):
            setattr(self, name, Method(getattr(actor, name)))


@asynccontextmanager
async def workers(limit: Limit, count: int = 2) -> AsyncIterator[list[RemoteLimit]]:
    """Yield the limit as so many workers have it."""
    data, limits, _ = dumps(limit)
    handle = Handle(LimitServer([one.__getstate__() for one in limits]))
    async with AsyncExitStack() as stack:
        remote = [loads(data)[1] for _ in range(count)]
        for each in remote:
            await stack.enter_async_context(limits_at(handle, each))
        yield [each[0] for each in remote]


async def call_all(limit: Limit, count: int, work: Any) -> list[Any]:
    """Call so many times in each of two workers at once; return what came, errors too."""

    async def call(own: RemoteLimit) -> Any:
        done = await own.call(work, model="m", tokens=10)
        own.usage.add(model="m", request="r", prompt=10, completion=1)
        return done

    async with workers(limit) as limits:
        calls = [call(own) for own in limits for _ in range(count)]
        return await asyncio.gather(*calls, return_exceptions=True)


async def test_no_more_calls_are_in_flight_than_one_limit_allows():
    in_flight, most = 0, 0

    async def work() -> str:
        nonlocal in_flight, most
        in_flight += 1
        most = max(most, in_flight)
        await asyncio.sleep(0.01)
        in_flight -= 1
        return "done"

    assert await call_all(Limit(3), 10, work) == ["done"] * 20
    assert most == 3


async def test_a_budget_is_one_for_all():
    async def work() -> None:
        await asyncio.sleep(0)

    replies = await call_all(Limit(4, budget=Budget(calls=7)), 10, work)
    assert sum(reply is None for reply in replies) == 7
    refused = [reply for reply in replies if reply is not None]
    assert {type(error) for error in refused} == {BudgetError}
    assert "the budget of 7 calls is spent" in str(refused[0])


async def test_the_calls_of_a_dead_worker_do_not_count_for_ever(monkeypatch):
    monkeypatch.setattr(limits_on_ray, "PATIENCE", 0.02)
    server = LimitServer([Limit(1).__getstate__()])
    for name in ("dead", "alive"):
        await server.open(name)
        await server.take(name, [("ask", 0, "ask", (0, 7, "m", 1))])
    assert [await server.give(name) for name in ("dead", "alive")] == [[("done", 0, None)], []]
    monkeypatch.setattr(limits_on_ray, "DEAD_AFTER", 0.0)
    assert await server.give("alive") == [("done", 0, None)]


async def test_who_cannot_reach_the_limits_hears_why():
    async def work() -> None:
        raise AssertionError("never attempted")

    async def lost(name: str) -> None:
        raise ConnectionError("the actor is gone")

    server = LimitServer([Limit(1).__getstate__()])
    handle: Any = Handle(server)
    handle.give = Method(lost)
    _, limits = loads(dumps(Limit(1))[0])
    async with limits_at(handle, limits):
        for _ in range(2):  # the next one, too
            with pytest.raises(CallError, match="cannot be reached: the actor is gone"):
                await limits[0].call(work)


def test_a_judge_is_sent_with_shared_limits_and_whole_paths(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    limit = Limit(5, budget=Budget(calls=3))
    llm = MockLLM()
    inner = VotingOracle(LLMOracle(llm, LexicalEmbedding(), limit=limit), 3)
    data, limits, stores = dumps(CachedOracle(inner, Store("replies.db")))
    assert limits == [limit]  # one limit, in two places
    assert stores == [f"sqlite:///{tmp_path}/replies.db"]
    oracle, remote = loads(data)
    assert oracle.store.url == stores[0]
    assert oracle.inner.inner.limit is remote[0]
