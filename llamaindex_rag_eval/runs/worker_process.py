"""What a process of `Processes` does: it scores the samples that its parent sends."""

import asyncio
import logging
import os
import signal
from collections.abc import Mapping, Sequence
from multiprocessing.connection import Connection
from threading import Timer

from llamaindex_rag_eval._sync import run_sync
from llamaindex_rag_eval.metrics.base import BaseMetric
from llamaindex_rag_eval.metrics.result import Row
from llamaindex_rag_eval.runs.peer import Peer, PeerOverPipe
from llamaindex_rag_eval.runs.remote_limit import loads, use_limits
from llamaindex_rag_eval.runs.replies import flush_replies
from llamaindex_rag_eval.runs.shard import Ending, score_sample, sparing_collector

ENDING = 10.0
"""Seconds that a process has for keeping replies, once it is to end."""


def work(pipe: "Connection") -> None:
    """Score samples until the parent says that it is enough, or is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    run_sync(_Worker().serve(pipe))
    os._exit(0)  # no client is closed one by one


class _Worker:
    """This process: its metrics, and the parent that it serves."""

    def __init__(self) -> None:
        self._ended = asyncio.Event()
        self._metrics: Mapping[str, BaseMetric] = {}

    async def serve(self, pipe: "Connection") -> None:
        """Do what the parent asks for until it is enough."""
        self._peer = PeerOverPipe(pipe, self._end)
        self._peer.methods |= {"open": self._open, "score": self._score, "end": self._end}
        logging.getLogger().addHandler(_LogOfParent(self._peer))
        with sparing_collector():
            await self._ended.wait()
        await self._peer.close(ConnectionError("the run has ended"))
        await flush_replies([*self._metrics.values()])

    def _end(self) -> None:
        """End the process: in order, or after some time however busy it is; from any thread."""
        timer = Timer(ENDING, os._exit, (1,))
        timer.daemon = True
        timer.start()
        self._peer.in_loop(self._ended.set)

    async def _open(self, data: bytes) -> None:
        metrics, limits = loads(data)
        use_limits(limits, self._peer)
        self._metrics = {metric.spec: metric for metric in metrics}

    async def _score(self, packed: bytes, specs: Sequence[str]) -> tuple[list[Row], Ending]:
        sample, rows = loads(packed), list[Row]()
        ending = await score_sample(sample, [self._metrics[spec] for spec in specs], rows.append)
        return rows, ending


class _LogOfParent(logging.Handler):
    """Gives the parent what is logged here."""

    def __init__(self, peer: Peer) -> None:
        super().__init__(logging.WARNING)
        self._peer = peer

    def emit(self, record: logging.LogRecord) -> None:
        """Send a record's text."""
        self._peer.tell("log", record.name, record.levelno, record.getMessage())
