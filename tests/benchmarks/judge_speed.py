"""How fast is the embedded judge, and does its memory stay flat?

    python -m tests.benchmarks.judge_speed [--samples 20000] [--full]

With texts made from a seed out of invented words. *Speed*: claims a second of CPU, on one core,
against five contexts of 120 words that no cache has seen, by the request for support alone and by
`Faithfulness`, which also splits the response into its claims. *Memory*: what the process holds
after every tenth of the samples (100,000 unless told), each scored by `Faithfulness` with the judge
that metrics share; every sample is new, so that a cache without a bound would show. The samples for
memory have one claim and one context of 40 words, as what counts is their number; with `--full`
they have four claims and five contexts of 120 words.
"""

import argparse
import asyncio
import os
import random
import time
from collections.abc import Iterator
from dataclasses import dataclass

from llamaindex_rag_eval import EmbeddedOracle, Faithfulness
from llamaindex_rag_eval.judge import SupportOf

SEED = 0
TIMED = 300
"""Samples per timing."""
CLAIMS = 4
CONTEXTS = 5
WORDS = 120
SENTENCE = 15
SYLLABLES = [first + second for first in "bdfgklmnprst" for second in "aeiou"]
LINKS = ("the", "of", "in", "and", "was", "to", "by", "with")
PAGE = os.sysconf("SC_PAGE_SIZE")


@dataclass(frozen=True)
class Texts:
    """A response, claim by claim, and the contexts it is held against."""

    claims: tuple[str, ...]
    contexts: tuple[str, ...]


def word(rng: random.Random) -> str:
    """Return a link in two words of five; else one of 220,000, or a year."""
    drawn = rng.random()
    if drawn < 0.4:
        return rng.choice(LINKS)
    if drawn < 0.43:
        return str(rng.randint(1800, 2020))
    made = "".join(rng.choice(SYLLABLES) for _ in range(rng.choice((2, 3))))
    return made.capitalize() if drawn > 0.9 else made


def context(rng: random.Random, words: int) -> list[str]:
    """Return the sentences of a context."""
    return [
        " ".join(word(rng) for _ in range(SENTENCE)).capitalize() + "."
        for _ in range(max(1, words // SENTENCE))
    ]


def claim(rng: random.Random, sentence: str) -> str:
    """Return a sentence of a context with a third of its words replaced."""
    kept = [word(rng) if rng.random() < 1 / 3 else each for each in sentence[:-1].split()]
    return " ".join(kept).capitalize() + "."


def texts(
    rng: random.Random, count: int, *, claims: int, contexts: int, words: int
) -> Iterator[Texts]:
    """Yield samples, none like another."""
    for _ in range(count):
        made = [context(rng, words) for _ in range(contexts)]
        said = tuple(claim(rng, rng.choice(rng.choice(made))) for _ in range(claims))
        yield Texts(said, tuple(" ".join(sentences) for sentences in made))


def timed(rng: random.Random) -> list[Texts]:
    """Return fresh samples to time."""
    return list(texts(rng, TIMED, claims=CLAIMS, contexts=CONTEXTS, words=WORDS))


async def support_rate(rng: random.Random) -> float:
    """Return the claims a second whose support is asked."""
    oracle, samples = EmbeddedOracle(), timed(rng)
    begun = time.process_time()
    for sample in samples:
        await oracle.ask(SupportOf(claims=sample.claims, sources=sample.contexts))
    return TIMED * CLAIMS / (time.process_time() - begun)


async def metric_rate(rng: random.Random) -> float:
    """Return the claims a second of `Faithfulness`, by the claims that it finds."""
    metric, samples, found = Faithfulness(), timed(rng), 0
    begun = time.process_time()
    for sample in samples:
        result = await score(metric, sample)
        found += len(result.evidence)  # type: ignore[attr-defined] # one entry per claim
    return found / (time.process_time() - begun)


async def score(metric: Faithfulness, sample: Texts) -> object:
    """Return the result of one sample."""
    response, contexts = " ".join(sample.claims), list(sample.contexts)
    return await metric.aevaluate(query="What is known?", response=response, contexts=contexts)


def resident() -> float:
    """Return the memory that the process holds, in MiB."""
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * PAGE / 2**20


async def memory(rng: random.Random, samples: int, *, full: bool) -> None:
    """Print the memory after every tenth of the samples."""
    claims, contexts, words = (CLAIMS, CONTEXTS, WORDS) if full else (1, 1, 40)
    drawn = texts(rng, samples, claims=claims, contexts=contexts, words=words)
    metric, step = Faithfulness(), max(1, samples // 10)
    print(f"\n| samples | memory, MiB |\n|---|---|\n| 0 | {resident():.1f} |", flush=True)
    begun = time.process_time()
    for number, sample in enumerate(drawn, 1):
        await score(metric, sample)
        if number % step == 0:
            print(f"| {number} | {resident():.1f} |", flush=True)
    print(f"\n{samples / (time.process_time() - begun):.0f} such samples a second")


def main() -> None:
    """Print the rates and the memory."""
    parser = argparse.ArgumentParser(description="Speed and memory of the embedded judge.")
    parser.add_argument("--samples", type=int, default=100_000, help="samples for the memory")
    parser.add_argument("--full", action="store_true", help="with five contexts of 120 words each")
    options = parser.parse_args()
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    rng = random.Random(SEED)
    asyncio.run(support_rate(rng))  # the tables that rules read once are read here
    print(f"support alone  {asyncio.run(support_rate(rng)):6.0f} claims/s")
    print(f"faithfulness   {asyncio.run(metric_rate(rng)):6.0f} claims/s")
    asyncio.run(memory(rng, options.samples, full=options.full))


if __name__ == "__main__":
    main()
