"""Asking an engine one question: with retries, within a time limit, and an error for an answer."""

import asyncio
import time

from llamaindex_rag_eval.data.sample import Sample
from llamaindex_rag_eval.engines.answers import with_answer, with_error
from llamaindex_rag_eval.engines.chat import adapter_of
from llamaindex_rag_eval.engines.engine import Engine
from llamaindex_rag_eval.engines.simulated_user import (
    SimulatedAdapter,
    SimulatedUser,
    user_seconds,
)
from llamaindex_rag_eval.engines.usage import answer_usage
from llamaindex_rag_eval.errors import CallError
from llamaindex_rag_eval.models.retry import RetryPolicy

FIRST_WAIT = 0.5
"""Seconds before the second attempt at a question; doubled before each further one."""

GRACE = 1.0
"""Seconds that a question has after its timeout to close connections and files."""


def retrying(retries: int) -> RetryPolicy:
    """Return when a question is asked again: if a service is away for longer, a later run goes on.

    Failed questions are not all asked again at once.
    """
    return RetryPolicy(retries, first_wait=FIRST_WAIT, longest_wait=30.0, spread=(1.0, 1.5))


class Asking:
    """Asks an engine questions.

    Args:
        engine: The engine.
        timeout: Seconds that a question may take with all its attempts; `None` for no limit.
        retries: Further attempts after a transient error.
        user: Goes on asking after the first answer; `None` if nobody does.

    Raises:
        EngineError: `engine` is no engine.
    """

    def __init__(
        self,
        engine: Engine,
        *,
        timeout: float | None,
        retries: int,
        user: SimulatedUser | None = None,
    ) -> None:
        inner = adapter_of(engine)
        self._adapter = inner if user is None else SimulatedAdapter(inner, user)
        self._timeout = timeout
        self._retry = retrying(retries)

    @property
    def one_at_a_time(self) -> bool:
        """Whether questions must be asked one after another."""
        return self._adapter.one_at_a_time

    async def answer(self, question: Sample) -> Sample:
        """Return the question with its answer or its error, or with a time-out."""
        task = asyncio.ensure_future(self._retry.acall(lambda: self._ask(question)))
        try:
            done, _ = await asyncio.wait({task}, timeout=self._timeout)
        finally:
            task.cancel()
        if not done:
            await asyncio.wait({task}, timeout=GRACE)
            task.add_done_callback(_retrieve_error)
            return with_error(question, CallError(f"no answer within {self._timeout:g} s"))
        if task.cancelled():
            return with_error(question, CallError("the engine gave up"))
        error = task.exception()
        return task.result() if error is None else with_error(question, error)

    async def _ask(self, question: Sample) -> Sample:
        """Ask once; return the question with its answer."""
        started = time.perf_counter()
        with answer_usage() as usage:
            fields = await self._adapter.ask(question)
        latency = time.perf_counter() - started - user_seconds(fields)
        counts = usage.as_json()
        return with_answer(
            question, {**fields, "usage": counts} if counts else fields, latency=latency
        )


def _retrieve_error(task: "asyncio.Future[Sample]") -> None:
    """Retrieve the error of an abandoned task, since asyncio logs errors that nobody retrieves."""
    if not task.cancelled():
        task.exception()
