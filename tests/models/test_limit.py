"""Windows, rates and retries."""

import asyncio
import random
import time

import pytest
from hypothesis import given, settings, strategies as st

from llamaindex_rag_eval.errors import CallError, EndpointError
from llamaindex_rag_eval.models import Limit
from llamaindex_rag_eval.models.admission import Call, Rate, Window
from tests.models.asking import claims_requests, oracle_at, serving
from tests.server import Fault

TRANSIENT = CallError("busy", status=429, retry_after=0.0, transient=True)


@pytest.mark.parametrize("seed", range(40))
async def test_the_room_is_counted_when_calls_are_cancelled_at_any_moment(seed: int) -> None:
    rng, limit = random.Random(seed), Limit(3, retries=1)
    inside, worst = 0, 0

    async def work() -> None:
        nonlocal inside, worst
        inside += 1
        worst = max(worst, inside)
        try:
            for _ in range(rng.randrange(3)):
                await asyncio.sleep(0)
            if rng.random() < 1 / 4:
                raise CallError("no", status=400)
        finally:
            inside -= 1

    tasks: list[asyncio.Task[None]] = []
    for _ in range(60):
        tasks.append(asyncio.create_task(limit.call(work, tokens=5)))
        if rng.random() < 1 / 2:
            rng.choice(tasks).cancel()
        if rng.random() < 1 / 3:
            await asyncio.sleep(0)
        if rng.random() < 1 / 4:
            rng.choice(tasks).cancel()
    done = await asyncio.gather(*tasks, return_exceptions=True)
    assert {type(entry) for entry in done} <= {type(None), asyncio.CancelledError, CallError}
    assert (limit.window.in_flight, inside, len(limit.window.waiting)) == (0, 0, 0)
    assert worst <= 3


def test_room_given_in_the_moment_of_cancelling_goes_to_the_next() -> None:
    window = Window(most=1)
    first, second, third = (Call(window) for _ in range(3))
    assert [window.enter(call) for call in (first, second, third)] == [True, False, False]
    assert window.leave(first) == [second]
    assert window.leave(second) == [third]  # it was cancelled before it went out
    assert window.in_flight == 1


@given(st.lists(st.sampled_from(["grow", "shrink old", "shrink new"]), max_size=40))
@settings(max_examples=50, deadline=None)
def test_the_window_stays_between_one_and_the_most(steps: list[str]) -> None:
    window = Window(most=8)
    for step in steps:
        before = window.size
        if step == "grow":
            window.grow()
            assert window.size >= before
        elif step == "shrink old":
            window.shrink(window._epoch - 1)
            assert window.size == before
        else:
            window.shrink(window._epoch)
            assert window.size == max(1, before / 2)
        assert 1 <= window.size <= 8


def epochs_of(window: Window, calls: int) -> list[int | None]:
    """Let so many calls in and out again; return the epochs in which they began."""
    entered = [Call(window) for _ in range(calls)]
    assert all(map(window.enter, entered))
    epochs = [call.epoch for call in entered]
    for call in entered:
        window.leave(call)
    return epochs


def test_the_window_halves_once_for_all_calls_of_an_epoch_and_grows_again() -> None:
    window = Window(most=8)
    for epoch in epochs_of(window, 8):
        window.shrink(epoch)
    assert window.size == 8 / 2
    for _ in range(4):
        window.grow()
    assert window.size == 8 / 2 + 4 * 1 / 4


async def failing_times(limit: Limit, error: CallError, times: int) -> tuple[int, object]:
    calls = 0

    async def work() -> str:
        nonlocal calls
        calls += 1
        if calls <= times:
            raise error
        return "done"

    try:
        result: object = await limit.call(work)
    except CallError as raised:
        result = raised
    return calls, result


async def test_what_is_transient_is_tried_again_as_often_as_allowed() -> None:
    assert await failing_times(Limit(retries=2), TRANSIENT, 2) == (3, "done")
    assert await failing_times(Limit(retries=1), TRANSIENT, 2) == (2, TRANSIENT)


async def test_what_cannot_succeed_is_tried_once() -> None:
    error = CallError("no", status=400)
    assert await failing_times(Limit(), error, 9) == (1, error)


async def test_a_rate_limit_for_longer_than_patience_ends_at_once_and_says_until_when() -> None:
    error = CallError("tomorrow", status=429, retry_after=86_400, transient=True)
    calls, ended = await failing_times(Limit(), error, 9)
    assert calls == 1
    assert isinstance(ended, EndpointError)
    assert "it asks to be left alone for 24 h, until 2" in str(ended)


async def test_a_retry_waits_at_least_as_long_as_the_server_asks() -> None:
    error = CallError("busy", status=503, retry_after=0.2, transient=True)
    started = time.monotonic()
    await failing_times(Limit(), error, 1)
    # 0.2 s as asked, and a jitter of at most 0.25 s.
    assert time.monotonic() - started >= 0.2


async def test_a_call_that_is_too_slow_is_given_up_and_its_place_is_free() -> None:
    limit = Limit(1, timeout=0.05, retries=0)
    with pytest.raises(CallError, match=r"no answer within 0.05 s"):
        await limit.call(lambda: asyncio.sleep(60))
    assert limit.window.in_flight == 0


async def test_a_server_that_is_too_slow_for_many_calls_gets_fewer_at_once() -> None:
    limit = Limit(8, timeout=0.05, retries=0, patience=0.1)
    calls = (limit.call(lambda: asyncio.sleep(60)) for _ in range(8))
    await asyncio.gather(*calls, return_exceptions=True)
    assert limit.window.size == 4  # once for all that were in flight together


async def quick() -> None:
    return None


async def starts(limit: Limit, calls: int, tokens: int = 0) -> list[float]:
    """Return when each of so many calls goes out, in seconds from the first, in order."""
    found: list[float] = []

    async def note() -> None:
        found.append(time.monotonic())

    await asyncio.gather(*(limit.call(note, tokens=tokens) for _ in range(calls)))
    return [one - found[0] for one in sorted(found)]


async def test_requests_go_out_evenly_and_a_second_of_them_at_once() -> None:
    # 600 a minute are one every 61/600 s, of which those of 1 s come at once: the first and 9 more.
    rate = Rate(600)
    waits = [max(0.0, rate.take(1, 1000.0) - 1000.0) for _ in range(16)]
    assert waits == pytest.approx([0.0] * 10 + [n * 61 / 600 - 1 for n in range(10, 16)])
    found = await starts(Limit(requests_per_minute=600), 16)
    assert found[15] >= 5 * 61 / 600 - 0.02


@given(st.integers(1, 2000), st.lists(st.floats(0, 5), max_size=300))
@settings(max_examples=50, deadline=None)
def test_no_minute_has_more_than_its_rate(per_minute: int, gaps: list[float]) -> None:
    rate, now, out = Rate(per_minute), 1000.0, []
    for gap in gaps:
        now += gap
        out.append(max(now, rate.take(1, now)))
    for first in out:
        assert sum(first <= one < first + 59.999 for one in out) <= per_minute


async def test_tokens_a_minute_are_kept_and_a_huge_prompt_does_not_wait_for_ever() -> None:
    limit = Limit(tokens_per_minute=6000)
    started = time.monotonic()
    await limit.call(quick, tokens=140)  # more than a second's 100: the next one waits for the rest
    await limit.call(quick, tokens=1_000_000)
    assert time.monotonic() - started > 0.3


def test_refusals_by_chance_leave_a_wide_window_as_it_is() -> None:
    window = Window(most=64)
    epochs = epochs_of(window, 7)
    for epoch in epochs[:6]:  # 6 of 64 are less than a tenth
        window.shrink(epoch)
    assert window.size == 64
    window.shrink(epochs[6])
    assert window.size == 64 / 2


def test_refusals_are_counted_anew_after_a_window_that_went_well() -> None:
    window = Window(most=64)
    for _ in range(20):
        window.shrink(0)
        for _ in range(64):
            window.grow()
    assert window.size == 64


async def test_never_more_calls_than_allowed_are_in_flight_over_all_oracles_of_a_limit() -> None:
    with serving(latency=0.02) as server:
        limit = Limit(5)
        judge, runner = (oracle_at(server, limit=limit) for _ in range(2))
        requests = claims_requests(60)
        await asyncio.gather(*map(judge.ask, requests[:30]), *map(runner.ask, requests[30:]))
        tally = server.stats()
    assert (tally.max_in_flight, tally.answered) == (5, 60)
    assert limit.usage.total.calls == 60


async def test_refusals_shrink_the_window_and_nothing_is_lost() -> None:
    busy = Fault(kind="rate_limited", rate=1 / 2, retry_after=0.05)
    with serving(busy, latency=0.01) as server:
        limit = Limit(16)
        oracle = oracle_at(server, limit=limit)
        replies = await asyncio.gather(*map(oracle.ask, claims_requests(60)))
        tally = server.stats()
        assert limit.window.size < 16
    assert [reply.claims for reply in replies] == [(f"Ada is {n}.",) for n in range(60)]
    assert tally.by_outcome["rate_limited"] >= 15
    assert tally.answered_again == 0


async def test_a_call_is_not_repeated_before_the_server_wants_it() -> None:
    with serving(Fault(kind="unavailable", retry_after=0.4)) as server:
        started = time.monotonic()
        await oracle_at(server).ask(claims_requests(1)[0])
    assert time.monotonic() - started >= 0.4
