"""`rag-eval more sweep`: from a YAML file to a recommended setting."""

import json
from pathlib import Path

import pytest

from llamaindex_rag_eval.data.dataset import EvaluationDataset
from tests.cli.command_line import rag_eval
from tests.decisions.engines import ASKED, golden
from tests.server import LoopbackServer

SWEEP = """\
golden: questions.jsonl
engines:
  - factory: tests.decisions.engines:make
    grid: {rate: [0.95, 0.2, 0.1]}
  - factory: tests.decisions.engines:fails
    name: broken
    grid: {when: made}
metrics: exact_match
"""


@pytest.fixture
def sweep_yaml(tmp_path: Path) -> Path:
    EvaluationDataset(golden(60)).write(tmp_path / "questions.jsonl")
    path = tmp_path / "sweep.yaml"
    path.write_text(SWEEP)
    ASKED.clear()
    return path


def test_a_sweep_recommends_drops_and_says_what_is_out(sweep_yaml: Path, tmp_path: Path) -> None:
    done = rag_eval("more", "sweep", sweep_yaml, "-o", tmp_path / "out")
    assert done.exit_code == 1, done.output
    assert "Recommended: rate=0.95, exact_match 0." in done.stdout
    assert "saved" in done.stdout
    assert "broken when=made is out: 'tests.decisions.engines:fails' could not make" in done.stderr
    assert (tmp_path / "out" / "sweep.json").is_file()


def test_it_goes_on_where_it_was_and_prints_json(sweep_yaml: Path, tmp_path: Path) -> None:
    first = rag_eval("more", "sweep", sweep_yaml, "-o", tmp_path / "out", "--json", "--quiet")
    asked = sum(ASKED.values())
    again = rag_eval("more", "sweep", sweep_yaml, "-o", tmp_path / "out", "--json", "--quiet")
    assert sum(ASKED.values()) == asked
    one, two = (json.loads(done.stdout) for done in (first, again))
    assert one == two
    assert one["recommended"] == "rate=0.95"
    assert one["answers"] < one["full"]


def test_scores_of_a_sweep_can_be_compared_as_any_others(sweep_yaml: Path, tmp_path: Path) -> None:
    rag_eval("more", "sweep", sweep_yaml, "-o", tmp_path / "out", "--quiet")
    runs = sorted((tmp_path / "out").glob("rate=0.[12]-*.jsonl"))
    runs = [path for path in runs if not path.name.endswith(".answers.jsonl")]
    assert rag_eval("compare", *runs, "--json").exit_code == 0


def test_what_is_wrong_is_one_line_with_its_place(sweep_yaml: Path) -> None:
    sweep_yaml.write_text(f"{SWEEP}margn: 1\n")
    done = rag_eval("more", "sweep", sweep_yaml)
    assert done.exit_code == 2
    assert "unknown key 'margn'; expected golden, engines" in done.stderr


TWINS = """\
golden: questions.jsonl
engines:
  - factory: tests.decisions.engines:make
    grid: {rate: 0.9, twin: [a, b]}
metrics: faithfulness
"""


def test_a_model_judges_equal_answers_once_and_a_spent_budget_ends_the_sweep(
    sweep_yaml: Path, tmp_path: Path, server: LoopbackServer
) -> None:
    server.reset()
    EvaluationDataset(golden(8)).write(tmp_path / "questions.jsonl")
    sweep_yaml.write_text(TWINS)
    llm = ("--llm", f"openai-like:{server.url}:gpt-4o-mini")
    done = rag_eval("more", "sweep", sweep_yaml, "-o", tmp_path / "out", *llm, "--max-calls", 5)
    assert done.exit_code == 6
    assert "the budget of 5 calls is spent" in done.stderr
    done = rag_eval("more", "sweep", sweep_yaml, "-o", tmp_path / "out", *llm, "--json")
    assert done.exit_code == 0, done.output
    # Claims and their support for each of 8 answers; those of the twin are the same.
    assert server.stats().calls == 2 * 8
    assert json.loads(done.stdout)["calls"] == 2 * 8
    rag_eval("more", "sweep", sweep_yaml, "-o", tmp_path / "out", *llm)
    assert server.stats().calls == 2 * 8
