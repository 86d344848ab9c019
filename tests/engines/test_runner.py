import asyncio
import json
import threading
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from llama_index.core.base.base_query_engine import BaseQueryEngine
from llama_index.core.base.base_retriever import BaseRetriever
from llama_index.core.base.response.schema import AsyncStreamingResponse, Response
from llama_index.core.llms import MockLLM
from llama_index.core.query_engine import CustomQueryEngine, RetrieverQueryEngine
from llama_index.core.response_synthesizers import ResponseMode, get_response_synthesizer
from llama_index.core.schema import ImageNode, NodeWithScore, QueryBundle, TextNode

from llamaindex_rag_eval.data.dataset import EvaluationDataset
from llamaindex_rag_eval.data.sample import Image, Message, MultiTurnSample, SingleTurnSample, Span
from llamaindex_rag_eval.engines.runner import arun, run
from llamaindex_rag_eval.errors import EngineError, InputError

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
        raise AssertionError("the async door should be used")

    async def _aquery(self, query_bundle: QueryBundle) -> Response:
        self.asked.append(query_bundle.query_str)
        self.now += 1
        self.most = max(self.most, self.now)
        await asyncio.sleep(0.01)
        self.now -= 1
        if query_bundle.query_str.startswith("bad"):
            raise ValueError("cannot parse \ud83d it")
        return Response(f"re: {query_bundle.query_str}", source_nodes=NODES)

    def _get_prompt_modules(self) -> dict[str, object]:
        return {}


class SyncEngine(CustomQueryEngine):
    """Only has `custom_query`, which LlamaIndex would run on the event loop."""

    meet: Callable[[], object] = bool

    def custom_query(self, query_str: str) -> str:
        self.meet()
        return f"{query_str} in {threading.current_thread() is threading.main_thread()}"


class HalfAsyncEngine(AsyncEngine):
    """Has an async door that is not made."""

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


def test_a_query_engine_fills_answer_sources_ids_scores_places_images_and_latency() -> None:
    golden = SingleTurnSample(id="a", query="how much?", reference="5 l", metadata={"topic": "x"})
    (row,) = rows(run(AsyncEngine(), [golden]))
    assert (row.id, row.query, row.reference) == ("a", "how much?", "5 l")
    assert (row.response, row.error) == ("re: how much?", "")
    assert row.contexts == (
        "The pump holds 5 l.",
        Image(id="n2", url="https://example.com/p.png", caption="a pump"),
    )
    assert row.context_ids == ("n1", "n2")
    assert row.context_scores == (0.75, None)
    assert row.context_spans == (Span(doc_id="pump.md", start=10, end=29), None)
    assert row.metadata == {
        "topic": "x",
        "context_metadata": [{"doc_id": "pump.md", "page": 2}, {}],
    }
    assert row.latency is not None
    assert 0.01 <= row.latency < 5


def test_a_former_answer_leaves_nothing_behind() -> None:
    former = SingleTurnSample(
        id="a", query="q", response="old", contexts=("old",), context_ids=("old",), error="old"
    )
    (row,) = rows(run(lambda question: f"new {question}", [former]))
    assert row.model_fields_set == {"id", "query", "response", "latency"}


def test_one_failing_question_is_one_failed_row_and_the_order_is_kept() -> None:
    data = run(AsyncEngine(), questions("a", "bad", "c"))
    assert [row.response for row in rows(data)] == ["re: a", "", "re: c"]
    failed = rows(data)[1]
    assert failed.error == "ValueError: cannot parse \ufffd it"
    assert failed.model_fields_set == {"id", "query", "error"}


def test_an_engine_that_fails_every_question_still_gives_every_row() -> None:
    data = run(AsyncEngine(), questions("bad 1", "bad 2"))
    assert [row.error.partition(":")[0] for row in rows(data)] == ["ValueError"] * 2


def test_no_more_questions_are_in_flight_than_allowed() -> None:
    engine = AsyncEngine()
    run(engine, questions(*"abcdefghij"), concurrency=3)
    assert engine.most == 3


def test_a_sync_engine_runs_in_threads_side_by_side() -> None:
    together = threading.Barrier(8, timeout=60)  # one after the other would break it
    data = run(SyncEngine(meet=together.wait), questions(*"abcdefgh"), concurrency=8)
    assert [row.response for row in rows(data)] == [f"{q} in False" for q in "abcdefgh"]


def test_an_engine_whose_async_door_is_not_made_runs_in_a_thread() -> None:
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
    assert row.error.startswith("EngineError: expected a")


def test_an_object_with_an_async_call_is_awaited() -> None:
    class Pipeline:
        async def __call__(self, question: str) -> str:
            await asyncio.sleep(0)
            return question.upper()

    assert rows(run(Pipeline(), questions("q")))[0].response == "Q"


def test_only_errors_that_may_pass_are_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("llamaindex_rag_eval.engines.runner.FIRST_WAIT", 0.001)
    asked: list[str] = []

    async def ask(question: str) -> str:
        asked.append(question)
        if question == "bug":
            raise KeyError("bug")
        if question == "down" or asked.count(question) < 3:
            raise ConnectionResetError("gone")
        return "back"

    back, bug, down = rows(run(ask, questions("flaky", "bug", "down"), retries=2))
    assert back.response == "back"
    assert (bug.error, asked.count("bug")) == ("KeyError: 'bug'", 1)
    assert (down.error, asked.count("down")) == ("ConnectionResetError: gone", 3)


def test_a_question_that_takes_too_long_is_given_up_and_the_others_are_not() -> None:
    async def ask(question: str) -> str:
        await asyncio.sleep(60 if question == "slow" else 0)
        return "done"

    slow, quick = rows(run(ask, questions("slow", "quick"), timeout=1.0))
    assert slow.error == "TimeoutError: no answer within 1 s"
    assert quick.response == "done"


def test_a_blocking_engine_that_hangs_holds_nobody_up() -> None:
    gate = threading.Event()

    def ask(question: str) -> str:
        if question == "hang":
            gate.wait(30)
            gate.set()
        return "done"

    hung, quick = rows(run(ask, questions("hang", "quick"), timeout=1.0))
    waited_for_it = gate.is_set()
    gate.set()
    assert hung.error.startswith("TimeoutError")
    assert quick.response == "done"
    assert not waited_for_it


def test_an_engine_that_cancels_itself_or_stops_iterating_fails_only_its_row() -> None:
    async def cancels(question: str) -> str:
        raise asyncio.CancelledError

    def stops(question: str) -> str:
        return next(iter([]))

    assert rows(run(cancels, questions("a")))[0].error.startswith("CancelledError")
    assert rows(run(stops, questions("a")))[0].error.startswith("RuntimeError: StopIteration")


def test_a_client_that_is_bound_to_its_loop_works_in_a_second_run() -> None:
    class Client:
        loop: asyncio.AbstractEventLoop | None = None

        async def __call__(self, question: str) -> str:
            self.loop = self.loop or asyncio.get_running_loop()
            waiting = self.loop.create_future()
            self.loop.call_soon(waiting.set_result, question)
            return await waiting

    client = Client()
    assert rows(run(client, questions("a")))[0].response == "a"
    assert rows(run(client, questions("b")))[0].response == "b"


async def test_works_where_a_loop_runs_already() -> None:
    data = await arun(AsyncEngine(), questions("a"))
    assert rows(data)[0].response == "re: a"


def test_works_in_a_notebook_cell(tmp_path: Path) -> None:
    # In a process of its own: nest-asyncio changes asyncio for good.
    import subprocess
    import sys

    code = (
        "import asyncio\n"
        "from llamaindex_rag_eval.engines.runner import run\n"
        "from llamaindex_rag_eval.data.sample import SingleTurnSample\n"
        "async def ask(q): return q.upper()\n"
        "async def cell(): return run(ask, [SingleTurnSample(query='q')])[0].response\n"
        "print(asyncio.run(cell()))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "Q\n"


def test_takes_a_golden_set() -> None:
    class Golden:
        def samples(self) -> list[SingleTurnSample]:
            return [SingleTurnSample(id="a", query="q")]

    assert rows(run(AsyncEngine(), Golden()))[0].id == "a"


def test_progress_starts_with_what_is_known_and_ends_with_all() -> None:
    seen: list[tuple[int, int]] = []
    run(AsyncEngine(), questions("a", "bad"), progress=lambda *done: seen.append(done))
    assert seen == [(0, 2), (1, 2), (2, 2)]


def test_a_progress_function_that_breaks_stops_the_run() -> None:
    engine = AsyncEngine()

    def progress(done: int, total: int) -> None:
        if done == 1:
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        run(engine, questions(*"abcdef"), concurrency=1, progress=progress)
    assert len(engine.asked) == 1


def test_a_conversation_or_no_question_fails_its_row_on_a_query_engine() -> None:
    talk = MultiTurnSample(id="t", messages=(Message(role="user", content="hi"),))
    first, second = run(AsyncEngine(), [talk, SingleTurnSample(id="e", response="a")])
    assert first.error.startswith("EngineError: a conversation")
    assert second.error.startswith("InputError: expected a question")


@pytest.mark.parametrize(
    "options", [{"concurrency": 0}, {"retries": -1}, {"timeout": 0}, {"timeout": float("nan")}]
)
def test_options_out_of_range_are_refused(options: dict[str, float]) -> None:
    with pytest.raises(InputError, match=f"'{next(iter(options))}' is"):
        run(AsyncEngine(), questions("a"), **options)


def test_no_questions_and_no_engine_are_refused() -> None:
    with pytest.raises(InputError, match="at least one question"):
        run(AsyncEngine(), [])
    with pytest.raises(EngineError, match=r"expected a query engine.*'int'"):
        run(3, questions("a"))


def test_rows_are_plain_data(tmp_path: Path) -> None:
    out = tmp_path / "answers.jsonl"
    run(AsyncEngine(), questions("a"), out=out)
    row = json.loads(out.read_text())
    assert row["context_ids"] == ["n1", "n2"]
    assert row["contexts"][1]["url"] == "https://example.com/p.png"
