"""Peers: two processes that call functions of each other, by messages in order.

A call is a message and its reply another one; a call that nobody waits for any more is cancelled on
the other side, too. Messages travel by a pipe, or by a connection over the network.
"""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from contextvars import copy_context
from functools import partial
from itertools import count
from multiprocessing.connection import Connection
from threading import Lock, Thread
from typing import Any

Message = tuple[Any, ...]
"""What it is about, and what belongs to it; pickled, between processes of one run only."""


class Peer:
    """Calls functions of the other process, and is called by it.

    It belongs to the event loop that runs where it is made; its functions are called in the context
    in which it was made.

    Args:
        pipe: To the other process.
        ended: Called once, in a thread of its own, when the other process has closed its end, or is
            dead: an event loop that is blocked would not hear of it.

    Attributes:
        methods: What the other process may call, by name: coroutine functions for `ask`, plain
            functions for `tell`.
        closing: Called at the end, for what the other process holds here.
    """

    def __init__(self, pipe: Connection, ended: Callable[[], object]) -> None:
        self.methods: dict[str, Callable[..., Any]] = {}
        self.closing: Callable[[], object] = lambda: None
        self._pipe, self._ended = pipe, ended
        self._loop = asyncio.get_running_loop()
        self._context = copy_context()
        self._lock = Lock()
        self._out: list[Message] = []
        self._error: Exception | None = None
        self._numbers = count()
        self._waiting: dict[int, asyncio.Future[Any]] = {}
        self._running: dict[int, asyncio.Future[Any]] = {}
        Thread(target=self._read, daemon=True).start()

    def ask(self, method: str, *arguments: Any) -> "asyncio.Future[Any]":
        """Call a function of the other process; to cancel the future cancels the call."""
        number = next(self._numbers)
        reply = self._waiting[number] = asyncio.get_running_loop().create_future()
        reply.add_done_callback(partial(self._forget, number))
        if self._error is not None:
            reply.set_exception(self._error)
        else:
            self._post(("ask", number, method, arguments))
        return reply

    def tell(self, method: str, *arguments: Any) -> None:
        """Call a function of the other process, and wait for nothing."""
        self._post(("tell", method, arguments))

    def take(self, *messages: Message) -> None:
        """Take messages of the other process."""
        for message in messages:
            match message:
                case ("ask", number, method, arguments):
                    task = asyncio.ensure_future(self.methods[method](*arguments))
                    self._running[number] = task
                    task.add_done_callback(partial(self._reply, number))
                case ("tell", method, arguments):
                    self.methods[method](*arguments)
                case ("cancel", number) if number in self._running:
                    self._running[number].cancel()
                case ("done" | "failed" as outcome, number, value):
                    reply = self._waiting.get(number)
                    if reply is not None and not reply.done():
                        (reply.set_result if outcome == "done" else reply.set_exception)(value)

    def close(self, error: Exception) -> "asyncio.Future[Any]":
        """Cancel what the other process called, and fail what it is called for, from now on.

        Returns:
            It is done when all that was cancelled has ended.
        """
        running, self._error = list(self._running.values()), error
        for task in running:
            task.cancel()
        for reply in list(self._waiting.values()):
            if not reply.done():
                reply.set_exception(error)
        self.closing()
        return asyncio.gather(*running, return_exceptions=True)

    def _forget(self, number: int, reply: "asyncio.Future[Any]") -> None:
        del self._waiting[number]
        if reply.cancelled():
            self._post(("cancel", number))

    def _reply(self, number: int, task: "asyncio.Future[Any]") -> None:
        del self._running[number]
        if not task.cancelled():
            error = task.exception()
            self._post(("failed", number, error) if error else ("done", number, task.result()))

    def _post(self, message: Message) -> None:
        """Send a message, with others of this turn of the event loop; from any thread."""
        with self._lock:
            self._out.append(message)
            if len(self._out) > 1:
                return
        self.in_loop(self._send)

    def _send(self) -> None:
        with self._lock:
            out, self._out = self._out, []
        with suppress(OSError):  # the other process is gone, as `_read` finds out
            self._pipe.send(out)

    def _read(self) -> None:
        with suppress(EOFError, OSError):
            while True:
                self.in_loop(self.take, *self._pipe.recv())
        self._ended()

    def in_loop(self, do: Callable[..., object], *arguments: object) -> None:
        """Call a function in the event loop, in its turn; from any thread."""
        with suppress(RuntimeError):  # the loop is closed: nobody is there to hear of anything
            self._loop.call_soon_threadsafe(partial(do, *arguments), context=self._context)
