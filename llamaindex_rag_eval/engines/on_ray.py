"""Asking on Ray: each worker makes an engine of its own; the driver gives questions to who is free.

Ray replaces a worker whose process or node is lost, and asks its questions again.
"""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from math import ceil
from typing import Any, cast

import cloudpickle

from llamaindex_rag_eval._ray import ray_nodes
from llamaindex_rag_eval.data.sample import Sample
from llamaindex_rag_eval.engines.answers import with_error
from llamaindex_rag_eval.engines.asking import Asking
from llamaindex_rag_eval.engines.engine import (
    ENGINE_TYPES,
    Engine,
    engine_from,
    takes_no_arguments,
)
from llamaindex_rag_eval.errors import EngineError, InputError

ATTEMPTS = 3
"""Workers that a question may cost before it is the question that is at fault."""


@contextmanager
def workers_on_ray(
    on: str,
    engine: Engine,
    workers: int | None,
    concurrency: int,
    timeout: float | None,
    retries: int,
) -> Iterator["RayWorkers"]:
    """Start workers on Ray, and end them with the block.

    Args:
        on: `ray`; see `ray_nodes`.
        engine: A function that makes an engine, or one from question to answer.
        workers: How many; `None` for one a core, and no more than `concurrency`.
        concurrency: Questions that all of them ask at a time.
        timeout: As for `Asking`.
        retries: As for `Asking`.

    Raises:
        InputError: Ray does not answer, or `engine` is one that cannot be made in each worker.
        EngineError: A worker could not make its engine.
    """
    if workers is not None and workers < 1:
        raise InputError(f"'workers' is {workers!r}, expected 1 or more")
    data = _pickled(engine)
    with ray_nodes(on) as nodes:
        import ray

        count = min(workers or nodes.cpus, concurrency)
        each = ceil(concurrency / count)
        maker = ray.remote(num_cpus=1, max_restarts=-1, max_task_retries=ATTEMPTS - 1)(_Worker)
        maker = maker.options(max_concurrency=each + 1)
        actors = [maker.remote(data, timeout, retries) for _ in range(count)]
        try:
            yield RayWorkers(actors, each)
        finally:
            for actor in actors:
                ray.kill(actor)


def _pickled(engine: Engine) -> bytes:
    if isinstance(engine, ENGINE_TYPES) or not callable(engine):
        raise InputError(
            "on= needs a function without arguments that makes the engine, for each worker its "
            f"own; got a {type(engine).__name__}"
        )
    try:
        return bytes(cloudpickle.dumps(engine))
    except Exception as error:
        raise InputError(f"the engine cannot be sent to the workers: {error}") from error


class RayWorkers:
    """Workers on Ray, and who of them is free.

    Args:
        actors: The workers.
        each: Questions that each of them asks at a time.
    """

    def __init__(self, actors: list[Any], each: int) -> None:
        self._free: asyncio.Queue[Any] = asyncio.Queue()
        self._opening = [asyncio.ensure_future(self._open(actor, each)) for actor in actors]

    async def answer(self, question: Sample) -> Sample:
        """Return a question with its answer or its error.

        Raises:
            EngineError: A worker could not make its engine.
        """
        from ray.exceptions import RayActorError

        actor = await self._free.get()
        if isinstance(actor, Exception):
            self._free.put_nowait(actor)  # for all who wait
            raise actor
        try:
            answered: Sample = await actor.answer.remote(question)
        except RayActorError as error:
            lost = str(error).partition("\n")[0]
            reason = f"{ATTEMPTS} workers were lost while they asked it: {lost}"
            answered = with_error(question, EngineError(reason))
        self._free.put_nowait(actor)
        return answered

    async def _open(self, actor: Any, each: int) -> None:
        """Wait until a worker has its engine; then it is free for as many questions as it takes."""
        from ray.exceptions import RayActorError, RayTaskError

        try:
            alone = await actor.open.remote()
        except RayActorError as error:
            reason = str(error).partition("\n")[0]
            self._free.put_nowait(EngineError(f"workers end while they begin: {reason}"))
        except RayTaskError as error:
            self._free.put_nowait(error.cause)
        else:
            for _ in range(1 if alone else each):
                self._free.put_nowait(actor)


class _Worker:
    """An actor that asks an engine of its own, which it makes when it is first needed."""

    def __init__(self, data: bytes, timeout: float | None, retries: int) -> None:
        self._data, self._timeout, self._retries = data, timeout, retries
        self._asking: asyncio.Future[Asking] | None = None

    async def open(self) -> bool:
        """Make the engine; return whether it takes questions one after another."""
        return (await self._made()).one_at_a_time

    async def answer(self, question: Sample) -> Sample:
        """Return a question with its answer or its error."""
        return await (await self._made()).answer(question)

    async def _made(self) -> Asking:
        """Return what asks the engine, in a process that Ray has started anew, too."""
        if self._asking is None:  # where no loop runs, as on one machine
            self._asking = asyncio.ensure_future(asyncio.to_thread(self._make))
        return await self._asking

    def _make(self) -> Asking:
        engine = cloudpickle.loads(self._data)
        if takes_no_arguments(engine):
            engine = engine_from(engine, getattr(engine, "__name__", "the function"), {})
        return Asking(cast(Engine, engine), timeout=self._timeout, retries=self._retries)
