"""Workers: the same results for any number of processes, and nothing lost when one dies."""

import os
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from llamaindex_rag_eval.data.sample import SingleTurnSample
from llamaindex_rag_eval.metrics.base import Metric
from llamaindex_rag_eval.metrics.result import Score
from llamaindex_rag_eval.runs import processes, workers as spreading
from llamaindex_rag_eval.runs.evaluate import evaluate
from llamaindex_rag_eval.runs.run import Run
from tests.prepared import Process
from tests.runs.evaluations import Length, samples

METRICS = ("faithfulness", "context_recall")


class Unsendable(Length):
    def __reduce__(self) -> tuple[Callable[..., object], tuple[object, ...]]:
        raise TypeError("holds a connection")


class Orphaned(Metric):
    """Notes its process, kills the parent of it, and takes very long."""

    name = "orphaned"
    needs = frozenset({"response"})

    def __init__(self, note: Path) -> None:
        super().__init__()
        self.note = note

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        vars(processes)["ENDING"] = 0.5  # seconds that a busy process has

    async def measure(self, sample: SingleTurnSample) -> Score:
        self.note.write_text(str(os.getpid()))
        os.kill(os.getppid(), signal.SIGKILL)
        time.sleep(600)  # noqa: ASYNC251 - nothing else is to run
        raise AssertionError("it outlived its parent")


def is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


def lines_of(run: Run) -> list[tuple[object, ...]]:
    return [(r.sample_id, r.metric, r.status, r.score, r.feedback, r.evidence) for r in run.results]


@pytest.mark.usefixtures("quick_workers")
def test_workers_go_on_where_a_run_stopped_and_give_what_one_process_gives(tmp_path: Path):
    alone = evaluate(samples(8), metrics=METRICS, workers=1).to_csv(tmp_path / "alone.csv")
    out, told = tmp_path / "run.jsonl", list[tuple[int, int]]()
    evaluate(samples(8), metrics=METRICS[:1], out=out)
    lines = out.read_text().splitlines()
    out.write_text("\n".join(lines[:-3]) + "\n")
    run = evaluate(
        samples(8),
        metrics=METRICS,
        workers=2,
        out=out,
        progress=lambda done, total: told.append((done, total)),
    )
    assert [result.status for result in run.results] == ["scored"] * 16
    # five results of eight were known; three and the eight of the other metric came
    assert told == [(done, 16) for done in range(6, 17)]
    assert lines_of(Run.read(out)) == lines_of(run)
    assert run.to_csv(tmp_path / "run.csv").read_bytes() == alone.read_bytes()


def test_a_metric_and_a_sample_of_ones_own_are_sent_with_their_code():
    class Halved(Metric):
        name = "halved"
        needs = frozenset({"response"})

        async def measure(self, sample: SingleTurnSample) -> Score:
            return Score(0.5 if type(sample).__name__ == "Own" else 0.0)

    class Own(SingleTurnSample):
        pass

    own = [Own(**one.model_dump(exclude_unset=True)) for one in samples(4)]
    run = evaluate(own, metrics=[Halved()], workers=2)
    assert [result.score for result in run.results] == [0.5] * 4


class Unreadable(SingleTurnSample):
    """Cannot be read in another process."""

    def __reduce__(self) -> tuple[Callable[..., object], tuple[object, ...]]:
        return int, ("no number",)


@pytest.mark.usefixtures("quick_workers")
def test_a_sample_that_no_other_process_can_read_ends_spreading_and_loses_nothing(
    caplog: pytest.LogCaptureFixture,
):
    own = [*samples(20), Unreadable(id="last", response="No.")]
    run = evaluate(own, metrics=[Length()], workers=2)
    assert [result.status for result in run.results] == ["scored"] * 21
    assert "scoring in one process" in caplog.text


class Noted(Metric):
    """Notes each process that scores."""

    name = "noted"
    needs = frozenset({"response"})

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self.folder = folder

    async def measure(self, sample: SingleTurnSample) -> Score:
        (self.folder / str(os.getpid())).touch()
        return Score(1.0)


@pytest.mark.usefixtures("quick_workers")
@pytest.mark.parametrize(("enough", "here"), [(16, False), (17, True)])
def test_rules_are_spread_over_the_cores_by_themselves_if_they_have_enough_to_judge(
    enough: int, here: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(spreading, "ENOUGH", enough)
    monkeypatch.setattr(spreading, "_cores", lambda: 2)
    run = evaluate(samples(8), metrics=["faithfulness", Noted(tmp_path)])
    assert [result.status for result in run.results] == ["scored"] * 16
    assert (tmp_path / str(os.getpid())).exists() == here


ORPHANING = """
from pathlib import Path
from llamaindex_rag_eval import evaluate
from tests.runs.evaluations import samples
from tests.runs.test_workers import Orphaned
evaluate(samples(2), metrics=[Orphaned(Path({note!r}))], workers=2)
"""


def test_a_worker_ends_with_its_parent(tmp_path: Path):
    note = tmp_path / "process"
    with Process([sys.executable, "-c", ORPHANING.format(note=str(note))]) as parent:
        assert parent.wait() == -signal.SIGKILL
    while is_alive(int(note.read_text())):  # else the test times out
        time.sleep(0.1)
