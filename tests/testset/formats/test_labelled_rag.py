"""Labelled RAG data sets have the fields of LlamaIndex."""

import json

from tests.testset.formats.golden import GOLDEN
from testset.formats.exchange import export_golden


def test_labelled_rag_examples_have_the_fields_of_llama_index(tmp_path):
    (path,) = export_golden(GOLDEN, tmp_path / "l.json", to="labelled_rag")
    examples = json.loads(path.read_text("utf-8"))["examples"]
    names = {"query", "query_by", "reference_contexts", "reference_answer", "reference_answer_by"}
    assert {frozenset(example) for example in examples} == {frozenset(names)}
    assert {example["query_by"]["type"] for example in examples} == {"ai"}
