"""The commands, one after the other, as a person at a terminal uses them."""

import csv
import json
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from llamaindex_rag_eval.cli import app
from llamaindex_rag_eval.runs.run import Run
from testset import Corpus, GoldenSet

DOCS = Path(__file__).parents[2] / "examples" / "docs"

ENGINE = """
def answer(question):
    if "Vitrel" in question:
        raise ValueError("no such product")
    said = "Calibration is a comparison."
    return {"response": said, "contexts": [said]}
"""


def rag_eval(*arguments: object) -> Result:
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder in which the main job was done once."""
    folder = tmp_path_factory.mktemp("main-job")
    golden = folder / "golden.jsonl"
    made = rag_eval("generate", DOCS, "-o", golden, "--size", 6, "--quiet")
    assert made.exit_code == 0, made.output
    for kind in ("bm25", "embedding"):
        answers = folder / f"answers-{kind}.jsonl"
        made = rag_eval(
            "run", golden, "--docs", DOCS, "--retriever", kind, "-o", answers, "--quiet"
        )
        assert made.exit_code == 0, made.output
    return folder


def test_every_gold_quote_stands_where_the_golden_set_says(folder: Path) -> None:
    golden = GoldenSet.read(folder / "golden.jsonl")
    assert len(golden) == 6
    assert golden.verify(Corpus.read(DOCS).texts) == ()


def test_the_default_engines_keep_the_exact_place_of_every_context(folder: Path) -> None:
    texts = Corpus.read(DOCS).texts
    for kind in ("bm25", "embedding"):
        for line in (folder / f"answers-{kind}.jsonl").read_text().splitlines():
            answer = json.loads(line)
            assert len(answer["contexts"]) == 5
            for context, place in zip(answer["contexts"], answer["context_spans"], strict=True):
                assert texts[place["doc_id"]][place["start"] : place["end"]] == context


def test_evaluate_writes_a_table_and_a_run_and_prints_the_means(
    folder: Path, tmp_path: Path
) -> None:
    out = tmp_path / "scores.csv"
    made = rag_eval("evaluate", folder / "answers-bm25.jsonl", "-m", "mrr,hit_rate@3", "-o", out)
    assert made.exit_code == 0, made.output
    assert "hit_rate@3 ↑" in made.stdout
    with out.open(newline="") as file:
        assert len(list(csv.DictReader(file))) == 6
    run = Run.read(tmp_path / "scores.jsonl")
    assert (run.name, len(run)) == ("bm25", 6)


def test_json_leaves_nothing_else_on_stdout(folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "scores.csv"
    made = rag_eval("evaluate", folder / "answers-bm25.jsonl", "-m", "mrr", "-o", out, "--json")
    assert [entry["metric"] for entry in json.loads(made.stdout)["metrics"]] == ["mrr"]


def test_quiet_says_nothing(folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "scores.csv"
    made = rag_eval("evaluate", folder / "answers-bm25.jsonl", "-m", "mrr", "-o", out, "-q")
    assert (made.output, made.exit_code) == ("", 0)


def test_compare_takes_answers_and_runs_alike_and_writes_a_report(
    folder: Path, tmp_path: Path
) -> None:
    a, b = (folder / f"answers-{kind}.jsonl" for kind in ("bm25", "embedding"))
    scored = tmp_path / "scores-bm25.csv"
    rag_eval("evaluate", a, "-m", "mrr,hit_rate@5", "-o", scored)
    report = tmp_path / "report.html"
    made = rag_eval("compare", scored.with_suffix(".jsonl"), b, "--report", report, "--json")
    assert made.exit_code == 0, made.output
    data = json.loads(made.stdout)
    assert (data["a"], data["b"], data["questions"]) == ("bm25", "embedding", 6)
    # The metrics of the run are those that the answers beside it are scored with.
    assert [entry["metric"] for entry in data["metrics"]] == ["mrr", "hit_rate@5"]
    assert report.read_text().startswith("<!doctype html>")


def test_report_takes_one_run_or_more(folder: Path, tmp_path: Path) -> None:
    scores = tmp_path / "scores.jsonl"
    rag_eval("evaluate", folder / "answers-bm25.jsonl", "-m", "mrr", "-o", scores)
    for count, title in ((1, "bm25"), (2, "bm25 (2) against bm25"), (3, "3 pipelines")):
        assert rag_eval("report", *[scores] * count, "-o", tmp_path / "r.html").exit_code == 0
        assert f"<title>{title} · RAG" in (tmp_path / "r.html").read_text()


def test_an_engine_that_fails_on_a_question_loses_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "failing_app.py").write_text(ENGINE)
    monkeypatch.syspath_prepend(tmp_path)
    questions = tmp_path / "questions.jsonl"
    rows = [{"question": "What is calibration?"}, {"question": "What is Vitrel?"}]
    questions.write_text("".join(json.dumps(row) + "\n" for row in rows))
    out = tmp_path / "answers.jsonl"
    made = rag_eval("run", questions, "--engine", "failing_app:answer", "-o", out)
    assert made.exit_code == 1
    assert "1 of 2 questions failed, the first with: ValueError: no such product" in made.stderr
    first, second = map(json.loads, out.read_text().splitlines())
    assert first["response"] == "Calibration is a comparison."
    assert second["error"] == "ValueError: no such product"
    made = rag_eval("evaluate", out, "-m", "faithfulness", "-o", tmp_path / "scores.csv")
    assert made.exit_code == 1
    assert "faithfulness: 1 failed: EngineError" in made.stderr


def test_a_golden_set_that_falls_short_is_written_and_said_so(tmp_path: Path) -> None:
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "a.txt").write_text("A quern is a hand mill that grinds corn between two stones.\n")
    out = tmp_path / "golden.jsonl"
    made = rag_eval("generate", docs, "-o", out, "--size", 50)
    assert made.exit_code == 1
    assert " of 50 questions could be written:" in made.stderr
    assert out.exists()


def test_metrics_lists_all_and_explains_one(tmp_path: Path) -> None:
    listed = json.loads(rag_eval("metrics", "--json").stdout)
    assert {"faithfulness", "ndcg"} <= {entry["name"] for entry in listed}
    said = rag_eval("metrics", "ndcg@10").stdout
    assert said.startswith("ndcg\n")
    assert "source:" in said


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("evaluate", "nowhere.jsonl"), "file 'nowhere.jsonl': cannot be read"),
        (("metrics", "faithfulnes"), "did you mean 'faithfulness'?"),
        (("generate", "nowhere", "-o", "{tmp}/g.jsonl"), "nowhere"),
        (("generate", "{tmp}/empty", "-o", "{tmp}/g.jsonl"), "empty"),
        (("generate", str(DOCS), "-o", "{tmp}/file/g.jsonl"), "cannot write"),
        (("demo", str(DOCS), "-o", "{tmp}/file"), "cannot write"),
        (("run", "{tmp}/file"), "expected either --engine MODULE:ATTRIBUTE or --docs FOLDER"),
        (("evaluate", "{tmp}/cut.jsonl", "-o", "{tmp}/s.csv"), "line 2"),
        (("evaluate", "{tmp}/cut.jsonl", "-o", "{tmp}/cut.csv"), "would overwrite the answers"),
        (("evaluate", "{tmp}/cut.jsonl", "-o", "{tmp}/s.xls"), "expected a .csv or .jsonl file"),
    ],
)
def test_wrong_input_is_one_clear_line_and_exit_code_2(
    arguments: tuple[str, ...], said: str, tmp_path: Path
) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "file").write_text("")
    (tmp_path / "cut.jsonl").write_text('{"question": "q", "answer": "a"}\n{"question": "q2", "an')
    made = rag_eval(*(argument.format(tmp=tmp_path) for argument in arguments))
    assert made.exit_code == 2, made.output
    errors = [line for line in made.stderr.splitlines() if line.startswith("error: ")]
    assert len(errors) == 1
    assert said in errors[0]
    assert "Traceback" not in made.output


def test_the_demo_does_the_whole_job(tmp_path: Path) -> None:
    out = tmp_path / "out"
    made = rag_eval("demo", DOCS, "-o", out, "--size", 4, "-m", "mrr,context_recall", "--quiet")
    assert made.exit_code == 0, made.output
    names = {path.name for path in out.iterdir()}
    assert {
        "golden.jsonl",
        "answers-bm25.jsonl",
        "answers-embedding.jsonl",
        "scores.csv",
        "report.html",
    } <= names
    assert not [name for name in names if name.endswith((".journal", ".part"))]


def test_every_command_teaches_with_an_example() -> None:
    names = ("demo", "generate", "run", "evaluate", "compare", "report", "metrics")
    for name in names:
        assert f"Example: rag-eval {name} " in rag_eval(name, "--help").stdout
    said = rag_eval("--help").stdout
    assert "Exit codes: 0 " in said


def test_the_program_runs_as_installed() -> None:
    ran = subprocess.run(
        [str(Path(sys.executable).with_name("rag-eval")), "--version"],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (ran.returncode, ran.stdout.split()[0]) == (0, "rag-eval")
