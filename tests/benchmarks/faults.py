"""What faults cost: scores lost, scores changed, and time, against the faultless run.

    python -m tests.benchmarks.faults            # 1,000 samples x 8 metrics, about five minutes
    python -m tests.benchmarks.faults --samples 100

First transient faults: 5 % 429, 2 % 500, 1 % malformed, 1 % dropped, 1 % stalled, 1 % a verdict
too few. Then permanent ones: 1 % of request bodies always answered malformed, 0.5 % always 400;
there only what depends on those may fail.
"""

import argparse
import time

from llama_index.llms.openai import OpenAI

from llamaindex_rag_eval import CachedOracle, Judge, Limit, LLMOracle, Run, evaluate
from tests.benchmarks.suite_cost import EIGHT, made_samples
from tests.server import Fault, Faults, LoopbackServer

RESPONDERS = "tests.models.responders:RESPONDERS"
STALL = 3.0
TRANSIENT = Faults(
    Fault(kind="rate_limited", rate=0.05, retry_after=0.05),
    Fault(kind="server_error", rate=0.02),
    Fault(kind="malformed_json", rate=0.01),
    Fault(kind="dropped", rate=0.01),
    Fault(kind="stalled", rate=0.01, stall=STALL),
    # A list of entities that lacks one is a valid reply, a list of verdicts is not.
    Fault(kind="missing_item", rate=0.01, on=("support", "relevance")),
    seed=1,
)
PERMANENT = Faults(
    Fault(kind="malformed_json", rate=0.01, mode="permanent"),
    Fault(kind="bad_request", rate=0.005, mode="permanent"),
    seed=1,
)


def evaluated(count: int, faults: Faults | None, *, latency: float) -> tuple[Run, float, int]:
    """Return the run, the seconds it took, and the calls it made."""
    with LoopbackServer(latency=latency, responders=RESPONDERS, faults=faults) as server:
        llm = OpenAI(model="gpt-4o-mini", api_base=server.url, api_key="sk-benchmark-0000000000")
        judge = Judge(CachedOracle(LLMOracle(llm, limit=Limit(64, timeout=STALL / 2))))
        started = time.perf_counter()
        run = evaluate(made_samples(count), metrics=EIGHT, judge=judge)
        return run, time.perf_counter() - started, server.stats().calls


def compared(run: Run, clean: Run) -> tuple[int, int]:
    """Return how many results failed, and how many of the others differ from the clean run's."""
    failed = [row for row in run.rows if row.status == "failed"]
    pairs = zip(run.rows, clean.rows, strict=True)
    kept = [(row, other) for row, other in pairs if row.status != "failed"]
    changed = [row for row, other in kept if (row.status, row.score) != (other.status, other.score)]
    return len(failed), len(changed)


def main() -> None:
    """Print what each kind of fault costs."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--samples", type=int, default=1000)
    options.add_argument("--latency", type=float, default=0.2)
    given = options.parse_args()
    clean, seconds, calls = evaluated(given.samples, None, latency=given.latency)
    print(f"{given.samples} samples x {len(EIGHT)} metrics = {len(clean.rows)} results")
    print("faults       results failed  changed    calls   seconds  of the faultless run's")
    print(f"none      {len(clean.rows):10} {0:7} {0:8} {calls:8} {seconds:9.1f} {1:8.2f}")
    for name, faults in (("transient", TRANSIENT), ("permanent", PERMANENT)):
        run, took, made = evaluated(given.samples, faults, latency=given.latency)
        failed, changed = compared(run, clean)
        print(
            f"{name:9} {len(run.rows):10} {failed:7} {changed:8} {made:8} {took:9.1f} "
            f"{took / seconds:8.2f}"
        )
        reasons = {r.reason[:100] for r in run.results if r.status == "failed"}
        for reason in sorted(reasons)[:5]:
            print(f"    {reason}")


if __name__ == "__main__":
    main()
