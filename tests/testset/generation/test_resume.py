"""A generation that is killed is run again over its replies: nothing is paid for twice."""

import json
import sys

import pytest

from llamaindex_rag_eval.errors import DatasetError
from tests import prepared
from tests.models.asking import oracle_at
from tests.server import LoopbackServer
from tests.testset.corpora import documents
from tests.testset.killing import IN_FLIGHT
from testset import generate

FAULTLESS = "tests.server.writer_responders:FAULTLESS"
SEEDS = range(3)


def test_an_interrupted_run_of_version_0_1_is_refused_with_what_to_do(tmp_path):
    journal = tmp_path / "journal"
    journal.write_text('{"run":"a"}\n{"key":"b","reply":{}}\n')
    with pytest.raises(DatasetError, match=r"version 0\.1.*delete it, or name another file"):
        generate(documents(8), size=2, journal=journal)


def test_rules_leave_nothing_behind_to_go_on_from(tmp_path):
    journal = tmp_path / "journal"
    generate(documents(8), size=2, journal=journal)
    assert not journal.exists()


def test_another_model_is_asked_anew_over_the_replies_of_the_first(tmp_path):
    journal = tmp_path / "journal"
    with LoopbackServer(responders=FAULTLESS) as server:
        generate(documents(8), size=2, judge=oracle_at(server), journal=journal)
        first = server.stats().calls
        generate(documents(8), size=2, judge=oracle_at(server, "tool"), journal=journal)
        assert server.stats().calls == 2 * first
        golden = generate(documents(8), size=2, judge=oracle_at(server), journal=journal)
        assert server.stats().calls == 2 * first
    assert golden.facts["model calls"] == str(2 * first)


def test_killed_runs_send_no_stored_request_again_and_end_in_the_same_bytes(tmp_path):
    with LoopbackServer(responders="tests.server.writer_responders:RESPONDERS") as server:
        command = [sys.executable, "-m", "tests.testset.killing", server.url, tmp_path, *SEEDS]
        done = prepared.run(command, check=True)
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
        # Only calls in flight at the kill, paid for but not yet kept, can be answered twice.
        assert row["again"] <= row["calls_before"] - row["kept"], row
