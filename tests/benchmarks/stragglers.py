"""What a stalled call costs with second requests, and how many of these a long tail brings.

    python -m tests.benchmarks.stragglers

One call of a run stalls for a minute. Then none does, and latencies are log-normal as those of
hosted models are: the 99th of a hundred takes several times as long as the middle one.
"""

import argparse
import asyncio
import random
import time
from itertools import count

from llama_index.llms.openai import OpenAI

from llamaindex_rag_eval import CachedOracle, Judge, Limit, LLMOracle, evaluate
from tests.benchmarks.suite_cost import EIGHT, made_samples
from tests.server import Fault, Faults, LoopbackServer

RESPONDERS = "tests.models.responders:RESPONDERS"


def seconds_and_calls(
    samples: int, stall: float, *, hedge: bool, seed: int = 0
) -> tuple[float, int, int]:
    """Return how long a run takes, its calls, and how many of these stalled."""
    rate = 1.5 / (9 * samples) if stall else 0.0
    faults = Faults(Fault(kind="stalled", rate=rate, stall=stall), seed=seed)
    with LoopbackServer(latency=0.2, responders=RESPONDERS, faults=faults) as server:
        llm = OpenAI(model="gpt-4o-mini", api_base=server.url, api_key="sk-benchmark-0000000000")
        judge = Judge(CachedOracle(LLMOracle(llm, limit=Limit(64, hedge=hedge))))
        started = time.perf_counter()
        evaluate(made_samples(samples), metrics=EIGHT, judge=judge)
        seconds, tally = time.perf_counter() - started, server.stats()
        stalled = tally.calls - tally.answered
        return seconds, tally.calls, stalled


def stalling_seed(samples: int) -> int:
    """Return a seed by which one request stalls; which one, its bytes tell."""
    return next(
        seed for seed in count() if seconds_and_calls(samples, 0.01, hedge=False, seed=seed)[2] == 1
    )


async def second_requests(calls: int, sigma: float) -> float:
    """Return the share of second requests where latencies are log-normal around half a second."""
    limit, draw, made = Limit(64), random.Random(1), 0

    async def call() -> None:
        nonlocal made
        made += 1
        await asyncio.sleep(draw.lognormvariate(-0.7, sigma))

    await asyncio.gather(*(limit.call(call, kind="k") for _ in range(calls)))
    return made / calls - 1


def main() -> None:
    """Print both."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--samples", type=int, default=100)
    options.add_argument("--stall", type=float, default=60.0)
    given = options.parse_args()
    clean, usual, _ = seconds_and_calls(given.samples, 0.0, hedge=True)
    seed = stalling_seed(given.samples)
    print(
        f"{given.samples} samples: {usual} calls, {clean:.1f} s; a call stalls {given.stall:g} s:"
    )
    for hedge in (False, True):
        seconds, calls, _ = seconds_and_calls(given.samples, given.stall, hedge=hedge, seed=seed)
        name = "with second requests" if hedge else "without"
        print(f"  {name:21} {seconds:6.1f} s  {seconds / clean:5.2f} x  {calls - usual:+} calls")
    print("log-normal latencies: second requests")
    for sigma in (0.3, 0.6, 0.9):
        print(f"  sigma {sigma}: {asyncio.run(second_requests(1000, sigma)):.1%}")


if __name__ == "__main__":
    main()
