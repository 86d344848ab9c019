"""An evaluation under kills, interruptions, outages, restarts and a full disk, and a quiet one.

    python -m tests.benchmarks.chaos                       # three seeds, about 17 minutes
    python -m tests.benchmarks.chaos --seeds 1 --samples 40

A seed draws an event after some answered calls, each kind as often as the others: kill -9, Ctrl-C,
an endpoint that goes away and comes back, files that may not grow for a while, and, with even
seeds, a PostgreSQL that is stopped and started; with odd ones, replies are kept in a file. What
lasts goes on while other things happen. One call in ten fails besides. The same command is started
again until it has ended well; its scores must be those of a run that nothing befell.
"""

import argparse
import math
import os
import random
import resource
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from llamaindex_rag_eval import EvaluationDataset
from tests.benchmarks.suite_cost import EIGHT, RESPONDERS, made_samples
from tests.postgres import Cluster
from tests.prepared import Process
from tests.server import LoopbackServer
from tests.server.faults import Fault, Faults

ROOT = Path(__file__).parents[2]
ENV = {**os.environ, "OPENAI_API_KEY": "sk-benchmark-0000000000"}
PEACE = (20, 120)
"""Answered calls between two events, or looks at an endpoint that is away; a process is left alone
until one of its calls is answered."""
LOOK = 0.1
"""Seconds between two looks."""
LASTS = (0.5, 6.0)
"""Seconds that an outage lasts, or a disk is full."""
SMALL = 64 * 1024
"""Bytes that a file may have on a full disk."""
IN_FLIGHT, LATENCY = 4, 0.2
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
        self._port = self._answered = 0
        self.start()

    def start(self) -> None:
        self._server = LoopbackServer(
            latency=LATENCY, responders=RESPONDERS, faults=FAULTS, port=self._port
        )
        self._server.__enter__()
        self._port = self._server.port
        self.away = False

    def stop(self) -> None:
        self._answered = self.answered
        self.away = True
        self._server.__exit__(None, None, None)

    @property
    def url(self) -> str:
        return self._server.url

    @property
    def answered(self) -> int:
        return self._answered + (0 if self.away else self._server.stats().answered)


@dataclass
class Lasting:
    """What begins and goes on for a while: an outage, a restart, a full disk."""

    begin: Callable[[], None]
    end: Callable[[], None]
    until: float = 0.0


class Chaos:
    """Starts a command until it has ended well, while things happen.

    Args:
        command: What is started.
        endpoint: What it asks.
        rng: Draws what happens, and when.
        lasting: What may happen besides kills, interruptions and a full disk, by name.
        peace: Answered calls between two events, from and to.
        most: Events after which all is quiet; the first ones are one of each kind.

    Attributes:
        events: How often each kind happened.
        starts: How often the command was started.
    """

    def __init__(
        self,
        command: list[str],
        endpoint: Endpoint,
        rng: random.Random,
        lasting: Mapping[str, Lasting],
        peace: tuple[int, int] = PEACE,
        most: float = math.inf,
    ) -> None:
        self.most = most
        self.command = command
        self.endpoint = endpoint
        self.rng = rng
        self.peace = peace
        self.lasting = {
            "full disk": Lasting(self._limit, self._limit),
            "outage": Lasting(endpoint.stop, endpoint.start),
            **lasting,
        }
        self.events: Counter[str] = Counter()
        self.starts = 0
        self._drawn: list[str] = []
        self._process: Process | None = None

    def run(self) -> None:
        """Start the command until it has ended well.

        Raises:
            AssertionError: It has ended with a traceback.
        """
        while True:
            status, said = self._attempt()
            assert "Traceback" not in said, said
            if status == 0:
                break
        for each in self.lasting.values():
            self._end(each)

    def _attempt(self) -> tuple[int, str]:
        with started(self.command) as process:
            self._process = process
            self.starts += 1
            self._limit()
            said: list[str] = []
            errors = process.stderr
            assert errors is not None
            reading = threading.Thread(target=lambda: said.append(errors.read()))
            reading.start()
            before, due, idle = self.endpoint.answered, math.inf, 0
            while process.poll() is None:
                time.sleep(LOOK)
                idle += self.endpoint.away
                for each in self.lasting.values():
                    if each.until and time.monotonic() > each.until:
                        self._end(each)
                progress = self.endpoint.answered + idle
                if due == math.inf and self.endpoint.answered > before:
                    due = progress + self.rng.uniform(*self.peace)
                if progress > due and self.events.total() < self.most:
                    self._happen()
                    due = progress + self.rng.uniform(*self.peace)
            reading.join()
        return process.returncode, said[0]

    def _happen(self) -> None:
        """Let the next event happen, unless it goes on already."""
        if not self._drawn:
            self._drawn = ["kill -9", "Ctrl-C", *self.lasting]
            self.rng.shuffle(self._drawn)
        event = self._drawn.pop()
        assert self._process is not None
        if event in self.lasting:
            each = self.lasting[event]
            if each.until:
                return
            each.until = time.monotonic() + self.rng.uniform(*LASTS)
            each.begin()
        else:
            self._process.send_signal(signal.SIGKILL if event == "kill -9" else signal.SIGINT)
        self.events[event] += 1

    def _end(self, each: Lasting) -> None:
        if each.until:
            each.until = 0.0
            each.end()

    def _limit(self) -> None:
        """Let files grow, unless the disk is full."""
        process, full = self._process, self.lasting["full disk"].until
        if process is not None and process.poll() is None:
            most = SMALL if full else resource.RLIM_INFINITY
            resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (most, resource.RLIM_INFINITY))


def started(command: list[str]) -> Process:
    """Start a command whose errors can be read."""
    return Process(command, cwd=ROOT, env=ENV, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)


def evaluated(
    samples: int,
    seed: int | None = None,
    peace: tuple[int, int] = PEACE,
    workers: int = 1,
    most: float = math.inf,
) -> tuple[bytes, int, Chaos | None]:
    """Return the scores as CSV, how many calls were answered, and what happened.

    Args:
        samples: How many.
        seed: Draws what happens; `None` for nothing.
        peace: Answered calls between two events, from and to.
        workers: Processes that make the calls.
        most: Events after which all is quiet.
    """
    with ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory()))
        answers, scores = folder / "answers.jsonl", folder / "scores.csv"
        EvaluationDataset(made_samples(samples)).write(answers)
        endpoint = Endpoint()
        stack.callback(endpoint.stop)
        command = [
            *(sys.executable, "-m", "llamaindex_rag_eval", "evaluate", str(answers)),
            *("-m", ",".join(EIGHT), "-o", str(scores), "--llm", f"openai-like:{endpoint.url}:m"),
            *("--concurrency", str(IN_FLIGHT), "--workers", str(workers)),
        ]
        if seed is None:
            # Not forked as the others are: its sets are in another order.
            quiet = subprocess.run(command, cwd=ROOT, env=ENV, capture_output=True, text=True)
            assert quiet.returncode == 0, quiet.stderr
            return scores.read_bytes(), endpoint.answered, None
        lasting = dict[str, Lasting]()
        if seed % 2 == 0:
            cluster = stack.enter_context(Cluster())
            command += ["--cache", cluster.url]
            lasting["store restart"] = Lasting(cluster.stop, cluster.start)
        chaos = Chaos(command, endpoint, random.Random(seed), lasting, peace, most)
        chaos.run()
        return scores.read_bytes(), endpoint.answered, chaos


def main() -> None:
    """Print what happened, whether the scores are the same, and how many calls were paid twice."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--samples", type=int, default=220)
    options.add_argument("--workers", type=int, default=1, help="processes that make the calls")
    options.add_argument("--seeds", type=int, nargs="*", default=[1, 2, 3])
    given = options.parse_args()
    begun = time.monotonic()
    quiet, calls, _ = evaluated(given.samples)
    print(f"quiet: {calls} calls answered, {time.monotonic() - begun:.0f} s", flush=True)
    for seed in given.seeds:
        begun = time.monotonic()
        scores, answered, chaos = evaluated(given.samples, seed, workers=given.workers)
        assert chaos is not None
        same = "the same bytes" if scores == quiet else "OTHER SCORES"
        told = ", ".join(f"{count} x {name}" for name, count in sorted(chaos.events.items()))
        print(
            f"seed {seed}: {same}, {answered / calls:.3f} x the calls, "
            f"{time.monotonic() - begun:.0f} s, {chaos.starts} starts, "
            f"{chaos.events.total()} events: {told}",
            flush=True,
        )


if __name__ == "__main__":
    main()
