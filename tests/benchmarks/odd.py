"""What odd replies cost: results lost, names of exceptions shown, silence, and time.

    python -m tests.benchmarks.odd            # every kind for 5 s, and all mixed, a few minutes
    python -m tests.benchmarks.odd --long     # windows of 5, 20 and 60 s
    python -m tests.benchmarks.odd --kinds unavailable --windows 30

The command line evaluates samples. In the middle of the run every call gets a reply that holds no
answer, or a 503 or 529 with a `Retry-After` of ten minutes, for a while; then the server is well
again. The goals: no result lost, no name of an exception in any output, a line within 5 seconds,
and at most a tenth more time than the window and a quiet run take together.
"""

import argparse
import os
import re
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, get_args

from llamaindex_rag_eval import EvaluationDataset
from tests.benchmarks.suite_cost import EIGHT, RESPONDERS, made_samples
from tests.prepared import Process
from tests.server import LoopbackServer
from tests.server.faults import Fault, Faults, OddKind

ROOT = Path(__file__).parents[2]
BEGINS = 0.3
"""Share of the calls of a quiet run after which the window opens."""
LOOK = 0.02
"""Seconds between two looks at the server."""
ASKED = 600.0
"""Seconds of the `Retry-After`."""
CALLS_A_SAMPLE = 9
NAME = re.compile(r"\b\w+(?:Error|Exception|Warning)\b|Traceback|NoneType")
"""What only a programmer would want to read."""

KINDS: dict[str, tuple[Any, ...]] = {
    **{kind: (kind,) for kind in get_args(OddKind) if kind != "content_filter"},
    "wrong_content_type": ("wrong_content_type",),
    "unavailable": ("unavailable",),
    "overloaded": ("overloaded",),
}
"""A reply that the content filter withheld is an answer of its kind: it is not tried again."""
MIXED = {"mixed": tuple(kind for kinds in KINDS.values() for kind in kinds)}


@dataclass(frozen=True)
class Measured:
    """A run: its seconds, the results it lost, what it said, and when it first did.

    Attributes:
        seconds: From the first call to the end.
        lost: Results without a score that a quiet run has.
        names: Names of exceptions in the output and in the file of scores.
        silence: Seconds from the beginning of the window to the first line; `None` without one.
    """

    seconds: float
    lost: int
    names: frozenset[str]
    silence: float | None


def measured(
    samples: int, kinds: Sequence[Any] = (), window: float = 0.0, latency: float = 0.2
) -> Measured:
    """Return what a run comes to in which replies are of these kinds for a while."""
    with (
        TemporaryDirectory() as folder,
        LoopbackServer(latency=latency, responders=RESPONDERS) as server,
    ):
        data, scores = Path(folder) / "samples.jsonl", Path(folder) / "scores.csv"
        EvaluationDataset(made_samples(samples)).write(data)
        process = _started([str(data), "-o", str(scores)], server.url)
        lines: list[tuple[float, str]] = []
        reading = threading.Thread(target=_read, args=(process, lines))
        reading.start()
        began = started = _when_called(server, 1)
        if kinds:
            began = _when_called(server, int(BEGINS * CALLS_A_SAMPLE * samples))
            _befall(server, kinds, window)
        process.wait()
        reading.join()
        seconds = time.perf_counter() - started
        table = scores.read_text(encoding="utf-8") if scores.exists() else ""
    said = [moment - began for moment, line in lines if "the endpoint" in line and moment > began]
    text = table + "".join(line for _, line in lines)
    lost = samples * len(EIGHT) - table.count(",scored,")
    return Measured(seconds, lost, frozenset(NAME.findall(text)), min(said, default=None))


def _started(options: list[str], url: str) -> Process:
    model = ["-m", ",".join(EIGHT), "--llm", f"openai-like:{url}:m"]
    return Process(
        [sys.executable, "-m", "llamaindex_rag_eval", "evaluate", *options, *model],
        cwd=ROOT,
        env={**os.environ, "OPENAI_API_KEY": "sk-benchmark-0000000000"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )


def _read(process: Process, lines: list[tuple[float, str]]) -> None:
    """Keep the lines of a process, each with its moment."""
    assert process.stdout is not None
    with process.stdout:
        lines.extend((time.perf_counter(), line) for line in process.stdout)


def _when_called(server: LoopbackServer, calls: int) -> float:
    """Wait until so many calls have come; return the moment."""
    while server.stats().calls < calls:
        time.sleep(LOOK)
    return time.perf_counter()


def _befall(server: LoopbackServer, kinds: Sequence[Any], window: float) -> None:
    """Let the window come and go."""
    rate = 1 / len(kinds)
    faults = [Fault(kind=kind, rate=rate, mode="permanent", retry_after=ASKED) for kind in kinds]
    server.befall(Faults(*faults))
    time.sleep(window)
    server.befall(Faults())


def main() -> None:
    """Print what each kind costs."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--samples", type=int, default=100)
    options.add_argument("--latency", type=float, default=0.2)
    options.add_argument("--kinds", nargs="*", default=[*KINDS, *MIXED])
    options.add_argument("--windows", type=float, nargs="*", default=[5.0])
    options.add_argument("--long", action="store_true", help="windows of 5, 20 and 60 s")
    given = options.parse_args()
    quiet = measured(given.samples, latency=given.latency)
    print(
        f"{given.samples} samples x {len(EIGHT)} metrics; a quiet run takes {quiet.seconds:.1f} s"
    )
    print(
        "kind                window s  lost  names  first line s  wall s  over window and quiet run"
    )
    for window in [5.0, 20.0, 60.0] if given.long else given.windows:
        for name in given.kinds:
            run = measured(given.samples, (KINDS | MIXED)[name], window, given.latency)
            silence = "none" if run.silence is None else f"{run.silence:.1f}"
            over = run.seconds / (window + quiet.seconds) - 1
            names = ", ".join(sorted(run.names)) or "none"
            print(
                f"{name:19} {window:8.0f} {run.lost:5}  {names:5} {silence:>13} "
                f"{run.seconds:7.1f} {over:+.1%}"
            )


if __name__ == "__main__":
    main()
