"""How much more do several processes score, by rules and by a model, and what does it cost here?

    python -m tests.benchmarks.workers [--model] [--samples 1000] [--workers 1,2,4]

By rules, samples with three claims and five contexts of 120 words are scored by the default
metrics. With `--model` eight metrics ask our server on loopback, which answers after 100 ms, with
256 calls in flight and a store of replies. The results must be the same for any number.

Processes have started and a tenth of the results is there when measuring begins. *ms* is CPU a
sample, or a call of the model: in this process, which holds the limits and writes the run file; in
all workers; in the server. *On idle cores* is how many a second the busiest of them would manage,
if each had a core of its own; what 256 calls in flight allow is the most.
"""

import argparse
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from llamaindex_rag_eval import SingleTurnSample, evaluate
from tests.benchmarks.large_runs import peak, samples
from tests.benchmarks.suite_cost import EIGHT, RESPONDERS, judge_at, made_samples
from tests.server import LoopbackServer

LATENCY = 0.1
IN_FLIGHT = 256


def cpu_of_children() -> float:
    """Return the CPU seconds of the processes that this one has started and that still run."""
    own = str(Path("/proc/self").resolve().name)
    total = 0.0
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text(encoding="utf-8").rpartition(")")[2].split()
        except OSError:  # it has just ended
            continue
        if fields[1] == own:
            total += (int(fields[11]) + int(fields[12])) / TICKS
    return total


TICKS = 100
"""Clock ticks a second, as /proc counts them."""


@dataclass(frozen=True)
class Point:
    """Where a run stands: seconds by wall clock and of CPU, samples and calls, since some time."""

    wall: float
    here: float
    there: float
    served: float
    samples: float
    calls: int = 0

    @classmethod
    def now(cls, samples: float, server: LoopbackServer | None) -> "Point":
        """Return where the run stands."""
        children, now, here = cpu_of_children(), time.perf_counter(), time.process_time()
        if server is None:
            return cls(now, here, children, 0.0, samples)
        stats = server.stats()
        served = stats.cpu_seconds  # it is a child, too
        return cls(now, here, children - served, served, samples, stats.calls)

    def since(self, other: "Point") -> "Point":
        """Return what came between."""
        return Point(*(getattr(self, one.name) - getattr(other, one.name) for one in fields(self)))

    def row(self, workers: int) -> str:
        """Return a row of the table."""
        done = self.calls or self.samples
        busy = (self.here + self.there + self.served) / self.wall
        here, there, served = (1000 * cpu / done for cpu in (self.here, self.there, self.served))
        # One process does all of it, or nothing but to give it out.
        most = 1000 / max(here, there / workers, served)
        if self.calls:
            most = min(most, IN_FLIGHT / LATENCY)
        return (
            f"| {workers} | {done / self.wall:.0f} | {busy:.2f} | {here:.2f} | {there:.2f} | "
            f"{served:.2f} | {most:.0f} | {peak():.0f} |"
        )


def measured(
    given: Sequence[SingleTurnSample], workers: int, out: Path, *, by_model: bool
) -> Point:
    """Score samples; return what the last nine tenths of the results took."""
    points: list[Point] = []
    with ExitStack() as stack:
        server, judging = None, dict[str, Any]()
        if by_model:
            server = stack.enter_context(LoopbackServer(latency=LATENCY, responders=RESPONDERS))
            judging = {"judge": judge_at(server.url, IN_FLIGHT), "concurrency": IN_FLIGHT}
            judging["metrics"] = EIGHT

        def progress(done: int, total: int) -> None:
            if done == total // 10 or done == total:
                points.append(Point.now(len(given) * done / total, server))

        run = evaluate(given, workers=workers, out=out, progress=progress, **judging)
    run.to_csv(out.with_suffix(".csv"))
    return points[1].since(points[0])


def main() -> None:
    """Print a line for each number of workers; fail if their results differ."""
    parser = argparse.ArgumentParser(description="Scoring in several processes.")
    parser.add_argument("--samples", type=int, default=1000)
    parser.add_argument("--workers", default="1,2,4", help="numbers, by commas")
    parser.add_argument("--model", action="store_true", help="a model judges")
    options = parser.parse_args()
    drawn = (
        made_samples(options.samples)
        if options.model
        else samples(options.samples, claims=3, contexts=5, words=120)
    )
    what, tables = "calls" if options.model else "samples", set()
    print(f"| workers | {what}/s | busy cores | here, ms | workers, ms | server, ms | ", end="")
    print("on idle cores | here, peak MB |\n|---|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for workers in map(int, options.workers.split(",")):
            out = Path(folder) / f"{workers}.jsonl"
            print(measured(drawn, workers, out, by_model=options.model).row(workers), flush=True)
            tables.add(out.with_suffix(".csv").read_bytes())
    if len(tables) > 1:
        sys.exit("the results differ")


if __name__ == "__main__":
    main()
