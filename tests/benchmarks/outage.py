"""What an outage costs: results lost, calls paid twice, and time over the outage and a clean run.

    python -m tests.benchmarks.outage            # 10, 20 and 30 s, about three minutes
    python -m tests.benchmarks.outage --long     # 300 s, too
    python -m tests.benchmarks.outage --samples 100 --outages 3
    python -m tests.benchmarks.outage --absent   # what is said where there is no server at all

The server is ended in the middle of a run, and another is started in its place: connections are
lost, and then refused.
"""

import argparse
import threading
import time
from dataclasses import dataclass

from llama_index.llms.openai import OpenAI

from llamaindex_rag_eval import CachedOracle, Judge, Limit, LLMOracle, evaluate
from llamaindex_rag_eval.errors import EndpointError
from tests.benchmarks.suite_cost import EIGHT, made_samples
from tests.server import LoopbackServer

RESPONDERS = "tests.models.responders:RESPONDERS"
MIDDLE = 0.4
"""Share of a clean run after which the server goes away."""


@dataclass
class Measured:
    """A run: its seconds, the results it lost, and the calls that the servers answered."""

    seconds: float
    lost: int
    answered: int


def measured(samples: int, latency: float, *, outage: float = 0.0, begins: float = 0.0) -> Measured:
    """Return what a run comes to, during which the server is away."""
    with LoopbackServer(latency=latency, responders=RESPONDERS) as server:
        first, port = server.url, server.port
        llm = OpenAI(model="gpt-4o-mini", api_base=first, api_key="sk-benchmark-0000000000")
        judge = Judge(CachedOracle(LLMOracle(llm, limit=Limit(64))))
        answered: list[int] = []
        other = LoopbackServer(latency=latency, responders=RESPONDERS, port=port)

        def interrupt() -> None:
            time.sleep(begins)
            answered.append(server.stats().answered)
            server.__exit__(None, None, None)
            time.sleep(outage)
            other.__enter__()

        thread = threading.Thread(target=interrupt)
        if outage:
            thread.start()
        started = time.perf_counter()
        run = evaluate(made_samples(samples), metrics=EIGHT, judge=judge)
        seconds = time.perf_counter() - started
        if outage:
            thread.join()
        answered.append((other if outage else server).stats().answered)
        if outage:
            other.__exit__(None, None, None)
    wanted = samples * len(EIGHT)
    scored = sum(row.status != "failed" for row in run.rows)
    return Measured(seconds, wanted - scored, sum(answered))


def absent(samples: int) -> None:
    """Print how soon a run over a server that is not there ends, and why it says it does."""
    with LoopbackServer() as server:
        refused = server.url
    for url in (refused, "http://no-such-host.invalid/v1"):
        llm = OpenAI(model="gpt-4o-mini", api_base=url, api_key="sk-benchmark-0000000000")
        started = time.perf_counter()
        try:
            evaluate(made_samples(samples), metrics=EIGHT, judge=Judge(LLMOracle(llm)))
        except EndpointError as error:
            print(f"{time.perf_counter() - started:5.1f} s for {samples} samples: {error}")


def main() -> None:
    """Print what outages cost."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--samples", type=int, default=400)
    options.add_argument("--latency", type=float, default=0.2)
    options.add_argument("--outages", type=float, nargs="*", default=[10, 20, 30])
    options.add_argument("--long", action="store_true", help="an outage of 300 s, too")
    options.add_argument("--absent", action="store_true", help="no server at all")
    given = options.parse_args()
    if given.absent:
        absent(given.samples)
        return
    clean = measured(given.samples, given.latency)
    print(f"{given.samples} samples x {len(EIGHT)} metrics, {clean.answered} calls")
    print("outage s      lost  paid twice   wall s  over outage and clean run")
    print(f"{0:8} {clean.lost:9} {0:11} {clean.seconds:8.1f}")
    for outage in [*given.outages, *([300.0] if given.long else [])]:
        begins = MIDDLE * clean.seconds
        run = measured(given.samples, given.latency, outage=outage, begins=begins)
        over = run.seconds / (outage + clean.seconds) - 1
        twice = run.answered - clean.answered
        print(f"{outage:8.0f} {run.lost:9} {twice:11} {run.seconds:8.1f} {over:+.1%}")


if __name__ == "__main__":
    main()
