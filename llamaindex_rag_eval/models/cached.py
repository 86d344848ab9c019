"""The caching oracle: a request that was answered before is not asked again.

Replies are found in memory, in flight (equal requests asked at the same time become one, among
processes that share a store too), and in a store if one is given. The key holds the request and
the fingerprint of the oracle inside: two models never share a reply.
"""

import asyncio
from collections import OrderedDict
from contextlib import suppress
from dataclasses import KW_ONLY, dataclass, field

from llamaindex_rag_eval.errors import ReplyError
from llamaindex_rag_eval.models.request import (
    Oracle,
    OracleOver,
    Reply,
    ReplyT,
    Request,
    check_reply,
)
from llamaindex_rag_eval.models.store import ReplyStore, reply_key
from llamaindex_rag_eval.models.store_tables import StoredReply
from llamaindex_rag_eval.models.store_thread import StoreThread

REMEMBERED = 2048
"""Replies kept in memory: enough for the samples in flight, and no more over a long run."""

Key = tuple[str, Request[Reply]]


class Remembered:
    """Replies in memory, and those in flight; another process begins with none."""

    def __init__(self) -> None:
        self.replies: OrderedDict[Key, Reply] = OrderedDict()
        self.in_flight: dict[tuple[int, Key], asyncio.Future[Reply]] = {}

    def __reduce__(self) -> tuple[object, ...]:
        return Remembered, ()


@dataclass(eq=False, repr=False)
class CachedOracle(OracleOver):
    """Answer from memory or disk where it can; ask `inner` once where it cannot.

    Args:
        inner: Answers what was not asked before.
        store: Keeps replies beyond the process; `None` keeps them in memory only.
        size: Replies kept in memory; beyond, the least recently used is dropped.
        remembered: The memory of other caches, to be shared with them.
    """

    inner: Oracle
    store: ReplyStore | None = None
    _: KW_ONLY
    size: int = REMEMBERED
    remembered: Remembered = field(default_factory=Remembered)

    def __repr__(self) -> str:
        return f"CachedOracle({self.inner!r}{f', {self.store!r}' if self.store else ''})"

    async def ask(self, request: Request[ReplyT]) -> ReplyT:
        """Return the reply known for an equal request, or ask for it, once.

        A failure is not kept; all who wait for the same request get it. If the task that asked is
        cancelled, one of those that wait asks in its place.
        """
        key: Key = (self.inner.fingerprint(type(request)), request)  # type: ignore[assignment]  # any reply
        flight = (id(asyncio.get_running_loop()), key)
        while True:
            known = self.remembered.replies.get(key)
            if known is not None:
                with suppress(KeyError):  # another thread may have forgotten it just now
                    self.remembered.replies.move_to_end(key)
                return check_reply(request, known)
            asking = self.remembered.in_flight.get(flight)
            if asking is None:
                return await self._ask_once(flight, key, request)
            await asyncio.wait((asking,))  # being cancelled here does not cancel the request
            if not asking.cancelled():
                return check_reply(request, asking.result())

    async def _ask_once(
        self, flight: tuple[int, Key], key: Key, request: Request[ReplyT]
    ) -> ReplyT:
        """Ask for all who want the same, and remember the reply."""
        future: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()
        self.remembered.in_flight[flight] = future
        try:
            if self.store is None:
                reply = await self.inner.ask(request)
            else:
                reply = await self._by_store(self.store.thread, key[0], request)
        except Exception as error:
            future.set_exception(error)
            future.exception()  # marks it as seen: perhaps nobody else waits for it
            raise
        else:
            future.set_result(reply)
            self.remembered.replies[key] = reply
            while len(self.remembered.replies) > self.size:
                self.remembered.replies.popitem(last=False)
            return reply
        finally:
            del self.remembered.in_flight[flight]
            if not future.done():  # we were cancelled
                future.cancel()

    async def _by_store(
        self, thread: StoreThread, fingerprint: str, request: Request[ReplyT]
    ) -> ReplyT:
        """Read the reply from the store, or ask `inner` and write it there."""
        kind = type(request).__name__
        key = reply_key(fingerprint, kind, request.model_dump_json())
        stored = await thread.claim(key)
        reply = None if stored is None else readable(request, stored)
        if reply is not None:
            return reply
        try:
            reply = await self.inner.ask(request)
        except BaseException:
            thread.release(key)
            raise
        row = StoredReply(key, kind, fingerprint, reply.model_dump_json())
        thread.put(row)
        return reply


def readable(request: Request[ReplyT], kept: str) -> ReplyT | None:
    """Return a reply from the store; `None` if another version wrote it or it is damaged."""
    try:
        return check_reply(request, request.reply.model_validate_json(kept))
    except (ReplyError, ValueError):
        return None
