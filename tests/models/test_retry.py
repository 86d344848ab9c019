"""One policy of retries: which errors, how often, after what waits."""

import asyncio
import time
from random import Random
from typing import Any

import pytest

from llamaindex_rag_eval.models.durations import read_duration
from llamaindex_rag_eval.models.retry import RetryPolicy, is_transient


class RateLimitError(Exception):
    """Named as client libraries name it."""


class StatusError(Exception):
    def __init__(self, status_code: int) -> None:
        self.status_code = status_code


class AskedToWait(ConnectionError):
    def __init__(self, retry_after: float) -> None:
        self.retry_after = retry_after


@pytest.mark.parametrize(
    "error",
    [
        ConnectionRefusedError(),
        TimeoutError(),
        RateLimitError(),
        StatusError(409),
        StatusError(429),
        StatusError(503),
        StatusError(529),
    ],
)
def test_lost_connections_time_outs_rate_limits_and_server_errors_are_transient(
    error: Exception,
) -> None:
    assert is_transient(error)


@pytest.mark.parametrize(
    "error", [ValueError("rate limit"), FileNotFoundError(), StatusError(400), StatusError(401)]
)
def test_other_errors_are_not(error: Exception) -> None:
    assert not is_transient(error)


def test_an_error_is_transient_if_its_cause_is() -> None:
    wrapped = ValueError("engine failed")
    wrapped.__cause__ = TimeoutError()
    assert is_transient(wrapped)


def test_causes_that_go_round_in_a_circle_end() -> None:
    first, second = ValueError(), ValueError()
    first.__cause__, second.__cause__ = second, first
    assert not is_transient(first)


DOUBLING = RetryPolicy(retries=5, first_wait=0.25, longest_wait=2.0, spread=(1.0, 1.0))


def test_waits_double_up_to_the_longest_and_end_after_the_retries() -> None:
    waits = [DOUBLING.wait(ConnectionError(), attempt) for attempt in range(1, 7)]
    assert waits == [0.25, 0.5, 1.0, 2.0, 2.0, None]


def test_any_number_of_attempts_has_a_wait() -> None:
    endless = RetryPolicy(retries=20_000, first_wait=0.25, longest_wait=2.0, spread=(1.0, 1.0))
    assert endless.wait(ConnectionError(), 10_000) == 2.0


def test_a_bug_is_not_tried_again() -> None:
    assert DOUBLING.wait(KeyError("bug"), 1) is None


def test_what_the_server_asks_for_is_added_and_an_absurd_wait_is_refused() -> None:
    assert DOUBLING.wait(AskedToWait(3.0), 1) == 3.0 + 0.25
    assert DOUBLING.wait(AskedToWait(86_400.0), 1) is None


@pytest.mark.parametrize("value", [None, "soon", object()])
def test_a_wait_that_is_no_number_is_not_asked_for(value: Any) -> None:
    assert DOUBLING.wait(AskedToWait(value), 1) == 0.25


def test_the_random_factor_stays_within_its_spread() -> None:
    policy = RetryPolicy(9, 1.0, 1.0, spread=(0.1, 0.5), random=Random(0))
    waits = [policy.wait(ConnectionError(), 1) or 0.0 for _ in range(200)]
    # 200 draws from [1/10, 1/2] leave no tenth of it empty at either end.
    assert 0.1 <= min(waits) < 0.14
    assert 0.46 < max(waits) <= 0.5


QUICK = RetryPolicy(retries=2, first_wait=0.01, longest_wait=0.01, spread=(1.0, 1.0))


class Flaky:
    """Fails a number of times before it succeeds."""

    def __init__(self, failures: int) -> None:
        self.failures = failures
        self.calls = 0

    async def __call__(self) -> str:
        await asyncio.sleep(0)
        self.calls += 1
        if self.calls <= self.failures:
            raise ConnectionResetError(f"attempt {self.calls}")
        return "done"


async def test_calls_are_tried_so_often_and_wait() -> None:
    for failures, outcome in ((2, "done"), (3, "attempt 3")):
        work, started = Flaky(failures), time.monotonic()
        try:
            result = await QUICK.acall(work)
        except ConnectionError as error:
            result = str(error)
        # Two retries, 1/100 s before every one.
        assert time.monotonic() - started >= 2 / 100
        assert (result, work.calls) == (outcome, 3)


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("6m0s", 360), ("20ms", 2 / 100), ("1h2m3.5s", 3723.5), ("12", 12)],
)
def test_durations_are_read_as_people_write_them(text: str, seconds: float) -> None:
    assert read_duration(text, "patience") == pytest.approx(seconds)
