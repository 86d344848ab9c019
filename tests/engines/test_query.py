"""Engines that take one question: in threads or on the loop, whatever kind of answer they give."""

import asyncio
import threading
from collections.abc import Iterator

import pytest
from llama_index.core import VectorStoreIndex
from llama_index.core.base.response.schema import AsyncStreamingResponse
from llama_index.core.llms import MockLLM
from llama_index.core.query_engine import RetrieverQueryEngine
from llama_index.core.response_synthesizers import ResponseMode, get_response_synthesizer
from llama_index.core.schema import TextNode
from llama_index.llms.openai import OpenAI

from llamaindex_rag_eval._sync import run_sync
from llamaindex_rag_eval.data.sample import Message, MultiTurnSample, SingleTurnSample
from llamaindex_rag_eval.engines.runner import run
from llamaindex_rag_eval.judge.rules.embedding import LexicalEmbedding
from tests.engines.pipelines import (
    NODES,
    AsyncEngine,
    HalfAsyncEngine,
    Shelf,
    SyncEngine,
    questions,
    rows,
)
from tests.server import LoopbackServer


@pytest.fixture(scope="module")
def server() -> Iterator[LoopbackServer]:
    with LoopbackServer(latency=0.05) as running:
        yield running


Asked = tuple[RetrieverQueryEngine, OpenAI]


@pytest.fixture
def asked(server: LoopbackServer) -> Iterator[Asked]:
    """Yield an engine over OpenAI, and its LLM, whose connections are closed at the end."""
    llm = OpenAI(model="gpt-4o-mini", api_base=server.url, api_key="sk-runner-0000000000")
    nodes = [TextNode(text=f"Fact number {number}.", id_=f"n{number}") for number in range(4)]
    index = VectorStoreIndex(nodes, embed_model=LexicalEmbedding())
    engine = index.as_query_engine(llm=llm, similarity_top_k=2)
    assert isinstance(engine, RetrieverQueryEngine)
    yield engine, llm
    run_sync(llm._get_aclient().close())


def fact_questions(count: int) -> list[SingleTurnSample]:
    return [SingleTurnSample(id=str(n), query=f"What is fact {n}?") for n in range(count)]


def test_an_engine_over_openai_answers_and_keeps_its_own_llm(asked: Asked):
    engine, llm = asked
    before = llm.model_dump()
    answers = run(engine, fact_questions(12), concurrency=6)
    assert all(answer.response and not answer.error for answer in rows(answers))
    assert engine._response_synthesizer._llm is llm
    assert llm.model_dump() == before


def test_questions_are_in_flight_together_and_a_second_run_works(
    asked: Asked, server: LoopbackServer
):
    engine, _ = asked
    server.reset()
    run(engine, fact_questions(12), concurrency=6)
    assert 1 < server.stats().max_in_flight <= 6
    again = run(engine, fact_questions(3))
    assert all(not answer.error for answer in again)


def test_a_sync_engine_runs_in_threads_side_by_side() -> None:
    together = threading.Barrier(8, timeout=300)  # broken if they ran one after another
    data = run(SyncEngine(meet=together.wait), questions(*"abcdefgh"), concurrency=8)
    assert [row.response for row in rows(data)] == [f"{q} in False" for q in "abcdefgh"]


def test_an_engine_without_a_working_async_method_runs_in_a_thread() -> None:
    data = run(HalfAsyncEngine(), questions("a", "b"))
    assert [row.response for row in rows(data)] == ["from the thread"] * 2


def test_a_query_engine_over_a_blocking_retriever_stays_off_the_loop() -> None:
    synthesizer = get_response_synthesizer(
        llm=MockLLM(max_tokens=8), response_mode=ResponseMode.COMPACT
    )
    engine = RetrieverQueryEngine(retriever=Shelf(), response_synthesizer=synthesizer)
    (row,) = rows(run(engine, questions("a")))
    assert row.error == ""
    assert row.context_ids == ("n1", "n2")


def test_a_retriever_fills_the_contexts_alone() -> None:
    (row,) = rows(run(Shelf(), questions("a")))
    assert row.context_ids == ("n1", "n2")
    assert not row.has("response")


def test_a_stream_is_read_to_its_end() -> None:
    async def tokens():
        for token in ("one", " ", "two"):
            yield token

    async def ask(question: str) -> AsyncStreamingResponse:
        return AsyncStreamingResponse(response_gen=tokens(), source_nodes=NODES)

    (row,) = rows(run(ask, questions("a")))
    assert (row.response, row.context_ids) == ("one two", ("n1", "n2"))


@pytest.mark.parametrize(
    ("reply", "fields"),
    [
        ("text", {"response": "text"}),
        ({"answer": "a", "retrieved_contexts": ["c"]}, {"response": "a", "contexts": ("c",)}),
        ({"response": "a", "query": "another", "id": "x"}, {"response": "a", "query": "q"}),
        ({"response": "a", "source_nodes": NODES}, {"context_ids": ("n1", "n2")}),
        (NODES, {"context_ids": ("n1", "n2")}),
        ([], {"contexts": ()}),
    ],
)
def test_a_function_may_return_whatever_says_an_answer(
    reply: object, fields: dict[str, object]
) -> None:
    (row,) = rows(run(lambda question: reply, questions("q")))
    assert row.error == ""
    assert {name: getattr(row, name) for name in fields} == fields


@pytest.mark.parametrize("reply", [None, 3, {}, {"text": "a"}])
def test_a_function_that_returns_something_else_fails_its_row(reply: object) -> None:
    (row,) = rows(run(lambda question: reply, questions("q")))
    assert row.error.startswith("expected a")


def test_an_object_with_an_async_call_is_awaited() -> None:
    class Pipeline:
        async def __call__(self, question: str) -> str:
            await asyncio.sleep(0)
            return question.upper()

    assert rows(run(Pipeline(), questions("q")))[0].response == "Q"


def test_a_conversation_is_asked_turn_by_turn_and_no_question_fails_its_row() -> None:
    said = tuple(Message(role="user", content=text) for text in ("hi", "and now?"))
    talk = MultiTurnSample(id="t", messages=said)
    first, second = run(AsyncEngine(), [talk, SingleTurnSample(id="e", response="a")])
    assert isinstance(first, MultiTurnSample)
    assert [message.role for message in first.messages] == ["user", "assistant"] * 2
    assert second.error.startswith("expected a question")
