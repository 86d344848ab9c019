"""Calls keep to the settings of the LLM and of the environment, and tell those who listen."""

import base64
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import certifi
import openai
import pytest
from llama_index.core.callbacks import CallbackManager, TokenCountingHandler
from llama_index.core.instrumentation.events.llm import LLMChatEndEvent, LLMChatStartEvent
from llama_index.llms.openai import OpenAI
from llama_index_instrumentation import get_dispatcher
from llama_index_instrumentation.base import BaseEvent
from llama_index_instrumentation.event_handlers import BaseEventHandler
from pydantic import PrivateAttr

from llamaindex_rag_eval.models import wire
from llamaindex_rag_eval.models.transport import Transport
from llamaindex_rag_eval.models.wire import certificates, connections
from tests.models.asking import KEY, llm_at
from tests.models.recording import SAID, Endpoint, error_of
from tests.server import LoopbackServer


class Ears(BaseEventHandler):
    """Keeps the events that it hears of."""

    _heard: list[BaseEvent] = PrivateAttr(default_factory=list)

    def handle(self, event: BaseEvent, **more: Any) -> None:
        self._heard.append(event)


async def test_events_and_callbacks_tell_of_the_call(server: LoopbackServer) -> None:
    counter = TokenCountingHandler(tokenizer=str.split)
    llm = Transport(llm_at(server, callback_manager=CallbackManager([counter]))).called
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
    transport = Transport(OpenAI(model="gpt-4o-mini", api_base=endpoint.url, api_key=KEY))
    post, llm = transport.post, cast("Any", transport.called)
    assert post is not None
    for _ in range(3):
        await post.chat(SAID)
    llm._get_aclient().api_key = "sk-renewed"
    await post.chat(SAID)
    monkeypatch.setattr(wire, "HEAD_SECONDS", 0.0)
    post._until = 0.0
    await post.chat(SAID)
    keys = [headers["authorization"].removeprefix("Bearer ") for _, headers, _ in endpoint.sent]
    assert keys == [KEY] * 4 + ["sk-renewed"]


async def test_a_stream_goes_over_the_same_connections(server: LoopbackServer) -> None:
    llm = Transport(llm_at(server)).called
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
    assert (await Transport(llm).called.achat(SAID)).message.content == "{}"
    (url, headers, _) = endpoint.sent[0]
    assert url == "http://far.invalid/v1/chat/completions"
    assert headers["proxy-authorization"] == f"Basic {base64.b64encode(b'user:word').decode()}"
    monkeypatch.setenv("no_proxy", "far.invalid")
    assert isinstance(await error_of(Transport(llm).called.achat(SAID)), openai.APIConnectionError)


def test_an_llm_behind_a_socks_proxy_keeps_its_own_way(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("all_proxy", "socks5://127.0.0.1:1")
    far = OpenAI(model="gpt-4o-mini", api_base="http://far.invalid", api_key=KEY)
    llm: Any = Transport(far).called
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


async def test_a_session_is_shared_by_all_who_call_from_a_loop() -> None:
    assert await connections() is await connections()
