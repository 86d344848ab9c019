"""How calls travel: OpenAI clients over aiohttp, one per event loop, closed with it.

LlamaIndex's OpenAI LLM calls over httpx, whose connection pool searches all its requests at every
event: with 64 in flight a call costs 14 ms of CPU, over aiohttp 1.6 ms (see
tests/benchmarks/suite_cost.py). An LLM that was given a client of its own keeps it.
"""

import asyncio
import re
import ssl
from collections.abc import AsyncGenerator, Callable, Iterable
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary, ref

from llama_index.core.llms import LLM

from llamaindex_rag_eval.models.private_api import (
    call_when_dropped,
    close_connections,
    copy_with_client,
    has_own_client,
    run_without_loop,
)

if TYPE_CHECKING:
    import httpx

__all__ = ["Transport", "over_aiohttp", "pause_of", "seconds_in"]

Paused = Callable[[float], None]
"""Called with the seconds for which an endpoint takes no calls."""

PREFIX = b"x-ratelimit-re"
"""Begins `x-ratelimit-remaining-…` and `x-ratelimit-reset-…`; most headers fail here, at once."""

REMAINING = b"x-ratelimit-remaining-"
RESET = b"x-ratelimit-reset-"

UNITS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0, "": 1.0}
PART = re.compile(r"(\d+(?:\.\d+)?)(ms|s|m|h|d|)")
DURATION = re.compile(rf"(?:{PART.pattern})+")


class Transport:
    """Give out an LLM for the event loop that runs: the user's own, or a faster copy of it.

    Args:
        llm: The user's LLM. It is never changed.
        paused: Called with the seconds for which the endpoint takes no calls, when the headers of
            a reply say so.
        own_retries: Let the LLM's client retry as the user set it, where no `Limit` does.
    """

    def __init__(
        self, llm: LLM, paused: Paused | None = None, *, own_retries: bool = False
    ) -> None:
        self.llm = llm
        self.paused = paused
        self.own_retries = own_retries
        self._by_loop: WeakKeyDictionary[asyncio.AbstractEventLoop, LLM] = WeakKeyDictionary()

    def __getstate__(self) -> dict[str, object]:
        """Return the settings only: clients belong to the event loops of this process."""
        return {"llm": self.llm, "paused": self.paused, "own_retries": self.own_retries}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Take the settings, and begin without clients."""
        Transport.__init__(self, state["llm"], state["paused"], own_retries=state["own_retries"])

    async def here(self) -> LLM:
        """Return the LLM to use in the running event loop."""
        loop = asyncio.get_running_loop()
        found = self._by_loop.get(loop)
        if found is None:
            retries = getattr(self.llm, "max_retries", 0) if self.own_retries else 0
            found, client = over_aiohttp(self.llm, self.paused, retries=retries)
            self._by_loop[loop] = found
            if client is not None:
                forget = partial(_forget, ref(self), loop)
                closer = _until_the_loop_ends(client, forget)
                await anext(closer)
                # The client stays until the loop is closed, even if the oracle is dropped before:
                # closing it then would take a task, which a loop about to close does not run.
                call_when_dropped(loop, _close_without_loop, client, closer)
        return found


async def _until_the_loop_ends(
    client: Any, forget: Callable[[], None]
) -> AsyncGenerator[None, None]:
    """Close the client when the loop shuts its async generators down, as `asyncio.run` does."""
    try:
        yield
    finally:
        forget()
        await client.aclose()


def _close_without_loop(client: Any, closer: AsyncGenerator[None, None]) -> None:
    close_connections(client)
    run_without_loop(closer.aclose())


def _forget(transport: "ref[Transport]", loop: asyncio.AbstractEventLoop) -> None:
    """Drop the LLM of a loop, which would keep the loop itself in memory."""
    found = transport()
    if found is not None:
        found._by_loop.pop(loop, None)


def over_aiohttp(llm: LLM, paused: Paused | None = None, *, retries: int = 0) -> tuple[LLM, Any]:
    """Return a copy of an OpenAI LLM over aiohttp and its client, or the LLM itself and `None`.

    By default no copy retries by itself: `Limit` does, for all callers of the endpoint together. An
    LLM with a client of its own keeps that; its copy only leaves retrying to `Limit` too.
    """
    from llama_index.llms.openai import OpenAI

    if not isinstance(llm, OpenAI):
        return llm, None
    if has_own_client(llm):
        return copy_with_client(llm, retries=retries), None
    client = _client(llm.timeout, paused)
    return copy_with_client(llm, client, retries=retries), client


def _client(timeout: float, paused: Paused | None) -> Any:
    from openai import DefaultAioHttpClient

    async def read_headers(response: "httpx.Response") -> None:
        seconds = pause_of(response.headers.raw)
        if seconds and paused is not None:
            paused(seconds)

    hooks = {"response": [read_headers]} if paused is not None else {}
    return DefaultAioHttpClient(timeout=timeout, verify=_certificates(), event_hooks=hooks)


@lru_cache(maxsize=1)
def _certificates() -> ssl.SSLContext:
    """Return the trusted certificates: they take 20 ms to read, and each loop has a client."""
    import httpx

    return httpx.create_ssl_context()


def pause_of(headers: Iterable[tuple[bytes, bytes]]) -> float:
    """Return the seconds until calls are welcome again; 0 while some are left.

    Of requests and tokens, the one that is used up counts; where both are, the later one.

    Example:
        >>> pause_of([(b"x-ratelimit-remaining-requests", b"0"),
        ...           (b"x-ratelimit-reset-requests", b"1m0.5s")])
        60.5
    """
    limits = {name.lower(): value for name, value in headers if name[:14].lower() == PREFIX}
    if not limits:
        return 0.0
    return max(
        (
            seconds_in(limits.get(RESET + name.removeprefix(REMAINING), b"").decode("latin-1"))
            for name, value in limits.items()
            if name.startswith(REMAINING) and value.strip() == b"0"
        ),
        default=0.0,
    )


def seconds_in(duration: str) -> float:
    """Return the seconds of a duration such as `6m0s`, `20ms` or `1.5`; 0 if it is none.

    Example:
        >>> seconds_in("1h2m3s"), seconds_in("20ms"), seconds_in("soon")
        (3723.0, 0.02, 0.0)
    """
    if DURATION.fullmatch(duration.strip()) is None:
        return 0.0
    parts = PART.findall(duration)
    return sum(float(number) * UNITS[unit] for number, unit in parts)
