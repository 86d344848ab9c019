"""Asking on Ray gives the answers, files and errors of one process, and loses no question."""

import asyncio
import json
import os
import signal
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from llamaindex_rag_eval.engines.runner import run
from llamaindex_rag_eval.errors import EngineError, InputError
from tests.cli.command_line import rag_eval
from tests.engines.pipelines import AsyncEngine, SyncEngine, questions, rows
from tests.ray_cluster import QUIET, add_node

pytestmark = QUIET


def make_engine() -> AsyncEngine:
    return AsyncEngine()


def broken() -> AsyncEngine:
    raise ValueError("no key")


class Noting:
    """Notes its process and each question in a file; ends its process at one of them."""

    def __init__(self, notes: str) -> None:
        self.notes = notes

    async def __call__(self, question: str) -> str:
        with open(self.notes, "a") as file:  # noqa: ASYNC230 - appended in one write
            file.write(f"{os.getpid()} {question}\n")
        if question == "deadly":
            os.kill(os.getpid(), signal.SIGKILL)
        await asyncio.sleep(0.1)
        return question.upper()


def lines(path: Path) -> list[dict[str, Any]]:
    """Return the answers in a file without their times."""
    found = [json.loads(line) for line in path.read_text().splitlines()]
    return [{key: value for key, value in one.items() if key != "latency"} for one in found]


def test_answers_are_those_of_one_process_and_what_failed_is_asked_again(
    ray_cluster: Any, tmp_path: Path
) -> None:
    asked = questions("a", "bad", "c", "d", "e")
    alone, out = tmp_path / "alone.jsonl", tmp_path / "ray.jsonl"
    run(make_engine(), asked, out=alone)
    run(make_engine, asked, out=out, on="ray", workers=2)
    assert lines(out) == lines(alone)
    assert all(one["latency"] > 0 for one in map(json.loads, out.read_text().splitlines()[2:]))
    notes = tmp_path / "notes"
    again = rows(run(Noting(str(notes)), asked, out=out, on="ray"))
    assert [one.response for one in again] == ["re: a", "BAD", "re: c", "re: d", "re: e"]
    assert [line.split()[1] for line in notes.read_text().splitlines()] == ["bad"]


def test_a_question_that_kills_its_workers_fails_alone(ray_cluster: Any, tmp_path: Path) -> None:
    notes, seen = tmp_path / "notes", []
    asked = questions("a", "b", "deadly", "c", "d")
    found = rows(
        run(
            Noting(str(notes)),
            asked,
            on="ray",
            workers=2,
            concurrency=2,
            progress=lambda *done: seen.append(done),
        )
    )
    assert [one.response for one in found] == ["A", "B", "", "C", "D"]
    assert found[2].error.startswith("3 workers were lost while they asked it: ")
    assert seen[-1] == (5, 5)
    assert Counter(line.split()[1] for line in notes.read_text().splitlines())["deadly"] == 3


def test_a_lost_node_loses_no_question(ray_cluster: Any, tmp_path: Path) -> None:
    notes, lost = tmp_path / "notes", add_node(ray_cluster)
    time.sleep(1)  # until the head node knows it

    def progress(done: int, total: int) -> None:
        if done > total / 3 and lost in ray_cluster.list_all_nodes():
            ray_cluster.remove_node(lost)

    asked = questions(*(f"q{number}" for number in range(90)))
    found = run(Noting(str(notes)), asked, on="ray", workers=3, concurrency=6, progress=progress)
    assert lost not in ray_cluster.list_all_nodes()
    assert [one.response for one in rows(found)] == [f"Q{number}" for number in range(90)]
    counts = Counter(line.split()[1] for line in notes.read_text().splitlines())
    assert sum(counts.values()) <= 90 + 2  # what the lost worker had in work


def test_what_is_no_engine_or_cannot_be_made_is_said(ray_cluster: Any) -> None:
    with pytest.raises(EngineError, match="'broken' could not make an engine: ValueError: no key"):
        run(broken, questions("a"), on="ray")
    with pytest.raises(InputError, match="function without arguments that makes the engine"):
        run(SyncEngine(), questions("a"), on="ray")
    with pytest.raises(InputError, match="'workers' is 0"):
        run(make_engine, questions("a"), on="ray", workers=0)


def test_the_command_asks_on_ray(ray_cluster: Any, tmp_path: Path) -> None:
    golden, out = tmp_path / "questions.jsonl", tmp_path / "answers.jsonl"
    questions("a", "c").write(golden)
    place = "tests.engines.test_on_ray:make_engine"
    done = rag_eval("run", golden, "--engine", place, "-o", out, "--on", "ray")
    assert done.exit_code == 0, done.stderr
    assert [one["response"] for one in lines(out)] == ["re: a", "re: c"]
    again = rag_eval("run", golden, "--engine", place, "-o", out)  # without Ray, the same engine
    assert ": 0 asked, 2 kept of an earlier run" in again.stdout
    other = "tests.engines.test_on_ray:broken"
    refused = rag_eval("run", golden, "--engine", other, "-o", out, "--on", "ray")
    assert f"engine='{place}', not of engine='{other}'" in refused.stderr
    refused = rag_eval("run", golden, "--engine", place, "-o", out, "--workers", "2")
    assert "--workers needs --on" in refused.stderr
