"""kill -9 at any moment, start again: what was answered is not asked again, and nothing is lost."""

import subprocess
import sys
from pathlib import Path

from llamaindex_rag_eval import Run
from tests.killed_runs import evaluated
from tests.server import LoopbackServer

RESPONDERS = "tests.server.judge_responders:RESPONDERS"


def test_killed_at_random_moments_a_run_ends_as_if_undisturbed(tmp_path: Path):
    calm, rough = tmp_path / "calm", tmp_path / "rough"
    calm.mkdir()
    rough.mkdir()
    with LoopbackServer(latency=0.05, responders=RESPONDERS) as server:
        evaluated(server.url, calm)
        undisturbed = server.stats()
        server.reset()
        done = subprocess.run(
            [sys.executable, "-m", "tests.killed_runs", server.url, str(rough), "7"],
            check=True,
            capture_output=True,
            text=True,
            cwd=Path(__file__).parents[2],
        )
        disturbed = server.stats()
    kills = int(done.stdout.split()[-1])
    assert kills >= 3
    assert disturbed.distinct_bodies == undisturbed.distinct_bodies == undisturbed.calls
    # Only a reply that was on the wire in the moment of a kill is lost: at most one of the four in
    # flight is between the server's last byte and our disk.
    assert disturbed.answered_again <= kills
    assert disturbed.answered - disturbed.answered_again == undisturbed.answered
    first, second = Run.read(calm / "run.jsonl"), Run.read(rough / "run.jsonl")
    assert [(r.sample_id, r.metric, r.status, r.score) for r in first.rows] == [
        (r.sample_id, r.metric, r.status, r.score) for r in second.rows
    ]
    assert [r.evidence for r in first.results] == [r.evidence for r in second.results]
