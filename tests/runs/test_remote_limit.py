"""Calls of workers within the limits of their parent, the two ends joined without processes."""

import asyncio
from collections.abc import Awaitable, Callable
from contextvars import ContextVar
from multiprocessing import Pipe
from typing import Any

import pytest

from llamaindex_rag_eval.errors import BudgetError, CallError, EndpointError
from llamaindex_rag_eval.models import Budget, Limit
from llamaindex_rag_eval.runs.peer import Peer
from llamaindex_rag_eval.runs.remote_limit import RemoteLimit, serve_limits, use_limits


class Joined:
    """A worker and its parent in one event loop."""

    def __init__(self, limit: Limit) -> None:
        ours, theirs = Pipe()
        self.parent, self.worker = (Peer(end, lambda: None) for end in (ours, theirs))
        serve_limits([limit], self.parent)
        self.limit = RemoteLimit.of(0, dict(limit.__getstate__()))
        use_limits([self.limit], self.worker)

    async def call(self, work: Callable[[], Awaitable[Any]], **about: Any) -> Any:
        reply = await self.limit.call(work, model="m", tokens=10, **about)
        self.limit.usage.add(model="m", request="r", prompt=10, completion=1)
        return reply


async def test_no_more_calls_are_in_flight_than_one_limit_allows():
    limit, in_flight, most = Limit(3), 0, 0
    workers = [Joined(limit), Joined(limit)]

    async def work() -> str:
        nonlocal in_flight, most
        in_flight += 1
        most = max(most, in_flight)
        await asyncio.sleep(0.01)
        in_flight -= 1
        return "done"

    done = await asyncio.gather(*(one.call(work) for one in workers for _ in range(10)))
    assert done == ["done"] * 20
    assert most == 3
    while limit.usage.total.calls < 20:  # noqa: ASYNC110 - what is told travels by a pipe
        await asyncio.sleep(0)
    assert limit.usage.total.calls == 20


async def test_a_budget_is_kept_to_the_call():
    limit = Limit(4, budget=Budget(calls=7))
    workers = [Joined(limit), Joined(limit)]

    async def work() -> None:
        await asyncio.sleep(0)

    calls = [one.call(work) for one in workers for _ in range(10)]
    found = await asyncio.gather(*calls, return_exceptions=True)
    assert sum(one is None for one in found) == 7
    refused = [one for one in found if one is not None]
    assert {type(one) for one in refused} == {BudgetError}
    assert "the budget of 7 calls is spent" in str(refused[0])


async def test_a_transient_error_is_tried_again_and_another_is_not(monkeypatch):
    monkeypatch.setattr("llamaindex_rag_eval.models.limit.FIRST_WAIT", 0.01)
    worker, attempts = Joined(Limit()), 0

    async def work() -> int:
        nonlocal attempts
        attempts += 1
        if attempts < 3:
            raise CallError("busy", status=429, transient=True)
        return attempts

    assert await worker.call(work) == 3

    async def refused() -> None:
        raise CallError("what is this?", status=400)

    with pytest.raises(CallError, match=r"what is this\?") as caught:
        await worker.call(refused)
    assert caught.value.status == 400


async def test_an_error_of_another_kind_reaches_the_caller_as_it_is():
    limit = Limit(1)
    worker, error = Joined(limit), ValueError("a bug")

    async def work() -> None:
        raise error

    for _ in range(3):  # each gives its place back
        with pytest.raises(ValueError, match="a bug") as caught:
            await worker.call(work)
        assert caught.value is error


async def test_an_endpoint_that_refuses_all_ends_the_calls_of_both_workers():
    limit, asked = Limit(1), 0
    workers = [Joined(limit), Joined(limit)]

    async def work() -> None:
        nonlocal asked
        asked += 1
        raise CallError("wrong key", status=401)

    calls = [one.call(work) for one in workers for _ in range(5)]
    found = await asyncio.gather(*calls, return_exceptions=True)
    assert [type(one) for one in found] == [EndpointError] * 10
    assert asked == 1


async def test_what_is_cancelled_or_late_gives_its_place_back(monkeypatch):
    monkeypatch.setattr("llamaindex_rag_eval.models.limit.FIRST_WAIT", 0.01)
    limit = Limit(1, timeout=0.05, retries=1)
    worker, stopped = Joined(limit), 0

    async def stalls() -> None:
        nonlocal stopped
        try:
            await asyncio.sleep(600)
        finally:
            stopped += 1

    with pytest.raises(CallError, match=r"no answer within 0\.05 s"):
        await worker.call(stalls)
    assert stopped == 2
    worker.limit.timeout = 600
    task = asyncio.ensure_future(worker.call(stalls))
    await asyncio.sleep(0.01)
    task.cancel()
    await asyncio.wait({task})
    await asyncio.sleep(0.01)
    assert stopped == 3
    assert limit.window.in_flight == 0


async def test_a_worker_that_dies_gives_all_places_back():
    limit = Limit(2)
    dead, alive = Joined(limit), Joined(limit)

    async def stalls() -> None:
        await asyncio.sleep(600)

    async def work() -> str:
        return "done"

    held = [asyncio.ensure_future(dead.call(stalls)) for _ in range(3)]
    await asyncio.sleep(0.01)
    assert limit.window.in_flight == 2
    dead.parent.close(ConnectionError("killed"))
    assert await alive.call(work) == "done"
    for task in held:
        task.cancel()
    await asyncio.wait(held)


async def test_an_attempt_runs_in_the_context_of_its_call():
    asker: ContextVar[str] = ContextVar("asker", default="nobody")
    worker = Joined(Limit())

    async def work() -> str:
        return asker.get()

    async def call(name: str) -> Any:
        asker.set(name)
        return await worker.call(work)

    assert await asyncio.gather(call("a"), call("b")) == ["a", "b"]
