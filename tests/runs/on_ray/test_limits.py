"""Limits that workers share: none calls without leave, and one account holds for all."""

import asyncio
import time
from typing import Any

from llamaindex_rag_eval.errors import BudgetError, CallError
from llamaindex_rag_eval.models import (
    Budget,
    CachedOracle,
    Limit,
    LimitedOracle,
    ScriptedOracle,
    Store,
)
from llamaindex_rag_eval.runs.on_ray import allowance as allowances
from llamaindex_rag_eval.runs.on_ray.allowance import Allowance
from llamaindex_rag_eval.runs.on_ray.limits import SharedLimit, loads
from llamaindex_rag_eval.runs.packing import dumps


class Method:
    """A method as Ray's handles have it."""

    def __init__(self, method: Any) -> None:
        self.remote = method


class Handle:
    """The handle of an actor that is in this process."""

    def __init__(self, actor: Allowance) -> None:
        self.lease, self.report = Method(actor.lease), Method(actor.report)


def workers(limit: Limit, count: int = 2) -> list[SharedLimit]:
    """Return the limit as so many workers have it."""
    data, found, _ = dumps(limit)
    handle = Handle(Allowance([one.__getstate__() for one in found]))
    return [loads(data, handle, f"worker {number}")[0] for number in range(count)]


async def call_all(limits: list[SharedLimit], count: int, work: Any) -> list[Any]:
    """Call so many times through each limit at once; return what came, errors too."""

    async def one(limit: SharedLimit) -> Any:
        done = await limit.call(work, model="m", tokens=10)
        limit.usage.add(model="m", request="r", prompt=10, completion=1)
        return done

    calls = [one(limit) for limit in limits for _ in range(count)]
    found = await asyncio.gather(*calls, return_exceptions=True)
    for limit in limits:
        await limit.flush()
    return found


async def test_no_more_calls_are_in_flight_than_one_limit_allows():
    in_flight, most = 0, 0

    async def work() -> str:
        nonlocal in_flight, most
        in_flight += 1
        most = max(most, in_flight)
        await asyncio.sleep(0.01)
        in_flight -= 1
        return "done"

    assert await call_all(workers(Limit(3)), 10, work) == ["done"] * 20
    assert most == 3


async def test_a_budget_is_one_for_all():
    async def work() -> None:
        await asyncio.sleep(0)

    found = await call_all(workers(Limit(4, budget=Budget(calls=7))), 10, work)
    assert sum(one is None for one in found) == 7
    refused = [one for one in found if one is not None]
    assert {type(one) for one in refused} == {BudgetError}
    assert "the budget of 7 calls is spent" in str(refused[0])


async def test_calls_that_fail_give_their_place_back():
    async def work() -> None:
        raise CallError("no", status=400)

    found = await call_all(workers(Limit(1)), 5, work)
    assert [type(one) for one in found] == [CallError] * 10


async def test_a_rate_is_one_for_all():
    async def work() -> None:
        return None

    started = time.monotonic()
    await call_all(workers(Limit(requests_per_minute=1200)), 10, work)
    # 20 calls, one each 50 ms, of which 100 ms' worth may go at once: (20 - 3) * 50 ms
    assert time.monotonic() - started >= 0.8


async def test_the_calls_of_a_dead_worker_do_not_count_for_ever(monkeypatch):
    monkeypatch.setattr(allowances, "PATIENCE", 0.2)
    monkeypatch.setattr(allowances, "DEAD_AFTER", 0.1)
    actor = Allowance([Limit(2).__getstate__()])
    assert await actor.lease("dead", 0, "m", [1, 1, 1]) == 2
    assert await actor.lease("alive", 0, "m", [1]) == 0
    assert await actor.lease("alive", 0, "m", [1]) == 1


def test_a_judge_is_sent_with_shared_limits_and_whole_paths(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    limit = Limit(5, budget=Budget(calls=3))
    inner = LimitedOracle(LimitedOracle(ScriptedOracle(), limit), limit)
    data, found, stores = dumps(CachedOracle(inner, Store("replies.db")))
    assert found == [limit]  # one limit, in two places
    assert stores == [f"sqlite:///{tmp_path}/replies.db"]
    oracle, limits = loads(data, None, "w")
    assert oracle.store.url == stores[0]
    assert oracle.inner.limit is oracle.inner.inner.limit is limits[0]
    assert limits[0].budget == Budget()  # the actor keeps it
