import asyncio
import errno
import json
import os
import signal
import sys
from pathlib import Path
from subprocess import DEVNULL, PIPE

import pytest

from llamaindex_rag_eval import compare, evaluate
from llamaindex_rag_eval.data.dataset import EvaluationDataset
from llamaindex_rag_eval.data.sample import SingleTurnSample
from llamaindex_rag_eval.engines.engine import with_settings
from llamaindex_rag_eval.engines.runner import arun, run
from llamaindex_rag_eval.errors import DatasetError, InputError, OutputError
from tests.prepared import Process


class Pipeline:
    """Remembers what it was asked; fails on what it is told to."""

    def __init__(self, *failing: str) -> None:
        self.asked: list[str] = []
        self.failing = failing

    async def __call__(self, question: str) -> str:
        self.asked.append(question)
        if question in self.failing:
            raise ValueError(question)
        return f"re: {question}"


def questions(*texts: str) -> EvaluationDataset:
    return EvaluationDataset(SingleTurnSample(id=text, query=text) for text in texts)


def ids(path: Path) -> list[str]:
    return [json.loads(line)["id"] for line in path.read_text().splitlines()]


def test_answers_are_on_disk_as_they_come_and_in_order_at_the_end(tmp_path: Path) -> None:
    out = tmp_path / "new" / "answers.jsonl"
    seen: list[list[str]] = []

    quick_is_written = asyncio.Event()

    async def ask(question: str) -> str:
        if question == "slow":
            await quick_is_written.wait()
        return "done"

    def progress(done: int, total: int) -> None:
        seen.append(ids(out))
        if done:
            quick_is_written.set()

    data = run(ask, questions("slow", "quick"), out=out, progress=progress)
    assert seen == [[], ["quick"], ["quick", "slow"]]
    assert ids(out) == ["slow", "quick"]
    assert EvaluationDataset.read(out) == data


def test_answered_questions_are_not_asked_again_and_failed_ones_are(tmp_path: Path) -> None:
    out = tmp_path / "answers.jsonl"
    run(Pipeline("b"), questions("a", "b"), out=out)
    again = Pipeline()
    seen: list[tuple[int, int]] = []
    data = run(again, questions("a", "b", "c"), out=out, progress=lambda *d: seen.append(d))
    assert again.asked == ["b", "c"]
    assert seen == [(1, 3), (2, 3), (3, 3)]
    assert [getattr(row, "error", None) for row in data] == ["", "", ""]
    assert ids(out) == ["a", "b", "c"]
    assert not list(tmp_path.glob("*.bak*"))


def test_a_last_line_that_was_cut_off_is_asked_again(tmp_path: Path) -> None:
    out = tmp_path / "answers.jsonl"
    run(Pipeline(), questions("a", "b"), out=out)
    out.write_bytes(out.read_bytes()[:-15])
    again = Pipeline()
    run(again, questions("a", "b"), out=out)
    assert again.asked == ["b"]
    assert ids(out) == ["a", "b"]


def test_a_broken_line_elsewhere_is_an_error_and_the_file_stays(tmp_path: Path) -> None:
    out = tmp_path / "answers.jsonl"
    out.write_text("broken\n")
    with pytest.raises(DatasetError, match="line 1"):
        run(Pipeline(), questions("a"), out=out)
    assert out.read_text() == "broken\n"


def test_an_old_answer_takes_the_reference_of_today(tmp_path: Path) -> None:
    out = tmp_path / "answers.jsonl"
    run(Pipeline(), questions("a"), out=out)
    golden = SingleTurnSample(id="a", query="a", reference="new", metadata={"topic": "t"})
    again = Pipeline()
    (row,) = run(again, [golden], out=out)
    assert again.asked == []
    assert isinstance(row, SingleTurnSample)
    assert (row.response, row.reference, row.metadata) == ("re: a", "new", {"topic": "t"})


def test_another_question_under_the_same_id_is_asked_and_the_old_answer_kept_aside(
    tmp_path: Path,
) -> None:
    out = tmp_path / "answers.jsonl"
    run(Pipeline(), [SingleTurnSample(id="x", query="old")], out=out)
    before = out.read_text()
    again = Pipeline()
    run(again, [SingleTurnSample(id="x", query="new")], out=out)
    assert again.asked == ["new"]
    assert (tmp_path / "answers.jsonl.bak1").read_text() == before


def test_answers_to_questions_that_are_not_asked_any_more_are_kept_aside(tmp_path: Path) -> None:
    out = tmp_path / "answers.jsonl"
    run(Pipeline(), questions("a", "b"), out=out)
    run(Pipeline(), questions("a"), out=out)
    assert ids(out) == ["a"]
    assert ids(tmp_path / "answers.jsonl.bak1") == ["a", "b"]


def test_a_golden_set_is_never_overwritten_with_answers(tmp_path: Path) -> None:
    golden = questions("a").write(tmp_path / "golden.jsonl")
    before = golden.read_bytes()
    with pytest.raises(OutputError, match=r"questions without answers.*another file"):
        run(Pipeline(), EvaluationDataset.read(golden), out=golden)
    assert golden.read_bytes() == before


def test_answers_of_another_engine_are_refused_before_anything_is_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOME_API_KEY", "correct-horse")
    out, url = tmp_path / "answers.jsonl", "https://x/?k=correct-horse"
    run(with_settings(Pipeline("b"), engine=url, k=5), questions("a", "b"), out=out)
    before, other = out.read_text(), Pipeline()
    assert "horse" not in before
    refusal = (
        r"holds answers of engine='https://x/\?k=\[key\]', k=5, not of k=6: name another place"
    )
    with pytest.raises(InputError, match=refusal):
        run(with_settings(other, k=6), questions("a", "c"), out=out)
    assert (other.asked, out.read_text(), len(list(tmp_path.iterdir()))) == ([], before, 1)
    again = Pipeline()
    answers = run(with_settings(again, engine=url, k=5), questions("a", "b"), out=out)
    assert again.asked == ["b"]
    assert [row.metadata["engine_settings"]["k"] for row in answers] == [5, 5]


def test_a_path_among_settings_is_the_file_it_leads_to(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out, again = tmp_path / "answers.jsonl", Pipeline()
    monkeypatch.chdir(tmp_path)
    run(with_settings(Pipeline(), docs=Path("docs")), questions("a"), out=out)
    assert json.loads(out.read_text())["metadata"] == {"engine_settings": {"docs": "docs"}}
    for docs in (Path("./x/../docs"), tmp_path / "docs"):
        run(with_settings(again, docs=docs), questions("a"), out=out)
    moved = tmp_path / "moved"  # with the documents: the same, as in another checkout
    moved.mkdir()
    out = out.rename(moved / out.name)
    run(with_settings(again, docs=moved / "docs"), questions("a"), out=out)
    assert again.asked == []
    with pytest.raises(InputError, match=r"of docs='docs', not of docs='\.\./docs'"):
        run(with_settings(again, docs=tmp_path / "docs"), questions("a"), out=out)


def test_evaluate_and_compare_refuse_a_file_of_another_engine(tmp_path: Path) -> None:
    old, new = (with_settings(Pipeline(), engine=name) for name in ("app:old", "app:new"))
    golden = [SingleTurnSample(id=text, query=text, reference=text) for text in "ab"]
    metrics, refusal = ["exact_match"], "of engine='app:old', not of engine='app:new'"
    evaluate(old, golden, metrics=metrics, out=tmp_path / "scores.jsonl")
    with pytest.raises(OutputError, match=refusal):
        evaluate(new, golden, metrics=metrics, out=tmp_path / "scores.jsonl")
    compare({"a": old, "b": old}, golden, metrics=metrics, out=tmp_path)
    with pytest.raises(OutputError, match=refusal):
        compare({"a": old, "b": new}, golden, metrics=metrics, out=tmp_path)


def test_a_file_that_names_no_engine_or_holds_errors_alone_is_continued(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    out = tmp_path / "answers.jsonl"
    run(with_settings(Pipeline("a"), engine="x"), questions("a"), out=out)
    run(Pipeline("b"), questions("a", "b"), out=out)
    assert not caplog.messages
    again = Pipeline()
    first, second = run(with_settings(again, engine="y"), questions("a", "b"), out=out)
    assert again.asked == ["b"]
    assert f"{out} holds answers to 1 of these questions, which are kept" in caplog.text
    assert (first.metadata, second.metadata) == ({}, {"engine_settings": {"engine": "y"}})


def test_a_place_that_cannot_be_written_is_said_before_anything_is_asked() -> None:
    pipeline = Pipeline()
    with pytest.raises(OutputError, match="cannot write"):
        run(pipeline, questions("a"), out=Path("/proc/answers.jsonl"))
    assert pipeline.asked == []


def test_a_full_disk_ends_a_run_before_more_is_asked_and_keeps_what_was_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out, pipeline, write = tmp_path / "answers.jsonl", Pipeline(), os.write

    def full_at_the_second_answer(file: int, data: bytes) -> int:
        if len(pipeline.asked) > 1:
            raise OSError(errno.ENOSPC, "No space left on device")
        return write(file, data)

    monkeypatch.setattr("llamaindex_rag_eval.data.lines.os.write", full_at_the_second_answer)
    with pytest.raises(OutputError, match="No space left on device"):
        run(pipeline, questions("a", "b", "c"), out=out, concurrency=1)
    assert pipeline.asked == ["a", "b"]
    assert ids(out) == ["a"]


async def test_a_cancelled_run_keeps_what_was_answered(tmp_path: Path) -> None:
    out = tmp_path / "answers.jsonl"
    stuck = asyncio.Event()
    closed: list[str] = []

    async def ask(question: str) -> str:
        if question != "a":
            stuck.set()
            try:
                await asyncio.sleep(60)
            finally:
                closed.append(question)
        return "done"

    task = asyncio.ensure_future(arun(ask, questions("a", "b"), out=out, concurrency=1))
    await stuck.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await asyncio.sleep(0)
    assert closed == ["b"]
    assert ids(out) == ["a"]


KILLED = """
import signal, sys, time
signal.signal(signal.SIGINT, signal.default_int_handler)  # a job in the background ignores it
from llamaindex_rag_eval.engines.runner import run
from llamaindex_rag_eval.data.sample import SingleTurnSample

def ask(question):
    if question == "b":
        print("stuck", flush=True)
        time.sleep(60)
    return "done"

run(ask, [SingleTurnSample(id=q, query=q) for q in "ab"], out=sys.argv[1], concurrency=1)
"""


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
def test_an_interrupted_or_killed_process_keeps_what_was_answered(
    tmp_path: Path, how: signal.Signals
) -> None:
    out = tmp_path / "answers.jsonl"
    with Process([sys.executable, "-c", KILLED, out], stdout=PIPE, stderr=DEVNULL) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "stuck\n"
        process.send_signal(how)
        assert process.wait() != 0
    assert ids(out) == ["a"]
    again = Pipeline()
    run(again, questions("a", "b"), out=out)
    assert again.asked == ["b"]
