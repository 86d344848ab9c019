"""Asking on Ray: each worker makes an engine of its own; the driver gives questions to who is free.

A question whose worker or node is lost goes to another worker, and Ray is asked for a new one.
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
        count = min(workers or nodes.cpus, concurrency)
        pool = RayWorkers((data, timeout, retries), count, ceil(concurrency / count))
        try:
            yield pool
        finally:
            pool.end()


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
        settings: Of a worker: what makes its engine, time limit and retries.
        count: How many.
        each: Questions that each of them asks at a time.
    """

    def __init__(self, settings: tuple[Any, ...], count: int, each: int) -> None:
        self._settings, self._count, self._each = settings, count, each
        self._free: asyncio.Queue[Any] = asyncio.Queue()
        self._actors: dict[Any, asyncio.Future[None]] = {}
        self._failures = 0

    async def answer(self, question: Sample) -> Sample:
        """Return a question with its answer or its error.

        Raises:
            EngineError: A worker could not make its engine.
        """
        from ray.exceptions import RayActorError

        lost = ""
        for _ in range(ATTEMPTS):
            actor = await self._take()
            try:
                answered: Sample = await actor.answer.remote(question)
            except RayActorError as error:
                lost = str(error).partition("\n")[0]
                self._replace(actor)
                continue
            self._free.put_nowait(actor)
            return answered
        reason = f"{ATTEMPTS} workers were lost while they asked it: {lost}"
        return with_error(question, EngineError(reason))

    def end(self) -> None:
        """End all workers."""
        import ray

        for actor, opening in self._actors.items():
            opening.cancel()
            ray.kill(actor)

    async def _take(self) -> Any:
        """Return a worker that is free."""
        if len(self._actors) < self._count:
            self._start()
        while True:
            free = await self._free.get()
            if isinstance(free, Exception):
                self._free.put_nowait(free)  # for all who wait
                raise free
            if free in self._actors:
                return free

    def _start(self) -> None:
        import ray

        maker = ray.remote(num_cpus=1)(_Worker).options(max_concurrency=self._each + 1)
        actor = maker.remote(*self._settings)
        self._actors[actor] = asyncio.ensure_future(self._open(actor))

    async def _open(self, actor: Any) -> None:
        """Wait until a worker has its engine; then it is free for as many questions as it takes."""
        from ray.exceptions import RayActorError, RayTaskError

        try:
            alone = await actor.open.remote()
        except RayActorError as error:
            self._failures += 1
            if self._failures < ATTEMPTS:
                self._replace(actor)
            else:
                reason = str(error).partition("\n")[0]
                self._free.put_nowait(EngineError(f"workers end while they begin: {reason}"))
        except RayTaskError as error:
            self._free.put_nowait(error.cause)
        else:
            self._failures = 0
            for _ in range(1 if alone else self._each):
                self._free.put_nowait(actor)

    def _replace(self, actor: Any) -> None:
        if self._actors.pop(actor, None) is not None:
            self._start()


class _Worker:
    """An actor that asks an engine of its own."""

    def __init__(self, data: bytes, timeout: float | None, retries: int) -> None:
        self._data, self._timeout, self._retries = data, timeout, retries

    async def open(self) -> bool:
        """Make the engine; return whether it takes questions one after another."""
        engine = await asyncio.to_thread(self._engine)  # where no loop runs, as on one machine
        self._asking = Asking(engine, timeout=self._timeout, retries=self._retries)
        return self._asking.one_at_a_time

    async def answer(self, question: Sample) -> Sample:
        """Return a question with its answer or its error."""
        return await self._asking.answer(question)

    def _engine(self) -> Engine:
        engine = cloudpickle.loads(self._data)
        if not takes_no_arguments(engine):
            return cast(Engine, engine)
        return engine_from(engine, getattr(engine, "__name__", "the function"), {})
