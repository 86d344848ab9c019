"""The runner calls the OpenAI LLM of a query engine over aiohttp, and leaves it unchanged."""

from collections.abc import Iterator

import pytest
from llama_index.core import VectorStoreIndex
from llama_index.core.base.base_query_engine import BaseQueryEngine
from llama_index.core.schema import TextNode
from llama_index.llms.openai import OpenAI

from llamaindex_rag_eval.data.sample import SingleTurnSample
from llamaindex_rag_eval.engines.runner import run
from llamaindex_rag_eval.judge.rules.embedding import LexicalEmbedding
from tests.server import LoopbackServer


@pytest.fixture(scope="module")
def server() -> Iterator[LoopbackServer]:
    with LoopbackServer(latency=0.05) as running:
        yield running


def engine_at(server: LoopbackServer) -> tuple[BaseQueryEngine, OpenAI]:
    llm = OpenAI(model="gpt-4o-mini", api_base=server.url, api_key="sk-runner-0000000000")
    nodes = [TextNode(text=f"Fact number {number}.", id_=f"n{number}") for number in range(4)]
    index = VectorStoreIndex(nodes, embed_model=LexicalEmbedding())
    return index.as_query_engine(llm=llm, similarity_top_k=2), llm


def questions(count: int) -> list[SingleTurnSample]:
    return [SingleTurnSample(id=str(n), query=f"What is fact {n}?") for n in range(count)]


def test_an_engine_over_openai_answers_and_keeps_its_own_llm(server: LoopbackServer):
    engine, llm = engine_at(server)
    before = (llm.model_dump(), dict(llm.__pydantic_private__ or {}))
    answers = run(engine, questions(12), concurrency=6)
    assert all(answer.response and not answer.error for answer in answers)
    assert engine._response_synthesizer._llm is llm
    assert (llm.model_dump(), dict(llm.__pydantic_private__ or {})) == before


def test_questions_are_in_flight_together_and_a_second_run_works(server: LoopbackServer):
    engine, _ = engine_at(server)
    server.reset()
    run(engine, questions(12), concurrency=6)
    assert 1 < server.stats().max_in_flight <= 6
    again = run(engine, questions(3))
    assert all(not answer.error for answer in again)
