"""How much faster do more workers score by rules, and what does the driver hold?

    python -m tests.benchmarks.workers [--samples 1000] [--workers 1,2]

Samples with three claims and five contexts of 120 words are scored by the default metrics, in this
process alone and in so many warm workers; the results must be the same. Where the machine has other
work, the ratio by wall clock says little: *busy cores* says how many the work got, and *by CPU* is
the ratio with as many free cores as workers: CPU of one process alone, over that of the driver and
a worker's share.
"""

import argparse
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from llamaindex_rag_eval import SingleTurnSample, evaluate
from tests.benchmarks.large_runs import peak, samples

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


def main() -> None:
    """Print a line for each number of workers; fail if their results differ."""
    parser = argparse.ArgumentParser(description="Scoring by rules in several processes.")
    parser.add_argument("--samples", type=int, default=1000)
    parser.add_argument("--workers", default="1,2", help="numbers, by commas; the first is 1")
    options = parser.parse_args()
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
