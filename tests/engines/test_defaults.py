"""The default engines: what their retrievers find."""

from llama_index.core.schema import TextNode

from llamaindex_rag_eval.engines.defaults import default_retriever
from llamaindex_rag_eval.judge.rules.embedding import LexicalEmbedding

TEXTS = ("The pump weighs 12 kg.", "The fan weighs 3 kg.", "Vents open at noon.")
NODES = [TextNode(text=text, id_=f"n{number}") for number, text in enumerate(TEXTS)]


def test_fused_rankings_put_first_what_both_retrievers_find_first() -> None:
    fused = default_retriever(NODES, "fused", embed_model=LexicalEmbedding(), top_k=2)
    found = fused.retrieve("How much does the pump weigh?")
    assert found[0].node_id == "n0"
    assert len(found) == 2
    assert found[0].score == 2 / 60  # each ranking gives 1 / (60 + rank), ranks from 0
