"""BM25 of the default engine: equal scores stand in the order of the nodes, on every processor."""

from llama_index.core import MockEmbedding
from llama_index.core.schema import TextNode

from llamaindex_rag_eval.engines.defaults import default_retriever

TEXTS = ["a red lock", *["tea time"] * 40, "two locks"]


def found(question: str) -> list[str]:
    nodes = [TextNode(id_=str(number), text=text) for number, text in enumerate(TEXTS)]
    retriever = default_retriever(nodes, "bm25", embed_model=MockEmbedding(embed_dim=2), top_k=5)
    return [entry.node.node_id for entry in retriever.retrieve(question)]


def test_nodes_of_equal_scores_stand_in_their_own_order():
    assert found("When is tea time?") == ["1", "2", "3", "4", "5"]
    assert found("two")[0] == "41"


def test_a_question_without_a_known_word_has_the_first_nodes():
    assert found("?") == found("zebra") == ["0", "1", "2", "3", "4"]
