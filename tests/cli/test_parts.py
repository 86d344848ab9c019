"""What the commands are made of."""

from pathlib import Path

import pytest

from llamaindex_rag_eval.cli.inputs import judge_from, name_of, names_in
from llamaindex_rag_eval.cli.paths import writable
from llamaindex_rag_eval.errors import InputError, OutputError


def test_commas_inside_brackets_do_not_part_metrics() -> None:
    asked = "rouge(type=rougeL,measure=recall), mrr,,"
    assert names_in(asked) == ("rouge(type=rougeL,measure=recall)", "mrr")


def test_without_an_llm_the_rules_judge() -> None:
    assert judge_from(None, None) is None


def test_a_name_that_names_no_llm_is_refused() -> None:
    with pytest.raises(InputError, match="names no LLM"):
        judge_from("gpt", None)


def test_the_folder_of_an_output_is_made(tmp_path: Path) -> None:
    path = writable(tmp_path / "new" / "folder" / "out.csv")
    assert path.parent.is_dir()
    assert not path.exists()


def test_a_folder_is_no_file_to_write(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match="it is a folder"):
        writable(tmp_path)


def test_a_run_is_named_by_what_tells_its_file_apart() -> None:
    assert [name_of(Path(p)) for p in ("answers-a.jsonl", "scores-a.jsonl", "a.jsonl")] == ["a"] * 3
