"""An evaluation under kills, interruptions, outages and a full disk, against a quiet one.

    python -m tests.benchmarks.chaos                       # three seeds, about five minutes
    python -m tests.benchmarks.chaos --seeds 1 --samples 40

The same command is started again until it has ended well. Something happens in each attempt, drawn
by the seed: kill -9, Ctrl-C, a server that goes away and comes back, files that may not grow. Then
the attempt is left in peace for longer and longer. One call in ten fails besides, in both.
"""

import argparse
import os
import random
import resource
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory

from llamaindex_rag_eval import EvaluationDataset
from tests.benchmarks.suite_cost import EIGHT, RESPONDERS, made_samples
from tests.server import LoopbackServer
from tests.server.faults import Fault, Faults

ROOT = Path(__file__).parents[2]
EVENTS = ("kill -9", "Ctrl-C", "outage", "full disk", "nothing")
SMALL = 96 * 1024
"""Bytes that a file may have on a full disk."""
LATENCY = 0.1
FAULTS = Faults(
    Fault(kind="server_error", rate=0.03),
    Fault(kind="dropped", rate=0.03),
    Fault(kind="dropped_mid_body", rate=0.02),
    Fault(kind="empty_reply", rate=0.02),
)
"""Of one call in ten the first attempt fails."""


class Endpoint:
    """The server, which can be away for a while; counts what all its lives have answered."""

    def __init__(self) -> None:
        self._port = 0
        self._answered = 0
        self._server = self._start()

    def _start(self) -> LoopbackServer:
        server = LoopbackServer(
            latency=LATENCY,
            responders=RESPONDERS,
            faults=FAULTS,
            port=self._port,
        )
        server.__enter__()
        self._port = server.port
        return server

    @property
    def url(self) -> str:
        return self._server.url

    @property
    def answered(self) -> int:
        return self._answered + self._server.stats().answered

    def be_away(self, seconds: float) -> None:
        self.end()
        time.sleep(seconds)
        self._server = self._start()

    def end(self) -> None:
        self._answered += self._server.stats().answered
        self._server.__exit__(None, None, None)


def attempts(
    command: list[str], endpoint: Endpoint, rng: random.Random | None
) -> Iterator[tuple[str, int]]:
    """Start a command until it ends well; yield what happened to each attempt and its status."""
    peace = 1.0
    while True:
        event = rng.choice(EVENTS) if rng is not None else "nothing"
        limit = SMALL if event == "full disk" else resource.RLIM_INFINITY

        def limited(limit: int = limit) -> None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, resource.RLIM_INFINITY))

        process = subprocess.Popen(
            command,
            cwd=ROOT,
            env={**os.environ, "OPENAI_API_KEY": "sk-benchmark-0000000000"},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            preexec_fn=limited,
        )
        if rng is not None and event != "nothing":
            _wait(process, 4 + rng.uniform(0, peace))
            peace *= 1.3
            if process.poll() is None and event == "outage":
                endpoint.be_away(rng.uniform(0.5, 8))
            elif process.poll() is None and event in ("kill -9", "Ctrl-C"):
                process.send_signal(signal.SIGKILL if event == "kill -9" else signal.SIGINT)
        said = process.communicate()[1]
        if "Traceback" in said:
            raise SystemExit(f"a traceback after {event}:\n{said}")
        yield event, process.returncode
        if process.returncode == 0 and event != "full disk":
            return


def _wait(process: "subprocess.Popen[str]", seconds: float) -> None:
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        return


def evaluated(folder: Path, samples: int, rng: random.Random | None) -> tuple[bytes, int]:
    """Return the scores as CSV and the calls that were answered; print what happened."""
    answers, scores = folder / "answers.jsonl", folder / "scores.csv"
    EvaluationDataset(made_samples(samples)).write(answers)
    endpoint = Endpoint()
    command = [
        *(sys.executable, "-m", "llamaindex_rag_eval", "evaluate", str(answers)),
        *("-m", ",".join(EIGHT), "-o", str(scores), "--llm", f"openai-like:{endpoint.url}:m"),
        *("--concurrency", "16"),
    ]
    with ExitStack() as stack:
        stack.callback(endpoint.end)
        happened = list(attempts(command, endpoint, rng))
        answered = endpoint.answered
    counted = Counter(f"{event} ({status})" for event, status in happened)
    if rng is not None:
        print("   " + ", ".join(f"{n} x {name}" for name, n in sorted(counted.items())))
    return scores.read_bytes(), answered


def main() -> None:
    """Print whether the scores are the same, and how many calls were paid twice."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--samples", type=int, default=80)
    options.add_argument("--seeds", type=int, nargs="*", default=[1, 2, 3])
    given = options.parse_args()
    with TemporaryDirectory() as folder:
        quiet, calls = evaluated(Path(folder), given.samples, None)
    print(f"quiet: {calls} calls answered")
    for seed in given.seeds:
        started = time.perf_counter()
        with TemporaryDirectory() as folder:
            scores, answered = evaluated(Path(folder), given.samples, random.Random(seed))
        same = "the same bytes" if scores == quiet else "OTHER SCORES"
        seconds = time.perf_counter() - started
        print(f"seed {seed}: {same}, {answered / calls - 1:+.1%} calls, {seconds:.0f} s")


if __name__ == "__main__":
    main()
