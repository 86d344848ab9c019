"""How long `rag-eval ui` takes to open with many runs.

    python -m tests.benchmarks.ui_load [--runs 200] [--questions 500]

The runs have eight metrics and five contexts of 120 words, and are stored as `evaluate --keep`
stores them. *Cold* is the first request of a new process's server, *warm* the median of five more.
Chromium's time is from the request to the end of loading, if it is there.
"""

import argparse
import random
import statistics
import tempfile
import time
from datetime import datetime, timedelta, timezone
from pathlib import Path

import httpx

from llamaindex_rag_eval.metrics.result import Result
from llamaindex_rag_eval.runs.provenance import MetricInfo, Provenance
from llamaindex_rag_eval.runs.run import Run
from llamaindex_rag_eval.runs.store.run_store import RunStore
from llamaindex_rag_eval.ui.history import History
from tests.benchmarks.large_runs import samples
from tests.browser.chromium import chromium
from tests.browser.serving import served_ui

METRICS = (
    "faithfulness",
    "context_recall",
    "context_precision",
    "answer_correctness",
    "response_relevance",
    "hit_rate@5",
    "mrr",
    "ndcg@10",
)
WARM = 5


def store_runs(store: RunStore, runs: int, questions: int) -> None:
    """Store so many runs with random scores, a day apart."""
    asked, rng = samples(questions, claims=3, contexts=5, words=120), random.Random(0)
    for day in range(runs):
        started = datetime(2025, 1, 1, tzinfo=timezone.utc) + timedelta(days=day)
        run = Run(
            samples=asked,
            results=[
                Result(metric=spec, sample_id=one.id, score=round(rng.random(), 4), feedback="")
                for one in asked
                for spec in METRICS
            ],
            provenance=Provenance(
                started=started.isoformat(), metrics=tuple(MetricInfo(spec=s) for s in METRICS)
            ),
            name=("main", "branch")[day % 4 == 3],
        )
        store.add(run)


def main() -> None:
    """Print the time of each page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=200)
    parser.add_argument("--questions", type=int, default=500)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as made:
        store = RunStore(Path(made) / "runs.db")
        start = time.perf_counter()
        store_runs(store, given.runs, given.questions)
        each = (time.perf_counter() - start) / given.runs
        size = Path(made, "runs.db").stat().st_size / 1e6
        print(
            f"{given.runs} runs of {given.questions} questions, {size:.0f} MB; "
            f"making and storing one took {each:.2f} s"
        )
        history = History(RunStore(Path(made) / "runs.db"))
        first, last = history.runs()[0].id, history.runs()[-1].id
        with served_ui(history) as address:
            for page, place in {
                "all runs": "",
                "one question": "question?id=q7",
                "one run": f"run?id={last}",
                "two runs": f"compare?a={first}&b={last}",
            }.items():
                times = []
                for _ in range(1 + WARM):
                    start = time.perf_counter()
                    size = len(httpx.get(address + place, timeout=300).raise_for_status().content)
                    times.append(time.perf_counter() - start)
                warm = statistics.median(times[1:])
                print(f"{page:13}  cold {times[0]:.2f} s, warm {warm:.2f} s, {size / 1e6:.1f} MB")
            browser = chromium(Path(made) / "chromium")
            try:
                browser.get(address)
                taken = "const [t] = performance.getEntriesByType('navigation'); return t.duration"
                print(f"all runs in Chromium: {browser.execute_script(taken) / 1000:.2f} s")
            finally:
                browser.quit()


if __name__ == "__main__":
    main()
