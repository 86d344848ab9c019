"""The embedded oracle: answers by language rules and by embeddings, without a prompt.

It needs no key and no network, unless its embedding model does.
"""

import asyncio
from collections.abc import Sequence
from contextvars import ContextVar

import numpy as np
from llama_index.core.base.embeddings.base import BaseEmbedding
from numpy.typing import NDArray

from llamaindex_rag_eval.models.embedder import Embedder
from llamaindex_rag_eval.models.limit import Limit
from llamaindex_rag_eval.models.request import Reply, ReplyT, Request, check_reply
from llamaindex_rag_eval.models.usage import Usage

RULES_VERSION = "9"
"""Part of the fingerprint: raised whenever a rule answers differently than before."""


class EmbeddedOracle:
    """Answer by deterministic rules; the default when no LLM is configured.

    Args:
        embed_model: Any LlamaIndex embedding model; with it, texts are compared by their meaning
            rather than their words, and claims with responses and references by both. It is first
            asked for some sentences in each language: claims in one that it does not know are
            compared by words.
        limit: Of the embedding model's endpoint; a local model needs none.
    """

    def __init__(
        self, embed_model: BaseEmbedding | None = None, *, limit: Limit | None = None
    ) -> None:
        self.embed_model = embed_model
        self._embedder = None if embed_model is None else Embedder(embed_model, limit or Limit())
        self._embed = None if self._embedder is None else _Embed(self._embedder)

    def __repr__(self) -> str:
        model = f"embed_model={self.embed_model.model_name!r}" if self.embed_model else ""
        return f"EmbeddedOracle({model})"

    @property
    def usage(self) -> Usage | None:
        """What a remote embedding model has cost; `None` where nothing costs anything."""
        if self._embedder is None or self._embedder.is_local:
            return None
        return self._embedder.limit.usage

    def fingerprint(self, request: type[Request[ReplyT]]) -> str:
        """Return the version of the rules and the name of the embedding model, if any."""
        if compares_texts(request):
            if self.embed_model is None:
                return f"embedded-rules/{RULES_VERSION}/words"
            return f"embedding/{self.embed_model.model_name}"
        model = f"+{self.embed_model.model_name}" if self.embed_model else ""
        return f"embedded-rules/{RULES_VERSION}{model}"

    def answers(self, request: type[Request[ReplyT]]) -> bool:
        """Return whether rules answer requests of this type."""
        return request.ruled

    async def ask(self, request: Request[ReplyT]) -> ReplyT:
        """Answer by rule; with an embedding model in a thread, so that the event loop goes on.

        Raises:
            CallError: The embedding model could not embed the texts.
            BudgetError: The budget is spent.
        """
        embedder = self._embedder
        if embedder is None:
            return check_reply(request, request.by_rule())
        if request.to_embed:
            return check_reply(
                request, request.from_vectors(await embedder.vectors(request.to_embed))
            )
        _asking.set(asyncio.get_running_loop())
        return check_reply(request, await asyncio.to_thread(request.by_rule, self._embed))


_asking: ContextVar[asyncio.AbstractEventLoop] = ContextVar("_asking")
"""The event loop that asks; a thread is started with the context of its task."""


class _Embed:
    """Embeds texts for a rule, which runs in a thread, on the event loop that asks.

    One for each oracle: rules remember by it what they learned of its model.
    """

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder

    def __call__(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return one row for each text."""
        work = self._embedder.vectors(texts)
        return asyncio.run_coroutine_threadsafe(work, _asking.get()).result()


def compares_texts(request: type[Request[ReplyT]]) -> bool:
    """Return whether requests of this type are answered by the vectors of texts."""
    return request.to_embed is not Request[Reply].to_embed
