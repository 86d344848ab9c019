"""Replies of status 200 without an answer: each is named in plain words, and dealt with."""

import asyncio
import json
import re
from typing import Any, get_args

import httpx
import pytest
from llama_index.core.base.llms.types import ChatMessage, ChatResponse
from llama_index.core.callbacks import CallbackManager, TokenCountingHandler
from llama_index.core.llms import MockLLM
from llama_index.llms.openai import OpenAI

from llamaindex_rag_eval.errors import CallError, EndpointError
from llamaindex_rag_eval.models import Limit
from llamaindex_rag_eval.models.endpoint import complete
from llamaindex_rag_eval.models.failures import failure_of, failures
from llamaindex_rag_eval.models.transport import Transport
from tests.benchmarks.odd import MIXED, measured
from tests.models.asking import KEY, claims_requests, oracle_at, serving
from tests.models.recording import ANY_FORM, REPLY, SAID, Endpoint
from tests.server import Fault, Faults, LoopbackServer
from tests.server.faults import OddKind

EXCEPTION = re.compile(r"\b[A-Z]\w*(?:Error|Exception|Timeout)\b|object is not subscriptable")


def replying(**choice: Any) -> bytes:
    (plain,) = REPLY["choices"]
    return json.dumps({**REPLY, "choices": [{**plain, **choice}]}).encode()


def error(**entries: Any) -> bytes:
    return json.dumps({"error": {"message": "It said so.", **entries}}).encode()


ODD: dict[bytes, tuple[str, str]] = {
    b"": ("wait", "the reply is empty"),
    b" \n": ("wait", "the reply is empty"),
    b"<!DOCTYPE html><html></html>": ("wait", "the reply is a web page"),
    b'{"choices": [': ("wait", "the reply is cut off, or no JSON"),
    b'{"choices": "\xff\xfe"}': ("wait", "the reply is cut off, or no JSON"),
    b"upstream busy": ("wait", "the reply is cut off, or no JSON"),
    b"{}": ("wait", "the reply is none of the API"),
    b"null": ("wait", "the reply is none of the API"),
    b"[]": ("wait", "the reply is none of the API"),
    b'"{}"': ("wait", "the reply is none of the API"),
    b'{"choices": []}': ("retry", "the reply holds no answer"),
    b'{"choices": null}': ("retry", "the reply holds no answer"),
    b'{"choices": {}}': ("retry", "the reply holds no answer"),
    b'{"choices": [null]}': ("retry", "the reply holds no answer"),
    replying(message=None): ("retry", "the reply holds no answer"),
    replying(message={"role": "assistant", "content": None}): ("retry", "has no text"),
    replying(message={"role": "assistant"}): ("retry", "has no text"),
    replying(finish_reason="content_filter"): ("fail", "content filter withheld"),
    replying(finish_reason="content_filter", message=None): ("fail", "content filter withheld"),
    error(): ("wait", "is an error, though its status says otherwise (HTTP 200: It said so.)"),
    b'{"error": "It said so."}': ("wait", "is an error, though its status says otherwise"),
    error(code=502): ("wait", "not there behind its gateway (HTTP 502: It said so.)"),
    error(code=500): ("retry", "the server failed at this call (HTTP 500: It said so.)"),
    error(code="429"): ("retry", "takes no more calls at present (HTTP 429: It said so.)"),
    error(type="overloaded_error"): ("wait", "overloaded"),
    error(code="insufficient_quota"): ("end", "no credit or quota left"),
    error(code="invalid_api_key"): ("end", "the API key is not accepted"),
    error(code=401): ("end", "the API key is not accepted"),
    error(code="content_filter"): ("fail", "content filter withheld"),
    error(code=400): ("fail", "refuses this call (HTTP 400: It said so.)"),
    replying(error={"code": 502, "message": "It said so."}): ("wait", "(HTTP 502: It said so.)"),
}


async def failed_over(transport: Transport) -> CallError:
    with pytest.raises(CallError) as caught:
        await complete(transport, SAID, ANY_FORM, "json")
    return caught.value


@pytest.mark.parametrize("body", ODD)
@pytest.mark.parametrize("listened_to", [False, True])
async def test_a_reply_without_an_answer_has_its_row_in_the_table(
    body: bytes, listened_to: bool, endpoint: Endpoint
) -> None:
    endpoint.body = body
    manager = CallbackManager([TokenCountingHandler()] if listened_to else [])
    llm = OpenAI(model="gpt-4o-mini", api_base=endpoint.url, api_key=KEY, callback_manager=manager)
    failure = await failed_over(Transport(llm))
    action, sentence = ODD[body]
    assert (failure_of(failure).action, sentence in str(failure)) == (action, True), str(failure)
    assert failure.transient == (action in ("wait", "retry"))
    assert not EXCEPTION.search(str(failure))


async def test_a_key_that_an_error_in_a_good_reply_repeats_is_masked(endpoint: Endpoint) -> None:
    endpoint.body = error(message=f"no such key: {KEY}")
    llm = OpenAI(model="gpt-4o-mini", api_base=endpoint.url, api_key=KEY)
    assert KEY not in str(await failed_over(Transport(llm)))


@pytest.mark.parametrize("body", [body for body in ODD if b"error" not in body and len(body) < 60])
async def test_a_client_of_the_users_own_that_stumbles_over_a_reply_is_not_quoted(
    body: bytes, endpoint: Endpoint
) -> None:
    endpoint.body = body
    async with httpx.AsyncClient() as client:
        llm = OpenAI(
            model="gpt-4o-mini",
            api_base=endpoint.url,
            api_key=KEY,
            max_retries=0,
            async_http_client=client,
        )
        failure = await failed_over(Transport(llm))
    assert failure.transient
    assert not EXCEPTION.search(str(failure)), str(failure)


class Stumbling(MockLLM):
    """Reads a reply that lacks what it expects, as the class of any provider may."""

    max_tokens: int | None = None

    async def achat(self, messages: Any, **_: Any) -> ChatResponse:
        del messages
        return {"candidates": None}["candidates"][0]  # type: ignore[index]  # that is the fault


async def test_any_llm_that_stumbles_over_a_reply_is_tried_again_and_not_quoted() -> None:
    failure = await failed_over(Transport(Stumbling()))
    assert str(failure) == "the client of the model could not read the reply"
    assert failure.transient


@pytest.mark.parametrize("reason", ["SAFETY", "content_filtered", "RECITATION"])
async def test_what_other_providers_call_a_filter_is_one(reason: str) -> None:
    class Filtered(MockLLM):
        max_tokens: int | None = None

        async def achat(self, messages: Any, **_: Any) -> ChatResponse:
            del messages
            message = ChatMessage(role="assistant", content="")
            return ChatResponse(message=message, raw={"stop_reason": reason})

    failure = await failed_over(Transport(Filtered()))
    assert str(failure).startswith("the provider's content filter withheld the answer")


TRANSIENT = sorted({*get_args(OddKind)} - {"content_filter"})


@pytest.mark.parametrize("kind", [*TRANSIENT, "wrong_content_type"])
async def test_odd_replies_for_a_while_lose_nothing(kind: Any) -> None:
    requests = claims_requests(12)
    with serving(Fault(kind=kind, attempts=1)) as server:
        oracle = oracle_at(server, limit=Limit(8, retries=4))
        replies = [await oracle.ask(requests[0])]
        replies += await asyncio.gather(*map(oracle.ask, requests[1:]))
    assert [reply.claims for reply in replies] == [(f"Ada is {n}.",) for n in range(12)]


def test_a_run_of_the_command_line_outlasts_all_of_them_mixed() -> None:
    run = measured(16, MIXED["mixed"], window=3.0)
    assert (run.lost, run.names) == (0, frozenset())
    assert run.silence is not None


async def test_an_address_of_web_pages_is_said_to_be_one() -> None:
    with serving(Fault(kind="wrong_content_type", mode="permanent")) as server:
        oracle = oracle_at(server, limit=Limit(8, patience=0.5))
        with pytest.raises(EndpointError, match=r"a web page.*none of the API; check the address"):
            await oracle.ask(claims_requests(1)[0])


async def test_faults_of_a_server_change_while_it_runs() -> None:
    with LoopbackServer(responders="tests.models.responders:RESPONDERS") as server:
        oracle = oracle_at(server, limit=Limit(1, retries=0))
        first, second = claims_requests(2)
        await oracle.ask(first)
        server.befall(Faults(Fault(kind="null_choices", mode="permanent")))
        with pytest.raises(CallError, match="the reply holds no answer"):
            await oracle.ask(second)
        server.befall(Faults())
        await oracle.ask(second)


def test_every_row_is_a_sentence_without_names_of_classes() -> None:
    for row in failures().values():
        assert row.sentence == row.sentence.strip().rstrip(".")
        assert not EXCEPTION.search(row.sentence)
