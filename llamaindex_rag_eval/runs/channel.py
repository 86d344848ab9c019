"""A channel between a process and one that it has started: messages in order, over a pipe."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from contextvars import copy_context
from functools import partial
from multiprocessing.connection import Connection
from threading import Lock, Thread
from typing import Any

Message = tuple[Any, ...]
"""What it is about, and what belongs to it; pickled, between processes of one run only."""


class Channel:
    """One end of a channel, in the event loop that runs where it is made.

    Args:
        pipe: To the other process.
        take: Called with each message, in the context in which the channel was made.
        ended: Called once, in a thread of its own, when the other process has closed its end, or is
            dead: an event loop that is blocked would not hear of it.
    """

    def __init__(
        self, pipe: "Connection", take: Callable[[Message], None], ended: Callable[[], None]
    ) -> None:
        self._pipe, self._take, self._ended = pipe, take, ended
        self._loop = asyncio.get_running_loop()
        self._context = copy_context()
        self._lock = Lock()
        self._out: list[Message] = []
        Thread(target=self._read, daemon=True).start()

    def post(self, message: Message) -> None:
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
        while True:
            try:
                messages = self._pipe.recv()
                self.in_loop(self._hand_over, messages)
            except (EOFError, OSError):
                break
        self._ended()

    def in_loop(self, do: Callable[..., object], *given: object) -> None:
        """Call a function in the event loop, in its turn; from any thread."""
        with suppress(RuntimeError):  # the loop is closed: nobody is there to hear of anything
            self._loop.call_soon_threadsafe(partial(do, *given), context=self._context)

    def _hand_over(self, messages: list[Message]) -> None:
        for message in messages:
            self._take(message)
