"""What goes over the wire is what LlamaIndex's own client sends; what comes back is the same."""

import asyncio
import base64
import json
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from typing import Any, get_args

import aiohttp
import certifi
import openai
import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer
from llama_index.core.base.llms.types import ChatMessage, ImageBlock, TextBlock
from llama_index.core.callbacks import CallbackManager, TokenCountingHandler
from llama_index.core.instrumentation.events.llm import LLMChatEndEvent, LLMChatStartEvent
from llama_index.core.llms import LLM
from llama_index.core.tools import FunctionTool
from llama_index.llms.openai import OpenAI
from llama_index_instrumentation import get_dispatcher
from llama_index_instrumentation.base import BaseEvent
from llama_index_instrumentation.event_handlers import BaseEventHandler
from openai import AsyncAzureOpenAI
from pydantic import PrivateAttr

from llamaindex_rag_eval.models import wire
from llamaindex_rag_eval.models.by_name import OpenAILike
from llamaindex_rag_eval.models.completion import call_error
from llamaindex_rag_eval.models.transport import over_aiohttp
from llamaindex_rag_eval.models.wire import certificates, connections_here
from tests.models.asking import KEY, failing, llm_at
from tests.server import LoopbackServer
from tests.server.faults import FaultKind, TransportKind

OF_THE_CONNECTION = {"accept-encoding", "connection", "content-length"}

USAGE = {"prompt_tokens": 7, "completion_tokens": 3, "total_tokens": 10}

REPLY: dict[str, Any] = {
    "id": "chatcmpl-1",
    "object": "chat.completion",
    "created": 1,
    "model": "gpt-4o-mini",
    "choices": [
        {
            "index": 0,
            "finish_reason": "stop",
            "logprobs": None,
            "message": {"role": "assistant", "content": "{}", "refusal": None},
        }
    ],
    "usage": USAGE,
}

SAID = [ChatMessage(role="system", content="Be brief."), ChatMessage(role="user", content="é 🌧?")]

PIXEL = base64.b64encode(b"\x89PNG\r\n\x1a\n")

SEEN = [
    ChatMessage(
        role="user",
        blocks=[
            TextBlock(text="What is this?"),
            ImageBlock(image=PIXEL, image_mimetype="image/png"),
        ],
    )
]

FORM = {
    "type": "json_schema",
    "json_schema": {"name": "claims", "strict": True, "schema": {"type": "object"}},
}

Sent = tuple[str, dict[str, str], Any]


class Endpoint:
    """A server that keeps what it is sent, and answers as it is told."""

    def __init__(self) -> None:
        self.sent: list[Sent] = []
        self.status = 200
        self.body: bytes = json.dumps(REPLY).encode()
        self.headers = {"Content-Type": "application/json"}
        self.url = ""

    async def answer(self, request: web.Request) -> web.Response:
        headers = {name.lower(): value for name, value in request.headers.items()}
        kept = {name: value for name, value in headers.items() if name not in OF_THE_CONNECTION}
        self.sent.append((str(request.url), kept, await request.json()))
        return web.Response(status=self.status, body=self.body, headers=self.headers)


@pytest.fixture
async def endpoint() -> AsyncIterator[Endpoint]:
    made = Endpoint()
    app = web.Application()
    app.router.add_route("*", "/{path:.*}", made.answer)
    async with TestServer(app) as server:
        made.url = str(server.make_url("/v1"))
        yield made


class Azure(OpenAI):
    """Calls Azure as LlamaIndex's `AzureOpenAI` does, whose package need not be installed."""

    def _get_aclient(self) -> AsyncAzureOpenAI:
        if self._aclient is None:
            self._aclient = AsyncAzureOpenAI(
                api_key=self.api_key,
                azure_endpoint=str(self.api_base),
                api_version=self.api_version,
                timeout=self.timeout,
                max_retries=self.max_retries,
                http_client=self._async_http_client,
            )
        assert isinstance(self._aclient, AsyncAzureOpenAI)
        return self._aclient


def get_weather(town: str) -> str:
    """Return the weather."""
    return town


Call = Callable[[Any], Any]


def chat(messages: list[ChatMessage] = SAID, **options: Any) -> Call:
    """Return how to ask an LLM."""
    return lambda llm: llm.achat(messages, **options)


def tools(llm: Any) -> Any:
    """Ask with a tool."""
    return llm.achat_with_tools(
        [FunctionTool.from_defaults(get_weather)], chat_history=list(SAID), tool_required=True
    )


CASES: dict[str, tuple[type[OpenAI], dict[str, Any], Call]] = {
    "plain": (OpenAI, {}, chat()),
    "schema": (OpenAI, {}, chat(response_format=FORM, max_tokens=900)),
    "logprobs": (OpenAI, {"logprobs": True, "top_logprobs": 3}, chat(seed=5)),
    "tools": (OpenAI, {"model": "gpt-4"}, tools),
    "images": (OpenAI, {}, chat(SEEN)),
    "reasoning": (OpenAI, {"model": "o3-mini", "reasoning_effort": "low", "max_tokens": 9}, chat()),
    "settings": (
        OpenAI,
        {
            "temperature": 0.3,
            "default_headers": {"X-Team": "rag", "User-Agent": "ours/1"},
            "additional_kwargs": {"user": "me", "extra_body": {"top_k": 4}, "stop": ["\n"]},
            "timeout": 7.5,
        },
        chat(),
    ),
    "extra headers": (
        OpenAI,
        {"additional_kwargs": {"extra_headers": {"X-A": "b"}, "extra_query": {"v": "2"}}},
        chat(),
    ),
    "like": (OpenAILike, {"model": "a-local-model"}, chat()),
    "azure": (Azure, {"api_version": "2024-10-21"}, chat(response_format=FORM)),
}


@pytest.mark.parametrize("case", CASES)
async def test_a_request_is_the_one_of_llamaindex(
    case: str, endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_ORG_ID", "org-1")
    kind, options, call = CASES[case]
    own = kind(
        **{
            "model": "gpt-4o-mini",
            "api_base": endpoint.url,
            "api_key": KEY,
            "max_retries": 0,
            **options,
        }
    )
    theirs = await call(own)
    ours = [await call(over_aiohttp(own)) for _ in range(2)]
    await own._get_aclient().close()
    assert endpoint.sent[1:] == [endpoint.sent[0]] * 2
    assert ours == [theirs, theirs]
    assert [reply.raw for reply in ours] == [theirs.raw] * 2
    key = "api-key" if kind is Azure else "authorization"
    assert KEY in endpoint.sent[0][1][key]


async def error_of(work: Any) -> Exception:
    """Return what an LLM raises."""
    try:
        return AssertionError(f"it answered {await work!r}")
    except Exception as error:  # noqa: BLE001 - all are compared
        return error


@pytest.mark.parametrize("kind", get_args(TransportKind))
async def test_a_fault_is_the_error_of_llamaindex(kind: FaultKind) -> None:
    with failing(kind, mode="permanent", retry_after=0.5, stall=5) as server:
        own = llm_at(server, max_retries=0, timeout=1.0)
        theirs = await error_of(own.achat(SAID))
        ours = await error_of(over_aiohttp(own).achat(SAID))
        await own._get_aclient().close()
    assert (type(ours), str(ours)) == (type(theirs), str(theirs))
    assert getattr(ours, "code", None) == getattr(theirs, "code", None)
    expected, found = call_error(theirs, KEY), call_error(ours, KEY)
    assert str(found) == str(expected)
    assert (found.status, found.retry_after, found.transient) == (
        expected.status,
        expected.retry_after,
        expected.transient,
    )


def replying(message: dict[str, Any], **choice: Any) -> bytes:
    """Return a reply with this message."""
    (plain,) = REPLY["choices"]
    shown = {**plain, **choice, "message": {**plain["message"], **message}}
    return json.dumps({**REPLY, "choices": [shown]}).encode()


ENTRY = {"token": "{", "logprob": -0.5, "bytes": [123], "top_logprobs": []}

TOOL = {"name": "get_weather", "arguments": '{"town": "Os'}

REPLIES = {
    "a text": replying({"content": "é 🌧", "annotations": []}),
    "an empty text": replying({"content": ""}),
    "a refusal": replying({"content": None, "refusal": "No."}),
    "cut off": replying({"content": '{"cl'}, finish_reason="length"),
    "log-probabilities": replying({}, logprobs={"content": [ENTRY], "refusal": None}),
    "thoughts": replying({"reasoning_content": "Hm.", "tool_calls": None}),
    "a tool, cut off": replying(
        {"content": None, "tool_calls": [{"id": "1", "type": "function", "function": TOOL}]}
    ),
    "an end of its own": replying({}, finish_reason="eos"),
    "no id, no usage": json.dumps({"choices": REPLY["choices"]}).encode(),
    "an error with status 200": b'{"error": {"message": "overloaded", "code": 502}}',
    "nothing": b"",
    "half": b'{"choices": [',
}


@pytest.mark.parametrize("reply", REPLIES)
async def test_a_reply_is_read_as_by_llamaindex(reply: str, endpoint: Endpoint) -> None:
    endpoint.body = REPLIES[reply]
    own = OpenAI(model="gpt-4o-mini", api_base=endpoint.url, api_key=KEY, max_retries=0)
    found = [await read_by(own), await read_by(over_aiohttp(own))]
    await own._get_aclient().close()
    assert found[0] == found[1]


async def read_by(llm: LLM) -> object:
    """Return what an LLM makes of a reply: a response, or the name and the text of an error."""
    try:
        return (await llm.achat(SAID)).model_dump()
    except Exception as error:  # noqa: BLE001 - all are compared
        return type(error), str(error)


async def test_a_refused_connection_is_one_that_may_come_back(unused_tcp_port: int) -> None:
    url = f"http://127.0.0.1:{unused_tcp_port}/v1"
    llm = over_aiohttp(OpenAI(model="gpt-4o-mini", api_base=url, api_key=KEY))
    error = await error_of(llm.achat(SAID))
    assert type(error) is openai.APIConnectionError
    assert isinstance(error.__cause__, aiohttp.ClientConnectorError)


class Ears(BaseEventHandler):
    """Keeps the events that it hears of."""

    _heard: list[BaseEvent] = PrivateAttr(default_factory=list)

    def handle(self, event: BaseEvent, **more: Any) -> None:
        self._heard.append(event)


async def test_events_and_callbacks_tell_of_the_call(server: LoopbackServer) -> None:
    counter = TokenCountingHandler(tokenizer=str.split)
    llm = over_aiohttp(llm_at(server, callback_manager=CallbackManager([counter])))
    ears, root = Ears(), get_dispatcher()
    root.add_event_handler(ears)
    response = await llm.achat(SAID)
    root.event_handlers.remove(ears)
    (start,) = [event for event in ears._heard if isinstance(event, LLMChatStartEvent)]
    (end,) = [event for event in ears._heard if isinstance(event, LLMChatEndEvent)]
    assert (start.messages, end.response) == (SAID, response)
    assert start.model_dict == llm.to_payload()
    counts = response.additional_kwargs
    assert counter.prompt_llm_token_count == counts["prompt_tokens"] > 0
    assert counter.completion_llm_token_count == counts["completion_tokens"] > 0


async def test_the_signature_is_asked_for_once_a_minute(
    endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    llm: Any = over_aiohttp(OpenAI(model="gpt-4o-mini", api_base=endpoint.url, api_key=KEY))
    await asyncio.gather(*(llm.achat(SAID) for _ in range(3)))
    llm._get_aclient().api_key = "sk-renewed"
    await llm.achat(SAID)
    monkeypatch.setattr(wire, "HEAD_SECONDS", 0.0)
    llm._get_aclient().chat.completions.create.__self__._heads.clear()
    await llm.achat(SAID)
    keys = [headers["authorization"].removeprefix("Bearer ") for _, headers, _ in endpoint.sent]
    assert keys == [KEY] * 4 + ["sk-renewed"]


async def test_a_stream_goes_over_the_same_connections(server: LoopbackServer) -> None:
    llm = over_aiohttp(llm_at(server))
    await llm.achat(SAID)
    with pytest.raises(Exception, match=r"stream|event"):  # this server has none
        async for _ in await llm.astream_chat(SAID):
            pass
    assert server.stats().connections == 1


async def test_a_proxy_of_the_environment_is_called(
    endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    proxy = endpoint.url.removesuffix("/v1").replace("//", "//user:word@")
    monkeypatch.setenv("http_proxy", proxy)
    monkeypatch.setenv("no_proxy", "elsewhere.invalid")
    llm = OpenAI(model="gpt-4o-mini", api_base="http://far.invalid/v1", api_key=KEY)
    assert (await over_aiohttp(llm).achat(SAID)).message.content == "{}"
    (url, headers, _) = endpoint.sent[0]
    assert url == "http://far.invalid/v1/chat/completions"
    assert headers["proxy-authorization"] == f"Basic {base64.b64encode(b'user:word').decode()}"
    monkeypatch.setenv("no_proxy", "far.invalid")
    assert isinstance(await error_of(over_aiohttp(llm).achat(SAID)), openai.APIConnectionError)


def test_an_llm_behind_a_socks_proxy_keeps_its_own_way(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("all_proxy", "socks5://127.0.0.1:1")
    llm: Any = over_aiohttp(OpenAI(model="gpt-4o-mini", api_base="http://far.invalid", api_key=KEY))
    assert llm._async_http_client is None


@pytest.fixture
def fresh_certificates() -> Iterator[None]:
    certificates.cache_clear()
    yield
    certificates.cache_clear()


@pytest.mark.usefixtures("fresh_certificates")
def test_certificates_come_from_the_file_that_the_environment_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    end = "-----END CERTIFICATE-----"
    first = Path(certifi.where()).read_text(encoding="utf-8").partition(end)[0] + end
    (tmp_path / "one.pem").write_text(first, encoding="utf-8")
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "one.pem"))
    assert len(certificates().get_ca_certs()) == 1


async def test_a_header_that_nothing_remains_is_told(endpoint: Endpoint) -> None:
    paused: list[float] = []
    endpoint.headers |= {
        "x-ratelimit-remaining-requests": "0",
        "x-ratelimit-reset-requests": "1.5s",
    }
    llm = OpenAI(model="gpt-4o-mini", api_base=endpoint.url, api_key=KEY)
    await over_aiohttp(llm, paused.append).achat(SAID)
    assert paused == [1.5]


async def test_a_session_is_shared_by_all_who_call_from_a_loop() -> None:
    assert await connections_here() is await connections_here()
