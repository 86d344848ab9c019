"""What the LLM path costs: calls, tokens, depth, wall time against the ideal, CPU and memory;
and with how many tokens requests begin as others did, which a provider's cache need not read again.

    python -m tests.benchmarks.suite_cost                  # everything, about five minutes
    python -m tests.benchmarks.suite_cost --quick          # a tenth of it
    python -m tests.benchmarks.suite_cost --only tokens    # tokens and their price, without times

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
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, closing
from functools import partial
from itertools import groupby
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Literal, NamedTuple

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
from llamaindex_rag_eval.judge.suite import SuiteOracle
from llamaindex_rag_eval.models.prompt import INPUT
from llamaindex_rag_eval.models.usage import tokens_of
from tests.benchmarks.measuring.records import MissingSetError, read
from tests.benchmarks.recorded.task import sample_of
from tests.server import LoopbackServer, judge_responders
from tests.server.asked import last_object

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


class CacheRule(NamedTuple):
    """What a provider charges for a beginning that it has read before.

    Attributes:
        name: Whose rule it is.
        least: Tokens from which a beginning is kept.
        step: Kept tokens are a multiple of it.
        price: Of a kept token, as a share of that of a new one.
        schema: Where the schema of the reply is read: before the messages, behind the instruction
            as we show it where a server does not (`way="json"`), or nowhere.
    """

    name: str
    least: int
    step: int
    price: float
    schema: Literal["first", "shown", "unread"]


RULES = (
    CacheRule("OpenAI, by schema", 1024, 128, 0.1, "first"),
    CacheRule("OpenAI, by JSON", 1024, 128, 0.1, "shown"),
    CacheRule("OpenAI, by JSON, at half price", 1024, 128, 0.5, "shown"),
    CacheRule("DeepSeek, by JSON", 64, 64, 0.1, "shown"),
    CacheRule("vLLM, what is computed", 16, 16, 0.0, "unread"),
)
"""OpenAI, https://platform.openai.com/docs/guides/prompt-caching: 1,024 tokens, then steps of 128,
the schema before the system message; a tenth of the price for GPT-5, half for GPT-4o. DeepSeek,
https://api-docs.deepseek.com/guides/kv_cache, keeps blocks of 64 tokens, vLLM of 16."""

WAVES = {"standalone": 0, "support": 2}
"""Judgement -> what has been answered before it is asked; the others are asked in wave 1."""

CONVERSATIONS = 12
"""Of MTRAG, drawn with a seed, that are measured."""
TEXT = (
    "river bridge market signal harbour winter copper engine garden letter method number orange "
    "people quiet report season travel valley window yellow answer bottle circle doctor energy"
)
WORDS = TEXT.split()


def made_samples(
    count: int, *, contexts: int = 5, sentences: int = 10, seed: int = 7
) -> list[SingleTurnSample]:
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
            contexts=tuple(text(sentences) for _ in range(contexts)),
            reference=text(3),
        )
        for number in range(count)
    ]


def judge_at(
    url: str, concurrency: int, store: Store | None = None, *, suite: bool = False
) -> Judge:
    """Return a judge over the real client; of a suite, one that asks about a sample at once."""
    llm = OpenAI(model="gpt-4o-mini", api_base=url, api_key="sk-benchmark-0000000000")
    oracle = LLMOracle(llm, limit=Limit(concurrency))
    return Judge(CachedOracle(SuiteOracle(oracle) if suite else oracle, store))


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
    """

    depth: int
    calls: int
    prompt: int
    reply: int
    verdict: float


def cost_of(metrics: Sequence[str], *, suite: bool = False) -> Cost:
    """Return what these metrics cost on a sample after another."""
    samples = made_samples(2)
    with LoopbackServer(latency=1.0, responders=RESPONDERS, record=True) as server:
        judge = judge_at(server.url, 64, suite=suite)
        evaluate(samples[:1], metrics=metrics, judge=judge)  # warms up; not measured
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
    return Cost(
        depth=depth,
        calls=len(bodies),
        prompt=sum(map(tokens_of, sent)),
        reply=sum(tokens_of(compact(reply)) for reply in replies),
        verdict=sum(tokens_of(compact(v)) for v in verdicts) / max(1, len(verdicts)),
    )


class Bill(NamedTuple):
    """What the prompts of a sample cost by a rule, on average over samples.

    Attributes:
        prompt: Tokens sent, schemas included.
        kept: Tokens of them in a beginning that was read before.
        price: What the prompts cost, in the price of a new token.
    """

    prompt: float
    kept: float
    price: float


def asked_about(
    samples: Sequence[SingleTurnSample], *, suite: bool = False
) -> list[list[dict[str, Any]]]:
    """Return what eight metrics ask about each sample, by waves."""
    asked = []
    with LoopbackServer(responders=RESPONDERS, record=True) as server:
        for sample in samples:
            server.reset()
            judge = judge_at(server.url, 64, suite=suite)
            evaluate([sample], metrics=EIGHT, judge=judge, workers=1)
            asked.append(sorted(server.requests(), key=lambda body: wave_of(kind_of(body))))
    return asked


def wave_of(kind: str) -> int:
    """Return how many answers a judgement waits for."""
    return WAVES.get(kind, 1)


def bill(asked: Sequence[Sequence[dict[str, Any]]], rule: CacheRule, *, together: bool) -> Bill:
    """Return what all samples but the first cost, one sample after another.

    Args:
        asked: The requests about each sample.
        rule: What beginnings cost that were read before.
        together: A wave is sent at once, so that no request of it finds the beginning of another.
    """
    earlier: list[str] = []
    totals = [0.0, 0.0, 0.0]
    for number, bodies in enumerate(asked):
        for _, wave in groupby(bodies, key=lambda body: wave_of(kind_of(body))):
            sent: list[str] = []
            for body in wave:
                text = wire(body, rule.schema)
                known = longest_beginning(text, earlier if together else [*earlier, *sent])
                kept = known // rule.step * rule.step if known >= rule.least else 0
                sent.append(text)
                if number:
                    whole = tokens_of(text)
                    row = (whole, kept, whole - (1 - rule.price) * kept)
                    totals = [total + one for total, one in zip(totals, row, strict=True)]
            earlier += sent
    return Bill(*(total / (len(asked) - 1) for total in totals))


def conversations() -> list[SingleTurnSample]:
    """Return conversations of MTRAG, with their contexts and references.

    Raises:
        MissingSetError: It is not in `RAG_EVAL_DATA`.
    """
    rows = [row for row in read("mtrag_human") if row["history"]]
    drawn = random.Random(7).sample(rows, CONVERSATIONS)
    return [sample_of(row, contexts=row["contexts"], reference=row["reference"]) for row in drawn]


def print_tokens() -> None:
    """Print calls and tokens of each suite; of eight metrics, their price by each rule, too."""
    for name, metrics in SUITES.items():
        cost = cost_of(metrics)
        print(
            f"{name} metrics: {cost.calls} calls a sample, {cost.depth} deep, {cost.prompt} prompt "
            f"and {cost.reply} reply tokens, {cost.verdict:.1f} a verdict of support"
        )
        cost = cost_of(metrics, suite=True)
        print(
            f"     by --suite one: {cost.calls} calls a sample, {cost.depth} deep, {cost.prompt} "
            f"prompt and {cost.reply} reply tokens"
        )
    print("\ntokens of eight metrics a sample; kept, and price in new tokens, one request after")
    print("another (those of a wave together)\n")
    kinds: Mapping[str, Callable[[], list[SingleTurnSample]]] = {
        "5 contexts of 120 words": partial(made_samples, 3),
        "5 contexts of 300 words": partial(made_samples, 3, sentences=25),
        "MTRAG conversations": conversations,
    }
    for name, samples in kinds.items():
        try:
            own = samples()
        except MissingSetError as missing:
            print(missing)
            continue
        for form, suite in ((name, False), ("  by --suite one", True)):
            asked = asked_about(own, suite=suite)
            for rule in RULES:
                after, at_once = (bill(asked, rule, together=both) for both in (False, True))
                share = f"{after.kept / after.prompt:4.0%} ({at_once.kept / at_once.prompt:4.0%})"
                price = f"{after.price:7,.0f} ({at_once.price:7,.0f})"
                print(f"{form:24} {after.prompt:7,.0f} {rule.name:32} kept {share}  price {price}")


def kind_of(body: dict[str, Any]) -> str:
    """Return which judgement a request asks for."""
    return str(body["response_format"]["json_schema"]["name"])


def wire(body: dict[str, Any], schema: str = "first") -> str:
    """Return what a model reads: the messages, and the schema where it is read."""
    written = compact(body["response_format"]["json_schema"]["schema"])
    system, user = (str(message["content"]) for message in body["messages"])
    if schema == "first":
        system = f"{written}\n{system}"
    elif schema == "shown":
        contexts, mark, given = user.rpartition(INPUT)
        system, user = (
            (system, f"{contexts}{written}\n{mark}{given}")
            if mark
            else (f"{system}\n{written}", user)
        )
    return f"{system}\n{user}"


def reply_to(body: dict[str, Any]) -> dict[str, Any]:
    """Return what the server replies to a request."""
    reply = judge_responders.RESPONDERS[kind_of(body)](last_object(body), body)
    assert isinstance(reply, dict)
    return reply


def longest_beginning(text: str, others: Sequence[str]) -> int:
    """Return how many tokens a text begins with as one of the others does."""
    return tokens_of(text[: max((_alike(text, other) for other in others), default=0)])


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
    options.add_argument("--only", choices=["tokens", *(name for name, _, _ in MEASURED)])
    given = options.parse_args()
    if given.growth:
        growth(given.growth)
        return
    if given.only in (None, "tokens"):
        print_tokens()
    if given.only == "tokens":
        return
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
