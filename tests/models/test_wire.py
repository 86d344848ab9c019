"""What goes over the wire is what LlamaIndex's own client sends; what comes back is the same."""

import base64
import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, get_args

import pytest
from llama_index.core.base.llms.types import ChatMessage, ImageBlock, TextBlock
from llama_index.core.callbacks import CallbackManager, TokenCountingHandler
from llama_index.core.llms import LLM
from llama_index.core.tools import FunctionTool
from llama_index.llms.openai import OpenAI
from llama_index_instrumentation import get_dispatcher
from llama_index_instrumentation.base import BaseEvent
from llama_index_instrumentation.event_handlers import BaseEventHandler
from openai import AsyncAzureOpenAI

from llamaindex_rag_eval.errors import CallError
from llamaindex_rag_eval.models.endpoint import complete
from llamaindex_rag_eval.models.failures import call_error
from llamaindex_rag_eval.models.openai_like import OpenAILike
from llamaindex_rag_eval.models.response import entry_of
from llamaindex_rag_eval.models.transport import Transport
from tests.models.asking import KEY, failing, llm_at
from tests.models.recording import ANY_FORM, REPLY, SAID, Endpoint, error_of
from tests.server.faults import FaultKind, TransportKind

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


DIRECT: dict[str, tuple[list[ChatMessage], dict[str, Any]]] = {
    "schema": (SAID, {"response_format": FORM, "max_tokens": 900}),
    "logprobs": (SAID, {"seed": 5}),
    "images": (SEEN, {}),
    "azure": (SAID, {"response_format": FORM}),
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
    transport = Transport(own)
    ours = [await call(transport.called) for _ in range(2)]
    await own._get_aclient().close()
    messages, given = DIRECT.get(case, (SAID, {}))
    post = transport.post
    assert post is not None
    for _ in range(0 if case == "tools" else 2):  # by OpenAI's client, and signed as by it
        await post.chat(messages, **given)
    assert endpoint.sent[1:] == [endpoint.sent[0]] * (2 if case == "tools" else 4)
    assert ours == [theirs, theirs]
    assert [reply.raw for reply in ours] == [theirs.raw] * 2
    key = "api-key" if kind is Azure else "authorization"
    assert KEY in endpoint.sent[0][1][key]


@pytest.mark.parametrize("kind", sorted({*get_args(TransportKind)} - {"wrong_content_type"}))
async def test_a_fault_is_the_error_of_llamaindex(kind: FaultKind) -> None:
    with failing(kind, mode="permanent", retry_after=0.5, stall=5) as server:
        own = llm_at(server, max_retries=0, timeout=1.0)
        theirs = await error_of(own.achat(SAID))
        ours = await error_of(Transport(own).called.achat(SAID))
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
}


@pytest.mark.parametrize("reply", REPLIES)
async def test_a_reply_is_read_as_by_llamaindex(reply: str, endpoint: Endpoint) -> None:
    endpoint.body = REPLIES[reply]
    own = OpenAI(model="gpt-4o-mini", api_base=endpoint.url, api_key=KEY, max_retries=0)
    transport = Transport(own)
    assert await read_by(transport.called) == await read_by(own)
    heard = Transport(own.model_copy(update={"callback_manager": listening()}))
    assert heard.post is None
    theirs = await understood(complete(heard, SAID, ANY_FORM, "json"))
    for _ in range(2):
        assert await understood(complete(transport, SAID, ANY_FORM, "json")) == theirs
    await own._get_aclient().close()


async def understood(work: Any) -> object:
    """Return a completion, with its log-probabilities as plain data, or what is wrong."""
    try:
        done = await work
    except CallError as error:
        return str(error), error.transient
    return replace(done, logprobs=tuple(entry_of(one, "token") for one in done.logprobs))


def listening() -> CallbackManager:
    """Return what tells a listener of all calls."""
    return CallbackManager([TokenCountingHandler()])


def test_who_listens_gets_all_that_llamaindex_raises() -> None:
    transport = Transport(OpenAI(model="gpt-4o-mini", api_key=KEY))
    assert transport.post is not None
    watched = OpenAI(model="gpt-4o-mini", api_key=KEY, callback_manager=listening())
    assert Transport(watched).post is None
    root = get_dispatcher()
    root.add_event_handler(Listener())
    try:
        assert transport.post is None
    finally:
        root.event_handlers.pop()
    assert Transport(Talkative(model="gpt-4o-mini", api_key=KEY)).post is None


class Listener(BaseEventHandler):
    """Takes events."""

    def handle(self, event: BaseEvent, **_: Any) -> None:
        del event


class Talkative(OpenAI):
    """Chats in a way of its own."""

    async def achat(self, messages: Sequence[ChatMessage], **options: Any) -> Any:
        return await super().achat([*messages, *SAID], **options)


async def read_by(llm: LLM) -> object:
    """Return what an LLM makes of a reply: a response, or the name and the text of an error."""
    try:
        return (await llm.achat(SAID)).model_dump()
    except Exception as error:  # noqa: BLE001 - all are compared
        return type(error), str(error)


async def test_a_refused_connection_is_one_that_may_come_back(unused_tcp_port: int) -> None:
    url = f"http://127.0.0.1:{unused_tcp_port}/v1"
    transport = Transport(OpenAI(model="gpt-4o-mini", api_base=url, api_key=KEY))
    error = await error_of(complete(transport, SAID, ANY_FORM, "json"))
    assert isinstance(error, CallError)
    assert error.failure == "connection refused"
