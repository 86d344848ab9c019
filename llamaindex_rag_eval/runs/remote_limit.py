"""The limits of one process hold for calls that others make: metrics travel, limits stay behind.

A judge is pickled with a `RemoteLimit` in place of each `Limit`. A call goes through it to the
process that holds the real one, which says when to attempt it, and again if need be. Concurrency,
rates, budget, retries and patience with an endpoint that is away are one for all workers.
"""

import asyncio
import io
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import Context, copy_context
from functools import partial
from itertools import count
from typing import Any, TypeVar

import cloudpickle

from llamaindex_rag_eval.errors import CallError, InputError
from llamaindex_rag_eval.models.database import absolute_url
from llamaindex_rag_eval.models.limit import Limit
from llamaindex_rag_eval.models.store import ReplyStore
from llamaindex_rag_eval.models.usage import Spent, Usage
from llamaindex_rag_eval.runs.peer import Peer

T = TypeVar("T")


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
        own._number, own._numbers, own._calls = number, count(), {}
        return own

    _number: int
    _numbers: "count[int]"
    _calls: "dict[int, tuple[Callable[[], Awaitable[Any]], asyncio.Future[Any], Context]]"

    def pause(self, seconds: float) -> None:
        """Hold the calls of all workers for so many seconds."""
        self.peer.tell("pause", self._number, seconds)

    def report(self, spent: Spent) -> None:
        """Tell what a call has cost."""
        self.peer.tell("spent", self._number, spent)

    async def call(
        self, work: Callable[[], Awaitable[T]], *, model: str = "", tokens: int = 0, kind: str = ""
    ) -> T:
        """Do one call within the limits of all workers; see `Limit.call`."""
        call = next(self._numbers)
        outcome: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._calls[call] = work, outcome, copy_context()
        leave = self.peer.ask("within", self._number, call, model, tokens, kind)
        leave.add_done_callback(partial(_fail, outcome))
        try:
            # Its reply is there before the other process hears of it: whoever called counts at
            # once what it has cost, and the other process hears of that first.
            return await outcome
        except BaseException:
            leave.cancel()
            raise
        finally:
            del self._calls[call]

    async def attempt(self, call: int) -> None:
        """Attempt a call for the other process, in the context of whoever called.

        Raises:
            CallError: It failed; the other process knows whether it is tried again.
        """
        if call in self._calls:  # it is still wanted
            work, outcome, context = self._calls[call]
            try:
                reply = await context.run(asyncio.ensure_future, _awaited(work))
            except CallError:
                raise
            except Exception as error:  # noqa: BLE001 - whoever called gets it, as from `Limit.call`
                if not outcome.done():
                    outcome.set_exception(error)
            else:
                if not outcome.done():
                    outcome.set_result(reply)
                return
        await asyncio.Future()  # whoever called has given up: the other process cancels this


async def _awaited(work: Callable[[], Awaitable[T]]) -> T:
    return await work()


def _fail(outcome: "asyncio.Future[T]", leave: "asyncio.Future[None]") -> None:
    """Give up a call: nothing is attempted any more."""
    error = None if leave.cancelled() else leave.exception()
    if error is not None and not outcome.done():
        outcome.set_exception(error)


class _SharedUsage(Usage):
    """Counts that the process which holds the limit is told."""

    def __init__(self, prices: Any, limit: RemoteLimit) -> None:
        super().__init__(prices)
        self._limit = limit

    def count(self, spent: Spent) -> None:
        """Count what one call has cost."""
        super().count(spent)
        self._limit.report(spent)


def serve_limits(limits: Sequence[Limit], peer: Peer) -> None:
    """Let a worker call within the limits of this process."""

    async def within(number: int, call: int, model: str, tokens: int, kind: str) -> None:
        attempt = partial(peer.ask, "attempt", number, call)
        await limits[number].call(attempt, model=model, tokens=tokens, kind=kind)

    peer.methods |= {
        "within": within,
        "pause": lambda number, seconds: limits[number].pause(seconds),
        "spent": lambda number, spent: limits[number].usage.report(spent),
    }


def use_limits(limits: Sequence[RemoteLimit], peer: Peer) -> None:
    """Let calls of this process go through the limits of another."""
    for limit in limits:
        limit.peer = peer
    peer.methods["attempt"] = lambda number, call: limits[number].attempt(call)


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
                stores.extend(map(absolute_url, (obj.url, *obj.base)))
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
