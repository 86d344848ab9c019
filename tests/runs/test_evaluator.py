"""Evaluation into a file: results are streamed, and a killed evaluation continues."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from llamaindex_rag_eval.errors import OutputError, ReplyError
from llamaindex_rag_eval.judge import Claims, ClaimsOf, Judge
from llamaindex_rag_eval.models import ScriptedOracle
from llamaindex_rag_eval.runs.evaluate import evaluate
from llamaindex_rag_eval.runs.run import Run
from tests.runs.evaluations import samples, script
from tests.runs.killed_runs import IN_FLIGHT, evaluate_into
from tests.server import LoopbackServer


def test_results_stream_to_the_file_and_a_second_run_asks_nothing(tmp_path: Path):
    out = tmp_path / "run.jsonl"
    first = script()
    judge = Judge(first)
    run = evaluate(samples(), metrics=["faithfulness"], judge=judge, out=out)
    asked = len(first.asked)
    again = evaluate(samples(), metrics=["faithfulness"], judge=judge, out=out)
    assert len(first.asked) == asked
    assert [r.score for r in again.results] == [r.score for r in run.results]
    assert Run.read(out).results == again.results
    assert again.results[0].contexts == ["Paris lies on the Seine."]


def test_a_killed_run_goes_on_where_it_stopped(tmp_path: Path):
    out = tmp_path / "run.jsonl"
    oracle = script()
    judge = Judge(oracle)
    evaluate(samples(4), metrics=["faithfulness"], judge=judge, out=out)
    lines = out.read_text().splitlines()
    # the head, four samples, one result, and half of the second: as kill -9 leaves it
    out.write_text("\n".join(lines[:6]) + "\n" + lines[6][:20])
    before = len(oracle.asked)
    run = evaluate(samples(4), metrics=["faithfulness"], judge=judge, out=out)
    assert len(oracle.asked) - before == 2 * 3
    assert [result.status for result in run.results] == ["scored"] * 4
    assert len(out.read_text().splitlines()) == 1 + 4 + 4


def test_failed_results_are_tried_again(tmp_path: Path):
    out = tmp_path / "run.jsonl"
    first_reply = ReplyError("no JSON", raw="hm")
    calls: Iterator[Claims | ReplyError] = iter([first_reply, *[Claims(claims=())] * 2])

    def unsure(request: ClaimsOf) -> Claims:
        reply = next(calls)
        if isinstance(reply, Exception):
            raise reply
        return reply

    judge = Judge(ScriptedOracle(by_request={ClaimsOf: unsure}))
    first = evaluate(samples(1), metrics=["faithfulness"], judge=judge, out=out)
    second = evaluate(samples(1), metrics=["faithfulness"], judge=judge, out=out)
    assert (first.results[0].status, second.results[0].status) == ("failed", "undefined")


def test_other_samples_or_another_judge_begin_anew(tmp_path: Path):
    out = tmp_path / "run.jsonl"
    one, other = script(), script()
    evaluate(samples(1), metrics=["faithfulness"], judge=one, out=out)
    evaluate(samples(1), metrics=["faithfulness"], judge=other, out=out)
    assert len(other.asked) == 2
    changed = [s.model_copy(update={"response": "Another answer."}) for s in samples(1)]
    evaluate(changed, metrics=["faithfulness"], judge=other, out=out)
    assert len(other.asked) == 4


def test_an_unwritable_file_is_an_error_before_anything_is_asked(tmp_path: Path):
    (tmp_path / "file").write_text("")
    oracle = script()
    with pytest.raises(OutputError, match="cannot write"):
        evaluate(
            samples(), metrics=["faithfulness"], judge=oracle, out=tmp_path / "file" / "run.jsonl"
        )
    assert oracle.asked == []


RESPONDERS = "tests.server.judge_responders:RESPONDERS"


def test_killed_at_random_moments_a_run_ends_as_if_undisturbed(tmp_path: Path):
    calm, rough = tmp_path / "calm", tmp_path / "rough"
    calm.mkdir()
    rough.mkdir()
    with LoopbackServer(latency=0.05, responders=RESPONDERS) as server:
        evaluate_into(server.url, calm)
        undisturbed = server.stats()
        server.reset()
        done = subprocess.run(
            [sys.executable, "-m", "tests.runs.killed_runs", server.url, str(rough), "7"],
            check=True,
            capture_output=True,
            text=True,
            cwd=Path(__file__).parents[2],
        )
        disturbed = server.stats()
    kills = int(done.stdout.split()[-1])
    assert kills >= 3
    assert disturbed.distinct_bodies == undisturbed.distinct_bodies == undisturbed.calls
    # A kill loses only replies between the server's last byte and our disk, at most all in flight.
    assert disturbed.answered_again <= IN_FLIGHT * kills
    assert disturbed.answered - disturbed.answered_again == undisturbed.answered
    first, second = Run.read(calm / "run.jsonl"), Run.read(rough / "run.jsonl")
    assert [(r.sample_id, r.metric, r.status, r.score) for r in first.rows] == [
        (r.sample_id, r.metric, r.status, r.score) for r in second.rows
    ]
    assert [r.evidence for r in first.results] == [r.evidence for r in second.results]
