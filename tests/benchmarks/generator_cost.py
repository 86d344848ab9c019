"""What writing a golden set costs: calls as the collection grows, and time and memory to plan.

    python -m tests.benchmarks.generator_cost            # everything, about three minutes
    python -m tests.benchmarks.generator_cost --quick    # planning at 1,000 and 3,000 alone

Calls are counted at the loopback server: 50 questions from 100 and from 10,000 chunks, which may
differ by a tenth; the estimate of `--dry-run` before them, from what 20 questions cost, is to be
within a quarter. Planning is all that comes before the first call: passages, near-duplicates,
topics, the index, and the passages of 50 questions.
"""

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from llama_index.llms.openai import OpenAI

from llamaindex_rag_eval import Limit, LLMOracle
from tests.server import LoopbackServer
from tests.testset.corpora import documents
from testset import Corpus, estimate, generate
from testset.corpus.prepared import PreparedCorpus
from testset.generation.mixes import MODEL_TYPES
from testset.generation.passages import Passages
from testset.generation.quotas import Stratum, balanced_topics, largest_remainder

SIZE = 50
PILOT = 20
LATENCY = 1.0
"""Seconds that the server takes for a reply, where calls in flight are counted."""
IN_FLIGHT = 64
CHUNKS = (100, 10_000)
PLANNED = (1_000, 3_000, 10_000)
RESPONDERS = "tests.server.writer_responders:RESPONDERS"


def calls(count: int) -> None:
    """Print what 50 questions cost; run in a process of its own."""
    corpus = documents(count)
    with LoopbackServer(responders=RESPONDERS) as server:
        llm = OpenAI(model="gpt-4o-mini", api_base=server.url, api_key="sk-benchmark-0000000000")
        with tempfile.TemporaryDirectory() as folder:
            earlier = Path(folder) / "pilot.journal"
            generate(corpus, size=PILOT, judge=LLMOracle(llm), journal=earlier)
            asked = estimate(corpus, earlier=earlier, size=SIZE, judge=LLMOracle(llm))
        expected = asked.total
        server.reset()
        started = time.perf_counter()
        golden = generate(corpus, size=SIZE, judge=LLMOracle(llm, limit=Limit(16)))
        wall = time.perf_counter() - started
        stats = server.stats()
    tokens = stats.prompt_tokens + stats.completion_tokens
    row = {"chunks": count, "items": len(golden), "calls": stats.calls, "tokens": tokens}
    row |= {"expected_calls": expected.calls, "expected_tokens": expected.tokens}
    by = {"by_name": dict(sorted(stats.by_name.items()))}
    print(json.dumps({**row, "wall": wall, "mb": _peak(), **by}))


def flight(size: int) -> None:
    """Print how many calls are in flight on average, and the time as a multiple of the ideal."""
    corpus = documents(4 * size)
    with LoopbackServer(responders=RESPONDERS, latency=LATENCY) as server:
        llm = OpenAI(model="gpt-4o-mini", api_base=server.url, api_key="sk-benchmark-0000000000")
        generate(corpus, size=1, judge=LLMOracle(llm, limit=Limit(IN_FLIGHT)))
        server.reset()
        started = time.perf_counter()
        golden = generate(corpus, size=size, judge=LLMOracle(llm, limit=Limit(IN_FLIGHT)))
        wall = time.perf_counter() - started
        stats = server.stats()
    waited = stats.calls * LATENCY
    print(
        f"{len(golden)} items, {stats.calls / len(golden):.1f} calls and "
        f"{(stats.prompt_tokens + stats.completion_tokens) / len(golden):,.0f} tokens each; "
        f"{waited / wall:.1f} of {IN_FLIGHT} calls in flight on average, "
        f"{stats.max_in_flight} at most; {wall * IN_FLIGHT / waited:.1f} times the ideal"
    )


def planning(count: int) -> None:
    """Print time and memory of planning; run in a process of its own."""
    corpus = Corpus.of(documents(count))
    started = time.perf_counter()
    prepared = PreparedCorpus.of(corpus)
    passages = Passages(prepared, seed=7)
    counts = largest_remainder(dict(MODEL_TYPES.items()), SIZE)
    types = [name for name, count in counts.items() for _ in range(count)]
    topics = balanced_topics(prepared.passages_per_topic(), types)
    taken = [passages.take(Stratum(*cell)) for cell in zip(topics, types, strict=True)]
    wall = time.perf_counter() - started
    filled = sum(map(bool, taken))
    print(
        json.dumps(
            {
                "chunks": len(prepared.index.passages),
                "passages": filled,
                "wall": wall,
                "mb": _peak(),
            }
        )
    )


def _peak() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def apart(what: str, count: int) -> dict[str, float]:
    """Return what a fresh process measures."""
    command = [sys.executable, "-m", "tests.benchmarks.generator_cost", f"--{what}", str(count)]
    done = subprocess.run(command, check=True, capture_output=True)
    found: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return found


def main() -> None:
    """Print the tables."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--quick", action="store_true")
    options.add_argument("--calls", type=int)
    options.add_argument("--planning", type=int)
    options.add_argument("--flight", type=int, help="count calls in flight for a set of this size")
    given = options.parse_args()
    if given.calls:
        return calls(given.calls)
    if given.flight:
        return flight(given.flight)
    if given.planning:
        return planning(given.planning)
    print("planning 50 questions\n  chunks   wall s   ms/chunk   peak MB")
    for count in PLANNED[:2] if given.quick else PLANNED:
        row = apart("planning", count)
        per = 1000 * row["wall"] / row["chunks"]
        print(f"{row['chunks']:8} {row['wall']:8.1f} {per:10.2f} {row['mb']:9.0f}", flush=True)
    if given.quick:
        return None
    print("\nwriting 50 questions, and the estimate before it")
    print("  chunks    items    calls  (estimate)   tokens  (estimate)   wall s   peak MB")
    rows = [apart("calls", count) for count in CHUNKS]
    for row in rows:
        print(
            f"{row['chunks']:8} {row['items']:8} {row['calls']:8} {row['expected_calls']:11} "
            f"{row['tokens']:8} {row['expected_tokens']:11} {row['wall']:8.1f} {row['mb']:9.0f}"
        )
    apart_by = abs(rows[1]["calls"] / rows[0]["calls"] - 1)
    print(f"\ncalls differ by {100 * apart_by:.1f} % (10 % at most)")
    return None


if __name__ == "__main__":
    main()
