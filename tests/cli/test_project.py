"""`rag-eval.toml`: every command reads it, options win, and what nothing reads is refused."""

import json
from pathlib import Path

import pytest

from tests.cli.command_line import rag_eval, run_file


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def settings(text: str) -> None:
    Path("rag-eval.toml").write_text(text)


def answers() -> None:
    Path("a.jsonl").write_text('{"query": "Where?", "response": "There.", "reference": "There."}\n')


def test_an_option_wins_over_the_file() -> None:
    answers()
    settings('answers = "a.jsonl"\nmetrics = ["exact_match", "rouge"]\nscores = "s.csv"')

    def columns() -> set[str]:
        return set(Path("s.csv").read_text().splitlines()[0].split(","))

    assert done("evaluate")
    assert {"exact_match", "rouge"} <= columns()
    assert done("evaluate", "-m", "chrf")
    assert {"exact_match", "rouge"}.isdisjoint(columns())


def done(*arguments: str) -> bool:
    found = rag_eval(*arguments)
    assert found.exit_code == 0, found.output
    return True


def test_what_was_taken_from_the_file_is_said_on_stderr_unless_quiet() -> None:
    answers()
    settings('answers = "a.jsonl"\nmetrics = ["exact_match"]')

    found = rag_eval("evaluate", "--json")

    assert "from rag-eval.toml: answers=a.jsonl, metrics=exact_match" in found.stderr
    assert json.loads(found.stdout)["questions"] == 1
    assert "from rag-eval.toml" not in rag_eval("evaluate", "--quiet").stderr


def test_the_gate_has_the_thresholds_each_on_its_side(tmp_path: Path) -> None:
    run_file(tmp_path, "scores", faithfulness=[0.9] * 6, noise_sensitivity=[0.1] * 6)
    settings('scores = "scores.csv"\n[thresholds]\nfaithfulness = 0.8\nnoise_sensitivity = 0.2')

    found = rag_eval("gate", "--json")

    rules = [check["rule"] for check in json.loads(found.stdout)["checks"]]
    assert rules[:2] == [
        "mean of faithfulness must be at least 0.8",
        "mean of noise_sensitivity must be at most 0.2",
    ]


def test_a_section_of_a_command_has_its_options() -> None:
    answers()
    settings('answers = "a.jsonl"\n[evaluate]\nmetrics = "exact_match"\njson = true')

    assert json.loads(rag_eval("evaluate").stdout)["metrics"][0]["metric"] == "exact_match"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('documets = "docs"', "unknown key 'documets'; did you mean 'documents'?"),
        ("[evaluate]\nmetric = 1", "[evaluate] of rag-eval.toml has an unknown key 'metric'"),
        ("[model]\nllm = 1", "unknown key 'model'; did you mean 'models'?"),
        ("[budget]\ncall = 1", "unknown key 'call'; did you mean 'calls'?"),
        ("models = 1", "'models' is a section, as [models]"),
        ("[engine]\na = 1", "'engine' is a value, no section"),
        ("metrics = [", "rag-eval.toml cannot be read: "),
        ("[evaluate]\nvotes = 'two'", "--votes from rag-eval.toml"),
    ],
)
def test_a_mistake_in_the_file_is_one_line_with_the_nearest_key(text: str, message: str) -> None:
    answers()
    settings(text)

    found = rag_eval("evaluate", "a.jsonl")

    assert found.exit_code == 2
    assert message in " ".join(found.stderr.replace("│", " ").split())


def test_a_threshold_of_no_metric_is_refused_by_the_gate() -> None:
    settings("[thresholds]\nfaithfulnes = 0.8")

    assert "did you mean 'faithfulness'?" in rag_eval("gate", "x.jsonl").stderr


def test_help_and_no_project_leave_the_file_out() -> None:
    settings("nonsense = 1")

    assert rag_eval("evaluate", "--help").exit_code == 0
    assert rag_eval("--no-project", "more", "metrics", "faithfulness").exit_code == 0


def test_below_the_folder_of_the_file_an_error_says_where_it_is(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings('answers = "a.jsonl"')
    (project / "docs").mkdir()
    monkeypatch.chdir(project / "docs")

    found = "".join(rag_eval("evaluate").stderr.replace("│", "").split())

    assert f"rag-eval.tomlisin'{project}':runitthere." in found


def test_a_budget_without_a_model_is_not_in_the_way_of_rules() -> None:
    answers()
    settings("[budget]\ncost = 5.0\n[models]\ntimeout = 9\nbase-url = 'http://x'")

    assert done("evaluate", "a.jsonl", "-m", "exact_match")


def test_documents_give_way_to_an_engine_and_the_other_way_round() -> None:
    Path("q.jsonl").write_text('{"query": "Where?"}\n')
    Path("eng.py").write_text("def answer(question):\n    return 'There.'\n")
    Path("docs").mkdir()
    Path("docs/a.md").write_text("# A\n\nThe tower is in Paris.\n")
    settings('documents = "docs"\nengine = "eng:answer"\ngolden = "q.jsonl"')

    assert done("run", "-o", "one.jsonl")
    assert done("run", "--docs", "docs", "-o", "two.jsonl")
    assert "There." in Path("one.jsonl").read_text()
    assert "Paris" in Path("two.jsonl").read_text()


def test_settings_of_calls_are_taken_where_a_model_is_asked() -> None:
    answers()
    settings(
        'answers = "a.jsonl"\nmetrics = ["exact_match"]\n[models]\ntimeout = 5\n[budget]\ncalls = 3'
    )

    by_rules = rag_eval("evaluate", "--json")
    assert by_rules.exit_code == 0
    assert "timeout" not in by_rules.stderr
    assert "max-calls" not in by_rules.stderr

    by_model = rag_eval("evaluate", "--llm", "nobody:nothing")
    assert "timeout=5" in by_model.stderr
    assert "max-calls=3" in by_model.stderr


@pytest.mark.parametrize(
    ("who", "arguments", "taken", "left"),
    [
        # Settings of calls and prompts are an LLM's; a budget is also that of embeddings.
        ('llm = "nobody:x"', [], ["llm=", "timeout=5", "prompts=", "max-calls=3"], []),
        ("", ["--llm", "nobody:x"], ["timeout=5", "prompts=", "max-calls=3"], []),
        ('embed = "nobody:x"', [], ["embed=", "max-calls=3"], ["timeout", "prompts"]),
        ("", ["--embed", "nobody:x"], ["max-calls=3"], ["timeout", "prompts"]),
        ("", [], [], ["timeout", "prompts", "max-calls"]),
    ],
)
def test_what_is_for_a_model_is_taken_where_one_is_asked(
    who: str, arguments: list[str], taken: list[str], left: list[str]
) -> None:
    answers()
    settings(
        f'answers = "a.jsonl"\nmetrics = "exact_match"\n[models]\n{who}\ntimeout = 5\n'
        'prompts = "prompts"\n[budget]\ncalls = 3'
    )

    (line,) = (
        line
        for line in rag_eval("evaluate", *arguments).stderr.replace("\n  ", " ").split("\n")
        if line.startswith("from rag-eval.toml")
    )

    assert [part for part in taken if part not in line] == []
    assert [part for part in left if part in line] == []


def test_an_engine_is_asked_without_the_settings_of_models() -> None:
    Path("q.jsonl").write_text('{"query": "Where?"}\n')
    Path("eng2.py").write_text("def answer(question):\n    return 'There.'\n")
    settings(
        'engine = "eng2:answer"\ngolden = "q.jsonl"\nanswers = "a.jsonl"\n[models]\n'
        'llm = "nobody:x"\n[budget]\ncalls = 3'
    )

    asked = rag_eval("run")

    assert asked.exit_code == 0, asked.output
    assert "max-calls" not in asked.stderr
    assert "llm" not in asked.stderr


def test_a_command_whose_name_is_a_key_of_the_file_reads_the_file() -> None:
    settings('metrics = ["mrr"]')
    assert rag_eval("more", "metrics", "mrr").exit_code == 0


def test_the_policy_of_the_gate_is_that_of_compare(tmp_path: Path) -> None:
    run_file(tmp_path, "a", m=[0.5] * 6, k=[0.5] * 6)
    run_file(tmp_path, "b", m=[0.5] * 6, k=[0.5] * 6)
    settings(
        'metrics = "m"\n[gate]\nprimary = "k"\nmin-questions = 7\nmin = ["m=0.6"]\n'
        "max-missing = 0.5"
    )

    compared = rag_eval("compare", "a.jsonl", "b.jsonl", "--json")
    (decision,) = json.loads(compared.stdout)["decisions"]
    assert decision["checks"][0]["metric"] == "k"
    assert decision["checks"][0]["message"].startswith("only 6 of at least 7 questions")
    gated = rag_eval("gate", "b.jsonl", "--no-worse-than", "a.jsonl", "--json")
    assert decision == json.loads(gated.stdout)
    rules = {check["rule"]: check["outcome"] for check in decision["checks"]}
    assert rules["mean of m must be at least 0.6"] == "fails"
    assert rules["at most 50.0% of results may be missing"] == "holds"
