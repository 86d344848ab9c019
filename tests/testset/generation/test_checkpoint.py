"""A generation that is killed goes on where it stopped: nothing is decided or paid for twice."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from llamaindex_rag_eval.errors import DatasetError
from tests.models.asking import oracle_at
from tests.server import LoopbackServer
from tests.testset.corpora import documents
from tests.testset.killing import IN_FLIGHT
from testset import generate
from testset.generation.checkpoint import Checkpoint

DOCS = Path(__file__).parents[3] / "examples" / "docs" / "company"
FAULTLESS = "tests.server.writer_responders:FAULTLESS"
SEEDS = range(8)
SCRIPT = """
import sys
from pathlib import Path
from testset import generate
golden = generate(sys.argv[1], size=20, seed=1, journal=Path(sys.argv[2]))
golden.write(sys.argv[3])
"""


def test_the_journal_of_another_run_is_refused_unless_it_holds_no_decision(tmp_path):
    path = tmp_path / "journal"
    for run in ("with a fault in its settings", "mended"):
        with Checkpoint(path, run=run) as checkpoint:
            pass
    assert path.read_text() == '{"run":"mended"}\n'
    with Checkpoint(path, run="mended") as checkpoint:
        checkpoint.put("a", {"b": 1})
    with pytest.raises(DatasetError, match="another run"), Checkpoint(path, run="other"):
        pass


def test_a_line_cut_short_is_dropped_and_decided_again(tmp_path):
    journal = tmp_path / "journal.jsonl"
    whole = generate(DOCS, size=10, journal=journal).items
    journal.write_bytes(journal.read_bytes()[:-25])
    assert generate(DOCS, size=10, journal=journal).items == whole


def test_a_run_of_the_rules_that_is_killed_resumes_to_the_same_bytes(tmp_path):
    whole = generate(DOCS, size=20, seed=1).write(tmp_path / "whole.jsonl").read_bytes()
    journal, out = tmp_path / "journal.jsonl", tmp_path / "golden.jsonl"
    command = [sys.executable, "-c", SCRIPT, str(DOCS), str(journal), str(out)]
    process = subprocess.Popen(command)
    while process.poll() is None:
        if journal.exists() and journal.stat().st_size > 4000:
            os.kill(process.pid, signal.SIGKILL)
            break
        time.sleep(0.002)
    process.wait()
    decided = journal.read_bytes()
    subprocess.run(command, check=True)
    assert out.read_bytes() == whole
    kept = decided[: decided.rfind(b"\n") + 1]
    assert journal.read_bytes().startswith(kept)


def test_the_journal_of_another_model_is_refused(tmp_path):
    journal = tmp_path / "journal"
    with LoopbackServer(responders=FAULTLESS) as server:
        generate(documents(8), size=2, judge=oracle_at(server), journal=journal)
        with pytest.raises(DatasetError, match="another run"):
            generate(documents(8), size=2, judge=oracle_at(server, "tool"), journal=journal)


def test_killed_runs_send_no_answered_request_again_and_end_in_the_same_bytes(tmp_path):
    with LoopbackServer(responders="tests.server.writer_responders:RESPONDERS") as server:
        command = [sys.executable, "-m", "tests.testset.killing", server.url, str(tmp_path)]
        done = subprocess.run([*command, *map(str, SEEDS)], check=True, capture_output=True)
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert [row["seed"] for row in rows] == list(SEEDS)
    for row in rows:
        assert row["statuses"] == [0, 0], row
        assert row["landed"], row
        assert row["equal"], row
        assert row["items"] == 8, row
        assert 0 < row["kept"] < row["calls"], row
        # What was kept is not asked again; what is asked is exactly what was not kept.
        assert row["calls_after"] == row["calls"] - row["kept"], row
        # What is not in the account was in flight at the kill: sent, and read by nobody.
        calls = row["calls_before"] + row["calls_after"]
        assert calls - IN_FLIGHT <= row["accounted"] <= calls, row
        # Those are in the journal, too, as sent: what was paid is never more than the account says.
        assert calls <= row["at_most"] <= row["accounted"] + IN_FLIGHT, row
        # Only calls in flight at the kill, paid for but not yet kept, can be answered twice.
        assert row["again"] <= row["calls_before"] - row["kept"], row
