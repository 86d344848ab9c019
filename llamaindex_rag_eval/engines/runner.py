"""Ask an engine every question of a data set: concurrently, with retries, resumable."""

from collections.abc import Awaitable, Callable, Collection, Iterable, Sequence
from contextlib import ExitStack
from itertools import count
from pathlib import Path

from llamaindex_rag_eval._sync import at_a_time, synced
from llamaindex_rag_eval.data.dataset import EvaluationDataset, HasSamples
from llamaindex_rag_eval.data.repeats import repeated
from llamaindex_rag_eval.data.sample import Sample
from llamaindex_rag_eval.engines.answers import AnswerFile
from llamaindex_rag_eval.engines.asking import Asking
from llamaindex_rag_eval.engines.engine import Engine as Engine
from llamaindex_rag_eval.engines.simulated_user import SimulatedUser, with_openings
from llamaindex_rag_eval.errors import InputError

Answer = Callable[[Sample], Awaitable[Sample]]

Progress = Callable[[int, int], None]
"""Called with the number of questions that are done, and of all questions."""

QUESTIONS_IN_FLIGHT = 8
"""Questions asked at a time; an HTTP service usually takes as many without rate limits."""


async def arun(
    engine: Engine,
    dataset: HasSamples | Iterable[Sample],
    *,
    concurrency: int = QUESTIONS_IN_FLIGHT,
    timeout: float | None = None,
    retries: int = 2,
    repeats: int = 1,
    out: str | Path | None = None,
    only: Collection[str] | None = None,
    progress: Progress | None = None,
    on: str | None = None,
    workers: int | None = None,
    user: SimulatedUser | None = None,
) -> EvaluationDataset:
    """Ask an engine every question of a data set.

    A query engine fills response and contexts, a retriever only the contexts. A chat engine is
    asked one question at a time, each in a fresh conversation, since it has one memory, which is
    emptied; of a conversation it is sent the user's messages again. An engine that is not async
    runs in threads, as many as `concurrency`.

    A workflow or an agent is asked each question in a run of its own. The nodes of all its steps
    are the contexts, or the outputs of its tools where there are none, and `metadata["trajectory"]`
    has the calls of its tools as messages.

    A follow-up (a sample with `earlier_messages`) is sent to a chat engine as the next message,
    with the earlier ones as `chat_history`. An engine that takes one text gets `sample.asked`: the
    conversation and the question, one message per line.

    Args:
        engine: A query engine, retriever, chat engine, workflow, agent, function from question to
            answer, or an `HttpEngine`.
        dataset: The questions: samples, or a golden set.
        concurrency: Questions asked at a time.
        timeout: Seconds that a question may take with all its attempts; `None` for no limit. The
            thread of an engine that is not async goes on afterwards, but is not waited for.
        retries: More attempts after a lost connection, a time-out, a rate limit or a server error.
        repeats: How often each question is asked; from two on, the scores say how much answers to
            one question vary. The answers to a question are not independent.
        out: A JSON Lines file that answers are written to as they come. A question that has an
            answer there already is not asked again; one that failed is. A file with answers of an
            engine that carries other settings is refused (`with_settings`); use another file, too,
            for one whose code or documents changed.
        only: The ids of the questions to ask, if not all; the answers to others stay in `out`.
        progress: Called at the start, and after every question.
        on: `ray`, to ask on Ray: `engine` is then a function
            without arguments that makes one, for each worker its own, or a function from question
            to answer. A question whose worker is lost is asked again, by another.
        workers: Actors on Ray; by default one for each core, and no more than `concurrency`.
        user: Goes on asking after the first answer, so that each question becomes a conversation;
            what it was and how it ended is in `metadata["simulation"]`.

    Returns:
        One sample per question, in the order of the data set, with node ids, scores, spans in
        the documents, images and `latency` in seconds; the nodes' metadata is in
        `metadata["context_metadata"]`, and what LlamaIndex's events tell of the calls of models in
        `metadata["usage"]`: `calls`, `prompt_tokens`, `completion_tokens`, `cost` in dollars where
        prices are known, and `first_token` in seconds where the answer was streamed. A question
        that failed has its `error` and no response.

    Raises:
        InputError: There are no questions, an option is out of range, or Ray does not answer.
        EngineError: `engine` is no engine.
        OutputError: `out` cannot be written, or holds answers of another engine; an `InputError`.
        DatasetError: `out` holds something other than answers.
    """
    _require_in_range(concurrency, timeout, retries)
    questions = EvaluationDataset.of(dataset)
    if user is not None:
        if on is not None:
            raise InputError("a simulated user speaks in one process: leave out 'on'")
        questions = EvaluationDataset(with_openings(questions))
    if repeats != 1:
        questions = EvaluationDataset(repeated(questions, repeats))
    if not questions:
        raise InputError("expected at least one question, got none")
    with ExitStack() as stack:
        if on is None:
            asking = Asking(engine, timeout=timeout, retries=retries, user=user)
            answer, most = asking.answer, 1 if asking.one_at_a_time else concurrency
        else:
            from llamaindex_rag_eval.engines.on_ray import workers_on_ray

            several = workers_on_ray(on, engine, workers, concurrency, timeout, retries)
            answer, most = stack.enter_context(several).answer, concurrency
        file = AnswerFile(out, questions, engine).open() if out is not None else None
        answers = {} if file is None else dict(file.known)
        chosen = [sample for sample in questions if only is None or sample.id in only]
        await _ask_all(answer, chosen, answers, file, most, progress)
        if file is not None:
            file.finish(EvaluationDataset(answers[q.id] for q in questions if q.id in answers))
    return EvaluationDataset(answers[question.id] for question in chosen)


run = synced(arun)
"""Ask an engine every question of a data set: `arun`, with its arguments, where no `await` is."""


async def _ask_all(
    answer: Answer,
    questions: Sequence[Sample],
    answers: dict[str, Sample],
    file: AnswerFile | None,
    concurrency: int,
    progress: Progress | None,
) -> None:
    """Ask those of the questions that have no answer yet; an error in one worker stops all."""
    left = [question for question in questions if question.id not in answers]
    done = count(len(questions) - len(left))

    def report() -> None:
        if progress is not None:
            progress(next(done), len(questions))

    async def ask(question: Sample) -> None:
        answered = await answer(question)
        answers[question.id] = answered if file is None else file.append(answered)
        report()

    report()
    await at_a_time(concurrency, ask, left)


def _require_in_range(concurrency: int, timeout: float | None, retries: int) -> None:
    if concurrency < 1:
        raise InputError(f"'concurrency' is {concurrency!r}, expected 1 or more")
    if timeout is not None and not timeout > 0:
        raise InputError(f"'timeout' is {timeout!r}, expected seconds above 0, or None")
    if retries < 0:
        raise InputError(f"'retries' is {retries!r}, expected 0 or more")
