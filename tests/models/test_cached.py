import asyncio
from typing import Any

import pytest

from llamaindex_rag_eval.errors import CallError, InputError, ReplyError
from llamaindex_rag_eval.judge import Claims, ClaimsOf, Judge
from llamaindex_rag_eval.metrics.faithfulness import Faithfulness
from llamaindex_rag_eval.models import CachedOracle, LLMOracle, ScriptedOracle, Store
from llamaindex_rag_eval.models.request import ReplyT, Request
from tests.models.asking import SUPPORT, llm_at, oracle_at
from tests.server import LoopbackServer


class Slow:
    """Answers when `go` is set, and counts."""

    def __init__(self, *, error: Exception | None = None) -> None:
        self.go, self.begun = asyncio.Event(), asyncio.Event()
        self.asked = 0
        self.error = error

    def fingerprint(self, request: type[Request[ReplyT]]) -> str:
        return f"slow/{request.__name__}"

    def answers(self, request: type[Request[ReplyT]]) -> bool:
        return bool(request)

    async def ask(self, request: Request[ReplyT]) -> ReplyT:
        self.asked += 1
        self.begun.set()
        await self.go.wait()
        if self.error is not None:
            raise self.error
        return Claims(claims=("a",))  # type: ignore[return-value]  # only claims are asked


ASKED = ClaimsOf(text="a")


async def test_equal_requests_at_the_same_time_are_one() -> None:
    inner = Slow()
    oracle = CachedOracle(inner)
    asks = [asyncio.create_task(oracle.ask(ClaimsOf(text="a"))) for _ in range(10)]
    await asyncio.sleep(0)
    inner.go.set()
    assert await asyncio.gather(*asks) == [Claims(claims=("a",))] * 10
    assert inner.asked == 1


async def test_if_the_one_who_asks_is_cancelled_one_who_waits_asks_in_its_place() -> None:
    inner = Slow()
    oracle = CachedOracle(inner)
    first, *others = (asyncio.create_task(oracle.ask(ASKED)) for _ in range(4))
    await asyncio.sleep(0)
    first.cancel()
    await asyncio.sleep(0.01)
    inner.go.set()
    assert await asyncio.gather(*others) == [Claims(claims=("a",))] * 3
    assert first.cancelled()
    # The cancelled one asked once, and of the three who waited just one did.
    assert (inner.asked, oracle.remembered.in_flight) == (2, {})


async def test_one_who_waits_may_be_cancelled_without_a_trace() -> None:
    inner = Slow()
    oracle = CachedOracle(inner)
    first, second, third = (asyncio.create_task(oracle.ask(ASKED)) for _ in range(3))
    await asyncio.sleep(0)
    second.cancel()
    await asyncio.sleep(0)
    inner.go.set()
    assert await first == await third == Claims(claims=("a",))
    assert (inner.asked, second.cancelled()) == (1, True)


async def test_a_failure_reaches_all_who_wait_and_is_not_remembered() -> None:
    inner = Slow(error=CallError("down"))
    oracle = CachedOracle(inner)
    asks = [asyncio.create_task(oracle.ask(ASKED)) for _ in range(3)]
    await asyncio.sleep(0)
    inner.go.set()
    results = await asyncio.gather(*asks, return_exceptions=True)
    assert [str(result) for result in results] == ["down"] * 3
    inner.error = None
    assert await oracle.ask(ASKED) == Claims(claims=("a",))
    assert inner.asked == 2


async def test_the_least_recently_used_reply_is_forgotten_first() -> None:
    script = ScriptedOracle(by_request={ClaimsOf: lambda request: Claims(claims=(request.text,))})
    oracle = CachedOracle(script, size=2)
    for text in ("a", "b", "a", "c", "a", "b"):
        await oracle.ask(ClaimsOf(text=text))
    # "b" was forgotten for "c", and asked again; "a" stayed.
    assert [request.text for request in script.asked] == ["a", "b", "c", "b"]  # type: ignore[attr-defined]
    assert len(oracle.remembered.replies) == 2


async def test_two_models_never_share_a_reply(server: LoopbackServer) -> None:
    store = Store("sqlite://")
    for settings in ({}, {"temperature": 1 / 2}, {"model": "gpt-4o"}, {}):
        llm = llm_at(server).model_copy(update=settings)
        await CachedOracle(LLMOracle(llm), store).ask(SUPPORT)
    store.close()
    assert server.stats().calls == 3


async def test_another_wording_is_asked_anew(server: LoopbackServer) -> None:
    prompt = SUPPORT.prompt
    assert prompt is not None
    other = oracle_at(server, prompts={type(SUPPORT): prompt.changed(instruction="Judge.")})
    names = {oracle.fingerprint(type(SUPPORT)) for oracle in (oracle_at(server), other)}
    assert len(names) == 2


async def test_changing_only_the_threshold_never_asks_again(server: LoopbackServer) -> None:
    judge = Judge(CachedOracle(oracle_at(server)))
    sample: dict[str, Any] = {
        "query": "q",
        "response": "Ada is tall.",
        "contexts": ["Ada is tall."],
    }
    for threshold in (None, 1 / 2, 1):
        await Faithfulness(judge, threshold=threshold).aevaluate(**sample)
    # The claims, and their support.
    assert server.stats().calls == 2


@pytest.mark.parametrize("damage", ["{", "{}", '{"claims": 3}', '{"verdicts": []}'])
async def test_a_damaged_row_is_asked_again_once_and_mended(damage: str) -> None:
    store = Store("sqlite://")
    inner = Slow()
    inner.go.set()
    await CachedOracle(inner, store).ask(ASKED)
    store.flush()
    with store.engine.begin() as connection:
        connection.exec_driver_sql("UPDATE replies SET reply = ?", (damage,))
    for _ in range(2):
        assert await CachedOracle(inner, store).ask(ASKED) == Claims(claims=("a",))
    store.close()
    assert inner.asked == 2


async def test_a_reply_that_breaks_the_contract_is_not_kept() -> None:
    store = Store("sqlite://")
    oracle = CachedOracle(ScriptedOracle(ReplyError("broken", raw="x")), store)
    with pytest.raises(ReplyError):
        await oracle.ask(ASKED)
    kept = store.count()
    store.close()
    assert kept == {}


def test_what_cannot_vote_cannot_vote_through_a_cache() -> None:
    with pytest.raises(InputError, match="always answers the same"):
        CachedOracle(ScriptedOracle()).voter(1)
