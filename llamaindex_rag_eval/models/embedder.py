"""Embeddings of texts, gathered into batches and asked for without holding up the event loop.

A class of LlamaIndex tells neither whether its model is on this machine nor whether its
asynchronous methods are more than a sync call in disguise; `embedding_way` looks at its code.
"""

import asyncio
import dis
import inspect
import os
import re
import threading
from collections.abc import Coroutine, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextvars import ContextVar, copy_context
from functools import lru_cache, partial
from typing import Any, Literal, TypeVar
from weakref import WeakKeyDictionary

import numpy as np
from llama_index.core.base.embeddings.base import BaseEmbedding
from numpy.typing import NDArray

from llamaindex_rag_eval.errors import CallError
from llamaindex_rag_eval.models.completion import api_key_of, call_error
from llamaindex_rag_eval.models.failed_call import seen_from_here
from llamaindex_rag_eval.models.limit import Limit
from llamaindex_rag_eval.models.tokens import tokens_of
from llamaindex_rag_eval.models.usage import current_metric

T = TypeVar("T")

EmbeddingWay = Literal["async", "threads", "local"]

REQUEST = "embedding"
"""The kind of request under which a usage counts embeddings."""

GATHERING = 0.005
"""Seconds for which an `Embedder` collects texts before a batch goes out."""

LOCAL_BATCH = 256
"""The most texts that a local model is given at a time."""

THREADS = 8
"""For remote models whose class has no asynchronous call of its own; shared by all of them."""

REMOTE_FIELD = re.compile(r"api|key|url|host|endpoint|region|deployment|token$")
"""Parts of the names of parameters that only a model behind a network has."""

TO_THREAD = frozenset({"to_thread", "run_in_executor"})

tokens_in_replies: ContextVar[list[int] | None] = ContextVar("tokens_in_replies", default=None)
"""Takes the tokens that a server counted, from a class that reads them; LlamaIndex drops them."""

Waiting = tuple[tuple[str, ...], str, asyncio.Future[NDArray[np.float32]]]
"""The texts of one request, the metric that asks, and where the rows go."""


class Embedder:
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
        self.way = embedding_way(type(model))
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
            BudgetError: The budget is spent.
        """
        if not texts:
            return np.zeros((0, 0), dtype=np.float32)
        loop = asyncio.get_running_loop()
        future: asyncio.Future[NDArray[np.float32]] = loop.create_future()
        waiting = self._waiting.setdefault(loop, [])
        waiting.append((tuple(texts), current_metric.get(), future))
        if len(waiting) == 1:
            loop.call_later(GATHERING, self._start, loop)
        return await future

    def _start(self, loop: asyncio.AbstractEventLoop) -> None:
        batch, self._waiting[loop] = self._waiting.get(loop, []), []
        task = loop.create_task(self._embed_batch(batch))
        task.add_done_callback(lambda done: done.cancelled() or done.exception())

    async def _embed_batch(self, batch: list[Waiting]) -> None:
        """Embed every text of the batch once, and resolve each future with its rows."""
        metrics = {metric for _, metric, _ in batch}
        current_metric.set(metrics.pop() if len(metrics) == 1 else "")  # of this task only
        texts = list(dict.fromkeys(text for wanted, _, _ in batch for text in wanted))
        try:
            rows = await self._rows(texts)
        except Exception as error:  # noqa: BLE001 - whoever waits for the rows gets it
            for _, _, future in batch:
                if not future.done():
                    future.set_exception(error)
            return
        except BaseException:  # this task was cancelled
            for _, _, future in batch:
                future.cancel()
            raise
        row_of = {text: number for number, text in enumerate(texts)}
        for wanted, _, future in batch:
            if not future.done():
                future.set_result(rows[[row_of[text] for text in wanted]])

    async def _rows(self, texts: list[str]) -> NDArray[np.float32]:
        size = _batch_size(self.model, self.way)
        parts = [texts[start : start + size] for start in range(0, len(texts), size)]
        embed = self._computed if self.way == "local" else self._called
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
        rows = await self.limit.call(
            partial(self._computed, texts), model=name, tokens=tokens, kind=REQUEST
        )
        self.limit.usage.add(
            model=name, request=REQUEST, prompt=sum(counted) or tokens, completion=0
        )
        return rows

    async def _computed(self, texts: list[str]) -> list[list[float]]:
        try:
            if self.way == "async":
                return await _on_own_loop(self.model.aget_text_embedding_batch(texts))
            pool = _pool(1 if self.way == "local" else THREADS, os.getpid())
            work = partial(copy_context().run, self.model.get_text_embedding_batch, texts)
            return await asyncio.get_running_loop().run_in_executor(pool, work)
        except Exception as error:  # noqa: BLE001 - every provider has errors of its own
            # The provider's error may hold the key.
            failure = call_error(error, api_key_of(self.model))
            raise await seen_from_here(error, failure) from None


@lru_cache(maxsize=256)
def embedding_way(kind: type[BaseEmbedding]) -> EmbeddingWay:
    """Return how the models of a class are asked without holding up the event loop.

    Returns:
        `async` if its asynchronous methods await something of their own; else `threads` if it has
        a parameter for a key or an address, and `local` if it has none.
    """
    if _awaits(kind, "_aget_text_embeddings", set()):
        return "async"
    fields = set(kind.model_fields) - set(BaseEmbedding.model_fields)
    return "threads" if any(REMOTE_FIELD.search(name) for name in fields) else "local"


def _awaits(kind: type[BaseEmbedding], name: str, seen: set[str]) -> bool:
    """Return whether a coroutine method awaits anything but a thread or a sync call."""
    seen.add(name)
    method = getattr(kind, name)
    if method is getattr(BaseEmbedding, name, None):  # the base's own are sync in the end
        return name == "_aget_text_embeddings" and _awaits(kind, "_aget_text_embedding", seen)
    code = getattr(inspect.unwrap(method), "__code__", None)
    if code is None or TO_THREAD & set(code.co_names):
        return False
    if not any(step.opname == "GET_AWAITABLE" for step in dis.get_instructions(code)):
        return False
    own = {n for n in code.co_names if inspect.iscoroutinefunction(getattr(kind, n, None))}
    return all(_awaits(kind, other, seen) for other in sorted(own - seen))


def _batch_size(model: BaseEmbedding, way: EmbeddingWay) -> int:
    """Return how many texts one call takes: one, where the class has no call for several."""
    if way == "local":
        return LOCAL_BATCH
    name = "_aget_text_embeddings" if way == "async" else "_get_text_embeddings"
    several = getattr(type(model), name) is not getattr(BaseEmbedding, name)
    return model.embed_batch_size if several else 1


_STARTING = threading.Lock()


@lru_cache(maxsize=2)
def _pool(threads: int, process: int) -> ThreadPoolExecutor:
    """Return the threads of local models (one: tokenizers are not made for two), or of remote."""
    del process  # a forked child has none of its parent's threads
    return ThreadPoolExecutor(threads, thread_name_prefix="embedding")


@lru_cache(maxsize=1)
def _loop(process: int) -> asyncio.AbstractEventLoop:
    """Return an event loop that runs in a thread of its own until the process ends."""
    loop = asyncio.new_event_loop()
    loop.set_default_executor(_pool(THREADS, process))  # names are looked up in a thread
    threading.Thread(target=loop.run_forever, name="embedding-loop", daemon=True).start()
    return loop


async def _on_own_loop(work: Coroutine[Any, Any, T]) -> T:
    """Await the work on one loop that stays: clients that a class keeps are bound to a loop."""
    with _STARTING:
        loop = _loop(os.getpid())
    return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(work, loop))
