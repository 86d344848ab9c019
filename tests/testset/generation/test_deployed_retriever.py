"""A golden set is measured against the retriever that is deployed."""

import pytest
from llama_index.core.base.base_retriever import BaseRetriever
from llama_index.core.schema import Document, NodeWithScore, QueryBundle

from llamaindex_rag_eval.engines.defaults import default_retriever
from llamaindex_rag_eval.errors import EngineError
from llamaindex_rag_eval.judge.rules.embedding import LexicalEmbedding
from tests.testset.corpora import documents
from testset import Corpus, data_card, exact_nodes, generate

DOCUMENTS = Corpus.of(documents(8, sheets=True))


def over_documents(top_k: int = 3) -> BaseRetriever:
    nodes = exact_nodes(DOCUMENTS.llama_documents())
    return default_retriever(nodes, "bm25", embed_model=LexicalEmbedding(), top_k=top_k)


class Failing(BaseRetriever):
    """Finds what another retriever finds, a number of times, and then fails."""

    def __init__(self, inner: BaseRetriever, times: int) -> None:
        super().__init__()
        self.inner, self.times = inner, times

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        self.times -= 1
        if self.times < 0:
            raise ValueError("the index is gone")
        return self.inner.retrieve(query_bundle)


def test_difficulty_and_hard_negatives_come_from_what_is_deployed():
    golden = generate(DOCUMENTS, size=8, retriever=over_documents)
    assert {item.difficulty_by for item in golden if item.gold} == {"over_documents"}
    negatives = [entry for item in golden for entry in item.hard_negatives]
    assert "over_documents" in {entry.found_by for entry in negatives}
    for item in golden:
        for entry in item.hard_negatives:
            assert DOCUMENTS.texts[entry.doc_id][entry.start : entry.end] == entry.quote
            for span in (span for group in item.gold for span in group):
                apart = span.end <= entry.start or entry.end <= span.start
                assert span.doc_id != entry.doc_id or apart
    assert golden.facts["nodes in no document"] == "0"
    assert "- retriever: over_documents" in data_card(golden)


def test_without_one_the_difficulty_says_that_it_is_by_words():
    golden = generate(DOCUMENTS, size=4)
    assert {item.difficulty_by for item in golden if item.gold} == {"BM25"}
    assert "retriever" not in golden.facts


def test_a_retriever_that_fails_at_once_is_an_error_and_can_be_mended(tmp_path):
    journal = tmp_path / "journal"
    with pytest.raises(EngineError, match="the index is gone"):
        generate(DOCUMENTS, size=4, retriever=Failing(over_documents(), 0), journal=journal)
    elsewhere = exact_nodes(
        [Document(text="Tigers sleep all day, in the shade of the tall trees.")]
    )
    wrong = default_retriever(elsewhere, "embedding", embed_model=LexicalEmbedding())
    with pytest.raises(EngineError, match="stands in the documents"):
        generate(DOCUMENTS, size=4, retriever=wrong, journal=journal)
    assert len(generate(DOCUMENTS, size=4, retriever=over_documents, journal=journal)) == 4


def test_a_retriever_that_fails_later_loses_nothing(tmp_path):
    options = {"size": 8, "types": ("single_hop",), "journal": tmp_path / "journal"}
    golden = generate(DOCUMENTS, retriever=Failing(over_documents(), 7), **options)
    assert 0 < len(golden) < 8
    assert "the index is gone" in golden.facts["stopped"]
    again = generate(DOCUMENTS, retriever=Failing(over_documents(), 99), **options)
    whole = generate(
        DOCUMENTS, retriever=Failing(over_documents(), 99), **options | {"journal": None}
    )
    assert again.items == whole.items
    other = generate(DOCUMENTS, retriever=over_documents, **options)
    assert {item.difficulty_by for item in other if item.gold} == {"over_documents"}
