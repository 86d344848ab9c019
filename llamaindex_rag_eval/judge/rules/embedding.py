"""An embedding model for LlamaIndex that needs no model."""

from llama_index.core.base.embeddings.base import BaseEmbedding

from llamaindex_rag_eval.judge.rules.vectors import lexical_vectors

__all__ = ["LexicalEmbedding"]


class LexicalEmbedding(BaseEmbedding):
    """Embed texts by their words: deterministic, offline, without a model.

    Attributes:
        dimensions: Entries of a vector.
    """

    model_name: str = "lexical"
    dimensions: int = 1024

    @classmethod
    def class_name(cls) -> str:
        """Return the name that LlamaIndex stores."""
        return "LexicalEmbedding"

    def _get_text_embeddings(self, texts: list[str]) -> list[list[float]]:
        rows: list[list[float]] = lexical_vectors(texts, dim=self.dimensions).tolist()
        return rows

    def _get_text_embedding(self, text: str) -> list[float]:
        return self._get_text_embeddings([text])[0]

    def _get_query_embedding(self, query: str) -> list[float]:
        return self._get_text_embedding(query)

    async def _aget_query_embedding(self, query: str) -> list[float]:
        return self._get_text_embedding(query)
