"""Inputs: judges, lists of names, and the names of files."""

from pathlib import Path

import pytest

from llamaindex_rag_eval.cli.inputs import name_of, names_in
from llamaindex_rag_eval.cli.judging import Judging
from llamaindex_rag_eval.errors import InputError


def test_commas_inside_brackets_do_not_part_metrics() -> None:
    text = "rouge(type=rougeL,measure=recall), mrr,,"
    assert names_in(text) == ("rouge(type=rougeL,measure=recall)", "mrr")


def test_without_an_llm_the_rules_judge() -> None:
    assert Judging().judge() is None


def test_a_name_that_names_no_llm_is_refused() -> None:
    with pytest.raises(InputError, match="names no LLM"):
        Judging(llm="gpt").judge()


def test_a_run_is_named_by_what_tells_its_file_apart() -> None:
    assert [name_of(Path(p)) for p in ("answers-a.jsonl", "scores-a.jsonl", "a.jsonl")] == ["a"] * 3
