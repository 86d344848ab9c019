"""Evaluation on Ray: as in one process, through lost nodes and killed drivers."""

import json
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from llamaindex_rag_eval.data.dataset import EvaluationDataset
from llamaindex_rag_eval.data.rows import row_of
from llamaindex_rag_eval.data.sample import SingleTurnSample
from llamaindex_rag_eval.errors import DatasetError, InputError, MissingFieldError
from llamaindex_rag_eval.metrics.base import Metric
from llamaindex_rag_eval.metrics.result import Row, Score
from llamaindex_rag_eval.runs.evaluate import evaluate
from llamaindex_rag_eval.runs.folder import RunFolder
from llamaindex_rag_eval.runs.on_ray.evaluate import evaluate_on_ray
from tests.prepared import Process
from tests.ray_cluster import QUIET, add_node
from tests.runs.evaluations import samples

pytestmark = QUIET

METRICS = ("faithfulness", "answer_verdict", "context_recall", "ndcg@10")


class Slow(Metric):
    """Notes each measurement in a file, and takes its time."""

    name = "slow"
    needs = frozenset({"response"})

    def __init__(self, notes: str = "", seconds: float = 0.02) -> None:
        super().__init__()
        self.notes, self.seconds = notes, seconds

    async def measure(self, sample: SingleTurnSample) -> Score:
        with open(self.notes, "a") as file:  # noqa: ASYNC230 - appended in one write
            file.write(f"{sample.id}\n")
        time.sleep(self.seconds)  # noqa: ASYNC251 - the work of a core
        return Score(1.0)


def asked(count: int) -> list[SingleTurnSample]:
    """Return samples without ids, about four documents; every tenth question comes again."""
    return [
        SingleTurnSample(
            query=f"Where is the city number {number - 9 if number % 10 == 9 else number}?",
            response=f"It lies on the Seine, number {number}.",
            contexts=(f"City {number} lies on the Seine.",),
            reference="On the Seine.",
            context_ids=("a", "b"),
            reference_context_ids=(f"document {number % 4}",),
        )
        for number in range(count)
    ]


def content(row: Row) -> tuple[object, ...]:
    """Return a result without the seconds that it took."""
    fields = json.loads(row.line)
    fields.pop("seconds", None)
    return row.sample_id, row.metric, row.status, row.score, row.verdict, json.dumps(fields)


def test_scores_are_those_of_one_process(
    ray_cluster: Any, small_blocks: None, tmp_path: Path
) -> None:
    answers = asked(100)
    pd.DataFrame([row_of(one) for one in answers]).to_parquet(tmp_path / "a.parquet")
    alone = evaluate(EvaluationDataset.read(tmp_path / "a.parquet"), metrics=METRICS, workers=1)
    folder = evaluate_on_ray(tmp_path / "a.parquet", metrics=METRICS, out=tmp_path / "run")
    run = folder.to_run()
    assert [content(row) for row in run.rows] == [content(row) for row in alone.rows]
    assert [one.id for one in run.samples] == [one.id for one in alone.samples]
    assert sum("~2" in one.id for one in run.samples) == 10  # over the borders of blocks, too
    for clusters in ("documents", "none"):
        assert folder.summary(clusters) == alone.summary(clusters)
    assert run.provenance.dataset == alone.provenance.dataset
    assert run.provenance.judged == alone.provenance.judged
    assert run.provenance.notes == alone.provenance.notes
    with pytest.raises(InputError, match="holds a run with other metrics"):
        evaluate_on_ray(tmp_path / "a.parquet", metrics=["mrr"], out=tmp_path / "run")


def test_what_is_wrong_is_said_before_anything_is_scored(
    ray_cluster: Any, small_blocks: None, tmp_path: Path
) -> None:
    bad = tmp_path / "bad.jsonl"
    good = '{"query": "?", "response": "x"}\n'
    bad.write_text(good * 30 + "{broken\n" + good * 3)
    with pytest.raises(MissingFieldError, match="'faithfulness' needs 'contexts'"):
        evaluate_on_ray(bad, metrics=["faithfulness"], out=tmp_path / "no")
    run = evaluate_on_ray(bad, metrics=["response_relevance"], out=tmp_path / "run")
    (summary,) = run.summary()
    assert (summary.scored + summary.undefined, summary.failed) == (33, 1)
    ((spec, reason, count),) = run.failures()
    assert (spec, count) == ("response_relevance", 1)
    assert "bad.jsonl" in reason
    assert "expected one JSON object" in reason
    twice = tmp_path / "twice.jsonl"
    twice.write_text("".join(f'{{"id": "q", "query": "{n}", "response": "x"}}\n' for n in "ab"))
    with pytest.raises(
        DatasetError, match="expected ids to differ: 'q' is also the id of another sample in line 1"
    ):
        evaluate_on_ray(twice, metrics=["response_relevance"], out=tmp_path / "no")


def test_a_lost_node_costs_only_the_blocks_in_work(
    ray_cluster: Any, small_blocks: None, tmp_path: Path
) -> None:
    notes, lost = tmp_path / "notes", add_node(ray_cluster)

    def progress(done: int, total: int) -> None:
        if done >= total / 4 and lost in ray_cluster.list_all_nodes():
            ray_cluster.remove_node(lost)

    answers = EvaluationDataset(samples(160))
    run = evaluate_on_ray(
        answers, metrics=[Slow(str(notes))], out=tmp_path / "run", progress=progress
    )
    assert lost not in ray_cluster.list_all_nodes()
    assert [one.id for one in run.to_run().samples] == [one.id for one in answers]
    assert run.summary()[0].scored == 160
    counts = Counter(notes.read_text().split())
    assert set(counts) == {one.id for one in answers}
    assert sum(counts.values()) <= 160 + 2 * 20  # a block in work, and one that was just written


def test_a_killed_driver_goes_on_where_it_stopped(
    ray_cluster: Any, small_blocks: None, tmp_path: Path
) -> None:
    import ray

    notes, file, out = tmp_path / "notes", tmp_path / "a.jsonl", tmp_path / "run"
    EvaluationDataset(samples(120)).write(file)
    code = (
        "from tests.runs.on_ray.test_evaluate import Slow\n"
        "from llamaindex_rag_eval.runs.on_ray.evaluate import evaluate_on_ray\n"
        f"metrics = [Slow({str(notes)!r}, 0.05)]\n"
        f"evaluate_on_ray({str(file)!r}, metrics, out={str(out)!r}, block_rows=20)\n"
    )
    with Process([sys.executable, "-c", code], stderr=subprocess.DEVNULL) as driver:
        while driver.poll() is None and len(list(out.glob("block-*"))) < 3:
            time.sleep(0.1)
        driver.kill()
    while ray.available_resources().get("CPU", 0) < ray.cluster_resources()["CPU"]:
        time.sleep(0.1)  # Ray ends the actors of a driver that is gone
    written = {one.id for table in _tables(out) for one in table}
    assert 60 <= len(written) < 120
    kept = notes.read_text()
    run = evaluate_on_ray(file, metrics=[Slow(str(notes), 0.05)], out=out)
    again = notes.read_text()[len(kept) :].split()
    assert set(again) == {f"q{number}" for number in range(120)} - written
    assert len(again) == 120 - len(written)
    assert run.summary()[0].scored == 120


def _tables(out: Path) -> list[list[SingleTurnSample]]:
    return [
        [SingleTurnSample(id=key) for key in table["id"].to_pylist()]
        for table in RunFolder(out).tables(["id"])
    ]
