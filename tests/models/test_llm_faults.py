"""What a model or the wire does wrong once is made good; what it always does wrong is a failure."""

import asyncio
from typing import Any

import pytest

from llamaindex_rag_eval.errors import CallError, ReplyError
from llamaindex_rag_eval.judge import Judge
from llamaindex_rag_eval.metrics.faithfulness import Faithfulness
from llamaindex_rag_eval.models import Limit
from tests.models.asking import MODELS, SUPPORT, failing, oracle_at, serving
from tests.server import Fault, FaultKind, LoopbackServer

HARMLESS: tuple[FaultKind, ...] = ("prose_around", "code_fence", "trailing_comma")
BROKEN: tuple[FaultKind, ...] = (
    "malformed_json",
    "truncated_json",
    "missing_item",
    "extra_item",
    "out_of_range",
    "empty_reply",
    "refusal",
    "refusal_text",
)
PASSING: tuple[FaultKind, ...] = (
    "rate_limited",
    "server_error",
    "unavailable",
    "dropped",
    "dropped_mid_body",
    "wrong_content_type",
)
SAMPLE: dict[str, Any] = {
    "query": "Who?",
    "response": "Ada is tall. Ben is old.",
    "contexts": ["Ada is tall.", "It rains."],
}


@pytest.mark.parametrize("way", MODELS)
@pytest.mark.parametrize("kind", HARMLESS)
async def test_a_blemish_around_the_json_costs_no_further_call(
    kind: FaultKind, way: str, server: LoopbackServer
) -> None:
    expected = await oracle_at(server, way).ask(SUPPORT)
    with failing(kind, mode="permanent") as faulty:
        assert await oracle_at(faulty, way).ask(SUPPORT) == expected
        assert faulty.stats().calls == 1


@pytest.mark.parametrize("way", MODELS)
@pytest.mark.parametrize("kind", BROKEN)
async def test_what_is_broken_once_is_asked_again_and_answered_as_if_it_never_was(
    kind: FaultKind, way: str, server: LoopbackServer
) -> None:
    expected = await oracle_at(server, way).ask(SUPPORT)
    with failing(kind) as faulty:
        assert await oracle_at(faulty, way).ask(SUPPORT) == expected
        # The question and its correction are two bodies, each spoilt once; then the question again.
        assert faulty.stats().by_outcome == {kind: 2, "answered": 1}


@pytest.mark.parametrize("kind", BROKEN)
async def test_most_of_what_is_broken_is_mended_by_the_correction(kind: FaultKind) -> None:
    requests = [SUPPORT.model_copy(update={"claims": (f"Ada {n}.", "Ben.")}) for n in range(12)]
    with serving(Fault(kind=kind, rate=1 / 3, mode="permanent"), fault_seed=1) as faulty:
        oracle = oracle_at(faulty)
        replies = await asyncio.gather(*map(oracle.ask, requests), return_exceptions=True)
        outcome = faulty.stats().by_outcome
    lost = sum(isinstance(reply, ReplyError) for reply in replies)
    # A lost one is spoilt three times; the others that were spoilt, once.
    assert outcome[kind] > 3 * lost
    assert outcome["answered"] == len(requests) - lost


@pytest.mark.parametrize("kind", BROKEN)
async def test_what_is_always_broken_is_a_failed_judgement_with_reason_and_raw_text(
    kind: FaultKind,
) -> None:
    with failing(kind, mode="permanent", on=("support",)) as faulty:
        oracle = oracle_at(faulty)
        with pytest.raises(ReplyError) as caught:
            await oracle.ask(SUPPORT)
        assert faulty.stats().calls == 3
        result = await Faithfulness(Judge(oracle)).aevaluate(**SAMPLE)
    assert bool(caught.value.raw) == (kind != "empty_reply")
    assert str(caught.value)
    assert (result.status, result.score, result.error_type) == ("failed", None, "ReplyError")
    assert result.reason.startswith("ReplyError: ")


@pytest.mark.parametrize("kind", PASSING)
async def test_what_the_wire_does_once_is_tried_again(
    kind: FaultKind, server: LoopbackServer
) -> None:
    expected = await oracle_at(server).ask(SUPPORT)
    with failing(kind, retry_after=0.01) as faulty:
        assert await oracle_at(faulty).ask(SUPPORT) == expected
        assert faulty.stats().by_outcome == {kind: 1, "answered": 1}


@pytest.mark.parametrize(("kind", "status"), [("bad_request", 400), ("unauthorized", 401)])
async def test_what_cannot_succeed_is_called_exactly_once(kind: FaultKind, status: int) -> None:
    with failing(kind, mode="permanent") as faulty:
        with pytest.raises(CallError) as caught:
            await oracle_at(faulty).ask(SUPPORT)
        assert faulty.stats().calls == 1
    assert (caught.value.status, caught.value.transient) == (status, False)


async def test_a_page_that_is_not_there_is_called_exactly_once(server: LoopbackServer) -> None:
    oracle = oracle_at(server)
    oracle.llm.api_base = server.url.replace("/v1", "/v2")  # type: ignore[attr-defined]  # an OpenAI
    with pytest.raises(CallError) as caught:
        await oracle.ask(SUPPORT)
    assert (caught.value.status, caught.value.transient) == (404, False)


async def test_a_stalled_body_is_given_up_after_the_timeout_and_asked_again() -> None:
    with failing("stalled", stall=30) as faulty:
        oracle = oracle_at(faulty, limit=Limit(4, timeout=0.3, retries=1))
        assert len((await oracle.ask(SUPPORT)).verdicts) == 3
        assert faulty.stats().calls == 2


async def test_what_always_stalls_is_an_error_that_names_the_timeout() -> None:
    with failing("stalled", stall=30, mode="permanent") as faulty:
        oracle = oracle_at(faulty, limit=Limit(4, timeout=0.1, retries=1))
        with pytest.raises(CallError, match=r"no answer within 0.1 s"):
            await oracle.ask(SUPPORT)
        assert faulty.stats().calls == 2


async def test_no_server_at_all_is_an_error_after_the_retries(server: LoopbackServer) -> None:
    oracle = oracle_at(server, limit=Limit(1, retries=1))
    oracle.llm.api_base = "http://127.0.0.1:9/v1"  # type: ignore[attr-defined]  # an OpenAI
    with pytest.raises(CallError, match=r"Connection error|timed out") as caught:
        await oracle.ask(SUPPORT)
    assert caught.value.transient
