"""What the LLM path costs: calls, tokens, depth, wall time against the ideal, CPU and memory;
and with how many tokens requests begin alike, which a provider's cache need not read again.

    python -m tests.benchmarks.suite_cost            # everything, about five minutes
    python -m tests.benchmarks.suite_cost --quick    # a tenth of it

Against our OpenAI-compatible server on loopback, which answers after 200 ms; through the real
`llama-index-llms-openai` client. 200 samples, five contexts of about 120 words, answers of three
sentences. The ideal time is calls × latency ÷ concurrency. `--only kept` measures the time of eight
metrics with a new store and a run file, and nothing else. `bare` is what a plain aiohttp client
takes for the same bodies in the same minute: on a machine that others use, only ratios say much.
"""

import argparse
import asyncio
import json
import random
import resource
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import ExitStack, closing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import aiohttp
from llama_index.llms.openai import OpenAI

from llamaindex_rag_eval import (
    CachedOracle,
    Judge,
    Limit,
    LLMOracle,
    SingleTurnSample,
    Store,
    evaluate,
)
from llamaindex_rag_eval.models.tokens import tokens_of
from tests.server import LoopbackServer, judge_responders

FOUR = ("faithfulness", "answer_relevancy", "context_precision", "context_recall")
EIGHT = (
    *FOUR,
    "factual_correctness",
    "noise_sensitivity",
    "context_entity_recall",
    "answer_correctness",
)
SUITES = {"four": FOUR, "eight": EIGHT}
MEASURED = (("four", FOUR, False), ("eight", EIGHT, False), ("kept", EIGHT, True))
"""What is measured in time; `kept` with a new store and a run file."""
RESPONDERS = "tests.server.judge_responders:RESPONDERS"
LATENCY = 0.2
LEAST_CACHED = 1024
"""Tokens from which OpenAI caches the beginning of a prompt; other providers have other bounds."""
TEXT = (
    "river bridge market signal harbour winter copper engine garden letter method number orange "
    "people quiet report season travel valley window yellow answer bottle circle doctor energy"
)
WORDS = TEXT.split()


def made_samples(count: int, *, contexts: int = 5, seed: int = 7) -> list[SingleTurnSample]:
    """Return samples of the size that the comparison in the documentation was made with."""
    draw = random.Random(seed)

    def sentence(words: int) -> str:
        return " ".join(draw.choices(WORDS, k=words)).capitalize() + "."

    def text(sentences: int) -> str:
        return " ".join(sentence(12) for _ in range(sentences))

    return [
        SingleTurnSample(
            id=f"s{number}",
            query=f"What about number {number}, the {sentence(5)[:-1].lower()}?",
            response=text(3),
            contexts=tuple(text(10) for _ in range(contexts)),
            reference=text(3),
        )
        for number in range(count)
    ]


def judge_at(url: str, concurrency: int, store: Store | None = None) -> Judge:
    """Return a judge over the real client."""
    llm = OpenAI(model="gpt-4o-mini", api_base=url, api_key="sk-benchmark-0000000000")
    return Judge(CachedOracle(LLMOracle(llm, limit=Limit(concurrency)), store))


def timed(
    server: LoopbackServer,
    metrics: Sequence[str],
    samples: list[SingleTurnSample],
    at: int,
    *,
    kept: bool = False,
) -> dict[str, float]:
    """Evaluate once, `kept` with a new store and a run file; return what it took."""
    server.reset()
    with ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory()))
        store = stack.enter_context(closing(Store(folder / "cache.db"))) if kept else None
        judge = judge_at(server.url, at, store)
        out = folder / "run.jsonl" if kept else None
        wall, cpu = time.perf_counter(), time.process_time()
        run = evaluate(
            samples, metrics=metrics, judge=judge, concurrency=max(64, at), out=out, workers=1
        )
        wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    lost = sum(result.status == "failed" for result in run.results)
    calls = server.stats().calls
    return {
        "samples": len(samples),
        "calls": calls / len(samples),
        "wall": wall,
        "ideal": calls * LATENCY / at,
        "cpu_ms": 1000 * cpu / calls,
        "lost": lost,
    }


def bare(url: str, samples: list[SingleTurnSample], at: int) -> tuple[float, float]:
    """Post what eight metrics ask by aiohttp alone; return wall over ideal, ms of CPU a call."""
    with LoopbackServer(responders=RESPONDERS, record=True) as server:
        evaluate(samples, metrics=EIGHT, judge=judge_at(server.url, 64))
        bodies = server.requests()
    left = iter(bodies)

    async def post(session: aiohttp.ClientSession) -> None:
        for body in left:
            async with session.post(f"{url}/chat/completions", json=body) as reply:
                json.loads(await reply.read())

    async def post_all() -> None:
        async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)) as session:
            await asyncio.gather(*(post(session) for _ in range(at)))

    wall, cpu = time.perf_counter(), time.process_time()
    asyncio.run(post_all())
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    return wall / (len(bodies) * LATENCY / at), 1000 * cpu / len(bodies)


class Cost(NamedTuple):
    """What one sample costs.

    Attributes:
        depth: How many calls follow one another.
        calls: How many there are.
        prompt: Tokens sent, schemas included.
        reply: Tokens of the replies.
        verdict: Tokens of the reply to one claim, on average.
        shared: Tokens that a request begins with as another about the same sample did.
        known: Tokens that it begins with as a request about this or an earlier sample did.
        cached: The same, where they are at least `LEAST_CACHED`.
    """

    depth: int
    calls: int
    prompt: int
    reply: int
    verdict: float
    shared: int
    known: int
    cached: int


def cost_of(metrics: Sequence[str]) -> Cost:
    """Return what these metrics cost on a sample after another."""
    samples = made_samples(2)
    with LoopbackServer(latency=1.0, responders=RESPONDERS, record=True) as server:
        judge = judge_at(server.url, 64)
        evaluate(samples[:1], metrics=metrics, judge=judge)  # warms up; not measured
        earlier = [wire(body) for body in server.requests()]
        server.reset()
        started = time.perf_counter()
        evaluate(samples[1:], metrics=metrics, judge=judge)
        depth = round(time.perf_counter() - started)
        bodies = server.requests()
    sent = [wire(body) for body in bodies]
    replies = [reply_to(body) for body in bodies]
    judged = [
        reply for body, reply in zip(bodies, replies, strict=True) if kind_of(body) == "support"
    ]
    verdicts = [verdict for reply in judged for verdict in reply["verdicts"]]
    shared = [longest_beginning(text, sent[:place]) for place, text in enumerate(sent)]
    known = [longest_beginning(text, [*earlier, *sent[:place]]) for place, text in enumerate(sent)]
    return Cost(
        depth=depth,
        calls=len(bodies),
        prompt=sum(map(tokens_of, sent)),
        reply=sum(tokens_of(compact(reply)) for reply in replies),
        verdict=sum(tokens_of(compact(v)) for v in verdicts) / len(verdicts),
        shared=sum(shared),
        known=sum(known),
        cached=sum(count for count in known if count >= LEAST_CACHED),
    )


def kind_of(body: dict[str, Any]) -> str:
    """Return which judgement a request asks for."""
    return str(body["response_format"]["json_schema"]["name"])


def wire(body: dict[str, Any]) -> str:
    """Return what a model reads: the schema, then the messages."""
    schema = body["response_format"]["json_schema"]["schema"]
    return "\n".join([compact(schema), *(str(message["content"]) for message in body["messages"])])


def reply_to(body: dict[str, Any]) -> dict[str, Any]:
    """Return what the server replies to a request."""
    reply = judge_responders.RESPONDERS[kind_of(body)](
        json.loads(body["messages"][1]["content"]), body
    )
    assert isinstance(reply, dict)
    return reply


def longest_beginning(text: str, others: Sequence[str]) -> int:
    """Return how many tokens a text begins with as one of the others does."""
    return max((tokens_of(text[: _alike(text, other)]) for other in others), default=0)


def _alike(text: str, other: str) -> int:
    """Return how many characters two texts begin with alike."""
    pairs = enumerate(zip(text, other, strict=False))
    ends = (place for place, (mine, theirs) in pairs if mine != theirs)
    return next(ends, min(len(text), len(other)))


def compact(value: object) -> str:
    """Return a value as JSON without spaces."""
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def growth(count: int) -> None:
    """Print time and memory of one size; run in a process of its own."""
    samples = made_samples(count)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with LoopbackServer(latency=0.02, responders=RESPONDERS) as server:
        found = timed(server, EIGHT, samples, 64)
    after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(json.dumps({"n": count, "wall": found["wall"], "kb": after - before}))


def main() -> None:
    """Print the tables."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--quick", action="store_true")
    options.add_argument("--growth", type=int)
    options.add_argument("--at", type=int, nargs="*", default=[1, 16, 64, 256])
    options.add_argument("--only", choices=[name for name, _, _ in MEASURED])
    given = options.parse_args()
    if given.growth:
        growth(given.growth)
        return
    for name, metrics in () if given.only else SUITES.items():
        cost = cost_of(metrics)
        print(
            f"{name} metrics: {cost.calls} calls a sample, {cost.depth} deep, {cost.prompt} prompt "
            f"and {cost.reply} reply tokens, {cost.verdict:.1f} a verdict of support"
        )
        alike = f"{cost.shared} tokens within the sample, {cost.known} with those before it"
        print(f"  begun alike: {alike}, {cost.cached} in beginnings of {LEAST_CACHED} and more")
    print("\nsuite   at  samples  calls/sample   wall s  ideal s  wall/ideal  CPU ms/call  lost")
    with LoopbackServer(latency=LATENCY, responders=RESPONDERS) as server:
        for name, metrics, kept in MEASURED:
            if given.only not in (None, name):
                continue
            timed(server, metrics, made_samples(4), 16, kept=kept)  # imports and caches
            for at in given.at:
                count = (20 if given.quick else 200) if at > 1 else (2 if given.quick else 10)
                found = timed(server, metrics, made_samples(count), at, kept=kept)
                ratio = found["wall"] / found["ideal"]
                print(
                    f"{name:6} {at:4} {found['samples']:8.0f} {found['calls']:13.2f} "
                    f"{found['wall']:8.2f} {found['ideal']:8.2f} {ratio:11.3f} "
                    f"{found['cpu_ms']:12.2f} {found['lost']:5.0f}",
                    flush=True,
                )
                if kept and at > 1:
                    ratio, cpu = bare(server.url, made_samples(count), at)
                    print(f"{'bare':6} {at:4} {ratio:50.3f} {cpu:12.2f}", flush=True)
    if given.only:
        return
    print(
        "\ngrowth (eight metrics, 20 ms latency, at 64):\n     n   wall s   ms/sample   kB/sample"
    )
    previous: dict[str, float] = {}
    for count in (5, 50, 500) if given.quick else (50, 500, 5000):
        command = [sys.executable, "-m", "tests.benchmarks.suite_cost", "--growth", str(count)]
        row = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
        more = row["n"] - previous.get("n", 0)
        kilobytes = (row["kb"] - previous.get("kb", 0)) / more if previous else float("nan")
        per = 1000 * row["wall"] / row["n"]
        print(f"{row['n']:6} {row['wall']:8.2f} {per:11.1f} {kilobytes:11.1f}", flush=True)
        previous = row


if __name__ == "__main__":
    main()
