"""What a store of replies costs: wall time over that of a run in memory, by the store's distance.

    python -m tests.benchmarks.store_delay [--samples 100] [--rounds 2]

Eight metrics at 64 calls in flight, against the server that answers after 200 ms. PostgreSQL is
real, on this machine, behind a proxy that makes each round trip longer by 0, 1 and 10 ms. Of each
way the quickest of some interleaved rounds counts.
"""

import argparse
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from llamaindex_rag_eval import Store, evaluate
from tests.benchmarks.suite_cost import EIGHT, LATENCY, RESPONDERS, judge_at, made_samples
from tests.delaying_proxy import delayed_port
from tests.postgres import Cluster
from tests.server import LoopbackServer

AT = 64
DELAYS = (0.0, 0.001, 0.01)


@contextmanager
def stores(delays: tuple[float, ...] = DELAYS) -> Iterator[dict[str, str | None]]:
    """Yield the address of each store by its name; `None` is memory."""
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        cluster = stack.enter_context(Cluster())
        found: dict[str, str | None] = {"memory": None, "sqlite": str(Path(folder, "replies.db"))}
        for delay in delays:
            port = stack.enter_context(delayed_port(cluster.port, delay)).port
            url = cluster.url.replace(f":{cluster.port}/", f":{port}/")
            found[f"postgres {1000 * delay:g} ms"] = url
        yield found


def main() -> None:
    """Print a line for each store."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--samples", type=int, default=100)
    parser.add_argument("--rounds", type=int, default=2)
    given = parser.parse_args()
    samples = made_samples(given.samples)
    best: dict[str, tuple[float, float]] = {}
    with LoopbackServer(latency=LATENCY, responders=RESPONDERS) as server, stores() as places:
        evaluate(made_samples(4), metrics=EIGHT, judge=judge_at(server.url, 16))  # imports
        for _ in range(given.rounds):
            for name, place in places.items():
                store = None if place is None else Store(place)
                if store is not None:
                    store.clear()
                judge = judge_at(server.url, AT, store)
                wall, cpu = time.perf_counter(), time.process_time()
                run = evaluate(samples, metrics=EIGHT, judge=judge)
                wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
                assert not any(row.status == "failed" for row in run.rows)
                best[name] = min(best.get(name, (wall, cpu)), (wall, cpu))
                if store is not None:
                    store.close()
    calls = 9 * given.samples
    print("store             wall s  / ideal  / memory  CPU ms/call")
    for name, (wall, cpu) in best.items():
        ratios = f"{wall / (calls * LATENCY / AT):7.3f} {wall / best['memory'][0]:9.3f}"
        print(f"{name:16} {wall:7.2f} {ratios} {1000 * cpu / calls:12.2f}")


if __name__ == "__main__":
    main()
