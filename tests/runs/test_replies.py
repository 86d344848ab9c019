"""Replies are kept beside the run, without being told."""

import logging
from collections.abc import Iterator
from pathlib import Path

import pytest

from llamaindex_rag_eval import Judge, evaluate
from llamaindex_rag_eval.errors import OutputError
from llamaindex_rag_eval.models import CachedOracle, Store
from tests.models.asking import oracle_at
from tests.runs.evaluations import samples, script
from tests.server import LoopbackServer

METRICS = ("faithfulness", "context_recall")


@pytest.fixture
def server() -> Iterator[LoopbackServer]:
    with LoopbackServer(responders="tests.models.responders:RESPONDERS") as running:
        yield running


def test_a_run_that_is_made_again_pays_for_nothing(server: LoopbackServer, tmp_path: Path) -> None:
    out = tmp_path / "run.jsonl"
    first = evaluate(samples(), metrics=METRICS, judge=oracle_at(server), out=out)
    calls = server.stats().calls
    out.unlink()
    second = evaluate(samples(), metrics=METRICS, judge=oracle_at(server), out=out)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["run.jsonl", "run.replies.db"]
    assert server.stats().calls == calls > 0
    assert [row.score for row in first.rows] == [row.score for row in second.rows]


def test_a_judge_remembers_what_it_was_asked_for_another_run(
    server: LoopbackServer, tmp_path: Path
) -> None:
    judge = Judge(CachedOracle(oracle_at(server)))
    for name in ("one", "two"):
        evaluate(samples(), metrics=METRICS, judge=judge, out=tmp_path / f"{name}.jsonl")
    stores = [Store(tmp_path / f"{name}.replies.db") for name in ("one", "two")]
    counts = [sum(store.count().values()) for store in stores]
    for store in stores:
        store.close()
    assert counts == [server.stats().calls] * 2


def test_nothing_is_kept_where_it_costs_nothing_or_is_not_wanted(
    server: LoopbackServer, tmp_path: Path
) -> None:
    store = Store(tmp_path / "team.db")
    evaluate(samples(), metrics=METRICS, out=tmp_path / "rules.jsonl")
    evaluate(samples(), metrics=METRICS, judge=script(), out=tmp_path / "script.jsonl")
    unkept, own = oracle_at(server), CachedOracle(oracle_at(server), store)
    evaluate(samples(), metrics=METRICS, judge=unkept, out=tmp_path / "no.jsonl", cache=False)
    evaluate(samples(), metrics=METRICS, judge=own, out=tmp_path / "own.jsonl")
    store.close()
    assert [path.name for path in tmp_path.glob("*.db")] == ["team.db"]


def test_a_store_that_cannot_be_opened_is_an_error_before_anything_is_asked(
    server: LoopbackServer, tmp_path: Path
) -> None:
    judge = CachedOracle(oracle_at(server), Store("postgresql+psycopg://127.0.0.1:9/x"))
    with pytest.raises(OutputError, match="cannot be opened"):
        evaluate(samples(), metrics=METRICS, judge=judge, out=tmp_path / "run.jsonl")
    assert server.stats().calls == 0


def test_where_none_can_be_beside_the_run_goes_on(
    server: LoopbackServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[str] = []
    logger = logging.getLogger("llamaindex_rag_eval.runs.replies")
    monkeypatch.setattr(logger, "warning", lambda text, *values: said.append(text % values))
    (tmp_path / "run.replies.db").mkdir()
    out = tmp_path / "run.jsonl"
    run = evaluate(samples(), metrics=METRICS, judge=oracle_at(server), out=out)
    assert all(row.status == "scored" for row in run.rows)
    assert [line.partition(":")[0] for line in said] == ["replies are not kept beside the run"]
