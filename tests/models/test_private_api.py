"""The private attributes that we use are there, on real objects, and do what we use them for."""

import asyncio
import gc
import socket
import weakref
from collections.abc import Iterator
from typing import Any

import pytest
from llama_index.core import VectorStoreIndex
from llama_index.core.query_engine import RetrieverQueryEngine
from llama_index.core.schema import TextNode
from llama_index.llms.openai import OpenAI
from openai import AsyncOpenAI, DefaultAioHttpClient

from llamaindex_rag_eval.judge.rules.embedding import LexicalEmbedding
from llamaindex_rag_eval.models.private_api import (
    call_when_dropped,
    close_connections,
    copy_with_client,
    engine_llm,
    engine_with_llm,
    has_own_client,
    run_without_loop,
)
from tests.models.asking import KEY, llm_at
from tests.server import LoopbackServer


@pytest.fixture
def loop() -> Iterator[asyncio.AbstractEventLoop]:
    new = asyncio.new_event_loop()
    yield new
    new.close()


def test_a_closed_loop_drops_its_timers(loop: asyncio.AbstractEventLoop) -> None:
    called: list[int] = []
    call_when_dropped(loop, called.append, 1)
    assert len(loop._scheduled) == 1  # type: ignore[attr-defined]  # private
    gc.collect()
    assert called == []
    loop.close()
    assert loop._scheduled == []  # type: ignore[attr-defined]  # private
    gc.collect()
    assert called == [1]


def pooled(client: Any) -> list[Any]:
    """Return the transports of a client's idle connections, by the names that we rely on."""
    pools = client._transport.client.connector._conns.values()
    return [protocol.transport for pool in pools for protocol, _ in pool]


def test_connections_on_a_closed_loop_are_closed(
    server: LoopbackServer, loop: asyncio.AbstractEventLoop
) -> None:
    client = DefaultAioHttpClient()
    loop.run_until_complete(client.get(f"{server.url}/models"))
    assert client._mounts is not None
    (transport,) = pooled(client)
    assert isinstance(transport._sock, socket.socket)
    open_socket = weakref.proxy(transport._sock)
    assert callable(transport._call_connection_lost)
    loop.close()
    assert open_socket.fileno() >= 0
    close_connections(client)
    assert transport._sock is None
    run_without_loop(client.aclose())
    assert client.is_closed


def test_tls_hides_the_socket_where_we_look_for_it() -> None:
    from asyncio.sslproto import SSLProtocol, _SSLProtocolTransport

    assert "_ssl_protocol" in _SSLProtocolTransport.__init__.__code__.co_names
    assert "_transport" in SSLProtocol.connection_made.__code__.co_names


def test_a_coroutine_that_waits_for_nothing_runs_without_a_loop() -> None:
    done: list[int] = []

    async def work() -> None:
        done.append(1)

    run_without_loop(work())
    assert done == [1]


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
            changed = copy_with_client(llm, client, retries=7)
            assert changed._get_aclient()._client is client
            assert (changed._get_aclient().max_retries, changed.reuse_client) == (7, True)
            assert (llm._async_http_client, llm.max_retries) == (None, 3)


async def test_a_client_that_is_open_already_keeps_its_credentials(server: LoopbackServer) -> None:
    llm = llm_at(server)
    before = llm._get_aclient()
    before.api_key = "sk-of-the-user"
    async with DefaultAioHttpClient() as client:
        after = copy_with_client(llm, client, retries=0)._aclient
        assert (after.api_key, after._client) == ("sk-of-the-user", client)
        assert llm._aclient is before
    await before.close()


def engine_over(llm: OpenAI, mode: str) -> RetrieverQueryEngine:
    index = VectorStoreIndex([TextNode(text="Ada is tall.")], embed_model=LexicalEmbedding())
    engine = index.as_query_engine(llm=llm, response_mode=mode)
    assert isinstance(engine, RetrieverQueryEngine)
    return engine


@pytest.mark.parametrize("mode", ["compact", "refine", "tree_summarize", "simple_summarize"])
async def test_a_copy_of_an_engine_answers_by_the_other_llm(
    mode: str, server: LoopbackServer
) -> None:
    first, second = llm_at(server), llm_at(server, "tool")
    engine = engine_over(first, mode)
    changed = engine_with_llm(engine, second)
    assert (engine_llm(engine), engine_llm(changed)) == (first, second)
    await changed.aquery("Who is tall?")
    await second._get_aclient().close()
    assert {body["model"] for body in server.requests()} == {second.model}


def test_no_method_of_a_copied_synthesizer_is_bound_to_the_original(
    server: LoopbackServer,
) -> None:
    engine = engine_over(llm_at(server), "compact")
    original = engine._response_synthesizer
    bound = [name for name, value in vars(original).items() if hasattr(value, "__self__")]
    # Where this attribute is gone, `engine_with_llm` has nothing to bind anew.
    assert bound == ["_program_factory"]
    copied = engine_with_llm(engine, llm_at(server))._response_synthesizer
    assert [getattr(copied, name).__self__ for name in bound] == [copied] * len(bound)
