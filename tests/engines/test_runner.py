import asyncio
import json
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

from llamaindex_rag_eval.data.sample import Image, SingleTurnSample, Span
from llamaindex_rag_eval.engines.runner import arun, run
from llamaindex_rag_eval.errors import EngineError, InputError
from tests import prepared
from tests.engines.pipelines import AsyncEngine, questions, rows


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
    assert row.latency >= 0.01


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


def test_only_errors_that_may_pass_are_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("llamaindex_rag_eval.engines.asking.FIRST_WAIT", 0.001)
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
        if question == "slow":
            await asyncio.Event().wait()  # for ever
        return "done"

    slow, quick = rows(run(ask, questions("slow", "quick"), timeout=1.0))
    assert slow.error == "no answer within 1 s"
    assert quick.response == "done"


def test_a_blocking_engine_that_hangs_delays_no_other_question() -> None:
    released = threading.Event()

    def ask(question: str) -> str:
        if question == "hang":
            released.wait()
        return "done"

    # Two seconds are ample for the start of a thread, also on a busy machine.
    hung, quick = rows(run(ask, questions("hang", "quick"), timeout=2.0))
    released.set()  # only now: had the run waited for the thread, it would not have ended
    assert hung.error.startswith("no answer within")
    assert quick.response == "done"


def test_an_engine_that_cancels_itself_or_stops_iterating_fails_only_its_row() -> None:
    async def cancels(question: str) -> str:
        raise asyncio.CancelledError

    def stops(question: str) -> str:
        return next(iter([]))

    assert rows(run(cancels, questions("a")))[0].error == "the engine gave up"
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


def test_works_in_a_notebook_cell() -> None:
    # In a process of its own: nest-asyncio changes asyncio for good.
    code = (
        "import asyncio\n"
        "from llamaindex_rag_eval.engines.runner import run\n"
        "from llamaindex_rag_eval.data.sample import SingleTurnSample\n"
        "async def ask(q): return q.upper()\n"
        "async def cell(): return run(ask, [SingleTurnSample(query='q')])[0].response\n"
        "print(asyncio.run(cell()))\n"
    )
    assert prepared.run([sys.executable, "-c", code], check=True).stdout == "Q\n"


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


@pytest.mark.parametrize(
    "options", [{"concurrency": 0}, {"retries": -1}, {"timeout": 0}, {"timeout": float("nan")}]
)
def test_options_out_of_range_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(InputError, match=f"'{next(iter(options))}' is"):
        run(AsyncEngine(), questions("a"), **options)


def test_no_questions_and_no_engine_are_refused() -> None:
    with pytest.raises(InputError, match="at least one question"):
        run(AsyncEngine(), [])
    with pytest.raises(EngineError, match=r"expected a query engine.*'int'"):
        run(3, questions("a"))  # type: ignore[arg-type]  # what is refused


def test_rows_are_plain_data(tmp_path: Path) -> None:
    out = tmp_path / "answers.jsonl"
    run(AsyncEngine(), questions("a"), out=out)
    row = json.loads(out.read_text())
    assert row["context_ids"] == ["n1", "n2"]
    assert row["contexts"][1]["url"] == "https://example.com/p.png"
