"""What a process of a `Crew` does: it scores the samples that its parent sends."""

import asyncio
import logging
import os
import signal
from collections.abc import Mapping, Sequence
from multiprocessing.connection import Connection
from threading import Timer
from typing import Any

import cloudpickle

from llamaindex_rag_eval._sync import run_sync
from llamaindex_rag_eval.data.sample import Sample
from llamaindex_rag_eval.metrics.base import BaseMetric
from llamaindex_rag_eval.metrics.result import Row
from llamaindex_rag_eval.runs.channel import Channel, Message
from llamaindex_rag_eval.runs.packing import loads
from llamaindex_rag_eval.runs.remote_limit import RemoteLimit
from llamaindex_rag_eval.runs.replies import keeping_replies
from llamaindex_rag_eval.runs.shard import ShardScores, score_samples, sparing_collector

ENDING = 10.0
"""Seconds that a process has for keeping replies, once it is to end."""


def work(pipe: "Connection") -> None:
    """Score samples until the parent says that it is enough, or is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    run_sync(_serve(pipe))
    os._exit(0)  # no client is closed one by one


async def _serve(pipe: "Connection") -> None:
    worker = _Worker()
    worker.channel = Channel(pipe, worker.take, worker.end)
    logging.getLogger().addHandler(_Told(worker.channel))
    with sparing_collector():
        await worker.ended.wait()
    for task in worker.tasks:
        task.cancel()
    await asyncio.gather(*worker.tasks, return_exceptions=True)
    async with keeping_replies([*worker.metrics.values()], None):
        pass  # its end waits until the stores have all replies


class _Worker:
    """Samples in progress in this process."""

    channel: Channel

    def __init__(self) -> None:
        self.ended = asyncio.Event()
        self.tasks: set[asyncio.Future[None]] = set()
        self.metrics: Mapping[str, BaseMetric] = {}
        self._limits: dict[int, RemoteLimit] = {}

    def take(self, message: Message) -> None:
        """Take a message of the parent."""
        match message:
            case ("begin" | "stop" | "fail" as what, number, *about):
                getattr(self._limits[number], what)(*about)
            case ("score", *about):
                task = asyncio.ensure_future(self._score(*about))
                self.tasks.add(task)
                task.add_done_callback(self.tasks.discard)
            case ("open", metrics):
                self._open(metrics)
            case ("end",):
                self.end()

    def end(self) -> None:
        """End the process: in order, or after some time however busy it is; from any thread."""
        timer = Timer(ENDING, os._exit, (1,))
        timer.daemon = True
        timer.start()
        self.channel.in_loop(self.ended.set)

    def _open(self, metrics: bytes) -> None:
        def limit(number: int, state: dict[str, Any]) -> RemoteLimit:
            self._limits[number] = RemoteLimit.of(self.channel.post, number, state)
            return self._limits[number]

        try:
            opened: Sequence[BaseMetric] = loads(metrics, limit)
        except Exception as error:  # noqa: BLE001 - a user's class may raise anything
            self.channel.post(("closed", f"{type(error).__name__}: {error}"))
            return
        self.metrics = {metric.spec: metric for metric in opened}
        self.channel.post(("ready",))

    async def _score(self, number: int, packed: bytes, specs: Sequence[str]) -> None:
        try:
            sample: Sample = cloudpickle.loads(packed)
        except Exception as error:  # noqa: BLE001 - a user's class may raise anything
            self.channel.post(("closed", f"{type(error).__name__}: {error}"))
            return
        rows: list[Row] = []
        asked = [(sample, [self.metrics[spec] for spec in specs])]
        ending = await score_samples(asked, rows.append, concurrency=1)
        self.channel.post(("scored", number, ShardScores(tuple(rows), (), ending)))


class _Told(logging.Handler):
    """Gives the parent what is logged here."""

    def __init__(self, channel: Channel) -> None:
        super().__init__(logging.WARNING)
        self._channel = channel

    def emit(self, record: logging.LogRecord) -> None:
        """Send a record's text."""
        self._channel.post(("log", record.name, record.levelno, record.getMessage()))
