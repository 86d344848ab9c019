"""The circuit breaker: an outage is waited for, a refusal of all calls ends the run at once."""

import asyncio
import logging
import re
import time
from collections.abc import Callable

import pytest

from llamaindex_rag_eval.errors import CallError, EndpointError, InputError
from llamaindex_rag_eval.models import Limit, breaker as module
from llamaindex_rag_eval.models.admission import Call, Window
from llamaindex_rag_eval.models.breaker import Breaker
from llamaindex_rag_eval.models.durations import read_duration
from llamaindex_rag_eval.models.failures import failed
from tests.models.asking import claims_requests, failing, oracle_at, serving
from tests.server import Fault, FaultKind, Faults, LoopbackServer

REFUSED = CallError("connection refused", transient=True, failure="connection refused")
LOST = CallError("disconnected", transient=True)
OVERLOADED = CallError("overloaded", status=503, transient=True)
WRONG_KEY = failed("wrong key", "Incorrect key", status=401)
FORBIDDEN = CallError("not this text", status=403)


class Endpoint:
    """Fails with an error until a moment, and counts."""

    def __init__(self, error: CallError, seconds: float = 0.0) -> None:
        self.error = error
        self.until = time.monotonic() + seconds
        self.calls = self.in_flight = self.most = 0

    async def __call__(self) -> str:
        self.calls += 1
        self.in_flight += 1
        self.most = max(self.most, self.in_flight)
        await asyncio.sleep(0.01)
        self.in_flight -= 1
        if time.monotonic() < self.until:
            raise self.error
        return "done"


async def answer() -> str:
    return "done"


def answered(breaker: Breaker, now: float = 0.0) -> Breaker:
    """Return the breaker of an endpoint that has answered."""
    breaker.answered(Call(Window(1), began=now), now)
    return breaker


def fail(error: CallError, breaker: Breaker, now: float = 0.0, *, attempt: int = 1) -> bool:
    """Let a call fail; return whether the endpoint is away."""
    return breaker.failed(Call(Window(1), attempt=attempt, began=now), error, now)


@pytest.mark.parametrize("error", [REFUSED, LOST, OVERLOADED])
async def test_an_outage_loses_no_call_and_is_tried_by_one_at_a_time(error: CallError) -> None:
    limit = Limit(8, retries=4)
    await limit.call(answer)
    endpoint = Endpoint(error, seconds=1.5)
    started = time.monotonic()
    done = await asyncio.gather(*(limit.call(endpoint) for _ in range(40)))
    assert done == ["done"] * 40
    # All 8 in flight fail first; then a probe every quarter of a second, and all 40.
    assert endpoint.calls <= 8 + 4 + 2 * 1.5 / module.SOONEST + 40
    assert time.monotonic() - started >= 1.5


def test_one_call_at_a_time_tries_an_endpoint_that_is_away() -> None:
    breaker, calls = Breaker(patience=60), [Call(Window(1)) for _ in range(20)]
    assert fail(REFUSED, breaker)
    for now in (1.0, 2.0, 3.0):
        free = [call for call in calls if breaker.ask(call, now) == 0]
        assert len(free) == 1
        assert breaker.failed(free[0], REFUSED, now)
        breaker.release(free[0])
    probe = next(call for call in calls if breaker.ask(call, 9.0) == 0)
    probe.began = 9.0
    breaker.answered(probe, 9.1)
    assert [breaker.ask(call, 9.1) for call in calls] == [0.0] * 20


async def test_patience_ends_for_all_in_one_moment() -> None:
    limit = Limit(4, patience=0.5)
    endpoint = Endpoint(REFUSED, seconds=60)
    started = time.monotonic()
    calls = (limit.call(endpoint, model="m") for _ in range(50))
    done = await asyncio.gather(*calls, return_exceptions=True)
    assert {type(one) for one in done} == {EndpointError}
    assert re.search(r"the endpoint of 'm' has not answered once for \d", str(done[0]))
    assert "connection refused" in str(done[0])
    assert time.monotonic() - started >= 0.5
    assert endpoint.calls < 20


@pytest.mark.parametrize(
    ("breaker", "patience"),
    [
        (Breaker(), module.PATIENCE_AT_FIRST),
        (answered(Breaker()), module.PATIENCE),
        (Breaker(patience=3), 3),
        (answered(Breaker(patience=3)), 3),
    ],
)
def test_an_endpoint_that_never_answered_is_waited_for_shortly(
    breaker: Breaker, patience: float
) -> None:
    assert fail(REFUSED, breaker, 10.0)
    assert fail(REFUSED, breaker, 10.0 + patience - 0.1)
    with pytest.raises(EndpointError, match="has not answered"):
        fail(REFUSED, breaker, 10.0 + patience)


async def test_a_wrong_key_ends_all_calls_at_once_and_says_what_to_check() -> None:
    limit = Limit(2)
    endpoint = Endpoint(WRONG_KEY, seconds=60)
    calls = (limit.call(endpoint) for _ in range(30))
    done = await asyncio.gather(*calls, return_exceptions=True)
    assert {type(one) for one in done} == {EndpointError}
    assert "not accepted; check the API key (HTTP 401: Incorrect key)" in str(done[0])
    assert endpoint.calls <= 2


def test_what_refuses_one_text_does_not_end_a_run_that_had_answers() -> None:
    breaker = answered(Breaker())
    assert not fail(FORBIDDEN, breaker)
    answered(breaker)
    for _ in range(module.IN_A_ROW - 1):
        assert not fail(FORBIDDEN, breaker)
    with pytest.raises(EndpointError):
        fail(FORBIDDEN, breaker)


def test_a_call_that_fails_by_itself_again_and_again_stops_nobody() -> None:
    breaker = answered(Breaker())
    for attempt in range(1, 21):
        assert not fail(LOST, breaker, attempt=attempt)
    assert breaker.ask(Call(Window(1)), 0.0) == 0


def test_a_later_call_tries_again_after_patience_has_ended() -> None:
    breaker = Breaker(patience=0.0)
    with pytest.raises(EndpointError):
        fail(REFUSED, breaker, 10.0)
    with pytest.raises(EndpointError):
        breaker.ask(Call(Window(1)), 10.0 + module.RESTS - 0.1)
    assert breaker.ask(Call(Window(1)), 10.0 + module.RESTS) == 0


def test_a_line_says_that_it_waits_and_another_that_it_goes_on(
    caplog: pytest.LogCaptureFixture,
) -> None:
    breaker = answered(Breaker(name="m"))
    with caplog.at_level(logging.WARNING):
        for now in (1.0, 1.0 + module.FIRST_LINE, 5.0):
            assert fail(REFUSED, breaker, now)
        answered(breaker, 8.0)
    first, last = [record.getMessage() for record in caplog.records]
    assert first.startswith("the endpoint of 'm' has not answered for 2 s")
    assert "waiting up to 10 m (patience), trying it every 30 s at the latest" in first
    assert "(stop with Ctrl-C: everything is kept)" in first
    assert last == "the endpoint of 'm' answers again after 7 s"


async def test_a_real_server_that_is_away_for_a_while_loses_nothing() -> None:
    requests = claims_requests(30)
    with serving() as server:
        oracle = oracle_at(server, limit=Limit(8))
        await oracle.ask(requests[0])
        port = server.port
    asking = asyncio.gather(*map(oracle.ask, requests))
    await asyncio.sleep(0.7)
    with LoopbackServer(responders="tests.models.responders:RESPONDERS", port=port) as server:
        replies = await asking
        assert server.stats().calls == 30
    assert [reply.claims for reply in replies] == [(f"Ada is {n}.",) for n in range(30)]


async def test_the_key_of_an_account_is_refused_by_a_real_server_once() -> None:
    with failing("unauthorized", mode="permanent") as server:
        oracle = oracle_at(server, limit=Limit(1))
        asking = map(oracle.ask, claims_requests(9))
        done = await asyncio.gather(*asking, return_exceptions=True)
        assert server.stats().calls == 1
    assert {type(one) for one in done} == {EndpointError}
    assert str(done[0]).endswith("check the API key (HTTP 401: Incorrect API key provided: [key].)")


@pytest.mark.parametrize(
    ("given", "seconds"), [("10m", 600), ("1h 30m", 5400), ("90", 90), (1.5, 1.5), ("0.5s", 0.5)]
)
def test_patience_is_seconds_or_a_duration(given: float | str, seconds: float) -> None:
    assert read_duration(given, "patience") == Limit(patience=given).patience == seconds


@pytest.mark.parametrize("given", ["soon", "", "-1", -1.0, float("nan"), "10 parsecs"])
def test_another_patience_is_an_error(given: float | str) -> None:
    with pytest.raises(InputError, match="'patience' is"):
        Limit(patience=given)


async def until(met: Callable[[], bool]) -> None:
    """Wait for a condition of which no event tells."""
    while not met():  # noqa: ASYNC110
        await asyncio.sleep(0.01)


ASKED = 600.0
"""Seconds of a `Retry-After`: far longer than any of these tests."""


@pytest.mark.parametrize("kind", ["unavailable", "overloaded"])
@pytest.mark.parametrize("as_date", [False, True])
async def test_a_retry_after_is_told_at_once_and_loses_nothing(
    kind: FaultKind, as_date: bool, caplog: pytest.LogCaptureFixture
) -> None:
    requests = claims_requests(12)
    fault = Fault(kind=kind, mode="permanent", retry_after=ASKED, as_date=as_date)
    with serving() as server:
        oracle = oracle_at(server, limit=Limit(4))
        await oracle.ask(requests[0])
        server.befall(Faults(fault))
        asking = asyncio.gather(*map(oracle.ask, requests))
        await until(lambda: bool(caplog.records))
        server.befall(Faults())
        replies = await asking
        calls = server.stats().by_outcome[kind]
    assert [reply.claims for reply in replies] == [(f"Ada is {n}.",) for n in range(12)]
    assert calls <= 4  # all that were in flight; nobody tries again before the line
    line = caplog.records[0].getMessage()
    assert "the endpoint of 'gpt-4o-mini' asks to be left alone for 1" in line or "for 9 m" in line
    assert re.search(r"until \d\d:\d\d:\d\d: waiting up to 10 m \(patience\)", line)
    assert "trying it every 30 s at the latest (stop with Ctrl-C: everything is kept)" in line
    assert f"(HTTP {503 if kind == 'unavailable' else 529}: " in line


def test_a_server_that_asks_to_wait_is_no_wrong_address() -> None:
    breaker = Breaker()
    loading = CallError("loading", status=503, retry_after=ASKED, transient=True)
    assert fail(loading, breaker)
    assert fail(loading, breaker, module.PATIENCE - 1)


def probe_after(asked: float, away: float, status: int = 503) -> float:
    """Return the seconds to the next look at an endpoint that has been away for so long."""
    breaker = Breaker(patience=7200)
    error = CallError("busy", status=status, retry_after=asked, transient=True)
    fail(error, breaker)
    fail(error, breaker, away)
    return breaker.ask(Call(Window(1)), away)


def test_an_endpoint_is_tried_every_half_minute_or_at_the_date_that_it_names() -> None:
    # A twentieth of 3,000 s is 150 s, and of 100 s it is 5 s; by chance, a call looks later.
    assert probe_after(7000, away=3000) == pytest.approx(30, abs=0.2)
    assert probe_after(12, away=3000) == pytest.approx(12, abs=0.2)
    assert probe_after(7000, away=100) == pytest.approx(5, abs=0.2)
    # Attempts over a rate count against it: no look before half a minute.
    assert probe_after(7000, away=0, status=429) == pytest.approx(30, abs=0.2)


def test_answers_on_their_way_do_not_end_an_outage() -> None:
    breaker = answered(Breaker())
    assert fail(CallError("busy", status=503, retry_after=ASKED, transient=True), breaker, 5.0)
    breaker.answered(Call(Window(1), began=4.0), 5.1)
    assert breaker.ask(Call(Window(1)), 5.1) > 0
    breaker.answered(Call(Window(1), began=6.0), 7.0)
    assert breaker.ask(Call(Window(1)), 7.0) == 0
