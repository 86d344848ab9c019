"""Work in a child that is killed at random moments, again and again until one gets through.

    python -m tests.runs.killed_runs URL FOLDER SEED [uncached | batch | generate]

Evaluates; with `uncached` keeping no replies; with `batch` by batch files that are sent and
fetched; with `generate` writes a golden set by batch files. Online each reply that a child has read
is noted in `FOLDER/read.txt`, and a child is killed once it has read one. Prints how many children
were killed. The parent has imported everything, so that a child is quick to start.
"""

import os
import random
import signal
import sys
import time
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from llama_index.core.base.llms.types import ChatResponse
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
from tests import prepared
from tests.benchmarks.suite_cost import EIGHT, made_samples
from tests.testset.corpora import documents
from testset import generate

SAMPLES = 8

IN_FLIGHT = 4
"""Calls to the server at a time."""

KILLS = 4
"""At the most; the child after the last one is left alone."""


class NotingLLM(OpenAI):
    """Notes the tokens of each reply that this process has read, one line each."""

    notes: Path

    async def achat(self, *arguments: Any, **options: Any) -> ChatResponse:
        """Ask, and note before anybody else sees the reply."""
        response = await super().achat(*arguments, **options)
        counts = response.additional_kwargs
        with self.notes.open("ab", buffering=0) as file:
            line = f"{counts['prompt_tokens']} {counts['completion_tokens']}\n"
            file.write(line.encode())
        return response


def evaluate_into(url: str, folder: Path, *, cached: bool = True) -> None:
    """Evaluate once, over the run's file and (if `cached`) the replies that are kept beside it."""
    llm = NotingLLM(
        model="gpt-4o-mini",
        api_base=url,
        api_key="sk-killed-0000000000",
        notes=folder / "read.txt",
    )
    oracle = LLMOracle(llm, limit=Limit(IN_FLIGHT))
    judge, out = Judge(CachedOracle(oracle)), folder / "run.jsonl"
    evaluate(made_samples(SAMPLES), metrics=EIGHT, judge=judge, out=out, cache=cached)


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


WAYS: Mapping[str, Callable[[str, Path], None]] = {
    "uncached": partial(evaluate_into, cached=False),
    "batch": evaluate_in_batches,
    "generate": generate_in_batches,
}


def main() -> None:
    """Fork, kill, and fork again."""
    url, folder, seed = sys.argv[1], Path(sys.argv[2]), int(sys.argv[3])
    one_run = WAYS[sys.argv[4]] if len(sys.argv) > 4 else evaluate_into
    in_files = one_run in (evaluate_in_batches, generate_in_batches)
    draw = random.Random(seed)
    kills = 0
    while True:
        child = os.fork()
        if child == 0:
            one_run(url, folder)
            os._exit(0)
        left = draw.uniform(0.05, 0.6)
        before = _size(folder / "read.txt")
        while kills < KILLS and left > 0:
            if os.waitpid(child, os.WNOHANG)[0]:
                print(kills)
                return
            time.sleep(0.005)
            if in_files or _size(folder / "read.txt") > before:  # it works by now
                left -= 0.005
        if kills == KILLS:
            os.waitpid(child, 0)
            print(kills)
            return
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        kills += 1


def kills_of(*arguments: object) -> int:
    """Run this module in a process of its own, and return how many children were killed."""
    command = [sys.executable, "-m", __name__, *arguments]
    return int(prepared.run(command, check=True).stdout)


def _size(file: Path) -> int:
    return file.stat().st_size if file.exists() else 0


if __name__ == "__main__":
    main()
