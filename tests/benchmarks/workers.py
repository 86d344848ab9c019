"""How much faster do more workers score by rules, and how many more calls do they make?

    python -m tests.benchmarks.workers [--samples 1000] [--workers 1,2]
    python -m tests.benchmarks.workers --model [--samples 1000] [--workers 1,2,4]

Samples with three claims and five contexts of 120 words are scored by the default metrics, in this
process alone and in so many warm workers; the results must be the same. Where the machine has other
work, the ratio by wall clock says little: *busy cores* says how many the work got, and *by CPU* is
the ratio with as many free cores as workers: CPU of one process alone, over that of the driver and
a worker's share.

With `--model` eight metrics ask our server on loopback, which answers after 100 ms, with 256 calls
in flight, a store of replies and a run file. Processes have started and a tenth of the results is
there when measuring begins. *ms* is CPU a call: in this process, in all workers, in the server.
*On idle cores* is how many calls a second the busiest of them could make, if each had a core of its
own; what the 256 in flight allow is the most.
"""

import argparse
import sys
import tempfile
import time
from dataclasses import dataclass, fields
from pathlib import Path

from llamaindex_rag_eval import SingleTurnSample, evaluate
from tests.benchmarks.large_runs import peak, samples
from tests.benchmarks.suite_cost import EIGHT, RESPONDERS, judge_at, made_samples
from tests.server import LoopbackServer

LATENCY = 0.1
IN_FLIGHT = 256

WARM = 64
"""Samples that are scored before, so that processes have started and read their tables."""


@dataclass(frozen=True)
class Timing:
    """Seconds by wall clock, of CPU in this process, and of CPU in the workers."""

    wall: float
    here: float
    there: float

    def ideal(self, workers: int) -> float:
        """Return the seconds it would take on as many free cores, the driver's work last."""
        return self.here + self.there / workers


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


def timed(given: list[SingleTurnSample], workers: int, out: Path) -> Timing:
    """Score fresh samples in warm workers."""
    evaluate(given[:WARM], workers=workers)
    wall, here, there = time.perf_counter(), time.process_time(), cpu_of_children()
    evaluate(given[WARM:], workers=workers, out=out).to_csv(out.with_suffix(".csv"))
    return Timing(time.perf_counter() - wall, time.process_time() - here, cpu_of_children() - there)


@dataclass(frozen=True)
class Point:
    """Where a run stands: seconds by wall clock and of CPU, and calls, since some time before."""

    wall: float
    here: float
    there: float
    served: float
    calls: int

    @classmethod
    def now(cls, server: LoopbackServer) -> "Point":
        """Return where the run stands."""
        stats, children = server.stats(), cpu_of_children()
        there = children - stats.cpu_seconds  # the server is a child, too
        now, here = time.perf_counter(), time.process_time()
        return cls(now, here, there, stats.cpu_seconds, stats.calls)

    def since(self, other: "Point") -> "Point":
        """Return what came between."""
        return Point(*(getattr(self, one.name) - getattr(other, one.name) for one in fields(self)))


def asked(given: list[SingleTurnSample], workers: int, out: Path) -> Point:
    """Ask a model about samples; return what the last nine tenths of the results took."""
    points: list[Point] = []
    with LoopbackServer(latency=LATENCY, responders=RESPONDERS) as server:

        def progress(done: int, total: int) -> None:
            if done == total // 10 or done == total:
                points.append(Point.now(server))

        run = evaluate(
            given,
            metrics=EIGHT,
            judge=judge_at(server.url, IN_FLIGHT),
            concurrency=IN_FLIGHT,
            workers=workers,
            out=out,
            progress=progress,
        )
    run.to_csv(out.with_suffix(".csv"))
    return points[1].since(points[0])


def measure_model(numbers: list[int], samples: int) -> None:
    """Print a line for each number of processes that ask a model."""
    drawn, tables = made_samples(samples), set()
    print(
        "| workers | calls/s | busy cores | here, ms | workers, ms | server, ms | on idle cores |"
    )
    print("|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for workers in numbers:
            out = Path(folder) / f"{workers}.jsonl"
            found = asked(drawn, workers, out)
            tables.add(out.with_suffix(".csv").read_bytes())
            here, there, served = (
                1000 * seconds / found.calls for seconds in (found.here, found.there, found.served)
            )
            most = min(1000 / max(here, there / workers, served), IN_FLIGHT / LATENCY)
            busy = (found.here + found.there + found.served) / found.wall
            print(
                f"| {workers} | {found.calls / found.wall:.0f} | {busy:.2f} | {here:.2f} | "
                f"{there:.2f} | {served:.2f} | {most:.0f} |",
                flush=True,
            )
    if len(tables) > 1:
        sys.exit("the results differ")


def main() -> None:
    """Print a line for each number of workers; fail if their results differ."""
    parser = argparse.ArgumentParser(description="Scoring in several processes.")
    parser.add_argument("--samples", type=int, default=1000)
    parser.add_argument("--workers", default="1,2", help="numbers, by commas; the first is 1")
    parser.add_argument("--model", action="store_true", help="a model judges")
    options = parser.parse_args()
    if options.model:
        measure_model([*map(int, options.workers.split(","))], options.samples)
        return
    drawn = samples(WARM + options.samples, claims=3, contexts=5, words=120)
    first: Timing | None = None
    tables = set()
    print("| workers | wall, s | ratio | by CPU | busy cores | driver, peak MB |")
    print("|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for workers in map(int, options.workers.split(",")):
            out = Path(folder) / f"{workers}.jsonl"
            found = timed(drawn, workers, out)
            first = first or found
            tables.add(out.with_suffix(".csv").read_bytes())
            ratio, ideal = first.wall / found.wall, first.ideal(1) / found.ideal(workers)
            busy = (found.here + found.there) / found.wall
            print(
                f"| {workers} | {found.wall:.1f} | {ratio:.2f} | {ideal:.2f} | {busy:.2f} | "
                f"{peak():.0f} |",
                flush=True,
            )
    if len(tables) > 1:
        sys.exit("the results differ")


if __name__ == "__main__":
    main()
