"""Time and memory of large runs: a finished one of 10,000 samples, and 100,000 that are scored.

    python -m tests.benchmarks.large_runs [--opened 10000] [--scored 100000] [--workers 2]
        [--metrics faithfulness,hit_rate@5,mrr]

Each is measured in a process of its own. *Opened*: `Run.read` and the summary of a run with the
default metrics and five contexts of 120 words. *Evaluated again*: over its file, where nothing is
left to do. *Scored*: samples with one context of 40 words, on these metrics, into a file. *Shown*:
the table as CSV, and the report. Memory is the peak of the process, beside what the imports took.
"""

import argparse
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from llamaindex_rag_eval import SingleTurnSample, evaluate
from llamaindex_rag_eval.cli.inputs import names_in
from llamaindex_rag_eval.metrics.registry import DEFAULT_METRICS
from llamaindex_rag_eval.report import write_html
from llamaindex_rag_eval.runs.run import Run
from llamaindex_rag_eval.stats import inference  # noqa: F401 - imported before memory is counted
from tests.benchmarks.judge_speed import texts

SEED = 0
DOCUMENTS = 500
SEEDS = 200
"""Samples that are scored to make the run that is opened; the others repeat them."""


def samples(count: int, *, claims: int, contexts: int, words: int) -> list[SingleTurnSample]:
    """Return samples about so many documents, each with texts of its own."""
    drawn = texts(random.Random(SEED), count, claims=claims, contexts=contexts, words=words)
    return [
        SingleTurnSample(
            id=f"q{number}",
            query=f"What is known of number {number}?",
            response=" ".join(each.claims),
            contexts=each.contexts,
            reference=each.claims[0],
            context_ids=tuple(f"d{number % DOCUMENTS}-{k}" for k in range(contexts)),
            reference_context_ids=(f"d{number % DOCUMENTS}-0",),
        )
        for number, each in enumerate(drawn)
    ]


def write_run(path: Path, count: int) -> None:
    """Write a run of so many samples: a small one, whose samples come again under other ids."""
    evaluate(samples(SEEDS, claims=3, contexts=5, words=120), out=path, workers=1)
    head, *lines = path.read_text().splitlines()
    parts = (lines[:SEEDS], lines[SEEDS:])

    def repeated() -> Iterator[str]:
        yield head
        for part in parts:
            for number in range(count // SEEDS):
                for line in part:
                    yield line.replace('id": "q', f'id": "{number}q', 1)

    path.write_text("\n".join(repeated()) + "\n")
    evaluated_again(path)  # its head then tells of all samples


@dataclass(frozen=True)
class Sizes:
    """What is scored: how many samples, by how many workers, on which metrics."""

    count: int
    workers: int
    metrics: str


def opened(path: Path, _: Sizes) -> None:
    """Read a run and its summary."""
    print(Run.read(path))


def evaluated_again(path: Path, _: Sizes | None = None) -> None:
    """Evaluate a run whose results are all there."""
    evaluate(Run.read(path).samples, metrics=DEFAULT_METRICS, out=path)


def scored(path: Path, sizes: Sizes) -> None:
    """Score samples into a file."""
    given = samples(sizes.count, claims=1, contexts=1, words=40)
    print(f"samples made, {peak():.0f} MB", flush=True)
    evaluate(given, metrics=names_in(sizes.metrics), out=path, workers=sizes.workers)


def shown(path: Path, _: Sizes) -> None:
    """Write the table and the report of a run."""
    run = Run.read(path)
    run.to_csv(path.with_suffix(".csv"))
    report = write_html(run, path.with_suffix(".html"))
    print(f"report of {report.stat().st_size / 1e6:.1f} MB", flush=True)


STEPS: Mapping[str, Callable[[Path, Sizes], None]] = {
    "opened": opened,
    "evaluated-again": evaluated_again,
    "scored": scored,
    "shown": shown,
}


def peak() -> float:
    """Return the most memory that the process has held, in MB; on Linux only.

    `getrusage` would count what the parent held when it started this process.
    """
    lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM")) / 1024


def measure(step: str, path: Path, sizes: Sizes) -> None:
    """Print time and memory of a step, in this process."""
    before, wall, used = peak(), time.perf_counter(), time.process_time()
    STEPS[step](path, sizes)
    wall, used = time.perf_counter() - wall, time.process_time() - used
    print(
        f"{step} ({path.stat().st_size / 1e6:.0f} MB): {wall:.2f} s, {used:.2f} s CPU here, "
        f"peak {peak():.0f} MB, {before:.0f} MB of it imports",
        flush=True,
    )


def main() -> None:
    """Make the runs, and measure each step in a process of its own."""
    parser = argparse.ArgumentParser(description="Time and memory of large runs.")
    parser.add_argument("--opened", type=int, default=10_000, help="samples of the run opened")
    parser.add_argument("--scored", type=int, default=100_000, help="samples that are scored")
    parser.add_argument("--workers", type=int, default=2, help="processes that score")
    parser.add_argument("--metrics", default="faithfulness,hit_rate@5,mrr", help="of the scores")
    parser.add_argument("--step", choices=STEPS, help=argparse.SUPPRESS)
    parser.add_argument("--path", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.step:
        sizes = Sizes(options.scored, options.workers, options.metrics)
        measure(options.step, options.path, sizes)
        return
    with tempfile.TemporaryDirectory() as folder:
        finished, large = Path(folder) / "finished.jsonl", Path(folder) / "large.jsonl"
        write_run(finished, options.opened)
        for step, path in (
            ("opened", finished),
            ("evaluated-again", finished),
            ("shown", finished),
            ("scored", large),
            ("opened", large),
            ("shown", large),
        ):
            command = [sys.executable, "-m", "tests.benchmarks.large_runs", *sys.argv[1:]]
            subprocess.run([*command, "--step", step, "--path", str(path)], check=True)


if __name__ == "__main__":
    main()
