"""A crew: processes that score samples, for the process that started them.

The limits of the judges stay in this process, see `remote_limit`. A process that is killed is
replaced, and its samples are given to another; what was answered is in the store of replies.
"""

import asyncio
import logging
import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from multiprocessing import Pipe

import cloudpickle

from llamaindex_rag_eval.data.sample import Sample
from llamaindex_rag_eval.errors import InputError, RagEvalError
from llamaindex_rag_eval.models.limit import Limit
from llamaindex_rag_eval.models.usage import Spent
from llamaindex_rag_eval.runs.channel import Channel, Message
from llamaindex_rag_eval.runs.remote_limit import RemoteCalls
from llamaindex_rag_eval.runs.shard import ShardScores
from llamaindex_rag_eval.runs.worker_process import ENDING, work

logger = logging.getLogger(__name__)

DEATHS = 3
"""Times that workers are killed, without anything done between, after which the run ends."""

ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
"""Environment of a worker: its libraries leave the other cores to the other workers."""


class _Killed(Exception):  # noqa: N818 - nobody outside sees it
    """A worker ended before a sample was scored."""


class Crew:
    """Processes that score samples.

    Args:
        workers: How many.
        metrics: All metrics, as `packing.dumps` returned them.
        limits: The limits in them.
        spend: Called with what each call has cost.
    """

    def __init__(
        self, workers: int, metrics: bytes, limits: Sequence[Limit], spend: Callable[[Spent], None]
    ) -> None:
        self._metrics, self._limits, self._spend = metrics, limits, spend
        self._deaths = 0
        self._error: RagEvalError | None = None
        self._told: set[str] = set()
        self._changed = asyncio.Event()
        self._members = [_Member(self) for _ in range(workers)]

    @property
    def is_ready(self) -> bool:
        """Whether a worker takes samples."""
        return any(member.ready for member in self._members)

    async def ready(self) -> None:
        """Wait until a worker takes samples.

        Raises:
            InputError: The metrics cannot be opened in another process.
            RagEvalError: Worker processes end again and again.
        """
        while self._error is not None or not self.is_ready:
            if self._error is not None:
                raise self._error
            self._changed.clear()
            await self._changed.wait()

    async def score(self, sample: Sample, specs: Sequence[str]) -> ShardScores:
        """Score a sample on metrics, in the process that has the least to do.

        Raises:
            InputError, RagEvalError: As `ready`.
        """
        while True:
            await self.ready()
            member = min((one for one in self._members if one.ready), key=lambda one: len(one.jobs))
            try:
                scores = await member.score(sample, specs)
            except _Killed:
                continue
            self._deaths = 0
            return scores

    async def close(self) -> None:
        """End the processes; replies that they have are kept first."""
        members, self._members = self._members, []
        await asyncio.gather(*(member.close() for member in members))

    def opened(self) -> tuple[bytes, Sequence[Limit], Callable[[Spent], None]]:
        """Return what a new worker is to have."""
        return self._metrics, self._limits, self._spend

    def change(self, error: RagEvalError | None = None) -> None:
        """Wake those who wait; with an error, they raise it."""
        self._error = self._error or error
        self._changed.set()

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
        self.change(
            RagEvalError(
                "worker processes are killed, for lack of memory perhaps; what was scored is kept: "
                "run it again with fewer workers to go on"
            )
        )

    def tell(self, name: str, level: int, text: str) -> None:
        """Log what a worker has logged; what several say is said once."""
        if text not in self._told:
            self._told.add(text)
            logging.getLogger(name).log(level, "%s", text)


class _Member:
    """One process of a crew, and the samples that it scores."""

    def __init__(self, crew: Crew) -> None:
        from joblib.externals.loky.backend import get_context  # slow to import

        self.ready = False
        self.jobs: dict[int, asyncio.Future[ShardScores]] = {}
        self._number = 0
        self._crew = crew
        ours, theirs = Pipe()
        # It starts without a guard around the caller's main module, unlike one of multiprocessing.
        self._process = get_context("loky").Process(
            target=work, args=(theirs,), env=ONE_THREAD, daemon=True
        )
        with _without_interrupts():
            self._process.start()
        theirs.close()
        self._channel = Channel(ours, self._take, lambda: self._channel.in_loop(self._ended))
        metrics, limits, spend = crew.opened()
        self._calls = RemoteCalls(limits, self._channel.post, spend)
        self._channel.post(("open", metrics))

    async def score(self, sample: Sample, specs: Sequence[str]) -> ShardScores:
        """Score a sample on metrics."""
        self._number += 1
        number = self._number
        self.jobs[number] = asyncio.get_running_loop().create_future()
        # Of a class of the caller's own, perhaps, which travels with it.
        self._channel.post(("score", number, cloudpickle.dumps(sample), specs))
        try:
            return await self.jobs[number]
        finally:
            del self.jobs[number]

    async def close(self) -> None:
        """End the process."""
        begun = self.ready
        self._calls.close()
        self._give_up()
        self._channel.post(("end",))
        if begun:
            await asyncio.to_thread(self._process.join, ENDING)
        self._process.terminate()
        await asyncio.to_thread(self._process.join)

    def _take(self, message: Message) -> None:
        match message:
            case ("scored", number, scores):
                job = self.jobs.get(number)
                if job is not None and not job.done():
                    job.set_result(scores)
            case ("ready",):
                self.ready = True
                self._crew.change()
            case ("closed", why):
                reason = f"the metrics cannot be sent to another process: {why}"
                self._crew.change(InputError(reason))
                self._give_up()
            case ("log", name, level, text):
                self._crew.tell(name, level, text)
            case _:
                self._calls.take(message)

    def _ended(self) -> None:
        self._calls.close()
        self._crew.lose(self)
        self._give_up()

    def _give_up(self) -> None:
        """Take no sample any more, and give those that are here to another."""
        self.ready = False
        for job in self.jobs.values():
            if not job.done():
                job.set_exception(_Killed())


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
