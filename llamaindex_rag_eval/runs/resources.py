"""Resources: the time, tokens and money that the application took for its answers."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from llamaindex_rag_eval.data.json_fields import JsonFields
from llamaindex_rag_eval.data.sample import Sample
from llamaindex_rag_eval.models.usage import amount_in
from llamaindex_rag_eval.runs.clusters import Clustering, clusters_of
from llamaindex_rag_eval.runs.provenance import MetricInfo

UNBOUNDED = (0.0, math.inf)

RESOURCES: Mapping[str, str] = {
    "latency": "s",
    "first_token": "s",
    "tokens": "tokens",
    "cost": "$ for 1,000",
}
"""Resource -> its unit, in the order of tables; of each, less is better."""


NOTHING = 1e-12
"""What is less is nothing, as the end of an interval that leaves 0 out by next to nothing."""


@dataclass(frozen=True, slots=True)
class ResourceSummary(JsonFields):
    """What one resource amounts to over the answers of a run.

    Attributes:
        name: One of `RESOURCES`.
        mean: Of an answer: seconds, tokens, or dollars for 1,000 answers.
        low: Lower end of the 95 % interval of the mean; `None` below two clusters of answers, and
            where all are alike.
        high: Its upper end.
        median: Half of the answers take no more.
        p95: 95 of 100 answers take no more.
        answers: How many answers it is known of.
    """

    _json = "name unit mean low high median p95 answers"

    name: str
    mean: float
    low: float | None
    high: float | None
    median: float
    p95: float
    answers: int

    @property
    def unit(self) -> str:
        """The unit of all amounts."""
        return RESOURCES[self.name]

    @property
    def sentence(self) -> str:
        """The amounts in words."""
        ends = ""
        if self.low is not None and self.high is not None:
            low, high = resource_text(self.low), resource_text(self.high)
            ends = f" (95% CI {low} to {high})"
        middle, most = resource_text(self.median), resource_text(self.p95)
        name = self.name.replace("_", " ").capitalize()
        return (
            f"{name}: {resource_text(self.mean)} {self.unit} on average{ends}, median {middle}, "
            f"95th percentile {most}."
        )


def resource_info(name: str) -> MetricInfo:
    """Return a resource as what is compared: less of it is better, without an upper bound."""
    return MetricInfo(spec=name, direction="lower", bounds=UNBOUNDED)


def amounts_of(samples: Iterable[Sample]) -> dict[str, dict[str, float]]:
    """Return resource -> id -> amount, for the answers of which it is known.

    Failed questions have none: an error is quick and cheap.
    """
    by_name: dict[str, dict[str, float]] = {name: {} for name in RESOURCES}
    for sample in samples:
        for name, amount in _amounts(sample).items():
            by_name[name][sample.id] = amount
    return {name: amounts for name, amounts in by_name.items() if amounts}


def _amounts(sample: Sample) -> Mapping[str, float]:
    if sample.error:
        return {}
    usage = sample.metadata.get("usage")
    counts = usage if isinstance(usage, Mapping) else {}
    tokens = [amount_in(counts.get(f"{kind}_tokens")) for kind in ("prompt", "completion")]
    known = [count for count in tokens if count is not None]
    cost = amount_in(counts.get("cost"))
    amounts = {
        "latency": amount_in(sample.latency),
        "first_token": amount_in(counts.get("first_token")),
        "tokens": sum(known) if known else None,
        "cost": None if cost is None else 1_000 * cost,
    }
    return {name: amount for name, amount in amounts.items() if amount is not None}


def resources_of(
    samples: Iterable[Sample], clusters: Clustering = "documents"
) -> tuple[ResourceSummary, ...]:
    """Return what the answers took, for each resource that is known of any.

    Args:
        samples: The answers.
        clusters: What is not independent.
    """
    import numpy as np

    from llamaindex_rag_eval.stats.inference import mean_estimate

    samples = list(samples)
    groups = clusters_of(samples, clusters)
    summaries = []
    for name, amounts in amounts_of(samples).items():
        values = list(amounts.values())
        estimate = mean_estimate(values, clusters=groups.of(amounts), bounds=UNBOUNDED)
        if estimate.value is None:
            continue
        median, p95 = np.quantile(values, [0.5, 0.95])
        summaries.append(
            ResourceSummary(
                name=name,
                mean=estimate.value,
                low=None if estimate.low is None else max(0.0, estimate.low),
                high=estimate.high,
                median=float(median),
                p95=float(p95),
                answers=len(values),
            )
        )
    return tuple(summaries)


def resource_text(amount: float | None, *, sign: bool = False) -> str:
    """Return an amount with three digits that count, a difference with its sign.

    Example:
        >>> resource_text(1234.5), resource_text(0.01234), resource_text(-0.5, sign=True)
        ('1,234', '0.0123', '−0.5')
    """
    if amount is None or abs(amount) < NOTHING:
        return "–" if amount is None else "> 0" if sign and amount > 0 else "0"
    plus = "+" if sign else ""
    text = f"{amount:{plus},.0f}" if abs(amount) >= 1000 else f"{amount:{plus}.3g}"
    return text.replace("-", "−")
