"""Limits that blocks on Ray share: one account holds for all, and the dead are forgotten."""

import asyncio
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import AuthenticationError, Pipe
from typing import Any

import pytest
from llama_index.core.llms import MockLLM

from llamaindex_rag_eval.errors import BudgetError, CallError
from llamaindex_rag_eval.judge.rules.embedding import LexicalEmbedding
from llamaindex_rag_eval.models import Budget, CachedOracle, Limit, LLMOracle, Store, VotingOracle
from llamaindex_rag_eval.runs.on_ray import limits as limits_on_ray
from llamaindex_rag_eval.runs.on_ray.limits import limits_served, use_limits_at
from llamaindex_rag_eval.runs.remote_limit import RemoteLimit, dumps, loads, use_limits
from tests.prepared import Process


@contextmanager
def workers(limit: Limit, count: int = 2) -> Iterator[list[RemoteLimit]]:
    """Yield the limit as so many workers have it."""
    data, limits, _ = dumps(limit)
    with limits_served(limits, "127.0.0.1") as server:
        remote = [loads(data)[1] for _ in range(count)]
        for each in remote:
            use_limits_at(server, each)
        yield [each[0] for each in remote]


async def call_all(limit: Limit, count: int, work: Any) -> list[Any]:
    """Call so many times in each of two workers at once; return what came, errors too."""

    async def call(own: RemoteLimit) -> Any:
        done = await own.call(work, model="m", tokens=10)
        own.usage.add(model="m", request="r", prompt=10, completion=1)
        return done

    with workers(limit) as limits:
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


HOLDS = """
import asyncio, sys
from llamaindex_rag_eval.models import Limit
from llamaindex_rag_eval.runs.on_ray.limits import use_limits_at
from llamaindex_rag_eval.runs.remote_limit import RemoteLimit

async def hold():
    print("called", flush=True)
    await asyncio.sleep(600)

async def main():
    limit = RemoteLimit.of(0, dict(Limit(1).__getstate__()))
    use_limits_at((("127.0.0.1", int(sys.argv[1])), bytes.fromhex(sys.argv[2])), [limit])
    await limit.call(hold)

asyncio.run(main())
"""


async def test_the_calls_of_a_dead_worker_do_not_count():
    async def work() -> str:
        return "done"

    limit = Limit(1)
    with limits_served([limit], "127.0.0.1") as server:
        assert server is not None
        command = [sys.executable, "-c", HOLDS, str(server[0][1]), server[1].hex()]
        with Process(command, stdout=subprocess.PIPE) as dead:
            assert dead.stdout.readline()
            alive = RemoteLimit.of(0, dict(limit.__getstate__()))
            use_limits_at(server, [alive])
            dead.kill()
            assert await alive.call(work) == "done"


async def test_who_has_not_the_key_is_not_served():
    with limits_served([Limit(1)], "127.0.0.1") as server:
        assert server is not None
        with pytest.raises(AuthenticationError):
            use_limits_at((server[0], b"another"), [])


async def test_who_connects_and_says_nothing_keeps_nobody_waiting():
    async def work() -> str:
        return "done"

    limit = Limit(1)
    with limits_served([limit], "127.0.0.1") as server:
        assert server is not None
        with socket.create_connection(server[0]) as silent:
            assert silent.recv(1)  # the other side waits for its answer
            remote = RemoteLimit.of(0, dict(limit.__getstate__()))
            use_limits_at(server, [remote])
            assert await remote.call(work) == "done"


async def test_who_cannot_reach_the_limits_hears_why():
    async def work() -> None:
        raise AssertionError("never attempted")

    pipe, theirs = Pipe()
    remote = RemoteLimit.of(0, dict(Limit(1).__getstate__()))
    use_limits([remote], limits_on_ray._peer_at(pipe, CallError(limits_on_ray.UNREACHED)))
    theirs.close()
    for _ in range(2):  # the next one, too
        with pytest.raises(CallError, match="cannot be reached"):
            await remote.call(work)


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
