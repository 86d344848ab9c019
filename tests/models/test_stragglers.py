"""A straggler is given up, and asked a second time."""

import asyncio
import time

import pytest

from llamaindex_rag_eval.errors import CallError
from llamaindex_rag_eval.models import Budget, Limit, limit as driver, stragglers
from llamaindex_rag_eval.models.admission import SECOND_REQUEST, Call, Window
from llamaindex_rag_eval.models.stragglers import Stragglers


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stragglers, "LEAST", 0.1)
    monkeypatch.setattr(driver, "LEAST", 0.1)


class Server:
    """Answers at once, but for the first request of those that hang."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.cancelled = 0

    async def answer(self, name: str, hangs: float = 0.0) -> str:
        first = name not in self.asked
        self.asked.append(name)
        try:
            await asyncio.sleep(hangs if first else 0.005)
        except asyncio.CancelledError:
            self.cancelled += 1
            raise
        return f"{name} {'first' if first else 'second'}"


async def served(limit: Limit, hangs: float, calls: int = 40) -> tuple[str, Server, float]:
    """Return the answer to a call that hangs behind others, its server, and its seconds."""
    server = Server()

    async def call(name: str, seconds: float = 0.005) -> str:
        return await limit.call(lambda: server.answer(name, seconds), kind="k", model="m", tokens=7)

    await asyncio.gather(*(call(f"{number}") for number in range(calls)))
    started = time.monotonic()
    return await call("slow", hangs), server, time.monotonic() - started


async def test_a_call_that_hangs_is_made_again_and_cancelled_and_counted() -> None:
    limit = Limit(8)
    answer, server, seconds = await served(limit, 30)
    assert (answer, server.cancelled, len(server.asked)) == ("slow second", 1, 40 + 2)
    assert seconds < 30
    second = limit.usage.by["request"][SECOND_REQUEST]
    assert (second.calls, second.prompt_tokens) == (1, 7)
    assert limit.window.in_flight == 0


@pytest.mark.parametrize(
    ("limit", "calls"),
    [
        (Limit(8, budget=Budget(calls=1000)), 40),  # it may be just enough
        (Limit(8, hedge=False), 40),
        (Limit(8), 10),  # too few to know what is usual
    ],
    ids=["budget", "off", "too few"],
)
async def test_where_it_may_not_be_made_again_the_first_is_waited_for(
    limit: Limit, calls: int
) -> None:
    answer, server, _ = await served(limit, 0.5, calls)
    assert (answer, len(server.asked)) == ("slow first", calls + 1)


async def test_at_most_one_call_in_twenty_is_made_again_in_vain() -> None:
    limit, asked = Limit(64), 0

    async def call(number: int) -> None:
        async def work() -> None:
            nonlocal asked
            asked += 1
            await asyncio.sleep(0.3 if number >= 40 else 0.005)  # the second is as slow

        await limit.call(work, kind="k")

    await asyncio.gather(*map(call, range(40)))
    await asyncio.gather(*map(call, range(40, 60)))
    second = limit.usage.by["request"][SECOND_REQUEST].calls
    assert 1 <= second <= 60 / 20
    assert asked >= 60 + 1


async def test_requests_that_hang_in_a_full_window_are_replaced_and_it_is_never_overfull() -> None:
    # One request in ten hangs, whichever it is: more than the window holds, of 400.
    limit, asked, in_flight, most = Limit(8), 0, 0, 0

    async def work() -> str:
        nonlocal asked, in_flight, most
        asked += 1
        hangs = asked > 20 and asked % 10 == 0
        in_flight += 1
        most = max(most, in_flight)
        try:
            await asyncio.sleep(600 if hangs else 0.005)
        finally:
            in_flight -= 1
        return "done"

    done = await asyncio.gather(*(limit.call(work, kind="k", model="m") for _ in range(400)))
    assert done == ["done"] * 400
    assert asked >= 400 + 38
    assert most <= 8 + 1  # a request that is cancelled ends a moment later
    assert limit.window.in_flight == 0


async def test_a_second_request_is_tried_again_as_often_as_a_first() -> None:
    limit, server = Limit(8), Server()
    failures = 3

    async def failing() -> str:
        nonlocal failures
        if "slow" in server.asked and failures:
            failures -= 1
            raise CallError("busy", status=500, transient=True)
        return await server.answer("slow", 600)

    calls = (limit.call(lambda: server.answer("x"), kind="k") for _ in range(40))
    await asyncio.gather(*calls)
    assert await limit.call(failing, kind="k", model="m") == "slow second"
    assert failures == 0


def test_what_is_usual_is_three_times_the_95th_percentile_of_its_kind() -> None:
    stragglers = Stragglers()
    assert stragglers.usual("slow") is None
    for number in range(1, 21):
        stragglers.add(Call(Window(1), kind="slow"), float(number))
    # Of 1, 2, …, 20 s the 95th percentile is the 19th: 3 x 19 s.
    assert stragglers.usual("slow") == stragglers.usual("rare") == 3 * 19
    for _ in range(20):
        stragglers.add(Call(Window(1), kind="quick"), 1.0)
    assert stragglers.usual("quick") == 3
