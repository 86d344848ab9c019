"""Embeddings in batches, off the event loop: what many metrics ask for at once is one call."""

import asyncio
from collections.abc import Sequence
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
from llama_index.core.base.embeddings.base import BaseEmbedding
from numpy.typing import NDArray

from llamaindex_rag_eval.errors import OracleError
from llamaindex_rag_eval.models.limit import Limit
from llamaindex_rag_eval.models.model import call_error, key_of

__all__ = ["Embedder"]

GATHERING = 0.005
"""Seconds to wait for company before a batch goes out."""

BATCH = 256
"""Texts in one batch at the most."""

Waiting = tuple[tuple[str, ...], asyncio.Future[NDArray[np.float32]]]


class Embedder:
    """Embed texts; what is asked within a few milliseconds goes in one batch, in a thread.

    Args:
        model: Any LlamaIndex embedding model.
        limit: Of the endpoint, shared with the model that judges; a batch counts as one call.
    """

    def __init__(self, model: BaseEmbedding, limit: Limit) -> None:
        self.model = model
        self.limit = limit
        self._waiting: WeakKeyDictionary[asyncio.AbstractEventLoop, list[Waiting]] = (
            WeakKeyDictionary()
        )

    def __getstate__(self) -> dict[str, object]:
        """Leave behind what belongs to this process's event loops."""
        return {"model": self.model, "limit": self.limit}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Begin with nothing waiting."""
        Embedder.__init__(self, state["model"], state["limit"])

    async def vectors(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return one row a text.

        Raises:
            CallError: The model could not embed them.
        """
        loop = asyncio.get_running_loop()
        future: asyncio.Future[NDArray[np.float32]] = loop.create_future()
        waiting = self._waiting.setdefault(loop, [])
        waiting.append((tuple(texts), future))
        if len(waiting) == 1:
            loop.call_later(GATHERING, self._go, loop)
        return await future

    def _go(self, loop: asyncio.AbstractEventLoop) -> None:
        batch, self._waiting[loop] = self._waiting.get(loop, []), []
        task = loop.create_task(self._embed(batch))
        task.add_done_callback(lambda done: done.exception())

    async def _embed(self, batch: list[Waiting]) -> None:
        """Embed every text of the batch once, and give each asker its rows."""
        texts = list(dict.fromkeys(text for asked, _ in batch for text in asked))
        try:
            rows = await self.limit.call(lambda: self._called(texts), model=self.model.model_name)
        except OracleError as error:
            for _, future in batch:
                if not future.done():
                    future.set_exception(error)
            return
        place = {text: number for number, text in enumerate(texts)}
        for asked, future in batch:
            if not future.done():
                future.set_result(rows[[place[text] for text in asked]])

    async def _called(self, texts: list[str]) -> NDArray[np.float32]:
        try:
            return await asyncio.to_thread(self._rows, texts)
        except Exception as error:  # noqa: BLE001 - every provider has errors of its own
            raise call_error(
                error, key_of(self.model)
            ) from None  # the provider's error may hold the key

    def _rows(self, texts: list[str]) -> NDArray[np.float32]:
        rows: list[list[float]] = []
        for start in range(0, len(texts), BATCH):
            rows += self.model.get_text_embedding_batch(texts[start : start + BATCH])
        return np.asarray(rows, dtype=np.float32)
