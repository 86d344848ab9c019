"""How often each metric calls the model for one sample, as the server counts it.

    python -m tests.benchmarks.metric_calls

Five contexts. *Alone*: the metric by itself, with a fresh judge. *In the suite*: what it adds when
it is asked after all claim metrics that stand above it in the table, with one judge for all of
them; 0 where they have asked it all.
"""

import asyncio
from collections.abc import Sequence

from llamaindex_rag_eval.data.sample import Sample, SingleTurnSample
from llamaindex_rag_eval.judge import ClaimsOf, Judge, SupportOf
from llamaindex_rag_eval.metrics.base import BaseMetric
from llamaindex_rag_eval.metrics.registry import metric_class, metric_of
from llamaindex_rag_eval.metrics.spec import parse_spec
from llamaindex_rag_eval.models import CachedOracle
from tests.contract.samples import FIRST, FULL, METRIC_SPECS, SECOND, THIRD, samples_for
from tests.models.asking import oracle_at, serving
from tests.server import LoopbackServer

MORE = ("It runs on 230 volts.", "The hose is not part of the delivery.")

FIVE = SingleTurnSample.model_validate(
    {
        **FULL.model_dump(exclude_unset=True),
        "contexts": (FIRST, SECOND, THIRD, *MORE),
        "context_ids": ("a", "b", "c", "d", "e"),
        "context_spans": (*FULL.context_spans, None, None),
        "reference": "It moves 40 litres a minute. It was built in Graz.",
    }
)


def sample_for(label: str) -> Sample:
    """Return the sample with five contexts, or a conversation."""
    return FIVE if samples_for(label)[0] is FULL else samples_for(label)[0]


def is_claim_metric(label: str) -> bool:
    """Return whether a metric is computed from claims and their support."""
    kind = metric_class(parse_spec(label)[0])
    return bool({ClaimsOf, SupportOf} & set(kind.requests))


async def calls_of(server: LoopbackServer, metrics: Sequence[BaseMetric], sample: Sample) -> int:
    """Return how many calls reach the server for one sample."""
    before = server.stats().calls
    results = await asyncio.gather(*(metric.result(sample) for metric in metrics))
    broken = [result.feedback for result in results if result.status == "failed"]
    if broken:
        raise SystemExit(f"a metric failed: {broken[0]}")
    return server.stats().calls - before


async def table(server: LoopbackServer) -> None:
    """Print a row a metric, and the whole suite of claim metrics at once."""

    def fresh() -> Judge:
        return Judge(CachedOracle(oracle_at(server)))

    claim_metrics = [label for label in METRIC_SPECS if is_claim_metric(label)]
    shared = fresh()
    print("| metric | calls alone | calls in the suite |\n|---|---|---|")
    for label in METRIC_SPECS:
        sample = sample_for(label)
        alone = await calls_of(server, [metric_of(label, fresh())], sample)
        if label in claim_metrics:
            added = str(await calls_of(server, [metric_of(label, shared)], sample))
        else:
            added = "–"
        print(f"| {metric_of(label).name} | {alone} | {added} |")
    judge = fresh()
    whole = await calls_of(server, [metric_of(label, judge) for label in claim_metrics], FIVE)
    print(f"\nAll {len(claim_metrics)} claim metrics together: {whole} calls for one sample.")


def main() -> None:
    """Print the table."""
    with serving() as server:
        asyncio.run(table(server))


if __name__ == "__main__":
    main()
