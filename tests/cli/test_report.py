"""`rag-eval report`: one page for a run or for several."""

from pathlib import Path

from tests.cli.command_line import rag_eval


def test_report_takes_one_run_or_more(main_job: Path, tmp_path: Path) -> None:
    scores = tmp_path / "scores.jsonl"
    rag_eval("evaluate", main_job / "answers-bm25.jsonl", "-m", "mrr", "-o", scores)
    for count, title in ((1, "bm25"), (2, "bm25 (2) against bm25"), (3, "3 pipelines")):
        assert rag_eval("report", *[scores] * count, "-o", tmp_path / "r.html").exit_code == 0
        assert f"<title>{title} · RAG" in (tmp_path / "r.html").read_text()
