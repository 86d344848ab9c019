"""`rag-eval compare` over kept runs and files, and `rag-eval evaluate --keep`."""

import json
from pathlib import Path

import pytest

from tests.cli.command_line import rag_eval, run_file
from tests.report.runs import run_of_scores
from tests.server import LoopbackServer


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a store of three runs, which all commands use."""
    path = tmp_path / "runs.db"
    monkeypatch.setenv("RAG_EVAL_STORE", str(path))
    for name, score in (("main", 0.25), ("wide", 0.5), ("next", 1.0)):
        file = run_file(tmp_path, name, faithfulness=[score] * 20)
        assert rag_eval("runs", "--add", file, "--name", name).exit_code == 0
    return path


@pytest.mark.usefixtures("store")
def test_kept_runs_are_compared_by_what_they_are_called() -> None:
    data = json.loads(rag_eval("compare", "main", "last", "--json").stdout)
    assert (data["a"], data["b"]) == ("main", "next")
    assert data["metrics"][0]["difference"] == 3 / 4


@pytest.mark.usefixtures("store")
def test_the_decision_is_said_and_takes_the_margin(tmp_path: Path, monkeypatch) -> None:
    worse = ("compare", "next", "wide")
    data = json.loads(rag_eval(*worse, "--json").stdout)
    assert [one["verdict"] for one in data["decisions"]] == ["do not ship"]
    shown = "wide: Do not ship: worse on faithfulness. wide is worse than next on faithfulness"
    assert shown in said(*worse)
    assert "wide: Ship: worse by less than the margin on faithfulness." in said(
        *worse, "--margin", ".9"
    )

    monkeypatch.chdir(tmp_path)
    Path("rag-eval.toml").write_text("[gate]\nmargin = 0.9\n")
    assert "wide: Ship: worse by less" in said(*worse)
    assert "wide: Do not ship: worse" in said(*worse, "--margin", ".2")


def said(*arguments: str) -> str:
    return " ".join(rag_eval(*arguments).stdout.split())


@pytest.mark.usefixtures("store")
def test_a_kept_run_is_compared_with_a_file(tmp_path: Path) -> None:
    data = json.loads(rag_eval("compare", "main", str(tmp_path / "wide.jsonl"), "--json").stdout)
    assert data["metrics"][0]["difference"] == 1 / 4


@pytest.mark.usefixtures("store")
def test_several_runs_are_held_against_the_baseline(tmp_path: Path) -> None:
    report = tmp_path / "report.html"
    made = rag_eval("compare", "main", "next", "wide", "-r", str(report))
    assert made.exit_code == 0, made.output
    assert "Against main: 20 questions in all" in made.stdout
    assert "+0.750 (+0." in made.stdout
    assert "next is better than main on faithfulness" in report.read_text()


@pytest.mark.usefixtures("store")
def test_one_run_alone_and_a_name_that_nothing_has_are_messages() -> None:
    assert rag_eval("compare", "main").stderr == "error: expected two runs or more, got 1\n"
    made = rag_eval("compare", "main", "mian")
    assert (made.exit_code, made.stderr[:31]) == (2, "error: no run is called 'mian' ")


@pytest.mark.usefixtures("store")
def test_an_evaluation_is_kept_under_its_name_and_tags(tmp_path: Path) -> None:
    answers = tmp_path / "answers.jsonl"
    row = {"question": "Where?", "response": "Here.", "reference": "Here."}
    answers.write_text(json.dumps(row) + "\n")
    out = str(tmp_path / "scores.csv")
    asked = ("evaluate", str(answers), "-m", "exact_match", "-o", out)
    assert rag_eval(*asked, "--keep", "--name", "try", "--tag", "a", "--tag", "b").exit_code == 0
    (found,) = json.loads(rag_eval("runs", "--name", "try", "--json").stdout)
    assert (found["tags"], found["means"]) == (["a", "b"], {"exact_match": 1.0})


def test_compare_takes_answers_and_runs_alike_and_writes_a_report(
    main_job: Path, tmp_path: Path
) -> None:
    a, b = (main_job / f"answers-{kind}.jsonl" for kind in ("bm25", "embedding"))
    scored = tmp_path / "scores-bm25.csv"
    rag_eval("evaluate", a, "-m", "mrr,hit_rate@5", "-o", scored)
    report = tmp_path / "report.html"
    done = rag_eval("compare", scored.with_suffix(".jsonl"), b, "--report", report, "--json")
    assert done.exit_code == 0, done.output
    data = json.loads(done.stdout)
    assert (data["a"], data["b"], data["questions"]) == ("bm25", "embedding", 6)
    # The metrics of the run are those that the answers beside it are scored with.
    assert [entry["metric"] for entry in data["metrics"]] == ["mrr", "hit_rate@5"]
    assert report.read_text().startswith("<!doctype html>")


def test_only_the_metrics_that_are_named_are_compared_and_corrected_for(tmp_path: Path) -> None:
    a = run_file(tmp_path, "a", faithfulness=[0.0] * 8, relevance=[0.5] * 8, mrr=[0.25] * 8)
    b = run_file(tmp_path, "b", faithfulness=[1.0] * 8, relevance=[0.5] * 8, mrr=[0.5] * 8)
    everything = json.loads(rag_eval("compare", a, b, "--json").stdout)["metrics"]
    assert [entry["metric"] for entry in everything] == ["faithfulness", "relevance", "mrr"]
    (metric,) = json.loads(rag_eval("compare", a, b, "-m", "faithfulness", "--json").stdout)[
        "metrics"
    ]
    assert (metric["metric"], metric["difference"]) == ("faithfulness", 1.0)
    # All eight questions rise: 2 / 2**8 alone, over .8 for the one of three that decides.
    assert everything[0]["p_adjusted"] == pytest.approx(2 / 2**8 / 0.8)
    assert metric["p_adjusted"] == metric["p_value"] == everything[0]["p_value"]


def test_a_run_has_its_own_name_in_every_command(tmp_path: Path) -> None:
    files = []
    for name in ("old", "new"):
        file = tmp_path / f"s-{name}.jsonl"
        run_of_scores(name, {"m": [0.5] * 8}).to_jsonl(file)
        files.append(file)
    compared = json.loads(rag_eval("compare", *files, "--json").stdout)
    assert (compared["a"], compared["b"]) == ("old", "new")
    gated = rag_eval("gate", files[1], "--no-worse-than", files[0], "--json")
    assert json.loads(gated.stdout)["name"] == "new"
    assert "worse than old" in gated.stdout


def test_two_files_of_one_name_are_told_apart_by_their_folders(tmp_path: Path) -> None:
    folders = [tmp_path / name for name in ("first", "second")]
    for folder in folders:
        folder.mkdir()
    files = [run_file(folder, "scores", m=[0.5] * 8) for folder in folders]
    data = json.loads(rag_eval("compare", *files, "--json").stdout)
    assert (data["a"], data["b"]) == tuple(map(str, files))


def test_texts_are_compared_by_the_embedding_model_of_that_name(
    main_job: Path, server: LoopbackServer
) -> None:
    server.reset()
    files = [main_job / f"answers-{kind}.jsonl" for kind in ("bm25", "embedding")]
    embed = f"openai-like:{server.url}:local-embedding"
    done = rag_eval("compare", *files, "-m", "answer_similarity", "--embed", embed, "-q")
    assert done.exit_code == 0, done.output
    assert server.stats().by_endpoint.keys() == {"embeddings"}


def test_a_comparison_says_nothing_twice(tmp_path: Path) -> None:
    worse = [run_file(tmp_path, name, m=[score] * 30) for name, score in (("a", 1.0), ("b", 0.0))]
    shown = " ".join(rag_eval("compare", *worse).stdout.split())
    assert shown.count("b is worse than a on m (−1.000") == 1
    more = run_file(tmp_path, "c", m=[1.0] * 35)
    shown = " ".join(rag_eval("compare", worse[0], more).stdout.split())
    assert shown.count("The runs are over different golden sets: 30 questions in both.") == 1
    short = [run_file(tmp_path, name, m=[score] * 19) for name, score in (("d", 0.0), ("e", 1.0))]
    shown = " ".join(rag_eval("compare", *short).stdout.split())
    assert "add about 1 question. 19 questions; at least 20 are needed to pass." in shown
