"""Every fault of the loopback server, as the real client meets it."""

import asyncio
import json
import time
from typing import Any

import openai
import pytest
from openai import AsyncOpenAI

from tests.server import Fault, FaultKind, Faults, LoopbackServer

RESPONDERS = "tests.server.example_responders:RESPONDERS"
KEY = "sk-test-0123456789"
CLAIMS = ["a", "b", "c"]
SCHEMA = {"name": "Verdicts", "schema": {"type": "object"}}


async def ask(server: LoopbackServer, *, retries: int = 0, timeout: float = 60, **more: Any) -> Any:
    request: Any = {
        "model": "gpt-4o-mini",
        "messages": [{"role": "user", "content": json.dumps({"claims": CLAIMS})}],
        "response_format": {"type": "json_schema", "json_schema": SCHEMA},
        **more,
    }
    async with AsyncOpenAI(
        base_url=server.url, api_key=KEY, max_retries=retries, timeout=timeout
    ) as client:
        return (await client.chat.completions.create(**request)).choices[0]


def failing(kind: FaultKind, **more: Any) -> LoopbackServer:
    fault = Fault(kind=kind, mode="permanent", **more)
    return LoopbackServer(faults=Faults(fault), responders=RESPONDERS)


@pytest.mark.parametrize(
    ("kind", "error", "message"),
    [
        ("rate_limited", openai.RateLimitError, "Rate limit"),
        ("server_error", openai.InternalServerError, "had an error"),
        ("unavailable", openai.InternalServerError, "overloaded"),
        ("bad_request", openai.BadRequestError, "cannot be served"),
        ("unauthorized", openai.AuthenticationError, r"provided: sk-te\*{9}6789"),
        ("dropped", openai.APIConnectionError, "Connection error"),
        ("dropped_mid_body", openai.APIConnectionError, "Connection error"),
    ],
)
async def test_a_fault_of_transport_is_the_error_that_the_api_gives(
    kind: FaultKind, error: type[Exception], message: str
) -> None:
    with failing(kind) as server:
        with pytest.raises(error, match=message):
            await ask(server)
        assert server.stats().by_outcome == {kind: 1}


async def test_a_wrong_content_type_is_not_a_completion() -> None:
    with failing("wrong_content_type") as server:
        async with AsyncOpenAI(base_url=server.url, api_key=KEY) as client:
            reply = await client.with_raw_response.embeddings.create(model="e", input="a")
    assert reply.headers["content-type"] == "text/html"
    assert reply.text.startswith("<!DOCTYPE html>")


async def test_a_stalled_body_runs_into_the_timeout_of_the_client() -> None:
    with failing("stalled", stall=30) as server:
        with pytest.raises(openai.APITimeoutError):
            await ask(server, timeout=0.2)
        for _ in range(5000):  # until the server sees that the client hung up
            if server.stats().finished:
                break
            await asyncio.sleep(0.02)
        tally = server.stats()
    assert (tally.by_outcome, tally.in_flight) == ({"stalled": 1}, 0)


async def test_a_stalled_body_is_whole_in_the_end() -> None:
    with failing("stalled", stall=0.1) as server:
        choice = await ask(server)
    assert len(json.loads(choice.message.content)["verdicts"]) == 3


async def test_a_retry_waits_as_long_as_the_server_says() -> None:
    fault = Fault(kind="rate_limited", retry_after=0.3, attempts=2)
    with LoopbackServer(faults=Faults(fault), responders=RESPONDERS) as server:
        start = time.perf_counter()
        choice = await ask(server, retries=2)
        wall = time.perf_counter() - start
        tally = server.stats()
    assert choice.finish_reason == "stop"
    # Two attempts fail, and each asks for 0.3 s; the client's own backoff starts at 0.375 s.
    assert wall >= 0.6
    assert tally.by_outcome == {"rate_limited": 2, "answered": 1}


async def content(kind: FaultKind) -> Any:
    with failing(kind) as server:
        choice = await ask(server)
        assert server.stats().by_outcome == {kind: 1}
    return choice


@pytest.mark.parametrize(
    "kind",
    ["malformed_json", "truncated_json", "prose_around", "code_fence", "trailing_comma"],
)
async def test_content_that_is_not_json(kind: FaultKind) -> None:
    choice = await content(kind)
    with pytest.raises(ValueError, match=r"Expecting|Unterminated|Illegal"):
        json.loads(choice.message.content)
    assert choice.finish_reason == ("length" if kind == "truncated_json" else "stop")


@pytest.mark.parametrize(("kind", "count"), [("missing_item", 2), ("extra_item", 4)])
async def test_a_list_with_a_wrong_count(kind: FaultKind, count: int) -> None:
    choice = await content(kind)
    assert len(json.loads(choice.message.content)["verdicts"]) == count


async def test_a_number_out_of_range() -> None:
    choice = await content("out_of_range")
    verdicts = json.loads(choice.message.content)["verdicts"]
    assert [verdict["sources"] for verdict in verdicts] == [[0], [0], [1000]]
    assert verdicts[-1]["supported"] is True


async def test_a_reply_without_words() -> None:
    assert (await content("empty_reply")).message.content == ""


async def test_refusals_of_both_styles() -> None:
    new = (await content("refusal")).message
    old = (await content("refusal_text")).message
    assert new.content is None
    assert new.refusal.startswith("I'm sorry")
    assert old.content.startswith("I'm sorry")
    assert old.refusal is None


async def test_a_tool_call_can_be_spoilt_too() -> None:
    tool = {"type": "function", "function": {"name": "Verdicts", "parameters": {"type": "object"}}}
    with failing("missing_item") as server:
        choice = await ask(server, tools=[tool], response_format=openai.omit)
    assert choice.finish_reason == "tool_calls"
    assert len(json.loads(choice.message.tool_calls[0].function.arguments)["verdicts"]) == 2


async def test_a_fault_stays_with_the_names_that_it_is_limited_to() -> None:
    with failing("server_error", on=("Other",)) as server:
        await ask(server)
        assert server.stats().by_outcome == {"answered": 1}


def test_the_rates_share_out_the_bodies() -> None:
    faults = Faults(
        Fault(kind="rate_limited", rate=1 / 4),
        Fault(kind="refusal", rate=1 / 2, mode="permanent"),
        seed=3,
    )
    bodies = [number.to_bytes(16, "big") for number in range(4000)]

    first = [faults.choose(body, name="n", attempt=1) for body in bodies]
    second = [faults.choose(body, name="n", attempt=2) for body in bodies]

    # The deviation of a share over 4,000 is below 1/100; four of them are 1/25.
    kinds = [fault.kind if fault else None for fault in first]
    assert kinds.count("rate_limited") / 4000 == pytest.approx(1 / 4, abs=1 / 25)
    assert kinds.count("refusal") / 4000 == pytest.approx(1 / 2, abs=1 / 25)
    # The transient fault is over at the second attempt, and the permanent one is where it was.
    assert second == [fault if fault and fault.kind == "refusal" else None for fault in first]


def test_another_seed_picks_other_bodies() -> None:
    bodies = [number.to_bytes(16, "big") for number in range(100)]
    picked = [
        [
            Faults(Fault(kind="refusal", rate=0.5), seed=s).choose(b, name="n", attempt=1)
            for b in bodies
        ]
        for s in (1, 2)
    ]
    assert picked[0] != picked[1]


def test_faults_survive_the_way_through_a_file() -> None:
    faults = Faults(Fault(kind="stalled", rate=0.5, stall=2, on=("A", "B")), seed=9)
    read = Faults.from_json(faults.to_json())
    assert (read.faults, read.seed) == (faults.faults, 9)


@pytest.mark.parametrize(
    "settings", [{"kind": "unheard_of"}, {"rate": 2}, {"attempts": 0}, {"mode": "sometimes"}]
)
def test_a_fault_that_makes_no_sense_is_refused(settings: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"unknown|expected"):
        Fault(**{"kind": "refusal", **settings})


def test_rates_that_sum_to_more_than_one_are_refused() -> None:
    with pytest.raises(ValueError, match="sum to"):
        Faults(Fault(kind="refusal", rate=0.6), Fault(kind="dropped", rate=0.6, on=("A",)))
