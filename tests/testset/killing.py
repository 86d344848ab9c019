"""Generations that are killed and resumed, each in a process forked from this one.

    python -m tests.testset.killing URL FOLDER SEED...

Prints a line of JSON a seed. Forking saves the imports, which take longer than a run.
"""

import asyncio
import json
import os
import signal
import sqlite3
import sys
import time
import warnings
from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path
from random import Random
from typing import Any

from llama_index.llms.openai import OpenAI
from openai import DefaultAioHttpClient

from llamaindex_rag_eval.models import Limit, LLMOracle
from tests.testset.corpora import documents
from testset import aestimate, generate

SIZE = 8

IN_FLIGHT = 4
"""Calls to the server at a time."""


def oracle_at(url: str) -> LLMOracle:
    """Return an oracle over the real client."""
    llm = OpenAI(model="gpt-4o-mini", api_base=url, api_key="sk-test-0123456789abcdefghij")
    return LLMOracle(llm, limit=Limit(IN_FLIGHT))


def run(url: str, journal: Path, out: Path, seed: int) -> int:
    """Start a generation in a process of its own; return its id."""
    child = os.fork()
    if child:
        return child
    try:
        oracle = oracle_at(url)
        golden = generate(DOCUMENTS, size=SIZE, seed=seed, judge=oracle, journal=journal)
        golden.write(out)
        os._exit(0)
    finally:
        os._exit(1)


def killed_at(child: int, journal: Path, size: int) -> bool:
    """Kill a process once its account has reached a size; return whether it was still running."""
    account = account_of(journal)
    while True:
        done, _ = os.waitpid(child, os.WNOHANG)
        if done:
            return False
        if account.exists() and account.stat().st_size >= size:
            os.kill(child, signal.SIGKILL)
            _, status = os.waitpid(child, 0)
            return os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL
        time.sleep(0.0005)


def account_of(journal: Path) -> Path:
    """Return the account beside a journal."""
    return journal.with_name(f"{journal.name}.account")


def stored_replies(journal: Path) -> int:
    """Return how many replies a journal holds."""
    with closing(sqlite3.connect(journal)) as connection:
        return int(connection.execute("SELECT COUNT(*) FROM replies").fetchone()[0])


def accounted(journal: Path) -> int:
    """Return how many calls a journal accounts for."""
    return int(json.loads(account_of(journal).read_text().splitlines()[-1])["calls"])


def asked_of(port: int, method: str, path: str) -> Any:
    """Return what the server says of itself."""
    connection = HTTPConnection("127.0.0.1", port, timeout=300)
    try:
        connection.request(method, path)
        return json.loads(connection.getresponse().read())
    finally:
        connection.close()


def tried(url: str, folder: Path, seed: int) -> dict[str, object]:
    """Run once through, then killed and resumed; return what both came to."""
    port = int(url.split(":")[2].split("/")[0])
    whole, out = folder / f"{seed}-whole.jsonl", folder / f"{seed}.jsonl"
    first, journal = folder / f"{seed}-whole.journal", folder / f"{seed}.journal"
    asked_of(port, "POST", "/reset")
    _, status = os.waitpid(run(url, first, whole, seed), 0)
    alone = asked_of(port, "GET", "/stats")
    asked_of(port, "POST", "/reset")
    at = int(account_of(first).stat().st_size * Random(seed).uniform(0.2, 0.85))
    landed = killed_at(run(url, journal, out, seed), journal, at)
    kept, existed = stored_replies(journal), out.exists()
    while (stats := asked_of(port, "GET", "/stats"))["in_flight"]:
        time.sleep(0.005)
    _, resumed = os.waitpid(run(url, journal, out, seed), 0)
    after = asked_of(port, "GET", "/stats")
    return {
        "seed": seed,
        "statuses": [status, resumed],
        "landed": landed and not existed,
        "calls": alone["calls"],
        "calls_before": stats["calls"],
        "calls_after": after["calls"] - stats["calls"],
        "kept": kept,
        "accounted": accounted(journal),
        "again": after["answered_again"],
        "equal": whole.read_bytes() == out.read_bytes(),
        "items": out.read_bytes().count(b"\n"),
    }


DOCUMENTS = documents(16)

if __name__ == "__main__":
    warnings.simplefilter("ignore")
    address, place, *seeds = sys.argv[1:]
    # What a run loads when it first needs it is loaded before the forks.
    asyncio.run(aestimate(DOCUMENTS, size=SIZE, judge=oracle_at(address)))
    asyncio.run(DefaultAioHttpClient().aclose())
    for entry in seeds:
        print(json.dumps(tried(address, Path(place), int(entry))), flush=True)
