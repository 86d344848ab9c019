"""The loopback server, through the clients that it is there for."""

import asyncio
import contextlib
import json
import math
import signal
import socket
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx
import numpy as np
import pytest
from llama_index.core.prompts import PromptTemplate
from llama_index.llms.openai import OpenAI as LlamaOpenAI
from openai import AsyncOpenAI, OpenAI
from pydantic import BaseModel

from tests.server import LoopbackServer

RESPONDERS = "tests.server.example_responders:RESPONDERS"
KEY = "sk-test-0123456789"


class Verdict(BaseModel):
    claim: str
    supported: bool
    sources: list[int]


class Verdicts(BaseModel):
    verdicts: list[Verdict]


PROMPT = PromptTemplate(
    'Judge the claims. Example input: {{"claims": ["x"]}}. The input is {request} Thank you.'
)
REQUEST = json.dumps({"claims": ["Lyon {old} is a city.", "Lyon is a river."]})


@pytest.fixture(scope="module")
def shared() -> Iterator[LoopbackServer]:
    with LoopbackServer(responders=RESPONDERS, record=True) as server:
        yield server


@pytest.fixture
def server(shared: LoopbackServer) -> LoopbackServer:
    shared.reset()
    return shared


@asynccontextmanager
async def llama(
    server: LoopbackServer, *, model: str = "gpt-4o-mini"
) -> AsyncIterator[LlamaOpenAI]:
    # The client would not close its connections by itself.
    async with httpx.AsyncClient() as http:
        yield LlamaOpenAI(
            model=model, api_base=server.url, api_key=KEY, max_retries=0, async_http_client=http
        )


async def test_answers_a_schema_by_its_responder_and_the_last_object_of_the_last_message(
    server: LoopbackServer,
) -> None:
    async with llama(server) as llm:
        reply = await llm.astructured_predict(Verdicts, PROMPT, request=REQUEST)

    assert [entry.claim for entry in reply.verdicts] == json.loads(REQUEST)["claims"]
    [body] = server.requests()
    assert body["response_format"]["json_schema"]["name"] == "Verdicts"
    assert server.stats().by_name == {"Verdicts": 1}


async def test_answers_a_structured_llm(server: LoopbackServer) -> None:
    async with llama(server) as llm:
        reply = await llm.as_structured_llm(Verdicts).acomplete(REQUEST)

    assert len(Verdicts.model_validate_json(reply.text).verdicts) == 2


async def test_answers_a_tool_call_by_the_same_responder(server: LoopbackServer) -> None:
    # A model that has no structured output, but tools, is asked by a tool.
    async with llama(server, model="gpt-4") as old:
        reply = await old.astructured_predict(Verdicts, PROMPT, request=REQUEST)

    assert len(reply.verdicts) == 2
    assert server.requests()[0]["tools"][0]["function"]["name"] == "Verdicts"


async def test_answers_plain_text_by_the_marker_in_the_messages(server: LoopbackServer) -> None:
    async with llama(server) as llm:
        reply = await llm.acomplete('ECHO this: {"b": {"c": 1}, "a": 2}')

    assert reply.text == "gpt-4o-mini was asked for ['a', 'b']."


async def test_answers_plain_text_without_a_marker_with_a_sentence(server: LoopbackServer) -> None:
    async with llama(server) as llm:
        first = await llm.acomplete("Where is it?")
        again = await llm.acomplete("Where is it?")

    assert first.text.endswith(".")
    assert first.text == again.text
    tally = server.stats()
    assert (tally.distinct_bodies, tally.answered, tally.answered_again) == (1, 2, 1)


def test_the_synchronous_client_is_answered_too(server: LoopbackServer) -> None:
    with OpenAI(base_url=server.url, api_key=KEY) as client:
        reply = client.chat.completions.parse(
            model="gpt-4o-mini",
            messages=[{"role": "user", "content": [{"type": "text", "text": REQUEST}]}],
            response_format=Verdicts,
        )

    parsed = reply.choices[0].message.parsed
    assert parsed is not None
    assert parsed.verdicts[0].sources == [0]
    assert reply.usage is not None
    # The prompt is the request alone, four characters a token.
    assert reply.usage.prompt_tokens == len(REQUEST) // 4


async def test_embeds_the_same_in_both_encodings(server: LoopbackServer) -> None:
    texts = ["the old town of Lyon", "the old town of Paris", "quarterly revenue fell", ""]
    async with AsyncOpenAI(base_url=server.url, api_key=KEY) as client:
        coded = await client.embeddings.create(model="e", input=texts)
        plain = await client.embeddings.create(model="e", input=texts, encoding_format="float")

    vectors = np.array([entry.embedding for entry in coded.data])
    assert vectors.shape == (4, 64)
    assert np.allclose(vectors, [entry.embedding for entry in plain.data])
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1)
    # Four words of five are shared with the second text, none with the third.
    assert vectors[0] @ vectors[1] > 1 / 2
    assert abs(vectors[0] @ vectors[2]) < 1 / 2


async def test_counts_the_tokens_of_a_prefix_seen_before(server: LoopbackServer) -> None:
    # 8,000 shared characters are 2,000 tokens: 1,024 and seven steps of 128 are in full.
    start = "word " * 1600
    async with AsyncOpenAI(base_url=server.url, api_key=KEY) as client:
        cached = []
        for end in ("one", "two"):
            reply = await client.chat.completions.create(
                model="gpt-4o-mini", messages=[{"role": "user", "content": start + end}]
            )
            assert reply.usage is not None
            assert reply.usage.prompt_tokens_details is not None
            cached.append(reply.usage.prompt_tokens_details.cached_tokens)

    assert cached == [0, 1024 + 7 * 128]
    assert server.stats().cached_tokens == 1024 + 7 * 128


async def test_a_failing_responder_is_named_and_not_retried(server: LoopbackServer) -> None:
    async with AsyncOpenAI(base_url=server.url, api_key=KEY) as client:
        with pytest.raises(Exception, match="Failing: KeyError"):
            await client.chat.completions.create(
                model="gpt-4o-mini", messages=[{"role": "user", "content": "Failing {}"}]
            )

    tally = server.stats()
    assert tally.by_outcome == {"responder_error": 1}
    assert tally.errors == ["Failing: KeyError('missing')"]


async def test_a_request_that_is_not_understood_is_a_bad_request(server: LoopbackServer) -> None:
    async with AsyncOpenAI(base_url=server.url, api_key=KEY) as client:
        with pytest.raises(Exception, match="does not stream"):
            await client.chat.completions.create(
                model="m", messages=[{"role": "user", "content": "a"}], stream=True
            )
        with pytest.raises(Exception, match="Unknown request: GET /v1/models"):
            await client.models.list()


async def test_waits_for_the_latency_and_counts_what_is_in_flight() -> None:
    async with AsyncOpenAI(base_url="http://127.0.0.1", api_key=KEY) as client:
        with LoopbackServer(latency=1.0, headers={"x-ratelimit-remaining-requests": "7"}) as server:
            client.base_url = server.url
            start = time.perf_counter()
            calls = [
                client.with_raw_response.embeddings.create(model="e", input=f"text {number}")
                for number in range(8)
            ]
            replies = await asyncio.gather(*calls)
            wall = time.perf_counter() - start
            tally = server.stats()

    assert wall >= 1.0
    assert replies[0].headers["x-ratelimit-remaining-requests"] == "7"
    assert (tally.in_flight, tally.calls, tally.answered) == (0, 8, 8)
    assert 1 < tally.max_in_flight <= 8  # all eight, unless the machine is very busy
    assert math.isclose(tally.cpu_seconds, 0, abs_tol=1)


def test_refuses_to_list_bodies_that_it_did_not_keep() -> None:
    with pytest.raises(ValueError, match="record=True"):
        LoopbackServer().requests()


def test_says_so_when_it_does_not_start() -> None:
    with pytest.raises(ChildProcessError, match="nowhere"), LoopbackServer(responders="nowhere:R"):
        pass


def test_is_gone_when_the_context_closes() -> None:
    with LoopbackServer(latency=60) as server:
        address = ("127.0.0.1", server.port)
        body = b"POST /v1/embeddings HTTP/1.1\r\nContent-Length: 2\r\n\r\n{}"
        waiting = socket.create_connection(address)
        waiting.sendall(body)
        while not server.stats().in_flight:
            time.sleep(0.01)
    with waiting, contextlib.suppress(ConnectionResetError):
        assert waiting.recv(1) == b""
    with socket.socket() as late, pytest.raises(ConnectionRefusedError):
        late.connect(address)
    with LoopbackServer() as server:
        assert server.stats().calls == 0


def test_to_end_one_again_leaves_the_others_as_they_are() -> None:
    with LoopbackServer() as server:
        server.__exit__(None, None, None)
        with LoopbackServer() as other:
            server.__exit__(None, None, None)
            assert other.stats().calls == 0
            assert other.pid == server.pid
    with LoopbackServer() as one, LoopbackServer() as two:
        assert one.pid != two.pid


def test_is_gone_when_its_parent_is_killed() -> None:
    script = (
        "import time; from tests.server import LoopbackServer\n"
        "with LoopbackServer() as server: print(server.pid, flush=True); time.sleep(60)"
    )
    root = Path(__file__).parents[2]
    command = [sys.executable, "-c", script]
    with subprocess.Popen(command, cwd=root, stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        pid = int(parent.stdout.readline())
        parent.send_signal(signal.SIGKILL)
    stat = Path(f"/proc/{pid}/stat")
    with contextlib.suppress(ProcessLookupError, FileNotFoundError):
        while stat.read_text().split()[2] != "Z":  # else the test times out
            time.sleep(0.05)
