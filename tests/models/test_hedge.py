"""A straggler is asked a second time, and the first answer is taken."""

import asyncio
import time

import pytest

from llamaindex_rag_eval.models import Budget, Limit, hedge as module
from llamaindex_rag_eval.models.hedge import Hedges
from llamaindex_rag_eval.models.limit import SECOND_REQUEST


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LEAST", 0.1)


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
    assert seconds < 5
    second = limit.usage.by["request"][SECOND_REQUEST]
    assert (second.calls, second.prompt_tokens) == (1, 7)
    assert limit.window.in_flight == 0


@pytest.mark.parametrize(
    ("limit", "calls"),
    [
        (Limit(8, budget=Budget(calls=1000)), 40),  # it may be just enough
        (Limit(8, hedge=False), 40),
        (Limit(1), 40),  # no room
        (Limit(8), 10),  # too few to know what is usual
    ],
    ids=["budget", "off", "no room", "too few"],
)
async def test_where_it_may_not_be_made_again_the_first_is_waited_for(
    limit: Limit, calls: int
) -> None:
    answer, server, _ = await served(limit, 0.5, calls)
    assert (answer, len(server.asked)) == ("slow first", calls + 1)


async def test_at_most_one_call_in_twenty_is_made_again() -> None:
    limit, server = Limit(64), Server()

    async def call(number: int) -> str:
        seconds = 0.6 if number >= 40 else 0.005
        return await limit.call(lambda: server.answer(f"{number}", seconds), kind="k")

    await asyncio.gather(*map(call, range(40)))
    await asyncio.gather(*map(call, range(40, 60)))
    assert 1 <= len(server.asked) - 60 <= 60 / 20


def test_what_is_usual_is_three_times_the_95th_percentile_of_its_kind() -> None:
    hedges = Hedges()
    for number in range(1, 21):
        hedges.add("slow", float(number))
    # Of 1, 2, …, 20 s the 95th percentile is the 19th: 3 x 19 s.
    assert hedges.after("slow") == hedges.after("rare") == 3 * 19
    for _ in range(20):
        hedges.add("quick", 1.0)
    assert hedges.after("quick") == 3
    assert Hedges().after("slow") is None
