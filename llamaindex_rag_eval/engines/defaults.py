"""The default query engine: BM25, an embedding model or both retrieve, an LLM answers.

It serves where no engine was given: `rag-eval run --docs` and `rag-eval demo` build it with models
that are rules, so that it needs no key, download or network.
"""

import logging
from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from llama_index.core.base.base_retriever import BaseRetriever
    from llama_index.core.base.embeddings.base import BaseEmbedding
    from llama_index.core.llms import LLM
    from llama_index.core.query_engine import RetrieverQueryEngine
    from llama_index.core.schema import BaseNode

RetrieverKind = Literal["bm25", "embedding", "fused"]

FUSED = 10
"""Nodes that each of the two retrievers of "fused" gives, or as many as are wanted."""

TERMS = r"(?u)[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]|(?:(?![\u3040-\u30ff\u3400-\u9fff])\w){2,}"
"""What BM25 counts: words, and each character of scripts that put no spaces between words."""


def default_engine(
    nodes: "Sequence[BaseNode]",
    retriever: RetrieverKind,
    *,
    llm: "LLM",
    embed_model: "BaseEmbedding",
    top_k: int = 5,
) -> "RetrieverQueryEngine":
    """Return a query engine over these nodes.

    Args:
        nodes: The chunks to retrieve from.
        retriever: How it retrieves.
        llm: Writes the answer from what was retrieved.
        embed_model: Embeds nodes and questions, but for the retriever "bm25".
        top_k: The most nodes to retrieve for a question.
    """
    from llama_index.core.query_engine import RetrieverQueryEngine

    base = default_retriever(nodes, retriever, embed_model=embed_model, top_k=top_k)
    return RetrieverQueryEngine.from_args(base, llm=llm)


def default_retriever(
    nodes: "Sequence[BaseNode]",
    retriever: RetrieverKind,
    *,
    embed_model: "BaseEmbedding",
    top_k: int = 5,
) -> "BaseRetriever":
    """Return a retriever over these nodes; see `default_engine`.

    It is BM25, a vector index, or both with their rankings fused by reciprocal ranks.
    """
    if retriever == "fused":
        from llama_index.core.llms import MockLLM
        from llama_index.core.retrievers import QueryFusionRetriever
        from llama_index.core.retrievers.fusion_retriever import FUSION_MODES

        parts = [
            default_retriever(nodes, kind, embed_model=embed_model, top_k=max(top_k, FUSED))
            for kind in ("bm25", "embedding")
        ]
        return QueryFusionRetriever(
            parts,
            llm=MockLLM(),  # would write more queries; none are wanted
            num_queries=1,
            mode=FUSION_MODES.RECIPROCAL_RANK,
            similarity_top_k=top_k,
        )
    if retriever == "bm25":
        from llamaindex_rag_eval.engines.bm25 import StableBM25Retriever

        logging.getLogger("bm25s").setLevel(logging.WARNING)  # it logs what it does to stderr
        return StableBM25Retriever(
            nodes=list(nodes), similarity_top_k=min(top_k, len(nodes)), token_pattern=TERMS
        )
    import numpy as np
    from llama_index.core import VectorStoreIndex

    index = VectorStoreIndex(list(nodes), embed_model=embed_model)
    # The store in memory would make arrays of all lists anew for each question.
    stored = index.vector_store.data  # type: ignore[attr-defined]
    stored.embedding_dict = {key: np.array(row) for key, row in stored.embedding_dict.items()}
    return index.as_retriever(similarity_top_k=top_k)
