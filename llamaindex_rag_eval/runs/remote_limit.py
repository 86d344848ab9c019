"""The limits of a process hold for calls that its workers make: the two ends of that.

In a worker a call goes through a `RemoteLimit`. In the parent `RemoteCalls` makes it a call within
the real `Limit`, which says when to attempt it, and again if need be. Concurrency, rates, budget,
retries and patience with an endpoint that is away are one for all workers.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextvars import Context, copy_context
from dataclasses import dataclass, field
from functools import partial
from typing import Any, TypeVar

from llamaindex_rag_eval.errors import CallError
from llamaindex_rag_eval.models.limit import Limit
from llamaindex_rag_eval.models.usage import Spent, Usage
from llamaindex_rag_eval.runs.channel import Message

T = TypeVar("T")

Post = Callable[[Message], None]


class _ToldUsage(Usage):
    """Counts that the parent is told."""

    def __init__(self, prices: Any, tell: Callable[[Spent], None]) -> None:
        super().__init__(prices)
        self._tell = tell

    def count(self, spent: Spent) -> None:
        """Count what one call has cost."""
        super().count(spent)
        self._tell(spent)


@dataclass
class _Asked:
    """A call that a worker wants to make, and its attempts."""

    work: Callable[[], Awaitable[Any]]
    outcome: "asyncio.Future[tuple[int, Any]]"
    context: Context = field(default_factory=copy_context)
    attempts: "dict[int, asyncio.Future[None]]" = field(default_factory=dict)


class RemoteLimit(Limit):
    """A limit in a worker: the parent's says when a call is attempted."""

    _post: Post
    _number: int
    _calls: int
    _asked: dict[int, _Asked]

    @classmethod
    def of(cls, post: Post, number: int, state: dict[str, Any]) -> "RemoteLimit":
        """Return the limit with the settings of the parent's.

        Args:
            post: Sends a message to the parent.
            number: Which of the parent's limits it is.
            state: The settings.
        """
        usage = _ToldUsage(state["usage"].prices, lambda one: post(("spent", number, one)))
        own = object.__new__(cls)
        own.__setstate__({**state, "usage": usage})
        own._post, own._number, own._calls, own._asked = post, number, 0, {}
        return own

    def pause(self, seconds: float) -> None:
        """Hold the calls of all workers for so many seconds."""
        self._post(("pause", self._number, seconds))

    async def call(
        self, work: Callable[[], Awaitable[T]], *, model: str = "", tokens: int = 0, kind: str = ""
    ) -> T:
        """Do one call within the limits of all workers; see `Limit.call`."""
        self._calls += 1
        call = self._calls
        asked = _Asked(work, asyncio.get_running_loop().create_future())
        self._asked[call] = asked
        self._post(("ask", self._number, call, model, tokens, kind))
        try:
            attempt, reply = await asked.outcome
        except BaseException:
            self._post(("gone", self._number, call))
            raise
        finally:
            del self._asked[call]
            for each in asked.attempts.values():
                each.cancel()
        # Whoever called counts at once what it has cost: the parent hears of both together.
        self._post(("answered", self._number, call, attempt))
        return reply  # type: ignore[no-any-return]  # what `work` returned

    def begin(self, call: int, attempt: int) -> None:
        """Attempt a call, if it is still wanted."""
        asked = self._asked.get(call)
        if asked is not None:
            doing = self._tried(asked, call, attempt)
            asked.attempts[attempt] = asked.context.run(asyncio.ensure_future, doing)

    def stop(self, call: int, attempt: int) -> None:
        """Give up an attempt: it took too long, or another one was first."""
        asked = self._asked.get(call)
        if asked is not None and attempt in asked.attempts:
            asked.attempts.pop(attempt).cancel()

    def fail(self, call: int, error: Exception) -> None:
        """Give up a call: nothing is attempted any more."""
        asked = self._asked.get(call)
        if asked is not None and not asked.outcome.done():
            asked.outcome.set_exception(error)

    async def _tried(self, asked: _Asked, call: int, attempt: int) -> None:
        try:
            reply = await asked.work()
        except CallError as error:
            self._post(("failed", self._number, call, attempt, error))
        except Exception as error:  # noqa: BLE001 - whoever called gets it, as from `Limit.call`
            if not asked.outcome.done():
                asked.outcome.set_exception(error)
        else:
            if not asked.outcome.done():
                asked.outcome.set_result((attempt, reply))


class RemoteCalls:
    """The calls of one worker, within the limits of this process.

    Args:
        limits: All limits, by their numbers.
        post: Sends a message to the worker.
        spend: Called with what each call has cost.
    """

    def __init__(self, limits: Sequence[Limit], post: Post, spend: Callable[[Spent], None]) -> None:
        self._limits, self._post, self._spend = limits, post, spend
        self._tasks: dict[tuple[int, int], asyncio.Future[None]] = {}
        self._attempts: dict[tuple[int, int], dict[int, asyncio.Future[None]]] = {}
        self._last = 0

    def take(self, message: Message) -> None:
        """Take a message of a `RemoteLimit`."""
        match message:
            case ("ask", number, call, model, tokens, kind):
                doing = self._call((number, call), model=model, tokens=tokens, kind=kind)
                self._tasks[number, call] = asyncio.ensure_future(doing)
            case ("answered", number, call, attempt):
                self._answer((number, call), attempt)
            case ("failed", number, call, attempt, error):
                failed = self._attempts.get((number, call), {}).get(attempt)
                if failed is not None and not failed.done():
                    failed.set_exception(error)
            case ("gone", number, call):
                self._end(number, call)
            case ("spent", number, spent):
                self._limits[number].usage.count(spent)
                self._spend(spent)
            case ("pause", number, seconds):
                self._limits[number].pause(seconds)

    def close(self) -> None:
        """Give back what the calls hold: the worker is gone."""
        for key in list(self._tasks):
            self._end(*key)

    def _answer(self, key: tuple[int, int], attempt: int) -> None:
        """End a call with success, also if its attempt has been given up just now."""
        running = self._attempts.get(key, {})
        for each in [running[attempt]] if attempt in running else [*running.values()]:
            if not each.done():
                each.set_result(None)
        if not running:
            self._end(*key)

    def _end(self, number: int, call: int) -> None:
        task = self._tasks.get((number, call))
        if task is not None:
            task.cancel()

    async def _call(self, key: tuple[int, int], **about: Any) -> None:
        try:
            await self._limits[key[0]].call(partial(self._attempt, key), **about)
        except Exception as error:  # noqa: BLE001 - the worker's call fails as it would here
            self._post(("fail", *key, error))
        finally:
            del self._tasks[key]

    async def _attempt(self, key: tuple[int, int]) -> None:
        """Let the worker attempt a call; return when it was answered."""
        running = self._attempts.setdefault(key, {})
        self._last += 1
        attempt = self._last
        outcome = running[attempt] = asyncio.get_running_loop().create_future()
        self._post(("begin", *key, attempt))
        try:
            await outcome
        except asyncio.CancelledError:
            self._post(("stop", *key, attempt))
            raise
        finally:
            del running[attempt]
            if not running:
                self._attempts.pop(key, None)
