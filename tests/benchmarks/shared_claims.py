"""Processes that are started together and ask the same: how many calls they make in all.

    python -m tests.benchmarks.shared_claims [--samples 40] [--processes 2 6]

Each evaluates the same samples on eight metrics over one store, in a file of SQLite and in
PostgreSQL. The ratio is calls of all over the calls of one alone.
"""

import argparse
import subprocess
import sys
import time

from llamaindex_rag_eval import Store, evaluate
from tests.benchmarks.store_delay import stores
from tests.benchmarks.suite_cost import EIGHT, LATENCY, RESPONDERS, judge_at, made_samples
from tests.server import LoopbackServer


def evaluate_alike(url: str, place: str, samples: int) -> None:
    """Evaluate when told to; one of several processes."""
    store = Store(place)
    judge = judge_at(url, 16, store)
    print("ready", flush=True)
    sys.stdin.readline()
    run = evaluate(made_samples(samples), metrics=EIGHT, judge=judge)
    store.close()
    assert not any(row.status == "failed" for row in run.rows)


def main() -> None:
    """Print a line for each store and number of processes."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--samples", type=int, default=40)
    parser.add_argument("--processes", type=int, nargs="*", default=[1, 2, 6])
    parser.add_argument("--child", nargs=2, metavar=("URL", "STORE"))
    given = parser.parse_args()
    if given.child:
        url, place = given.child
        evaluate_alike(url, place, given.samples)
        return
    print("store            processes  calls  / one process  paid twice   wall s")
    with LoopbackServer(latency=LATENCY, responders=RESPONDERS) as server, stores((0.0,)) as places:
        for name, place in places.items():
            for count in given.processes if place else ():
                store = Store(str(place))
                store.clear()
                store.close()
                server.reset()
                wall = _together(count, server.url, str(place), given.samples)
                tally = server.stats()
                ratio = tally.calls / (9 * given.samples)
                print(
                    f"{name:16} {count:9} {tally.calls:6} {ratio:14.3f} "
                    f"{tally.answered_again:11} {wall:8.1f}",
                    flush=True,
                )


def _together(count: int, url: str, place: str, samples: int) -> float:
    """Start processes, let them go at once, and return the seconds until the last has ended."""
    command = [sys.executable, "-m", "tests.benchmarks.shared_claims", "--child", url, place]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    processes = [
        subprocess.Popen([*command, "--samples", str(samples)], **pipes)  # type: ignore[call-overload]
        for _ in range(count)
    ]
    for process in processes:
        process.stdout.readline()
    started = time.perf_counter()
    for process in processes:
        process.stdin.write("go\n")
        process.stdin.flush()
    for process in processes:
        process.communicate()
        assert process.returncode == 0
    return time.perf_counter() - started


if __name__ == "__main__":
    main()
