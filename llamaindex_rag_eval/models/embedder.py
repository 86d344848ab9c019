"""Embeddings of texts, gathered into batches and asked for without holding up the event loop.

A class of LlamaIndex tells neither whether its model is on this machine nor whether its
asynchronous methods are more than a sync call in disguise: each call has a thread, and the names of
a class's parameters tell where its model is.
"""

import asyncio
import re
import threading
from collections.abc import Sequence
from contextlib import nullcontext
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import lru_cache, partial
from weakref import WeakKeyDictionary

import numpy as np
from llama_index.core.base.embeddings.base import BaseEmbedding
from numpy.typing import NDArray

from llamaindex_rag_eval._sync import in_thread
from llamaindex_rag_eval.errors import CallError
from llamaindex_rag_eval.models.failures import api_key_of, call_error
from llamaindex_rag_eval.models.limit import Limit
from llamaindex_rag_eval.models.settings_only import SettingsOnly
from llamaindex_rag_eval.models.usage import current_metric, tokens_of

REQUEST = "embedding"
"""The kind of request under which a usage counts embeddings."""

GATHERING = 0.005
"""Seconds for which an `Embedder` collects texts before a batch goes out."""

LOCAL_BATCH = 256
"""The most texts that a local model is given at a time."""

REMOTE_FIELD = re.compile(r"api|key|url|host|endpoint|region|deployment|client|token$")
"""Parts of the names of parameters that only a model behind a network has."""

_LOCAL = threading.Lock()
"""Held while a local model computes: tokenizers are not made for two threads."""

tokens_in_replies: ContextVar[list[int] | None] = ContextVar("tokens_in_replies", default=None)
"""Takes the tokens that a server counted, from a class that reads them; LlamaIndex drops them."""


@dataclass(eq=False)
class _Batch:
    """Texts that are embedded together.

    Attributes:
        rows: Their embeddings, in the order of the texts.
        row_of: Text -> its row.
        metrics: For which metrics they are asked.
    """

    rows: asyncio.Future[NDArray[np.float32]]
    row_of: dict[str, int] = field(default_factory=dict)
    metrics: set[str] = field(default_factory=set)


class Embedder(SettingsOnly):
    """Embed texts; those asked for within a few milliseconds go out together.

    A remote model is called within the limit, for a batch of its own size at a time, and counted
    in the limit's usage. A local one is computed in one thread, and costs nothing.

    Args:
        model: Any LlamaIndex embedding model.
        limit: Of the endpoint, shared with the LLM; a batch counts as one call.
    """

    def __init__(self, model: BaseEmbedding, limit: Limit) -> None:
        self.model = model
        self.limit = limit
        self.is_local = is_local(type(model))
        self._begin()

    def _begin(self) -> None:
        """Begin with nothing waiting: that belongs to the event loops of this process."""
        self._batches: WeakKeyDictionary[asyncio.AbstractEventLoop, _Batch] = WeakKeyDictionary()

    async def vectors(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return the embeddings of the texts, one row each, as an array of shape (texts, size).

        Raises:
            CallError: The model could not embed them.
            BudgetError: The budget is spent.
        """
        if not texts:
            return np.zeros((0, 0), dtype=np.float32)
        loop = asyncio.get_running_loop()
        batch = self._batches.get(loop)
        if batch is None or batch.rows.done():
            batch = self._batches[loop] = _Batch(loop.create_task(self._gathered(loop)))
            batch.rows.add_done_callback(lambda done: done.cancelled() or done.exception())
        rows = [batch.row_of.setdefault(text, len(batch.row_of)) for text in texts]
        batch.metrics.add(current_metric.get())
        return (await asyncio.shield(batch.rows))[rows]

    async def _gathered(self, loop: asyncio.AbstractEventLoop) -> NDArray[np.float32]:
        """Return the rows of what is asked for within a moment, each text embedded once."""
        await asyncio.sleep(GATHERING)
        batch = self._batches.pop(loop)
        current_metric.set(batch.metrics.pop() if len(batch.metrics) == 1 else "")  # of this task
        return await self._rows([*batch.row_of])

    async def _rows(self, texts: list[str]) -> NDArray[np.float32]:
        several = type(self.model)._get_text_embeddings is not BaseEmbedding._get_text_embeddings
        size = LOCAL_BATCH if self.is_local else self.model.embed_batch_size if several else 1
        parts = [texts[start : start + size] for start in range(0, len(texts), size)]
        embed = self._computed if self.is_local else self._called
        batches = await asyncio.gather(*(embed(part) for part in parts))
        rows = [row for part in batches for row in part]
        if len(rows) != len(texts) or len({len(row) for row in rows}) > 1:
            raise CallError(
                f"{self.model.model_name!r} gave {len(rows)} rows for {len(texts)} texts, of "
                f"{sorted({len(row) for row in rows})} numbers"
            )
        return np.asarray(rows, dtype=np.float32)

    async def _called(self, texts: list[str]) -> list[list[float]]:
        """Return the rows of one call to a server, which is counted."""
        tokens = sum(map(tokens_of, texts))
        counted: list[int] = []
        tokens_in_replies.set(counted)  # of this task only: `gather` made it one
        name = self.model.model_name
        rows = await self.limit.call(partial(self._computed, texts), model=name, tokens=tokens)
        self.limit.usage.add(
            model=name, request=REQUEST, prompt=sum(counted) or tokens, completion=0
        )
        return rows

    async def _computed(self, texts: list[str]) -> list[list[float]]:
        def work() -> list[list[float]]:
            with _LOCAL if self.is_local else nullcontext():
                return self.model.get_text_embedding_batch(texts)

        try:
            return await in_thread(work)
        except Exception as error:  # noqa: BLE001 - every provider has errors of its own
            # The provider's error may hold the key.
            raise call_error(error, api_key_of(self.model)) from None


@lru_cache(maxsize=256)
def is_local(kind: type[BaseEmbedding]) -> bool:
    """Return whether the models of a class are on this machine: it wants no key and no address."""
    own = {*kind.model_fields, *kind.__private_attributes__} - set(BaseEmbedding.model_fields)
    return not any(REMOTE_FIELD.search(name) for name in own)
