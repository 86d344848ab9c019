"""`rag-eval report`: one page for a run or for several."""

from dataclasses import replace
from pathlib import Path

from llamaindex_rag_eval.runs.run import Run
from llamaindex_rag_eval.runs.store.run_store import RunStore
from tests.cli.command_line import rag_eval


def test_report_takes_one_run_or_more(main_job: Path, tmp_path: Path) -> None:
    scores = tmp_path / "scores.jsonl"
    rag_eval("evaluate", main_job / "answers-bm25.jsonl", "-m", "mrr", "-o", scores)
    for count, title in ((1, "bm25"), (2, "bm25 (2) against bm25"), (3, "3 pipelines")):
        assert rag_eval("report", *[scores] * count, "-o", tmp_path / "r.html").exit_code == 0
        assert f"<title>{title} · RAG" in (tmp_path / "r.html").read_text()


def test_a_report_says_what_changed_since_the_stored_run_before(
    main_job: Path, tmp_path: Path
) -> None:
    scores, store, page = (tmp_path / name for name in ("s.jsonl", "runs.db", "r.html"))
    rag_eval("evaluate", main_job / "answers-bm25.jsonl", "-m", "mrr", "-o", scores)
    run = Run.read(scores)
    assert rag_eval("report", scores, "-o", page, "--store", store).exit_code == 0
    assert not store.exists()
    assert "change-title" not in page.read_text()
    early = run.provenance.model_copy(update={"started": "2020-02-02T10:00:00+00:00"})
    RunStore(store).add(replace(run, provenance=early))
    assert rag_eval("report", scores, "-o", page, "--store", store).exit_code == 0
    assert f"{run.name}, 2020-02-02 10:00" in page.read_text()
    assert rag_eval("compare", scores, scores, "--report", page, "--store", store).exit_code == 0
    assert "change-title" not in page.read_text()  # B has another name
