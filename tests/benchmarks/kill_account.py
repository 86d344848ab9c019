"""Evaluations by a model that are killed and made again: is every call accounted for?

    python -m tests.benchmarks.kill_account [--points 5] [--samples 45]

The model is scripted, at a server on this machine. After `kill -9` at a point that a seed draws the
same command is run again. The server's count must lie between the account's calls and those with
what was in flight, and no more may be answered twice than was in flight at the kill, but for
replies of the last milliseconds. `in the file`
is the share of the stored replies that the cache file holds alone, without its `-wal`, at the kill.
Exits with 1 if a point fails.
"""

import argparse
import json
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from tests.benchmarks.suite_cost import made_samples
from tests.prepared import Process
from tests.server import LoopbackServer

RESPONDERS = "tests.server.judge_responders:RESPONDERS"
METRICS = "faithfulness,answer_relevancy,context_precision,context_recall,answer_correctness"
CALLS_A_SAMPLE = 5

LAST = 16
"""Replies of the last milliseconds before a kill: they are in the account, and in no store yet."""


class Killed(NamedTuple):
    """What a killed and resumed evaluation came to.

    Attributes:
        calls: That the server has counted.
        accounted: Calls of the account.
        again: Requests that were sent again after the kill.
        at_once: Calls that may have been in flight at the kill.
        stored: Replies in the cache at the kill.
        in_file: Those of them in the file alone.
    """

    calls: int
    accounted: int
    again: int
    at_once: int
    stored: int
    in_file: int

    @property
    def holds(self) -> bool:
        """Whether what was answered is in the account, and none was paid twice without need."""
        most = self.at_once + LAST
        return self.accounted <= self.calls <= self.accounted + most and self.again <= most


def evaluation_of(
    server: LoopbackServer, folder: Path, samples: int, concurrency: int = 64
) -> tuple[list[str], dict[str, str]]:
    """Return a command that evaluates over a cache in a folder, and its environment."""
    answers = folder / "answers.jsonl"
    lines = (sample.model_dump_json(exclude_unset=True) for sample in made_samples(samples))
    answers.write_text("".join(f"{line}\n" for line in lines))
    command = [sys.executable, "-m", "llamaindex_rag_eval", "evaluate", str(answers), "--quiet"]
    command += ["--metrics", METRICS, "--out", str(folder / "scores.csv"), "--workers", "1"]
    command += ["--cache", str(folder / "replies.db"), "--concurrency", str(concurrency)]
    command += ["--llm", "openai:gpt-4o-mini", f"--call=base-url={server.url}"]
    return command, {**os.environ, "OPENAI_API_KEY": "sk-killed-0000000000"}


def killed_and_resumed(
    server: LoopbackServer, folder: Path, samples: int, share: float, concurrency: int = 64
) -> Killed:
    """Evaluate, kill at a share of the calls, evaluate again."""
    cache, out = folder / "replies.db", folder / "scores.jsonl"
    command, environ = evaluation_of(server, folder, samples, concurrency)
    with Process(command, env=environ, stdout=subprocess.DEVNULL) as child:
        while server.stats().calls < share * samples * CALLS_A_SAMPLE:
            if child.poll() is not None:
                raise ChildProcessError("it ended before the kill")
            time.sleep(0.002)
        child.kill()
    shutil.copy(cache, folder / "copy.db")
    in_file, stored = replies_in(folder / "copy.db"), replies_in(cache)
    while server.stats().in_flight:
        time.sleep(0.01)
    with Process(command, env=environ, stdout=subprocess.DEVNULL) as child:
        if child.wait():
            raise ChildProcessError("it did not end well")
    tally = server.stats()
    with out.open(encoding="utf-8") as lines:
        usage: dict[str, Any] = json.loads(next(lines))["run"]["usage"]
    again = tally.calls - tally.distinct_bodies
    return Killed(tally.calls, usage["calls"], again, concurrency, stored, in_file)


def replies_in(file: Path) -> int:
    """Return how many replies a cache holds, opened without changing it."""
    with closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True)) as connection:
        try:
            return int(connection.execute("SELECT COUNT(*) FROM replies").fetchone()[0])
        except sqlite3.OperationalError:  # it has no table yet
            return 0


def main() -> int:
    """Print a line for each point; return 1 if one of them fails."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--points", type=int, default=5)
    parser.add_argument("--samples", type=int, default=80)
    options = parser.parse_args()
    print("point   calls   account   at once   again   stored   in the file   holds")
    good = 0
    for seed in range(options.points):
        share = Random(seed).uniform(0.1, 0.9)
        with (
            LoopbackServer(responders=RESPONDERS, latency=0.2) as server,
            tempfile.TemporaryDirectory() as folder,
        ):
            row = killed_and_resumed(server, Path(folder), options.samples, share)
        good += row.holds
        print(
            f"{seed:5} {row.calls:7} {row.accounted:9} {row.at_once:9} "
            f"{row.again:7} {row.stored:8} {row.in_file:13}   {'yes' if row.holds else 'NO'}",
            flush=True,
        )
    print(f"{good} of {options.points} points account for every call that was answered")
    return 0 if good == options.points else 1


if __name__ == "__main__":
    sys.exit(main())
