"""The embedded oracle: language rules, and if given a local embedding model. No key, no network."""

import asyncio
from collections.abc import Sequence

import numpy as np
from llama_index.core.base.embeddings.base import BaseEmbedding
from numpy.typing import NDArray

from llamaindex_rag_eval.models.request import ReplyT, Request, checked

__all__ = ["EmbeddedOracle"]

RULES_VERSION = "2"
"""Part of the fingerprint: raised whenever a rule answers differently than before."""


class EmbeddedOracle:
    """Answer by deterministic rules; the default when no LLM is configured.

    Args:
        embed_model: A local LlamaIndex embedding model; with it, texts are compared by their
            meaning rather than their words.
    """

    def __init__(self, embed_model: BaseEmbedding | None = None) -> None:
        self.embed_model = embed_model

    def __repr__(self) -> str:
        model = f"embed_model={self.embed_model.model_name!r}" if self.embed_model else ""
        return f"EmbeddedOracle({model})"

    def fingerprint(self, request: type[Request[ReplyT]]) -> str:
        """Return the version of the rules and the name of the embedding model, if any."""
        del request
        model = f"+{self.embed_model.model_name}" if self.embed_model else ""
        return f"embedded-rules/{RULES_VERSION}{model}"

    def answers(self, request: type[Request[ReplyT]]) -> bool:
        """Return whether rules answer requests of this type."""
        return request.ruled

    async def ask(self, request: Request[ReplyT]) -> ReplyT:
        """Answer by rule; an embedding model works in a thread, out of the event loop's way."""
        if self.embed_model is None:
            return checked(request, request.by_rule())
        return checked(request, await asyncio.to_thread(request.by_rule, self._embed))

    def _embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        if self.embed_model is None or not texts:
            return np.zeros((len(texts), 0), dtype=np.float32)
        rows = self.embed_model.get_text_embedding_batch(list(texts))
        return np.asarray(rows, dtype=np.float32)
