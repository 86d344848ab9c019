"""What an endpoint can do is found out once, by its replies, and never by a transient fault."""

import asyncio
import logging
import pickle
from typing import Any

import pytest
from llama_index.core.llms import MockLLM
from llama_index.llms.openai import OpenAI

from llamaindex_rag_eval.errors import CallError, InputError
from llamaindex_rag_eval.models import Limit, LLMOracle
from llamaindex_rag_eval.models.endpoint import Endpoint
from llamaindex_rag_eval.models.openai_like import OpenAILike
from llamaindex_rag_eval.models.parameters import Way, ways_of
from llamaindex_rag_eval.models.response import Completion
from tests.models.asking import SUPPORT, claims_requests, serving
from tests.server import Fault, LoopbackServer
from tests.server.forms import form_of


def oracle_of(server: LoopbackServer, model: str, **options: Any) -> LLMOracle:
    """Return an oracle that knows nothing yet: no other test asks this model."""
    llm = OpenAILike(model=model, api_base=server.url, api_key="none", temperature=0.0)
    return LLMOracle(llm, limit=Limit(16, timeout=60, retries=3), **options)


FOUND: list[tuple[tuple[str, ...], Way]] = [
    (("schema", "object", "json"), "schema"),
    (("object", "json"), "object"),
    (("json",), "json"),
    ((), "text"),
]


@pytest.mark.parametrize("status", [422, 500])
@pytest.mark.parametrize(("taken", "way"), FOUND, ids=[way for _, way in FOUND])
async def test_the_strictest_form_that_is_not_refused_is_found_out_once(
    taken: tuple[str, ...], way: Way, status: int
) -> None:
    with serving(record=True, forms={"taken": taken, "status": status}) as server:
        oracle = oracle_of(server, f"finds-{way}-{status}")
        claims = asyncio.gather(*map(oracle.ask, claims_requests(5)))
        reply = await oracle.ask(SUPPORT)
        await claims
        assert server.stats().by_outcome["answered"] == 6
        again = oracle_of(server, f"finds-{way}-{status}")
        before = server.stats().calls
        await again.ask(SUPPORT)
        assert server.stats().calls == before + 1
        *_, last = server.requests()
    assert len(reply.verdicts) == 3
    assert form_of(last) == (None if way == "text" else way)
    assert again.way == oracle.way == way


async def test_a_form_that_does_not_count_is_left_for_the_next_calls() -> None:
    with serving(Fault(kind="prose_around", mode="permanent"), record=True) as server:
        oracle = oracle_of(server, "ignores-every-form")
        for request in claims_requests(5):
            await oracle.ask(request)
        forms = [form_of(body) for body in server.requests()]
    assert forms == ["schema", "object", "json", None, None]
    assert oracle.way == "text"


async def test_a_form_that_has_counted_is_not_left_for_one_reply() -> None:
    with serving(record=True) as server:
        oracle = oracle_of(server, "counts-at-first")
        await oracle.ask(SUPPORT)
        oracle._endpoint.see("schema", Completion("Sure: {}"))
    assert oracle.way == "schema"


async def test_a_refusal_of_a_call_is_no_refusal_of_all_forms() -> None:
    with serving(Fault(kind="bad_request", mode="permanent")) as server:
        oracle = oracle_of(server, "refuses-a-call")
        with pytest.raises(CallError):
            await oracle.ask(SUPPORT)
    assert oracle.way == "schema"


async def test_a_transient_fault_decides_nothing() -> None:
    with serving(Fault(kind="server_error"), record=True) as server:
        oracle = oracle_of(server, "finds-through-faults")
        await oracle.ask(SUPPORT)
    assert oracle.way == "schema"


async def test_an_endpoint_that_cannot_be_reached_is_an_error_and_is_tried_anew() -> None:
    with serving(Fault(kind="unauthorized", mode="permanent")) as server:
        oracle = oracle_of(server, "finds-nothing")
        with pytest.raises(CallError, match="Incorrect API key"):
            await oracle.ask(SUPPORT)
        assert server.stats().calls == 1
    assert oracle._endpoint.knowledge.way is None


async def test_a_form_that_is_refused_later_is_left_for_all_calls(
    caplog: pytest.LogCaptureFixture,
) -> None:
    with serving(forms={"taken": ["json"]}) as server:
        oracle = oracle_of(server, "turns-later")
        oracle._endpoint.see("schema", Completion("{}"))  # as if a small schema was taken
        with caplog.at_level(logging.INFO, "llamaindex_rag_eval"):
            await asyncio.gather(*map(oracle.ask, claims_requests(4)))
    assert oracle.way == "json"
    assert "turns-later" in caplog.text
    assert "it refused 'schema'" in caplog.text


async def test_a_model_that_openai_knows_is_taken_at_its_word_until_it_refuses() -> None:
    # Servers give local models the names of OpenAI's.
    with serving(forms={"taken": ["json"], "status": 500}) as server:
        oracle = oracle_of(server, "gpt-4o-mini-2024-07-18")
        assert oracle.way == "schema"
        await oracle.ask(SUPPORT)
        assert server.stats().by_outcome == {"refused_form": 2, "answered": 1}
    assert oracle.way == "json"


async def test_the_way_that_is_named_is_taken_untried_and_never_left() -> None:
    with serving(forms={"taken": ["json"]}) as server:
        oracle = oracle_of(server, "named-way", way="schema")
        with pytest.raises(CallError, match=r"response_format\.type"):
            await oracle.ask(SUPPORT)
        assert server.stats().calls == 1


def test_a_cache_key_holds_what_was_wanted_not_what_was_found() -> None:
    with serving() as server:
        fresh, named = oracle_of(server, "key-1"), oracle_of(server, "key-1", way="text")
        before = fresh.fingerprint(type(SUPPORT))
        asyncio.run(fresh.ask(SUPPORT))
        later = oracle_of(server, "key-1")
    assert later.fingerprint(type(SUPPORT)) == before
    assert named.fingerprint(type(SUPPORT)) != before


def test_what_was_found_goes_along_to_other_processes() -> None:
    llm = OpenAILike(model="sent-along", api_base="http://127.0.0.1:9/v1", api_key="none")
    endpoint = Endpoint(llm, Limit())
    endpoint.knowledge.way = "object"
    assert pickle.loads(pickle.dumps(endpoint)).way == "object"  # noqa: S301 - our own bytes


class Ollama(MockLLM):
    """Has the name of LlamaIndex's class for Ollama, and none of its server."""

    model: str = "llama3.1"


def test_ways_follow_from_the_class() -> None:
    at: dict[str, Any] = {"api_base": "http://127.0.0.1:9/v1", "api_key": "none"}
    assert ways_of(OpenAILike(model="m", **at)) == ("schema", "object", "json", "text")
    assert ways_of(OpenAI(model="gpt-4", **at))[2:3] == ("tool",)
    assert ways_of(Ollama(max_tokens=None)) == ("schema", "json", "text")
    assert ways_of(MockLLM()) == ("text",)


def test_a_way_that_the_class_does_not_have_is_refused() -> None:
    with pytest.raises(InputError, match="'MockLLM' cannot be asked by 'schema'; it offers text"):
        LLMOracle(MockLLM(), way="schema")
