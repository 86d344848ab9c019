"""Engines for tests: async, blocking, half async, and a retriever; with questions to ask."""

import asyncio
import threading
from collections.abc import Callable, Sequence

from llama_index.core.base.base_query_engine import BaseQueryEngine
from llama_index.core.base.base_retriever import BaseRetriever
from llama_index.core.base.response.schema import Response
from llama_index.core.prompts.mixin import PromptMixinType
from llama_index.core.query_engine import CustomQueryEngine
from llama_index.core.schema import ImageNode, NodeWithScore, QueryBundle, TextNode

from llamaindex_rag_eval.data.dataset import EvaluationDataset
from llamaindex_rag_eval.data.sample import SingleTurnSample

NODES = [
    NodeWithScore(
        node=TextNode(
            id_="n1",
            text="The pump holds 5 l.",
            start_char_idx=10,
            end_char_idx=29,
            metadata={"doc_id": "pump.md", "page": 2},
        ),
        score=0.75,
    ),
    NodeWithScore(node=ImageNode(id_="n2", text="a pump", image_url="https://example.com/p.png")),
]


def questions(*texts: str) -> EvaluationDataset:
    return EvaluationDataset(SingleTurnSample(id=text, query=text) for text in texts)


def rows(data: EvaluationDataset) -> Sequence[SingleTurnSample]:
    return [sample for sample in data if isinstance(sample, SingleTurnSample)]


class AsyncEngine(BaseQueryEngine):
    """Answers on the loop, and counts how many questions are in flight."""

    def __init__(self) -> None:
        super().__init__(callback_manager=None)
        self.asked: list[str] = []
        self.now = self.most = 0

    def _query(self, query_bundle: QueryBundle) -> Response:
        raise AssertionError("the async method should be used")

    async def _aquery(self, query_bundle: QueryBundle) -> Response:
        self.asked.append(query_bundle.query_str)
        self.now += 1
        self.most = max(self.most, self.now)
        await asyncio.sleep(0.01)
        self.now -= 1
        if query_bundle.query_str.startswith("bad"):
            raise ValueError("cannot parse \ud83d it")
        return Response(f"re: {query_bundle.query_str}", source_nodes=NODES)

    def _get_prompt_modules(self) -> PromptMixinType:
        return {}


class SyncEngine(CustomQueryEngine):
    """Only has `custom_query`, which LlamaIndex would run on the event loop."""

    meet: Callable[[], object] = bool

    def custom_query(self, query_str: str) -> str:
        self.meet()
        return f"{query_str} in {threading.current_thread() is threading.main_thread()}"


class HalfAsyncEngine(AsyncEngine):
    """Declares an async method without implementing it."""

    def _query(self, query_bundle: QueryBundle) -> Response:
        return Response("from the thread")

    async def _aquery(self, query_bundle: QueryBundle) -> Response:
        raise NotImplementedError


class Shelf(BaseRetriever):
    """Knows only how to retrieve synchronously."""

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        if threading.current_thread() is threading.main_thread():
            raise AssertionError("blocking work on the event loop")
        return NODES
