"""`rag-eval gate`: exit codes and files that CI reads."""

import json
from pathlib import Path
from xml.etree import ElementTree as Xml

import pytest

from llamaindex_rag_eval.data.dataset import EvaluationDataset
from llamaindex_rag_eval.engines.runner import run as ask
from llamaindex_rag_eval.runs.evaluate import evaluate
from llamaindex_rag_eval.runs.run import Run
from tests.cli.command_line import rag_eval, run_file
from tests.decisions.engines import golden


@pytest.fixture
def run(tmp_path: Path) -> str:
    return run_file(tmp_path, "new", faithfulness=[1.0, 0.5, 0.75] * 2)


def test_the_exit_code_is_0_if_the_gate_holds_and_3_if_not(run: str) -> None:
    assert rag_eval("gate", run, "--min", "faithfulness=.75").exit_code == 0
    failed = rag_eval("gate", run, "--min", "faithfulness=.75", "--min", "faithfulness=.8")
    assert failed.exit_code == 3
    assert "the gate does not hold: Do not ship: mean of faithfulness must be" in failed.stderr


def test_the_json_has_the_shares_and_what_they_are_held_to(tmp_path: Path) -> None:
    run = run_file(tmp_path, "new", m=[None, 0.5, 1.0, 1.0])
    limits = ["--min", "m=.5", "--max-undefined", ".3", "--max-missing", ".2", "--min-scored", "3"]
    decision = json.loads(rag_eval("gate", run, *limits, "--json").stdout)
    assert [(check["rule"], check["found"], check["bound"]) for check in decision["checks"]] == [
        ("mean of m must be at least 0.5", 5 / 6, 0.5),
        ("at most 20.0% of results may be missing", 0.0, 0.2),
        ("at most 30% of results may be undefined", 1 / 4, 0.3),
    ]


@pytest.mark.parametrize(
    ("limits", "message"),
    [
        (["--min", "faithfulness"], "expected METRIC=NUMBER"),
        (["--min", "context_recall=.5"], "no metric 'context_recall'"),
        (["--min", "nonsense=.5"], "no metric is named 'nonsense'"),
        ([], "the gate limits nothing"),
        (["--margin", "0.1"], "expected"),
        (["--no-worse-than", "absent.jsonl"], "absent.jsonl"),
    ],
)
def test_the_exit_code_is_2_where_the_gate_is_no_gate(
    run: str, limits: list[str], message: str
) -> None:
    result = rag_eval("gate", run, *limits)
    assert (result.exit_code, result.stdout) == (2, "")
    assert message in result.stderr


def test_a_table_of_scores_is_said_to_be_no_run(tmp_path: Path) -> None:
    table, run = tmp_path / "scores.csv", Path(run_file(tmp_path, "scores", m=[0.5] * 20))
    Run.read(run).to_csv(table)
    assert rag_eval("gate", table, "--min", "m=.5").exit_code == 0, "the run beside it counts"
    run.unlink()
    asked = rag_eval("gate", table, "--min", "m=.5")
    assert asked.exit_code == 2
    assert "cut off" not in asked.stderr
    assert f"file {str(table)!r}, line 1: no run; expected the .jsonl file" in asked.stderr
    table.unlink()
    assert "No such file" in rag_eval("gate", table, "--min", "m=.5").stderr


def test_tables_of_scores_are_compared_by_the_runs_beside_them(tmp_path: Path) -> None:
    runs = [Path(run_file(tmp_path, name, m=[0.5] * 20)) for name in ("old", "new")]
    tables = [run.with_suffix(".csv") for run in runs]
    for run, table in zip(runs, tables, strict=True):
        Run.read(run).to_csv(table)
    by_table, by_run = (rag_eval("compare", *files, "--primary", "m") for files in (tables, runs))
    assert by_run.exit_code == 0
    assert by_table.stdout == by_run.stdout


def test_a_run_worse_than_the_baseline_fails(tmp_path: Path) -> None:
    main = run_file(tmp_path, "main", m=[0.8] * 40)
    new = run_file(tmp_path, "new", m=[0.6] * 40)
    assert rag_eval("gate", new, "--no-worse-than", main).exit_code == 3
    assert rag_eval("gate", main, "--no-worse-than", new).exit_code == 0
    assert rag_eval("gate", new, "--no-worse-than", main, "--margin", ".4").exit_code == 0
    margins = ("--margin", ".01", "--margin", "m=.4")
    assert rag_eval("gate", new, "--no-worse-than", main, *margins).exit_code == 0


def test_too_few_questions_have_an_exit_code_of_their_own(tmp_path: Path) -> None:
    runs = [run_file(tmp_path, name, m=[0.8] * 6) for name in ("new", "main")]
    few = rag_eval("gate", runs[0], "--no-worse-than", runs[1])
    assert few.exit_code == 5
    assert "the gate does not hold: Cannot tell yet: add about 46 questions" in few.stderr
    allowed = rag_eval("gate", runs[0], "--no-worse-than", runs[1], "--allow-inconclusive")
    assert allowed.exit_code == 0
    assert "UNCLEAR" in allowed.stdout


def test_other_questions_have_an_exit_code_of_their_own(tmp_path: Path) -> None:
    main, new = run_file(tmp_path, "main", m=[0.8] * 40), run_file(tmp_path, "new", m=[1.0] * 39)
    other = rag_eval("gate", new, "--no-worse-than", main)
    assert other.exit_code == 7
    assert "Not comparable: the runs are over different golden sets: 39 questions" in other.stderr
    allowed = rag_eval("gate", new, "--no-worse-than", main, "--allow-other-data")
    assert allowed.exit_code == 0


def test_a_policy_is_read_from_options_and_from_the_file(tmp_path: Path, monkeypatch) -> None:
    main = run_file(tmp_path, "main", m=[0.8] * 40, k=[0.8] * 40)
    new = run_file(tmp_path, "new", m=[0.9] * 40, k=[0.8] * 39 + [0.0])
    gate = ("gate", new, "--no-worse-than", main)
    assert rag_eval(*gate).exit_code == 0  # m decides
    assert rag_eval(*gate, "--primary", "k").exit_code == 5
    assert rag_eval(*gate, "--floor", ".95").exit_code == 3
    assert rag_eval(*gate, "--min-questions", "41").exit_code == 5
    monkeypatch.chdir(tmp_path)
    Path("rag-eval.toml").write_text('[gate]\nprimary = "k"\nmax-latency = 1.5\n')
    assert rag_eval(*gate).exit_code == 5
    decision = json.loads(rag_eval("compare", main, new, "--json").stdout)["decisions"][0]
    assert (decision["outcome"], decision["checks"][0]["metric"]) == ("cannot tell", "k")
    assert decision["checks"][-1]["rule"] == "latency must be at most 1.5 times that of main"


def test_writes_junit_and_a_summary_whether_it_holds_or_not(run: str, tmp_path: Path) -> None:
    xml, page = tmp_path / "gate.xml", tmp_path / "gate.md"
    limits = ("--min", "faithfulness=.9", "--junit", str(xml), "--summary", str(page))
    assert rag_eval("gate", run, *limits).exit_code == 3
    assert Xml.parse(xml).getroot().get("failures") == "1"  # noqa: S314 - our own
    assert "Do not ship" in page.read_text("utf-8")


def test_as_json_it_prints_json_alone(run: str) -> None:
    result = rag_eval("gate", run, "--min", "faithfulness=.9", "--max-missing", "0", "--json")
    data = json.loads(result.stdout)
    assert data["held"] is False
    assert [check["held"] for check in data["checks"]] == [False, True, True]


def test_quiet_it_prints_nothing(run: str) -> None:
    result = rag_eval("gate", run, "--min", "faithfulness=.9", "--quiet")
    assert (result.exit_code, result.output) == (3, "")


@pytest.mark.usefixtures("store")
def test_a_gate_compares_kept_runs() -> None:
    gate = ("gate", "last", "--no-worse-than")
    assert rag_eval(*gate, "last").exit_code == 0  # itself
    assert rag_eval(*gate, "main").exit_code == 5  # of three questions


def engine(question: str) -> dict[str, object]:
    """Answer rightly, from other contexts than before."""
    number = question.rstrip("?").split()[-1]
    return {"response": f"answer {number}", "contexts": ["another"]}


def bad_engine(question: str) -> str:
    return "no idea"


@pytest.fixture
def sets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[str, str]:
    """Return the files of a golden set and of a run over it."""
    monkeypatch.chdir(tmp_path)
    questions = golden(150)
    EvaluationDataset(questions).write(tmp_path / "golden.jsonl")
    evaluate(ask(engine, questions), metrics=["exact_match"], name="main", out="main.jsonl")
    return "golden.jsonl", "main.jsonl"


def test_an_engine_is_asked_until_it_is_decided(sets: tuple[str, str], tmp_path: Path) -> None:
    command = ("gate", sets[0], "--no-worse-than", sets[1], "--out", tmp_path / "build")
    good = rag_eval(*command, "--engine", f"{__name__}:engine", "--repeats", "2")
    assert good.exit_code == 0
    assert "Ship:" in good.stdout
    answers = len(Run.read(tmp_path / "build" / "scores.jsonl"))
    assert 40 <= answers < 300
    assert f"{answers // 2} of 150 questions were asked" in " ".join(good.stdout.split())
    other = rag_eval(*command, "--engine", f"{__name__}:bad_engine")
    assert other.exit_code == 2
    assert f"engine='{__name__}:engine', not of engine='{__name__}:bad_engine'" in other.stderr
    bad = rag_eval(*command[:-1], tmp_path / "bad", "--engine", f"{__name__}:bad_engine", "--json")
    assert (bad.exit_code, json.loads(bad.stdout)["outcome"]) == (3, "worse")
    assert len(Run.read(tmp_path / "bad" / "scores.jsonl")) == 20


def test_before_an_engine_is_asked_it_says_what_that_takes_at_most(sets: tuple[str, str]) -> None:
    command = ("gate", sets[0], "--engine", f"{__name__}:bad_engine", "--dry-run")
    told = rag_eval(*command, "--no-worse-than", sets[1])
    assert told.exit_code == 0
    assert "At most 150 calls of the engine." in told.stdout
    assert not Path("gate-output").exists()
    alone = rag_eval(*command)
    assert alone.exit_code == 2
    assert "--engine needs --no-worse-than RUN" in alone.stderr
