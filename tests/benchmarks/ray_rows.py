"""Rows a second on Ray with one worker and with two, and the memory of the driver.

    python -m tests.benchmarks.ray_rows --samples 100000

Samples are scored by rules on a Ray of this machine; the driver is a process of its own.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pandas as pd

METRICS = ("faithfulness", "context_recall", "ndcg@10")

DRIVER = """
import json, resource, sys, time
from llamaindex_rag_eval import evaluate_on_ray

file, out, workers = sys.argv[1], sys.argv[2], int(sys.argv[3])
ends = []
run = evaluate_on_ray(
    file, metrics={metrics!r}, out=out, workers=workers,
    progress=lambda done, total: ends.append((time.perf_counter(), done)),
)
first, last = ends[0], ends[-1]
started = time.perf_counter()
summary = run.summary()
print(json.dumps({{
    "seconds": last[0] - first[0],
    "summary_seconds": time.perf_counter() - started,
    "driver_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    "scored": sum(one.scored for one in summary),
    "means": [one.mean for one in summary],
}}))
"""


def main() -> None:
    """Print a line for each number of workers."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--samples", type=int, default=2000)
    parser.add_argument("--workers", default="1,2")
    arguments = parser.parse_args()
    print(f"{arguments.samples:,} samples, {', '.join(METRICS)}, by rules", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "answers.parquet"
        _write(file, arguments.samples)
        means = set()
        for workers in arguments.workers.split(","):
            started = time.perf_counter()
            out = f"{folder}/scores-{workers}"
            command = [sys.executable, "-c", DRIVER.format(metrics=METRICS)]
            done = subprocess.run(
                [*command, str(file), out, workers],
                env={**os.environ, "RAY_ADDRESS": "local"},  # not one that happens to run here
                stdout=subprocess.PIPE,
                text=True,
                check=True,
            )
            found = json.loads(done.stdout.splitlines()[-1])
            means.add(str(found["means"]))
            print(
                f"{workers} workers: {arguments.samples / found['seconds']:,.0f} rows/s scoring, "
                f"{time.perf_counter() - started:.0f} s with start and plan, "
                f"summary {found['summary_seconds']:.1f} s, driver {found['driver_mb']:,.0f} MB, "
                f"load {os.getloadavg()[1]:.1f} on {os.cpu_count()} cores",
                flush=True,
            )
        print("the same means" if len(means) == 1 else f"means differ: {means}")


def _write(file: Path, rows: int) -> None:
    """Write answers with three contexts each, in row groups of 10,000."""
    numbers = range(rows)
    pd.DataFrame(
        {
            "id": [f"q{number}" for number in numbers],
            "query": [f"When was bridge {number} built, and who paid?" for number in numbers],
            "response": [
                f"Bridge {number} was built in {1800 + number % 200}. The city of Lyon paid for it."
                for number in numbers
            ],
            "contexts": [
                [
                    f"Bridge {number} crosses the river at kilometre {number % 90}.",
                    f"It was built in {1800 + number % 200}, after four years of work.",
                    "The city of Lyon paid two thirds, the railway the rest.",
                ]
                for number in numbers
            ],
            "context_ids": [[f"a{number}", f"b{number}", f"c{number}"] for number in numbers],
            "reference": [
                f"It was built in {1800 + number % 200}; Lyon and the railway paid."
                for number in numbers
            ],
            "reference_context_ids": [[f"b{number}"] for number in numbers],
        }
    ).to_parquet(file, row_group_size=10_000)


if __name__ == "__main__":
    main()
