"""A generation that is killed goes on where it stopped: nothing is paid for twice."""

import json
import subprocess
import sys

from tests.server import LoopbackServer

SEEDS = range(20)


def test_killed_runs_send_no_answered_request_again_and_end_in_the_same_bytes(tmp_path):
    with LoopbackServer(responders="tests.server.writer_responders:RESPONDERS") as server:
        command = [sys.executable, "-m", "tests.testset.killing", server.url, str(tmp_path)]
        done = subprocess.run(
            [*command, *map(str, SEEDS)], check=True, capture_output=True, timeout=110
        )
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
        # Only calls in flight at the kill, paid for but not yet kept, can be answered twice.
        assert row["again"] <= row["calls_before"] - row["kept"], row
