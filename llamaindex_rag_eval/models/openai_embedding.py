"""Embeddings over OpenAI's protocol, from OpenAI or from any server that speaks it."""

import asyncio
from functools import cache

import openai
from llama_index.core.base.embeddings.base import BaseEmbedding
from openai.types import CreateEmbeddingResponse
from pydantic import Field

from llamaindex_rag_eval.models.embedder import tokens_in_replies

TEXTS_A_CALL = 100
"""Texts of some hundred words each stay far below what one call may hold."""


class OpenAILikeEmbedding(BaseEmbedding):
    """An embedding model behind `/v1/embeddings`, whatever its name.

    It tries a call once; the `Limit` that it is called within tries again.

    Attributes:
        api_base: Where the server is; OpenAI's own by default.
        api_key: Sent with each call; in no representation and no file.
    """

    embed_batch_size: int = Field(default=TEXTS_A_CALL, gt=0, le=2048)
    api_base: str | None = None
    api_key: str = Field(default="", exclude=True, repr=False)

    @classmethod
    def class_name(cls) -> str:
        """Return the name under which LlamaIndex writes it to files."""
        return "openai_like_embedding"

    def _get_text_embeddings(self, texts: list[str]) -> list[list[float]]:
        reply = _client(self.api_key, self.api_base).embeddings.create(
            model=self.model_name, input=[text or " " for text in texts], encoding_format="float"
        )
        return _rows(reply)

    def _get_text_embedding(self, text: str) -> list[float]:
        return self._get_text_embeddings([text])[0]

    def _get_query_embedding(self, query: str) -> list[float]:
        return self._get_text_embeddings([query])[0]

    async def _aget_query_embedding(self, query: str) -> list[float]:
        return await asyncio.to_thread(self._get_query_embedding, query)


@cache
def _client(key: str, url: str | None) -> openai.OpenAI:
    """Return the client for an address, whose connections stay open for all who call there."""
    return openai.OpenAI(api_key=key, base_url=url, max_retries=0)


def _rows(reply: CreateEmbeddingResponse) -> list[list[float]]:
    """Return the rows in the order of the texts; the server's count of tokens goes to the usage."""
    counted = tokens_in_replies.get()
    if counted is not None and reply.usage is not None:  # some servers leave it out
        counted.append(reply.usage.prompt_tokens)
    return [entry.embedding for entry in sorted(reply.data, key=lambda entry: entry.index)]
