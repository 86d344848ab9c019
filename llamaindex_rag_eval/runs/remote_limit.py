"""The limits of one process hold for calls that others make: metrics travel, limits stay behind.

A judge is pickled with a `RemoteLimit` in place of each `Limit`. What a call asks, and what came of
it, goes to the process that holds the real one, which says when to attempt it, and whether again.
Concurrency, rates, budget, retries and patience with an endpoint that is away are one for all
workers.
"""

import io
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import cloudpickle

from llamaindex_rag_eval.errors import CallError, InputError
from llamaindex_rag_eval.models.admission import Call
from llamaindex_rag_eval.models.database import absolute_url
from llamaindex_rag_eval.models.limit import Limit
from llamaindex_rag_eval.models.store import ReplyStore
from llamaindex_rag_eval.models.usage import Spent, Usage
from llamaindex_rag_eval.runs.peer import Peer


class RemoteLimit(Limit):
    """A limit in a worker: that of another process says when a call is attempted.

    Attributes:
        peer: The process that holds the limit.
    """

    peer: Peer

    @classmethod
    def of(cls, number: int, state: dict[str, Any]) -> "RemoteLimit":
        """Return the limit with the settings of the other process's, by its number there."""
        own = object.__new__(cls)
        own.__setstate__({**state, "usage": _SharedUsage(state["usage"].prices, own)})
        own._number = number
        return own

    _number: int

    async def _ask(self, call: Call) -> None:
        """Wait until a call may go out, within the limits of all workers."""
        await self.peer.ask("ask", self._number, call.number, call.model, call.tokens)

    async def _failed(self, call: Call, error: CallError) -> None:
        """Note that a call failed, and is to ask again; see `Limit._failed`."""
        await self.peer.ask("failed", call.number, error)

    def _leave(self, call: Call, *, answered: bool = False) -> None:
        """Take back all that a call holds; note whether it was answered.

        Whoever made it counts at once what it has cost, and the other process hears of both in one
        moment, before another call goes out.
        """
        self.peer.tell("leave", call.number, answered)


class _SharedUsage(Usage):
    """Counts that the process which holds the limit is told."""

    def __init__(self, prices: Any, limit: RemoteLimit) -> None:
        super().__init__(prices)
        self._limit = limit

    def count(self, spent: Spent) -> None:
        """Count what one call has cost."""
        super().count(spent)
        self._limit.peer.tell("spent", self._limit._number, spent)


def serve_limits(limits: Sequence[Limit], peer: Peer) -> None:
    """Let a worker call within the limits of this process; if it dies, its calls leave."""
    calls: dict[int, tuple[Limit, Call]] = {}

    async def ask(number: int, key: int, model: str, tokens: int) -> None:
        if key not in calls:
            calls[key] = limits[number], Call(limits[number].window, model, tokens)
        limit, call = calls[key]
        await limit._ask(call)

    async def failed(key: int, error: CallError) -> None:
        await Limit._failed(*calls[key], error)

    def leave(key: int, answered: bool = False) -> None:
        if key in calls:  # else the worker has been given up
            Limit._leave(*calls.pop(key), answered=answered)

    peer.methods |= {
        "ask": ask,
        "failed": failed,
        "leave": leave,
        "spent": lambda number, spent: limits[number].usage.report(spent),
    }
    peer.closing = lambda: list(map(leave, list(calls)))


def use_limits(limits: Sequence[RemoteLimit], peer: Peer) -> None:
    """Let calls of this process go through the limits of another."""
    for limit in limits:
        limit.peer = peer


def dumps(value: object) -> tuple[bytes, list[Limit], list[str]]:
    """Return a value pickled for other processes, the limits in it, the URLs of its stores.

    Classes and functions of the caller's own modules travel with it.

    Raises:
        InputError: Something in it cannot be pickled.
    """
    limits: list[Limit] = []
    stores: list[str] = []

    class Pickler(cloudpickle.CloudPickler):  # type: ignore[misc]  # untyped
        def reducer_override(self, obj: object) -> object:
            if isinstance(obj, Limit):
                limits.append(obj)
                return RemoteLimit.of, (len(limits) - 1, obj.__getstate__())
            if isinstance(obj, ReplyStore):
                stores.append(absolute_url(obj.url))
            return super().reducer_override(obj)

    buffer = io.BytesIO()
    with _sending():
        Pickler(buffer).dump((value, limits))
    return buffer.getvalue(), limits, stores


def loads(data: bytes) -> Any:
    """Return what `dumps` pickled: the value, and its limits by their numbers.

    Args:
        data: From a process of this run, never from a file.

    Raises:
        InputError: Something in it cannot be opened here.
    """
    with _sending():
        return cloudpickle.loads(data)


@contextmanager
def _sending() -> Iterator[None]:
    try:
        yield
    except Exception as error:  # noqa: BLE001 - a user's class may raise anything
        reason = f"{type(error).__name__}: {error}"
        raise InputError(f"the metrics cannot be sent to another process: {reason}") from None
