"""Processes that score samples, for the process that started them.

The limits of the judges stay in this process, see `remote_limit`. A process that is killed is
replaced, and its samples are given to another; what was answered is in the store of replies.
"""

import asyncio
import logging
import os
import signal
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from threading import Timer

import cloudpickle

from llamaindex_rag_eval._sync import run_sync
from llamaindex_rag_eval.data.sample import Sample
from llamaindex_rag_eval.errors import InputError, RagEvalError
from llamaindex_rag_eval.metrics.base import BaseMetric
from llamaindex_rag_eval.metrics.result import Row
from llamaindex_rag_eval.models.limit import Limit
from llamaindex_rag_eval.runs.peer import Peer
from llamaindex_rag_eval.runs.remote_limit import loads, serve_limits, use_limits
from llamaindex_rag_eval.runs.replies import flush_replies
from llamaindex_rag_eval.runs.shard import Ending, score_sample, sparing_collector

logger = logging.getLogger(__name__)

DEATHS = 3
"""Times that workers are killed, without anything done between, after which the run ends."""

ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
"""Environment of a worker: its libraries leave the other cores to the other workers."""


class _Killed(Exception):  # noqa: N818 - nobody outside sees it
    """A worker ended before a sample was scored."""


class Processes:
    """Processes that score samples.

    Args:
        workers: How many.
        metrics: All metrics, as `remote_limit.dumps` returned them.
        limits: The limits in them.
    """

    def __init__(self, workers: int, metrics: bytes, limits: Sequence[Limit]) -> None:
        self.metrics, self.limits = metrics, limits
        self._deaths = 0
        self._error: BaseException | None = None
        self._logged: set[str] = set()
        self._members = [_Member(self) for _ in range(workers)]

    async def score(self, sample: Sample, specs: Sequence[str]) -> tuple[list[Row], Ending]:
        """Score a sample on metrics, in the process that has the least to do.

        Raises:
            InputError: Metrics or sample cannot be opened in another process.
            RagEvalError: Worker processes end again and again.
        """
        # Of a class of the caller's own, perhaps, which travels with it.
        packed = cloudpickle.dumps(sample)
        while self._error is None:
            if not any(member.ready for member in self._members):
                opening = [member.opening for member in self._members]
                await asyncio.wait(opening, return_when=asyncio.FIRST_COMPLETED)
                continue
            member = min((m for m in self._members if m.ready), key=lambda member: member.samples)
            try:
                scores = await member.score(packed, specs)
            except _Killed:
                continue
            except InputError as error:
                self.fail(error)
            else:
                self._deaths = 0
                return scores
        raise self._error

    async def close(self) -> None:
        """End the processes; replies that they have are kept first."""
        members, self._members = self._members, []
        await asyncio.gather(*(member.close() for member in members))

    def fail(self, error: BaseException) -> None:
        """Let all who have a sample scored raise an error."""
        self._error = self._error or error

    def lose(self, member: "_Member") -> None:
        """Replace a worker that has ended."""
        if member not in self._members:
            return
        self._members.remove(member)
        self._deaths += 1
        if self._deaths < DEATHS:
            logger.warning("a worker process was killed; its samples are given to another")
            self._members.append(_Member(self))
            return
        self.fail(
            RagEvalError(
                "worker processes are killed, for lack of memory perhaps; what was scored is kept: "
                "run it again with fewer workers to go on"
            )
        )

    def log(self, name: str, level: int, text: str) -> None:
        """Log what a worker has logged; what several say is said once."""
        if text not in self._logged:
            self._logged.add(text)
            logging.getLogger(name).log(level, "%s", text)


class _Member:
    """One of the processes, and how many samples it scores."""

    def __init__(self, processes: Processes) -> None:
        from joblib.externals.loky.backend import get_context  # slow to import

        self.ready, self.samples, self._processes = False, 0, processes
        ours, theirs = Pipe()
        # It starts without a guard around the caller's main module, unlike one of multiprocessing.
        self._process = get_context("loky").Process(
            target=work, args=(theirs,), env=ONE_THREAD, daemon=True
        )
        with _without_interrupts():
            self._process.start()
        theirs.close()
        self._peer = Peer(ours, lambda: self._peer.in_loop(self._has_ended))
        self._peer.methods["log"] = processes.log
        serve_limits(processes.limits, self._peer)
        self.opening = self._peer.ask("open", processes.metrics)
        self.opening.add_done_callback(self._has_opened)

    async def score(self, packed: bytes, specs: Sequence[str]) -> tuple[list[Row], Ending]:
        """Score a sample on metrics."""
        self.samples += 1
        try:
            scores: tuple[list[Row], Ending] = await self._peer.ask("score", packed, specs)
            return scores
        finally:
            self.samples -= 1

    async def close(self) -> None:
        """End the process."""
        begun, self.ready = self.ready, False
        self._peer.close(_Killed())
        self._peer.tell("end")
        if begun:
            await asyncio.to_thread(self._process.join, ENDING)
        self._process.terminate()
        await asyncio.to_thread(self._process.join)

    def _has_opened(self, opening: "asyncio.Future[None]") -> None:
        error = opening.exception()
        self.ready = error is None
        if error is not None and not isinstance(error, _Killed):
            self._processes.fail(error)

    def _has_ended(self) -> None:
        self.ready = False
        self._processes.lose(self)
        self._peer.close(_Killed())


@contextmanager
def _without_interrupts() -> Iterator[None]:
    """Let a process that is started never see Ctrl-C: this one ends it."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


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
        self._peer = Peer(pipe, self._end)
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
