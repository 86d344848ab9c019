"""`rag-eval golden add`: questions from logs become items of a golden set."""

import json
from pathlib import Path

import pytest

from llamaindex_rag_eval.data.dataset import EvaluationDataset
from tests.cli.command_line import rag_eval
from testset.golden.golden_set import GoldenSet


def written(path: Path, *rows: object) -> str:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return str(path)


def test_adds_questions_by_any_of_their_names_and_marks_where_they_come_from(
    tmp_path: Path,
) -> None:
    golden = tmp_path / "golden.jsonl"
    logs = written(
        tmp_path / "logs.jsonl",
        {"user_input": "Where is Paris?", "answer": "On the Rhine.", "ground_truth": "France."},
        {"input": "Who are you?"},
    )
    assert "2 questions added" in rag_eval("golden", "add", str(golden), logs).stdout
    items = GoldenSet.read(golden).items
    assert [(item.question, item.reference) for item in items] == [
        ("Where is Paris?", "France."),
        ("Who are you?", ""),
    ]
    assert {item.created.models["source"] for item in items} == {"production"}
    # An answer given in production is not taken for a right one.
    assert "Rhine" not in golden.read_text("utf-8")
    assert len(EvaluationDataset.read(golden)) == 2


@pytest.mark.parametrize("name", ["logs.csv", "logs.jsonl"])
def test_names_of_columns_may_have_capital_letters(name: str, tmp_path: Path) -> None:
    logs = tmp_path / name
    row = {"Question": "Where?", "Ground_Truth": "Here."}
    text = "Question,Ground_Truth\nWhere?,Here." if name.endswith("csv") else json.dumps(row)
    logs.write_text(text + "\n", encoding="utf-8")
    assert "1 questions added" in rag_eval("golden", "add", str(tmp_path / "g"), str(logs)).stdout
    (item,) = GoldenSet.read(tmp_path / "g")
    assert (item.question, item.reference) == ("Where?", "Here.")


def test_a_question_that_is_there_already_is_passed_over(tmp_path: Path) -> None:
    golden = tmp_path / "golden.jsonl"
    logs = written(
        tmp_path / "logs.jsonl", {"query": "Where is Paris?"}, {"query": "where  is PARIS?"}
    )
    first = json.loads(rag_eval("golden", "add", str(golden), logs, "--json").stdout)
    before = golden.read_bytes()
    again = json.loads(rag_eval("golden", "add", str(golden), logs, "--json").stdout)
    assert (first["added"], first["left_out"]) == (1, 1)
    assert (again["added"], again["left_out"]) == (0, 2)
    assert golden.read_bytes() == before


def test_samples_that_ask_nothing_and_conversations_are_left_out(tmp_path: Path) -> None:
    talk = {"messages": [{"role": "user", "content": "Hello"}]}
    logs = written(tmp_path / "logs.jsonl", {"query": " "}, talk, {"query": "Why?"})
    found = json.loads(rag_eval("golden", "add", str(tmp_path / "g.jsonl"), logs, "--json").stdout)
    assert found == {"added": 1, "left_out": 2, "without_reference": 1}


def test_samples_without_a_right_answer_can_be_left_out(tmp_path: Path) -> None:
    logs = written(tmp_path / "l.jsonl", {"query": "a?"}, {"query": "b?", "reference": "b."})
    golden = tmp_path / "g.jsonl"
    assert (
        rag_eval(
            "golden", "add", str(golden), logs, "--referenced", "--source", "support"
        ).exit_code
        == 0
    )
    (item,) = GoldenSet.read(golden).items
    assert (item.question, item.created.models["source"]) == ("b?", "support")


def test_logs_that_are_broken_leave_the_golden_set_as_it_was(tmp_path: Path) -> None:
    golden = tmp_path / "golden.jsonl"
    rag_eval("golden", "add", str(golden), written(tmp_path / "a.jsonl", {"query": "a?"}))
    before = golden.read_bytes()
    (tmp_path / "b.jsonl").write_text('{"query": "b?"}\n{broken}\n', encoding="utf-8")
    result = rag_eval("golden", "add", str(golden), str(tmp_path / "b.jsonl"))
    assert result.exit_code == 2
    assert "line 2" in result.stderr
    assert golden.read_bytes() == before


@pytest.mark.parametrize("text", ["{}\n", "no json\n"])
def test_a_file_that_is_no_golden_set_is_not_written_over(tmp_path: Path, text: str) -> None:
    golden = tmp_path / "golden.jsonl"
    golden.write_text(text, encoding="utf-8")
    logs = written(tmp_path / "logs.jsonl", {"query": "a?"})
    assert rag_eval("golden", "add", str(golden), logs).exit_code == 2
    assert golden.read_text("utf-8") == text


def test_failures_and_answers_without_retrieval_are_no_questions(tmp_path: Path) -> None:
    golden = tmp_path / "golden.jsonl"
    logs = written(
        tmp_path / "logs.jsonl",
        {"query": "Hello", "response": "Hi, how can I help?"},
        {"query": "Where is Paris?", "response": "In France.", "contexts": ["Paris, France"]},
        {"query": "Where is Ulm?", "response": "I cannot tell.", "contexts": []},
        {"query": "Where is Rome?", "error": "upstream timeout"},
        {"query": "Where is Bonn?"},
    )
    done = rag_eval("golden", "add", golden, logs)
    assert "3 questions added" in done.stdout
    assert "2 left out" in done.stdout
    assert "failed, or answered without retrieval" in done.stdout
    questions = [item.question for item in GoldenSet.read(golden)]
    assert questions == ["Where is Paris?", "Where is Ulm?", "Where is Bonn?"]
    # Where nothing was retrieved at all, an answer without contexts says nothing of its question.
    plain = written(tmp_path / "plain.jsonl", {"query": "Hello", "response": "Hi."})
    assert "1 questions added" in rag_eval("golden", "add", tmp_path / "g", plain).stdout


def test_an_import_says_when_no_answer_has_its_place(tmp_path: Path) -> None:
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "a.md").write_text("A new zip costs 25 euros.")
    table = tmp_path / "q.csv"
    table.write_text("question,reference\nWhat does a zip cost?,25 euros\n")
    command = ("golden", "import", table, "--from", "csv", "--docs", docs, "-o", tmp_path / "g")
    assert "No answer has its place in these documents" in rag_eval(*command).stderr
    table.write_text(
        "question,reference,reference_contexts\nWhat does a zip cost?,25 euros,zip costs 25 euros\n"
    )
    assert "No answer has its place" not in rag_eval(*command).stderr
