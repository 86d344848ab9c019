"""Ctrl-C in real processes: one line, exit code 130, no traceback; a second one ends at once."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import IO

import pytest

from llamaindex_rag_eval.data.dataset import EvaluationDataset
from tests.benchmarks.suite_cost import made_samples
from tests.cli.command_line import DOCS, rag_eval
from tests.prepared import Process
from tests.server import LoopbackServer

COMMAND = [sys.executable, "-m", "llamaindex_rag_eval"]


PROGRESS = ("preparing", "scoring", "writing", "answering")


def started(folder: Path, *arguments: object, command: Sequence[str] = COMMAND) -> Process:
    """Start a command in a folder, with a group of processes of its own."""
    return Process(
        [*command, *arguments], cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    )


def importing(
    folder: Path,
    *arguments: object,
    python: Sequence[str] = (),
    stderr: "int | IO[str]" = subprocess.PIPE,
) -> "subprocess.Popen[str]":
    """Start a command as a shell does, which imports what it needs; with options of Python."""
    return subprocess.Popen(
        [COMMAND[0], *python, *COMMAND[1:], *map(str, arguments)],
        cwd=folder,
        stdout=subprocess.DEVNULL,
        stderr=stderr,
        text=True,
        start_new_session=True,
        env={**os.environ, "PYTHONPATH": str(DOCS.parents[1])},
        # A job in the background ignores it.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )


def ended(process: "Process | subprocess.Popen[str]") -> tuple[int, list[str]]:
    """Interrupt a command; return its exit code, and what it wrote to stderr but for progress."""
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does it
    _, errors = process.communicate()
    lines = [line for line in errors.splitlines() if not line.startswith(PROGRESS)]
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
        process = started(tmp_path, *arguments, *llm)
        while not server.stats().calls:
            time.sleep(0.02)
            assert process.poll() is None
        assert ended(process) == (130, LINE)


def has_processes(group: int) -> bool:
    """Return whether a process of a group is there."""
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.mark.parametrize("calls", [1, 80])
def test_an_interruption_of_several_processes_is_one_line_and_leaves_none(
    calls: int, tmp_path: Path
) -> None:
    EvaluationDataset(made_samples(100)).write(tmp_path / "a.jsonl")
    with LoopbackServer(latency=0.3, responders="tests.models.responders:RESPONDERS") as server:
        llm = ("--llm", f"openai-like:{server.url}:gpt-4o-mini", "--workers", 2)
        process = started(tmp_path, "evaluate", "a.jsonl", "-m", "faithfulness", *llm)
        while server.stats().calls < calls:
            time.sleep(0.02)
            assert process.poll() is None
        assert ended(process) == (130, LINE)
    while has_processes(process.pid):  # else the test times out
        time.sleep(0.05)


@pytest.mark.parametrize("imported", ["llamaindex_rag_eval.errors", "pydantic"])
def test_an_interruption_of_the_start_is_one_line(imported: str, tmp_path: Path) -> None:
    EvaluationDataset(made_samples(2_000)).write(tmp_path / "a.jsonl")  # so that it does not end
    errors = tmp_path / "errors.txt"
    with errors.open("w") as file:
        command = ("evaluate", "a.jsonl", "-m", "faithfulness")
        process = importing(tmp_path, *command, python=("-X", "importtime"), stderr=file)
        while imported not in errors.read_text():
            time.sleep(0.01)
            assert process.poll() is None
        os.killpg(process.pid, signal.SIGINT)
        assert process.wait() == 130
    lines = errors.read_text().splitlines()
    assert [line for line in lines if not line.startswith(("import time:", *PROGRESS))] == LINE


IN_A_CALLBACK = """
import os, signal, time

class Dropped:
    def __del__(self):
        os.kill(os.getpid(), signal.SIGINT)

Dropped()
time.sleep(600)
"""


@pytest.mark.parametrize(
    "import_of",
    ['exec("raise KeyboardInterrupt")', IN_A_CALLBACK],
    ids=["the text of a method", "a callback"],
)
def test_an_interruption_of_code_that_an_import_runs_is_not_lost(
    import_of: str, tmp_path: Path
) -> None:
    (tmp_path / "cyclopts.py").write_text(import_of)  # this folder comes first on the path
    _, errors = (process := importing(tmp_path, "--help")).communicate()
    assert (process.returncode, errors.splitlines()) == (130, LINE)


HELD = """
import importlib, sys, time

def held(*arguments, **options):
    if name in repr(arguments):
        open("reached.txt", "w").close()
        time.sleep(600)
    return whole(*arguments, **options)

place, name, *sys.argv[1:] = sys.argv[1:]
module, _, path = place.partition(":")
*owners, last = path.split(".")
owner = importlib.import_module(module)
for part in owners:
    owner = getattr(owner, part)
whole = getattr(owner, last)
setattr(owner, last, held)
from llamaindex_rag_eval.__main__ import main
main()
"""
"""Run a command that stays in one function once that is called with a name."""

SWEEP = """
golden: a.jsonl
engines:
  - factory: waits:make
    grid: {twin: [a, b]}
metrics: exact_match
"""

WAITS = """
def make(twin):
    return lambda question: "no"
"""


@pytest.mark.parametrize(
    ("place", "name", "arguments"),
    [
        ("json:loads", '"s19"', ("evaluate", "a.jsonl", "-m", "exact_match")),
        ("os:replace", "scores.csv", ("evaluate", "a.jsonl", "-m", "exact_match")),
        ("jinja2:Template.render", "", ("report", "scores.jsonl")),
        ("os:replace", "report.html", ("report", "scores.jsonl")),
        ("waits:make", "", ("more", "sweep", "sweep.yaml", "-o", "out")),
        ("os:replace", "sweep.json", ("more", "sweep", "sweep.yaml", "-o", "out")),
    ],
)
def test_an_interruption_of_reading_writing_and_sweeps_is_one_line_and_loses_nothing(
    place: str,
    name: str,
    arguments: tuple[str, ...],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    EvaluationDataset(made_samples(20)).write(tmp_path / "a.jsonl")
    (tmp_path / "sweep.yaml").write_text(SWEEP)
    (tmp_path / "waits.py").write_text(WAITS)
    if arguments[0] == "report":
        scored = rag_eval("evaluate", "a.jsonl", "-m", "exact_match")
        assert scored.exit_code == 0, scored.output
    process = started(tmp_path, place, name, *arguments, command=[sys.executable, "-c", HELD])
    while not (tmp_path / "reached.txt").exists():
        time.sleep(0.02)
        assert process.poll() is None
    assert ended(process) == (130, LINE)
    assert not list(tmp_path.rglob("*.part"))
    again = rag_eval(*arguments)
    assert again.exit_code == 0, again.output
    written = {"evaluate": "scores.csv", "report": "report.html", "more": "out/sweep.json"}
    assert (tmp_path / written[arguments[0]]).exists()


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
        assert process.wait() in (130, -signal.SIGINT)
