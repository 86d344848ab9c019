"""Ctrl-C in real processes: one line, exit code 130, no traceback; a second one ends at once."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from llamaindex_rag_eval.data.dataset import EvaluationDataset
from tests.benchmarks.suite_cost import made_samples
from tests.cli.command_line import DOCS
from tests.server import LoopbackServer

COMMAND = [sys.executable, "-m", "llamaindex_rag_eval"]


def started(folder: Path, *arguments: object) -> "subprocess.Popen[str]":
    """Start a command in a folder, with a group of processes of its own."""
    return subprocess.Popen(
        [*COMMAND, *map(str, arguments)],
        cwd=folder,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        env={**os.environ, "PYTHONPATH": str(DOCS.parents[1])},
        # A job in the background ignores it.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )


def interrupted(
    folder: Path, *arguments: object, calls: LoopbackServer | None = None, after: float = 0.0
) -> tuple[int, list[str]]:
    """Interrupt a command once it has called a server, or after seconds.

    Returns:
        Its exit code, and what it wrote to stderr but for progress.
    """
    process = started(folder, *arguments)
    time.sleep(after)
    while calls is not None and not calls.stats().calls:
        time.sleep(0.02)
        assert process.poll() is None
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does it
    _, errors = process.communicate(timeout=120)
    lines = [line for line in errors.splitlines() if not line.startswith(("scoring", "writing"))]
    return process.returncode, lines


LINE = ["error: interrupted; what was written is kept, run it again to go on"]


@pytest.mark.parametrize(
    "arguments",
    [
        ("evaluate", "a.jsonl", "-m", "faithfulness,context_recall"),
        ("compare", "a.jsonl", "b.jsonl", "-m", "faithfulness"),
        ("generate", DOCS, "-o", "g.jsonl", "--size", 8),
    ],
    ids=lambda arguments: arguments[0],
)
def test_an_interruption_of_calls_is_one_line(
    arguments: tuple[object, ...], tmp_path: Path
) -> None:
    for name in ("a", "b"):
        EvaluationDataset(made_samples(20, seed=ord(name))).write(tmp_path / f"{name}.jsonl")
    with LoopbackServer(latency=2, responders="tests.models.responders:RESPONDERS") as server:
        llm = ("--llm", f"openai-like:{server.url}:gpt-4o-mini")
        assert interrupted(tmp_path, *arguments, *llm, calls=server) == (130, LINE)


@pytest.mark.parametrize("after", [0.2, 0.6, 1.0, 2.5])
def test_an_interruption_of_the_start_and_of_reading_is_one_line(
    after: float, tmp_path: Path
) -> None:
    EvaluationDataset(made_samples(3000)).write(tmp_path / "a.jsonl")
    found = interrupted(tmp_path, "evaluate", "a.jsonl", "-m", "faithfulness", after=after)
    assert found == (130, LINE)


HANGS = """
import time

def engine(question):
    open("asked.txt", "w").close()
    time.sleep(600)
"""


def test_a_second_interruption_ends_an_engine_that_hangs(tmp_path: Path) -> None:
    (tmp_path / "hangs.py").write_text(HANGS)
    EvaluationDataset(made_samples(2)).write(tmp_path / "a.jsonl")
    arguments = ("run", "a.jsonl", "--engine", "hangs:engine", "-o", "b.jsonl")
    with started(tmp_path, *arguments) as process:
        while not (tmp_path / "asked.txt").exists():
            time.sleep(0.02)
            assert process.poll() is None
        process.send_signal(signal.SIGINT)
        lines = iter(process.stderr or ())
        assert LINE[0] in (line.strip() for line in lines)
        process.send_signal(signal.SIGINT)
        assert list(lines) == []
        # By the signal itself where the interpreter has given its handlers up already.
        assert process.wait(timeout=60) in (130, -signal.SIGINT)
