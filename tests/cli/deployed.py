"""Retrievers that tests of the command line name."""

from llama_index.core.base.base_retriever import BaseRetriever
from llama_index.core.schema import TextNode

from llamaindex_rag_eval.engines.defaults import default_retriever
from llamaindex_rag_eval.judge.rules.embedding import LexicalEmbedding
from tests.testset.corpora import documents
from testset import Corpus, exact_nodes


def retriever() -> BaseRetriever:
    nodes = exact_nodes(Corpus.of(documents(16)).llama_documents())
    return default_retriever(nodes, "bm25", embed_model=LexicalEmbedding(), top_k=3)


def elsewhere() -> BaseRetriever:
    nodes = [TextNode(text="Tigers sleep all day. The tall workers weigh them, page by page.")]
    return default_retriever(nodes, "embedding", embed_model=LexicalEmbedding(), top_k=3)
