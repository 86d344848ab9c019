"""One oracle, many event loops: nothing outlives its loop, and the user's LLM stays as it is."""

import asyncio
import gc
import pickle
import sys
import threading
import warnings
import weakref
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from llama_index.core.async_utils import asyncio_run
from llama_index.core.evaluation import BatchEvalRunner
from llama_index.llms.openai import OpenAI
from openai import AsyncOpenAI, DefaultAioHttpClient

from llamaindex_rag_eval.judge import Judge
from llamaindex_rag_eval.metrics.faithfulness import Faithfulness
from llamaindex_rag_eval.models import CachedOracle, Limit, LLMOracle
from llamaindex_rag_eval.models.transport import copy_with_client, has_own_client
from llamaindex_rag_eval.models.wire import connections
from tests import prepared
from tests.models.asking import KEY, SUPPORT, llm_at, oracle_at
from tests.server import LoopbackServer

SAMPLE: dict[str, Any] = {
    "query": "Who?",
    "response": "Ada is tall. Ben is old.",
    "contexts": ["Ada is tall."],
}


async def connect_once() -> None:
    """Open a session, as any call does: what closed loops have left open is let go of."""
    assert not (await connections()).closed


left_open = pytest.mark.filterwarnings(
    "ignore:unclosed transport:ResourceWarning", "ignore:unclosed <socket:ResourceWarning"
)
"""Of a loop that was closed with connections open, nobody can close these any more."""


@pytest.fixture(scope="module", autouse=True)
def earlier_objects_stay() -> None:
    """Keep what was there before out of the collections: there is much of it to look through."""
    gc.collect()
    gc.freeze()


@pytest.fixture(autouse=True)
def nothing_left_open() -> Iterator[None]:
    """Collect what a test leaves: an unclosed session or socket warns, and a warning fails it."""
    yield
    asyncio.run(connect_once())
    gc.collect()


def test_works_in_one_loop_after_another(server: LoopbackServer) -> None:
    oracle = oracle_at(server)
    first = asyncio.run(oracle.ask(SUPPORT))
    assert asyncio.run(oracle.ask(SUPPORT)) == first


def test_a_loop_that_has_ended_is_not_kept(server: LoopbackServer) -> None:
    oracle = oracle_at(server)
    loops: list[weakref.ref[asyncio.AbstractEventLoop]] = []

    async def ask() -> None:
        loops.append(weakref.ref(asyncio.get_running_loop()))
        await oracle.ask(SUPPORT)

    for _ in range(3):
        asyncio.run(ask())
    gc.collect()
    assert [loop() for loop in loops] == [None, None, None]


@left_open
def test_a_loop_that_is_closed_without_ceremony_is_let_go_of_by_the_next(
    server: LoopbackServer,
) -> None:
    oracle = oracle_at(server)
    said: list[Any] = []
    gone: list[weakref.ref[asyncio.AbstractEventLoop]] = []
    for _ in range(2):
        loop = asyncio.new_event_loop()
        loop.set_exception_handler(lambda _, context: said.append(context))
        loop.run_until_complete(oracle.ask(SUPPORT))
        loop.close()
        gone.append(weakref.ref(loop))
        del loop
    gc.collect()
    assert gone[0]() is None
    asyncio.run(connect_once())
    gc.collect()
    assert (gone[1](), said) == (None, [])


async def test_all_calls_of_a_loop_share_their_connections(server: LoopbackServer) -> None:
    for _ in range(3):
        await oracle_at(server).ask(SUPPORT)
    assert server.stats().connections == 1


async def test_an_oracle_that_is_dropped_is_not_kept_by_its_loop(server: LoopbackServer) -> None:
    oracle = oracle_at(server)
    await oracle.ask(SUPPORT)
    dropped = weakref.ref(oracle)
    del oracle
    gc.collect()
    assert dropped() is None


def test_a_metric_is_evaluated_twice_synchronously(server: LoopbackServer) -> None:
    metric = Faithfulness(Judge(oracle_at(server)))
    assert [metric.evaluate(**SAMPLE).score for _ in range(2)] == [1 / 2, 1 / 2]


NOTEBOOK = """
import asyncio, warnings
from llamaindex_rag_eval.judge import Judge
from llamaindex_rag_eval.metrics.faithfulness import Faithfulness
from tests.models.asking import LLMOracle, OpenAI, KEY

llm = OpenAI(model="gpt-4o-mini", api_base={url!r}, api_key=KEY)
metric = Faithfulness(Judge(LLMOracle(llm)))

async def cell():
    print(metric.evaluate(**{sample!r}).score, (await metric.aevaluate(**{sample!r})).score)

warnings.simplefilter("default", ResourceWarning)
asyncio.run(cell())
"""


def test_a_metric_is_evaluated_synchronously_in_a_running_loop(server: LoopbackServer) -> None:
    # In a process of its own: nest-asyncio changes `asyncio.run` for good.
    code = NOTEBOOK.format(url=server.url, sample=SAMPLE)
    done = prepared.run([sys.executable, "-c", code], check=True)
    assert done.stdout == "0.5 0.5\n"
    assert "nclosed" not in done.stderr


def test_threads_share_an_oracle(server: LoopbackServer) -> None:
    metric = Faithfulness(Judge(CachedOracle(oracle_at(server))))
    scores: list[float | None] = []
    threads = [
        threading.Thread(target=lambda: scores.append(metric.evaluate(**SAMPLE).score))
        for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert scores == [1 / 2] * 8


def batch(server: LoopbackServer, limit: Limit | None = None) -> Any:
    metric = Faithfulness(Judge(oracle_at(server, limit=limit or Limit(4))))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # it calls a function of its own past
        runner = BatchEvalRunner({"faithfulness": metric}, workers=2)
    return runner.aevaluate_response_strs(
        queries=["Who?"] * 3,
        response_strs=["Ada is tall. Ben is old."] * 3,
        contexts_list=[["Ada is tall."]] * 3,
    )


@left_open
def test_works_behind_the_synchronous_methods_of_llamaindex(server: LoopbackServer) -> None:
    for _ in range(2):
        loop = asyncio.new_event_loop()
        asyncio.set_event_loop(loop)
        results = asyncio_run(batch(server))
        loop.close()
        asyncio.set_event_loop(None)
        assert [result.score for result in results["faithfulness"]] == [1 / 2] * 3


@left_open
async def test_works_behind_their_thread_where_a_loop_runs(server: LoopbackServer) -> None:
    results = asyncio_run(batch(server))
    assert [result.score for result in results["faithfulness"]] == [1 / 2] * 3


def state(llm: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    return llm.model_dump(), dict(llm.__pydantic_private__)


@pytest.mark.parametrize("used", [False, True])
def test_the_users_llm_is_never_changed(used: bool, server: LoopbackServer) -> None:
    llm = llm_at(server)
    client = llm._get_aclient() if used else None
    before = state(llm)
    oracle = LLMOracle(llm)
    asyncio.run(oracle.ask(SUPPORT))
    asyncio.run(oracle.voter(2).ask(SUPPORT))
    assert state(llm) == before
    assert llm.max_retries == 3
    if client is not None:
        assert not client.is_closed()
        asyncio.run(client.close())


async def test_a_client_of_the_users_own_is_kept_and_stays_open(server: LoopbackServer) -> None:
    seen: list[str] = []

    async def see(request: httpx.Request) -> None:
        seen.append(str(request.url))

    async with httpx.AsyncClient(event_hooks={"request": [see]}) as client:
        by_http = llm_at(server, async_http_client=client)
        by_openai = llm_at(
            server,
            async_openai_client=AsyncOpenAI(base_url=server.url, api_key=KEY, http_client=client),
        )
        for llm in (by_http, by_openai):
            before = state(llm)
            await LLMOracle(llm).ask(SUPPORT)
            assert state(llm)[0] == before[0]
        assert not client.is_closed
    assert seen == [f"{server.url}/chat/completions"] * 2


def test_crosses_process_borders_before_and_after_use(server: LoopbackServer) -> None:
    oracle = CachedOracle(oracle_at(server, limit=Limit(3, requests_per_minute=600)))
    for _ in range(2):
        copy = pickle.loads(pickle.dumps(oracle))  # noqa: S301 - made here
        assert copy.fingerprint(type(SUPPORT)) == oracle.fingerprint(type(SUPPORT))
        assert asyncio.run(copy.ask(SUPPORT)) == asyncio.run(oracle.ask(SUPPORT))
        assert copy.inner.limit.concurrency == 3


def test_an_llm_says_whether_its_client_is_the_users(server: LoopbackServer) -> None:
    plain, used = llm_at(server), llm_at(server)
    assert {"_aclient", "_async_http_client"} <= set(plain.__pydantic_private__ or {})
    made = used._get_aclient()._client
    assert type(made).__name__ == "AsyncHttpxClientWrapper"
    client = DefaultAioHttpClient()
    by_http = llm_at(server, async_http_client=client)
    by_openai = llm_at(
        server,
        async_openai_client=AsyncOpenAI(base_url=server.url, api_key=KEY, http_client=client),
    )
    owners = [has_own_client(llm) for llm in (plain, used, by_http, by_openai)]
    assert owners == [False, False, True, True]


async def test_a_copy_calls_over_the_client_it_is_given(server: LoopbackServer) -> None:
    async with DefaultAioHttpClient() as client:
        for llm in (llm_at(server), llm_at(server, reuse_client=False)):
            changed = copy_with_client(llm, client)
            assert changed._get_aclient()._client is client
            assert (changed._get_aclient().max_retries, changed.reuse_client) == (0, True)
            assert (llm._async_http_client, llm.max_retries) == (None, 3)


async def test_a_client_that_is_open_already_keeps_its_credentials(server: LoopbackServer) -> None:
    llm = llm_at(server)
    before = llm._get_aclient()
    before.api_key = "sk-of-the-user"
    async with DefaultAioHttpClient() as client:
        after = copy_with_client(llm, client)._aclient
        assert (after.api_key, after._client) == ("sk-of-the-user", client)
        assert llm._aclient is before
    await before.close()


@pytest.mark.parametrize(
    "name", ["_get_aclient", "_aclient", "_async_http_client", "_get_model_kwargs"]
)
async def test_where_a_private_name_is_gone_the_own_client_serves_and_a_line_says_so(
    name: str, server: LoopbackServer, caplog: pytest.LogCaptureFixture
) -> None:
    def check(wanted: str) -> None:
        asker = sys._getframe(2).f_globals["__name__"]
        if wanted == name and asker.startswith("llamaindex_rag_eval."):
            raise AttributeError(f"{name!r} is gone")

    class Renamed(OpenAI):
        def __getattribute__(self, wanted: str) -> Any:
            check(wanted)
            return super().__getattribute__(wanted)

        def __getattr__(self, wanted: str) -> Any:
            check(wanted)
            return super().__getattr__(wanted)  # type: ignore[misc]  # pydantic's

    llm = Renamed(model="gpt-4o-mini", api_base=server.url, api_key=KEY)
    first = await LLMOracle(llm).ask(SUPPORT)
    assert first == await oracle_at(server).ask(SUPPORT)
    assert f"is called over its own client, which is slower: {name!r} is gone" in caplog.text
    await llm._get_aclient().close()
