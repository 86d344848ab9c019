"""The runner: an engine and questions -> answers with their sources, one row a question."""

import asyncio
import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import ExitStack
from pathlib import Path

from llamaindex_rag_eval._sync import run_sync
from llamaindex_rag_eval.data.dataset import EvaluationDataset, HasSamples
from llamaindex_rag_eval.data.sample import Sample
from llamaindex_rag_eval.engines.answers import AnswerFile, answered, failed, taken_over
from llamaindex_rag_eval.engines.chat import asker_of
from llamaindex_rag_eval.engines.engine import Engine
from llamaindex_rag_eval.engines.query import Asker
from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.models.retry import RetryPolicy

__all__ = ["Engine", "Progress", "arun", "run"]

Progress = Callable[[int, int], None]
"""Called with how many questions are done, and how many there are."""

QUESTIONS_IN_FLIGHT = 8
"""Asked at a time: a pipeline behind one HTTP service bears as much without rate limits."""

FIRST_WAIT = 0.5
"""Seconds before the second attempt at a question; doubled before each further one."""

LONGEST_WAIT = 30.0
"""Seconds: a service that is away for longer is better asked in a later run, which resumes."""

SPREAD = (1.0, 1.5)
"""Of the random factor on a wait: questions that failed together are not asked again together."""

GRACE = 1.0
"""Seconds that a question which ran out of time has to close what it opened."""


def run(
    engine: Engine,
    dataset: HasSamples | Iterable[Sample],
    *,
    concurrency: int = QUESTIONS_IN_FLIGHT,
    timeout: float | None = None,
    retries: int = 2,
    out: str | Path | None = None,
    progress: Progress | None = None,
) -> EvaluationDataset:
    """Ask an engine every question of a data set.

    A query engine fills response and contexts, a retriever the contexts alone. A chat engine is
    asked each question in a fresh conversation, and one question at a time, since it has one
    memory (which is emptied); of a conversation it is told again what the user said. An engine
    that is not async runs in threads, as many as `concurrency`.

    A follow-up (a sample with `earlier_messages`) is the next message to a chat engine, which
    gets the earlier ones as `chat_history`. An engine that takes one text gets `sample.asked`:
    the conversation and the question, one message a line.

    Args:
        engine: A query engine, retriever, chat engine, or function from question to answer.
        dataset: The questions: samples, or a golden set.
        concurrency: Questions in flight at a time.
        timeout: Seconds a question may take, all its attempts together; `None` for no limit. An
            engine that is not async goes on in its thread, but nobody waits for it.
        retries: Further attempts after an error that may pass: a lost connection, a time-out,
            a rate limit, a server error.
        out: A JSON Lines file that every answer is written to as it comes. What it holds already
            for the same id and question is not asked again, failed questions are; use another
            file for another engine.
        progress: Called at the start, and after every question.

    Returns:
        One row a question, in the order of the data set, with node ids, scores, places in the
        documents, images and `latency` in seconds; the nodes' metadata is in
        `metadata["context_metadata"]`. A question that failed has its `error` and no response.

    Raises:
        InputError: There are no questions, or an option is out of range.
        EngineError: `engine` is nothing that can be asked.
        OutputError: `out` cannot be written.
        DatasetError: `out` holds something else than answers.
    """
    return run_sync(
        arun(
            engine,
            dataset,
            concurrency=concurrency,
            timeout=timeout,
            retries=retries,
            out=out,
            progress=progress,
        )
    )


async def arun(
    engine: Engine,
    dataset: HasSamples | Iterable[Sample],
    *,
    concurrency: int = QUESTIONS_IN_FLIGHT,
    timeout: float | None = None,
    retries: int = 2,
    out: str | Path | None = None,
    progress: Progress | None = None,
) -> EvaluationDataset:
    """Ask an engine every question of a data set; see `run`."""
    _require_in_range(concurrency, timeout, retries)
    asker = asker_of(engine)
    questions = EvaluationDataset.of(dataset)
    if not questions:
        raise InputError("expected at least one question, got none")
    with ExitStack() as stack:
        file = stack.enter_context(AnswerFile(out, questions)) if out is not None else None
        session = _Session(asker, questions, file, timeout=timeout, retries=retries)
        await session.go(1 if asker.one_at_a_time else concurrency, progress)
        answers = EvaluationDataset(session.answers[question.id] for question in questions)
        if file is not None:
            file.finish(answers)
    return answers


class _Session:
    """One run while it goes on: what is answered, and where it is written."""

    def __init__(
        self,
        asker: Asker,
        questions: EvaluationDataset,
        file: AnswerFile | None,
        *,
        timeout: float | None,
        retries: int,
    ) -> None:
        self._asker = asker
        self._questions = questions
        self._file = file
        self._timeout = timeout
        self._retry = RetryPolicy(retries, FIRST_WAIT, LONGEST_WAIT, SPREAD)
        known: Mapping[str, Sample] = file.known if file is not None else {}
        self.answers = {q.id: taken_over(q, known[q.id]) for q in questions if q.id in known}

    async def go(self, concurrency: int, progress: Progress | None) -> None:
        """Ask what is not answered yet; if one worker breaks, the others stop too."""
        left = [question for question in self._questions if question.id not in self.answers]
        queue = iter(left)

        def report() -> None:
            if progress is not None:
                progress(len(self.answers), len(self._questions))

        async def work() -> None:
            for question in queue:  # shared: each worker takes the next question
                answer = await self._outcome(question)
                self.answers[question.id] = answer
                if self._file is not None:
                    self._file.append(answer)
                report()

        report()
        workers = [asyncio.ensure_future(work()) for _ in range(min(concurrency, len(left)))]
        try:
            await asyncio.gather(*workers)
        finally:
            for worker in workers:
                worker.cancel()
            await asyncio.gather(*workers, return_exceptions=True)

    async def _outcome(self, question: Sample) -> Sample:
        """Return the answered question, or the failed one: what breaks here stays here."""
        task = asyncio.ensure_future(self._retry.acall(lambda: self._ask(question)))
        try:
            done, _ = await asyncio.wait({task}, timeout=self._timeout)
        finally:
            task.cancel()
        if not done:
            await asyncio.wait({task}, timeout=GRACE)
            task.add_done_callback(_looked_at)
            return failed(question, TimeoutError(f"no answer within {self._timeout:g} s"))
        if task.cancelled():
            return failed(question, asyncio.CancelledError("the engine gave up"))
        error = task.exception()
        return task.result() if error is None else failed(question, error)

    async def _ask(self, question: Sample) -> Sample:
        started = time.perf_counter()
        fields = await self._asker.ask(question)
        return answered(question, fields, latency=time.perf_counter() - started)


def _looked_at(task: "asyncio.Future[Sample]") -> None:
    """Take note of a late error, which asyncio would otherwise complain about."""
    if not task.cancelled():
        task.exception()


def _require_in_range(concurrency: int, timeout: float | None, retries: int) -> None:
    if concurrency < 1:
        raise InputError(f"'concurrency' is {concurrency!r}, expected 1 or more")
    if timeout is not None and not timeout > 0:
        raise InputError(f"'timeout' is {timeout!r}, expected seconds above 0, or None")
    if retries < 0:
        raise InputError(f"'retries' is {retries!r}, expected 0 or more")
