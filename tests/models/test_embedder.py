"""Embeddings: in batches, at once, within one limit, counted where they cost."""

import asyncio
import threading
from typing import Any

import pytest
from llama_index.core.base.embeddings.base import BaseEmbedding
from llama_index.core.embeddings import MockEmbedding
from pydantic import Field

from llamaindex_rag_eval import AnswerRelevancy, AnswerSimilarity, Faithfulness, evaluate
from llamaindex_rag_eval.data.sample import SingleTurnSample
from llamaindex_rag_eval.errors import BudgetError, CallError
from llamaindex_rag_eval.judge import SimilaritiesOf, SupportOf
from llamaindex_rag_eval.models import (
    Budget,
    CachedOracle,
    EmbeddedOracle,
    Limit,
    LLMOracle,
    Price,
    Usage,
)
from llamaindex_rag_eval.models.embedder import Embedder, is_local
from llamaindex_rag_eval.models.openai_embedding import OpenAILikeEmbedding
from llamaindex_rag_eval.runs.estimate import estimate
from tests.models.asking import KEY, claims_requests, llm_at, serving
from tests.server import Fault, LoopbackServer

pytestmark = pytest.mark.filterwarnings(
    # The client of OpenAI that blocks has no end here: its sockets go with the server.
    "ignore:unclosed <socket:ResourceWarning"
)

TEXTS = [f"Text number {number}." for number in range(250)]


def embedding_at(server: LoopbackServer) -> OpenAILikeEmbedding:
    return OpenAILikeEmbedding(model_name="small", api_base=server.url, api_key=KEY)


class Sync(BaseEmbedding):
    """Has no asynchronous call; notes the threads that it is called in."""

    seen: list[str] = Field(default_factory=list)
    most: int = 0
    now: int = 0

    def _get_text_embedding(self, text: str) -> list[float]:
        self.now += 1
        self.most = max(self.most, self.now)
        self.seen.append(threading.current_thread().name)
        threading.Event().wait(0.002)  # as a call would
        self.now -= 1
        return [float(len(text)), 1.0]

    def _get_query_embedding(self, query: str) -> list[float]:
        return self._get_text_embedding(query)

    async def _aget_query_embedding(self, query: str) -> list[float]:
        return self._get_text_embedding(query)


class SyncServer(Sync):
    """The same behind a network, with asynchronous methods that only look so."""

    api_base: str = "http://localhost:1"

    async def _aget_text_embedding(self, text: str) -> list[float]:
        return await asyncio.to_thread(self._get_text_embedding, text)


@pytest.mark.parametrize(
    ("kind", "local"),
    [
        (OpenAILikeEmbedding, False),
        (SyncServer, False),
        (Sync, True),
        (MockEmbedding, True),
    ],
)
def test_where_a_model_is_its_parameters_tell(kind: type[BaseEmbedding], local: bool):
    assert is_local(kind) == local


@pytest.mark.filterwarnings("ignore")  # the libraries deprecate one another's functions
def test_a_model_of_hugging_face_is_local_although_it_has_asynchronous_methods():
    library = pytest.importorskip("llama_index.embeddings.huggingface")
    assert is_local(library.HuggingFaceEmbedding)


async def test_a_server_gets_batches_at_once_and_its_tokens_are_counted():
    limit = Limit(usage=Usage({"small": Price(prompt=2.0, completion=0.0)}))
    with serving(latency=0.2) as server:
        embedder = Embedder(embedding_at(server), limit)
        rows = await asyncio.gather(*(embedder.vectors([text, TEXTS[0]]) for text in TEXTS))
        stats = server.stats()
    assert [row.shape for row in rows] == [(2, 64)] * 250
    assert stats.calls == 3, "250 texts, 100 a call"
    assert stats.max_in_flight > 1
    total = limit.usage.total
    assert (total.calls, total.prompt_tokens) == (3, stats.prompt_tokens)
    assert total.cost == pytest.approx(2.0 * stats.prompt_tokens / 1_000_000)


async def test_a_class_without_asynchronous_calls_is_called_within_the_limit():
    model = SyncServer(model_name="m")
    limit = Limit(8)
    await Embedder(model, limit).vectors(TEXTS)
    assert 1 < model.most <= 8
    assert limit.usage.total.calls == len(TEXTS), "it has no call for several texts"


async def test_a_local_model_is_computed_in_one_thread_at_a_time_and_costs_nothing():
    model, limit = Sync(model_name="m"), Limit(budget=Budget(calls=1, cost=0.01))
    embedder = Embedder(model, limit)
    await asyncio.gather(*(embedder.vectors([text]) for text in TEXTS[:20]))
    assert model.most == 1
    assert threading.current_thread().name not in model.seen
    assert limit.usage.total.calls == 0


async def test_embeddings_and_llm_share_one_limit():
    limit = Limit(1, budget=Budget(calls=6))
    with serving(latency=0.01) as server:
        oracle = LLMOracle(llm_at(server), embedding_at(server), limit=limit)
        asked = [SimilaritiesOf(text="a", others=(text,)) for text in TEXTS]
        claims = (oracle.ask(request) for request in claims_requests(3))
        await asyncio.gather(*claims, *(oracle.ask(request) for request in asked))
        assert server.stats().max_in_flight == 1
        assert server.stats().by_endpoint == {"chat/completions": 3, "embeddings": 3}
        with pytest.raises(BudgetError):
            await oracle.ask(SimilaritiesOf(text="b", others=("c",)))


async def test_a_transient_fault_of_the_server_is_tried_again():
    with serving(Fault(kind="rate_limited", retry_after=0.01)) as server:
        rows = await Embedder(embedding_at(server), Limit()).vectors(["a", "b"])
        assert server.stats().calls == 2
    assert len(rows) == 2


class Ragged(Sync):
    """Gives a row too few."""

    def _get_text_embeddings(self, texts: list[str]) -> list[list[float]]:
        return [[1.0, 0.0] for _ in texts[1:]]


async def test_a_row_too_few_is_an_error_of_the_call_for_all_who_wait():
    embedder = Embedder(Ragged(model_name="m"), Limit())
    waiting = (embedder.vectors([text]) for text in TEXTS[:3])
    for failed in await asyncio.gather(*waiting, return_exceptions=True):
        assert isinstance(failed, CallError)
        assert "gave 2 rows for 3 texts" in str(failed)


def test_a_model_can_be_used_from_one_event_loop_after_the_other(server: LoopbackServer):
    oracle = EmbeddedOracle(embedding_at(server))
    request = SimilaritiesOf(text="a b", others=("a b",))
    assert [asyncio.run(oracle.ask(request)).values[0] for _ in range(2)] == pytest.approx([1, 1])


def sample(number: int) -> SingleTurnSample:
    return SingleTurnSample(
        id=f"q{number}",
        query=f"Who is tall {number}?",
        response=f"Ada {number} is tall.",
        reference=f"Ada {number} was tall.",
        contexts=(f"Ada {number} is tall and Ben is old.",),
    )


METRICS: Any = [AnswerSimilarity(), AnswerRelevancy(), Faithfulness()]


@pytest.mark.parametrize("by_llm", [False, True])
def test_a_run_s_usage_holds_its_embeddings_and_a_dry_run_foretells_them(by_llm: bool):
    samples = [sample(number) for number in range(4)]
    with serving() as server:
        embedding = embedding_at(server)
        judge = LLMOracle(llm_at(server), embedding) if by_llm else EmbeddedOracle(embedding)
        foretold = estimate(samples, metrics=METRICS, judge=judge)
        assert server.stats().calls == 0
        usage: Any = evaluate(samples, metrics=METRICS, judge=CachedOracle(judge)).provenance.usage
        stats = server.stats()
    assert usage["calls"] == stats.calls
    assert usage["prompt_tokens"] == stats.prompt_tokens
    assert usage["by_model"]["small"]["calls"] == stats.by_endpoint["embeddings"]
    counted = foretold.by["model"]["small"]
    assert counted.calls >= stats.by_endpoint["embeddings"], "at most one call a judgement"
    assert counted.prompt_tokens > 0


def test_rules_say_which_model_compares_texts():
    oracle = EmbeddedOracle(MockEmbedding(embed_dim=2, model_name="m"))
    assert oracle.fingerprint(SimilaritiesOf) == "embedding/m"
    assert oracle.fingerprint(SupportOf) == EmbeddedOracle().fingerprint(SupportOf) + "+m"
    assert EmbeddedOracle().fingerprint(SimilaritiesOf) == "embedded-rules/9/words"
