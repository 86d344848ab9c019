"""Answers without a prompt: by language rules and by embeddings.

`EmbeddedOracle` needs no key and no network. `Embedder` computes embeddings in batches, so that
what several metrics ask for at the same time is one call.
"""

import asyncio
from collections.abc import Sequence
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
from llama_index.core.base.embeddings.base import BaseEmbedding
from numpy.typing import NDArray

from llamaindex_rag_eval.errors import OracleError
from llamaindex_rag_eval.models.completion import api_key_of, call_error
from llamaindex_rag_eval.models.limit import Limit
from llamaindex_rag_eval.models.request import ReplyT, Request, check_reply

__all__ = ["EmbeddedOracle", "Embedder"]

RULES_VERSION = "2"
"""Part of the fingerprint: raised whenever a rule answers differently than before."""

GATHERING = 0.005
"""Seconds for which an `Embedder` collects texts before a batch goes out."""

BATCH = 256
"""The most texts in one call of an embedding model."""


class EmbeddedOracle:
    """Answer by deterministic rules; the default when no LLM is configured.

    Args:
        embed_model: Any LlamaIndex embedding model; with it, texts are compared by their meaning
            rather than their words.
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
        """Answer by rule; an embedding model runs in a thread, so that the event loop goes on.

        Raises:
            CallError: The embedding model could not embed the texts.
        """
        if self.embed_model is None:
            return check_reply(request, request.by_rule())
        return check_reply(request, await asyncio.to_thread(request.by_rule, self._embed))

    def _embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        if self.embed_model is None or not texts:
            return np.zeros((len(texts), 0), dtype=np.float32)
        try:
            return embed_texts(self.embed_model, texts)
        except Exception as error:  # noqa: BLE001 - every provider has errors of its own
            # The provider's error may hold the key.
            raise call_error(error, api_key_of(self.embed_model)) from None


Waiting = tuple[tuple[str, ...], asyncio.Future[NDArray[np.float32]]]


class Embedder:
    """Embed texts in a thread; those asked for within a few milliseconds are one batch.

    Args:
        model: Any LlamaIndex embedding model.
        limit: Of the endpoint, shared with the LLM; a batch counts as one call.
    """

    def __init__(self, model: BaseEmbedding, limit: Limit) -> None:
        self.model = model
        self.limit = limit
        self._waiting: WeakKeyDictionary[asyncio.AbstractEventLoop, list[Waiting]] = (
            WeakKeyDictionary()
        )

    def __getstate__(self) -> dict[str, object]:
        """Return the settings only: what waits belongs to the event loops of this process."""
        return {"model": self.model, "limit": self.limit}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Take the settings, with nothing waiting."""
        Embedder.__init__(self, state["model"], state["limit"])

    async def vectors(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return the embeddings of the texts, one row each, as an array of shape (texts, size).

        Raises:
            CallError: The model could not embed them.
        """
        loop = asyncio.get_running_loop()
        future: asyncio.Future[NDArray[np.float32]] = loop.create_future()
        waiting = self._waiting.setdefault(loop, [])
        waiting.append((tuple(texts), future))
        if len(waiting) == 1:
            loop.call_later(GATHERING, self._start, loop)
        return await future

    def _start(self, loop: asyncio.AbstractEventLoop) -> None:
        batch, self._waiting[loop] = self._waiting.get(loop, []), []
        task = loop.create_task(self._embed_batch(batch))
        task.add_done_callback(lambda done: done.exception())

    async def _embed_batch(self, batch: list[Waiting]) -> None:
        """Embed every text of the batch once, and resolve each future with its rows."""
        texts = list(dict.fromkeys(text for wanted, _ in batch for text in wanted))
        try:
            rows = await self.limit.call(lambda: self._rows(texts), model=self.model.model_name)
        except OracleError as error:
            for _, future in batch:
                if not future.done():
                    future.set_exception(error)
            return
        place = {text: number for number, text in enumerate(texts)}
        for wanted, future in batch:
            if not future.done():
                future.set_result(rows[[place[text] for text in wanted]])

    async def _rows(self, texts: list[str]) -> NDArray[np.float32]:
        try:
            return await asyncio.to_thread(embed_texts, self.model, texts)
        except Exception as error:  # noqa: BLE001 - every provider has errors of its own
            # The provider's error may hold the key.
            raise call_error(error, api_key_of(self.model)) from None


def embed_texts(model: BaseEmbedding, texts: Sequence[str]) -> NDArray[np.float32]:
    """Return the embeddings of the texts, one row each; the call blocks."""
    rows: list[list[float]] = []
    for start in range(0, len(texts), BATCH):
        rows += model.get_text_embedding_batch(list(texts[start : start + BATCH]))
    return np.asarray(rows, dtype=np.float32)
