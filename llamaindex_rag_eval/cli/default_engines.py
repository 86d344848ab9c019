"""Default query engines: two retrievers over a folder, with answers taken from what they find.

They need no model: BM25 or lexical vectors retrieve, and sentences of the contexts answer.
Chunks know their exact place in their document.
"""

import logging
from typing import TYPE_CHECKING, Literal

from llama_index.core.query_engine import RetrieverQueryEngine
from llama_index.core.retrievers import BaseRetriever
from llama_index.core.schema import BaseNode

from llamaindex_rag_eval.judge.rules.embedding import LexicalEmbedding
from llamaindex_rag_eval.judge.rules.extractive import ExtractiveLLM

if TYPE_CHECKING:
    from testset import Corpus

__all__ = ["RetrieverKind", "chunks_of", "default_engine", "default_retriever"]

RetrieverKind = Literal["bm25", "embedding"]

TERMS = r"(?u)[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]|(?:(?![\u3040-\u30ff\u3400-\u9fff])\w){2,}"
"""What BM25 counts: words, and each character of scripts that put no spaces between words."""


def chunks_of(corpus: "Corpus") -> list[BaseNode]:
    """Return the chunks of all documents, each with its exact place."""
    from testset import exact_nodes

    return list(exact_nodes(corpus.llama_documents()))


def default_engine(
    nodes: list[BaseNode], retriever: RetrieverKind, *, top_k: int = 5
) -> RetrieverQueryEngine:
    """Return a query engine that answers from these chunks without any model."""
    return RetrieverQueryEngine.from_args(
        default_retriever(nodes, retriever, top_k=top_k), llm=ExtractiveLLM()
    )


def default_retriever(
    nodes: list[BaseNode], retriever: RetrieverKind, *, top_k: int = 5
) -> BaseRetriever:
    """Return a retriever over these chunks: BM25, or an index of lexical vectors."""
    if retriever == "bm25":
        from llama_index.retrievers.bm25 import BM25Retriever  # type: ignore[import-untyped]  # has none

        logging.getLogger("bm25s").setLevel(logging.WARNING)  # it logs what it does to stderr
        top_k = min(top_k, len(nodes))
        found: BaseRetriever = BM25Retriever(
            nodes=nodes, similarity_top_k=top_k, token_pattern=TERMS
        )
        return found
    from llama_index.core import VectorStoreIndex

    index = VectorStoreIndex(nodes, embed_model=LexicalEmbedding())
    return index.as_retriever(similarity_top_k=top_k)
