"""Evaluation into files: results are streamed, a killed run goes on, tables can be opened."""

import json
from pathlib import Path

import pytest

from llamaindex_rag_eval.data.sample import SingleTurnSample
from llamaindex_rag_eval.errors import OutputError, ReplyError
from llamaindex_rag_eval.judge import Claims, ClaimsOf, Judge
from llamaindex_rag_eval.metrics.faithfulness import Faithfulness
from llamaindex_rag_eval.models import EmbeddedOracle, ScriptedOracle
from llamaindex_rag_eval.runs.evaluate import evaluate
from llamaindex_rag_eval.runs.run import Run
from tests.evaluations import Length, samples, script


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
    calls = iter([ReplyError("no JSON", raw="hm"), Claims(claims=()), Claims(claims=())])

    def unsure(request: ClaimsOf) -> Claims:
        said = next(calls)
        if isinstance(said, Exception):
            raise said
        return said

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


def test_the_table_has_a_row_a_sample_and_the_csv_is_safe_for_spreadsheets(tmp_path: Path):
    hostile = SingleTurnSample(id="h", query="=HYPERLINK(1)", response="+1", contexts=("-x",))
    run = evaluate([hostile], metrics=[Length()])
    frame = run.to_pandas()
    assert frame.loc[0, "length"] == 2.0
    assert frame.loc[0, "length status"] == "scored"
    text = run.to_csv(tmp_path / "scores.csv").read_text()
    assert "'=HYPERLINK(1)" in text
    assert "'+1" in text


def test_a_run_survives_its_file(tmp_path: Path):
    run = evaluate(samples(), metrics=[Faithfulness()], judge=EmbeddedOracle(), name="mine")
    back = Run.read(run.to_jsonl(tmp_path / "r.jsonl"))
    assert back.name == "mine"
    assert back.samples == run.samples
    assert back.values("faithfulness") == run.values("faithfulness")
    assert back.results[0].evidence == run.results[0].evidence
    assert json.loads((tmp_path / "r.jsonl").read_text().splitlines()[0])["run"]["dataset"]
