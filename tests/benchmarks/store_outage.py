"""PostgreSQL is stopped in the middle of a run: what is lost, and what is paid twice.

    python -m tests.benchmarks.store_outage [--samples 60] [--seconds 0.5 10]

Eight metrics at 64 calls in flight over a real PostgreSQL. Afterwards the same is evaluated again
over its store: what it asks was not kept.
"""

import argparse
import threading
import time

from llamaindex_rag_eval import Store, evaluate
from tests.benchmarks.suite_cost import EIGHT, LATENCY, RESPONDERS, judge_at, made_samples
from tests.postgres import Cluster
from tests.server import LoopbackServer

AT = 64


def main() -> None:
    """Print a line for each outage."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--samples", type=int, default=60)
    parser.add_argument("--seconds", type=float, nargs="*", default=[0.0, 0.5, 10.0])
    given = parser.parse_args()
    samples = made_samples(given.samples)
    print("away s  wall s  results  failed  calls  paid twice  not kept")
    with LoopbackServer(latency=LATENCY, responders=RESPONDERS) as server, Cluster() as cluster:
        for seconds in given.seconds:
            server.reset()
            store = Store(cluster.url)
            store.clear()
            outage = threading.Thread(target=_interrupt, args=(server, cluster, seconds))
            wall = time.perf_counter()
            outage.start()
            run = evaluate(samples, metrics=EIGHT, judge=judge_at(server.url, AT, store))
            wall = time.perf_counter() - wall
            outage.join()
            store.close()
            tally = server.stats()
            again = Store(cluster.url)
            evaluate(samples, metrics=EIGHT, judge=judge_at(server.url, AT, again))
            again.close()
            failed = sum(row.status == "failed" for row in run.rows)
            print(
                f"{seconds:6} {wall:7.1f} {len(run.rows):8} {failed:7} {tally.calls:6} "
                f"{tally.answered_again:11} {server.stats().calls - tally.calls:9}",
                flush=True,
            )


def _interrupt(server: LoopbackServer, cluster: Cluster, seconds: float) -> None:
    """Stop PostgreSQL for a while when some calls were answered."""
    if not seconds:
        return
    while server.stats().answered < 2 * AT:
        time.sleep(0.02)
    cluster.stop()
    time.sleep(seconds)
    cluster.start()


if __name__ == "__main__":
    main()
