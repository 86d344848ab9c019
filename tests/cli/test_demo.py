"""`rag-eval demo`: the whole job in one command."""

import json
import re
from pathlib import Path

from tests.cli.command_line import DOCS, rag_eval


def test_the_demo_does_the_whole_job(tmp_path: Path) -> None:
    out = tmp_path / "out"
    done = rag_eval("demo", DOCS, "-o", out, "--size", 4, "-m", "mrr,context_recall", "--quiet")
    assert done.exit_code == 0, done.output
    names = {path.name for path in out.iterdir()}
    assert {
        "golden.jsonl",
        "answers-windows.jsonl",
        "answers-sections.jsonl",
        "scores.csv",
        "report.html",
    } <= names
    assert not [name for name in names if name.endswith((".journal", ".part"))]


def test_its_engines_differ_where_a_person_would_see_it(tmp_path: Path) -> None:
    done = rag_eval(
        "demo", DOCS, "-o", tmp_path, "-m", "answer_verdict,hit_rate@5", "--quiet", "--json"
    )
    assert done.exit_code == 0, done.output
    found = {each["metric"]: each["finding"] for each in json.loads(done.stdout)["metrics"]}
    assert found == {"answer_verdict": "better", "hit_rate@5": "better"}
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    worst = re.search(r"The worst answers of.*?</section>", page, re.DOTALL)
    assert worst is not None
    assert re.findall(r">(windows|sections)<", worst[0]) == ["sections"]
    assert '<mark class="wrong">' in worst[0]
