"""Work in a child that is killed at random moments, again and again until one gets through.

    python -m tests.runs.killed_runs URL FOLDER SEED [batch | generate]

Evaluates; with `batch` by batch files that are sent and fetched; with `generate` writes a golden
set by batch files. Prints how many children were killed. The parent has imported everything, so a
child is quick to start and most kills fall into its work.
"""

import os
import random
import signal
import sys
import time
from pathlib import Path

from llama_index.llms.openai import OpenAI

from llamaindex_rag_eval import (
    BatchOracle,
    CachedOracle,
    Judge,
    Limit,
    LLMOracle,
    Store,
    evaluate,
)
from llamaindex_rag_eval.models.batch_submit import work_in_rounds
from tests.benchmarks.suite_cost import EIGHT, made_samples
from tests.testset.corpora import documents
from testset import generate

SAMPLES = 12

IN_FLIGHT = 4
"""Calls to the server at a time."""

KILLS = 20
"""At the most; the child after the last one is left alone."""


def evaluate_into(url: str, folder: Path) -> None:
    """Evaluate once, over the store and the run's file in the folder."""
    llm = OpenAI(model="gpt-4o-mini", api_base=url, api_key="sk-killed-0000000000")
    oracle = LLMOracle(llm, limit=Limit(IN_FLIGHT))
    judge = Judge(CachedOracle(oracle, Store(folder / "replies.db")))
    evaluate(made_samples(SAMPLES), metrics=EIGHT, judge=judge, out=folder / "run.jsonl")


def evaluate_in_batches(url: str, folder: Path) -> None:
    """Evaluate in rounds of batch files until all is scored."""
    llm = OpenAI(model="gpt-4o-mini", api_base=url, api_key="sk-killed-0000000000")
    oracle = BatchOracle(llm, Store(folder / "replies.db"), folder / "batch")

    def work() -> None:
        run = evaluate(made_samples(SAMPLES), metrics=EIGHT, judge=Judge(oracle))
        run.to_jsonl(folder / "run.jsonl")

    work_in_rounds(work, oracle.folder, llm, poll=0.05)


def generate_in_batches(url: str, folder: Path) -> None:
    """Write a golden set in rounds of batch files until it is complete."""
    llm = OpenAI(model="gpt-4o-mini", api_base=url, api_key="sk-killed-0000000000")
    oracle = BatchOracle(llm, Store(folder / "replies.db"), folder / "batch")

    def work() -> None:
        journal = folder / "golden.jsonl.journal"
        golden = generate(documents(12), size=8, steps=4, judge=oracle, journal=journal)
        golden.write(folder / "golden.jsonl")

    work_in_rounds(work, oracle.folder, llm, poll=0.05)


WAYS = {"batch": evaluate_in_batches, "generate": generate_in_batches}


def main() -> None:
    """Fork, kill, and fork again."""
    url, folder, seed = sys.argv[1], Path(sys.argv[2]), int(sys.argv[3])
    one_run = WAYS[sys.argv[4]] if len(sys.argv) > 4 else evaluate_into
    draw = random.Random(seed)
    kills = 0
    while True:
        child = os.fork()
        if child == 0:
            one_run(url, folder)
            os._exit(0)
        deadline = time.monotonic() + draw.uniform(0.05, 0.6)
        while kills < KILLS and time.monotonic() < deadline:
            if os.waitpid(child, os.WNOHANG)[0]:
                print(kills)
                return
            time.sleep(0.005)
        if kills == KILLS:
            os.waitpid(child, 0)
            print(kills)
            return
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        kills += 1


if __name__ == "__main__":
    main()
