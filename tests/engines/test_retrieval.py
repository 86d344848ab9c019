"""Retrievers and query engines of every kind are asked for nodes; what fails is named."""

import pytest
from llama_index.core.base.base_retriever import BaseRetriever
from llama_index.core.base.response.schema import Response
from llama_index.core.query_engine import CustomQueryEngine, RetrieverQueryEngine
from llama_index.core.schema import NodeWithScore, QueryBundle

from llamaindex_rag_eval.engines.retrieval import named_retriever, retriever_at
from llamaindex_rag_eval.errors import EngineError
from llamaindex_rag_eval.judge.rules.extractive import ExtractiveLLM
from tests.engines.pipelines import NODES


class Blocking(BaseRetriever):
    """Implements the sync method alone."""

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        return NODES


class Async(BaseRetriever):
    """Implements the async method alone."""

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        raise NotImplementedError

    async def _aretrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        return NODES


class Failing(BaseRetriever):
    """Fails a number of times."""

    def __init__(self, *errors: Exception) -> None:
        super().__init__()
        self.errors = list(errors)

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        if self.errors:
            raise self.errors.pop(0)
        return NODES


class Answering(CustomQueryEngine):
    """A query engine that cannot retrieve by itself."""

    def custom_query(self, query_str: str) -> Response:
        return Response(f"re: {query_str}", source_nodes=NODES)


def over(retriever: BaseRetriever) -> RetrieverQueryEngine:
    return RetrieverQueryEngine.from_args(retriever, llm=ExtractiveLLM())


async def make_async() -> BaseRetriever:
    return Async()


retriever = Blocking()


@pytest.mark.parametrize(
    "engine", [Blocking(), Async(), over(Blocking()), over(Async()), Answering(), Blocking]
)
async def test_the_nodes_of_any_retriever_or_query_engine_are_found(engine):
    assert await named_retriever(engine).nodes("What does it hold?") == tuple(NODES)


def test_a_retriever_is_named_by_its_place_its_type_or_what_makes_it():
    assert retriever_at("tests.engines.test_retrieval:retriever").name.endswith(":retriever")
    assert named_retriever(Blocking()).name == "Blocking"
    assert named_retriever(Async).name == "Async"
    assert retriever_at("tests.engines.test_retrieval:make_async").name.endswith(":make_async")


async def test_a_transient_error_is_retried_and_another_one_names_retriever_and_question():
    assert await named_retriever(Failing(ConnectionError("lost"))).nodes("Why?") == tuple(NODES)
    with pytest.raises(EngineError, match=r"'Failing' failed on 'Why\?': ValueError: bad"):
        await named_retriever(Failing(ValueError("bad"))).nodes("Why?")


@pytest.mark.parametrize("wrong", ["a text", lambda: 5, lambda: print])
def test_what_is_no_retriever_is_refused(wrong):
    with pytest.raises(EngineError, match=r"expected a (retriever or a )?query engine"):
        named_retriever(wrong)


def test_a_factory_that_fails_is_named():
    def make() -> BaseRetriever:
        raise OSError("no database")

    with pytest.raises(EngineError, match="could not make an engine: OSError: no database"):
        named_retriever(make)
