"""Plan: how many questions a comparison needs, and what a set of a given size can show.

plan(["faithfulness", "mrr"], effect=0.05, pilot=[run_a, run_b])
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from llamaindex_rag_eval.data.json_fields import JsonFields
from llamaindex_rag_eval.decisions.contrast import Contrast, contrasts_of
from llamaindex_rag_eval.decisions.pairing import Pairing
from llamaindex_rag_eval.decisions.policy import DEFAULT_POLICY
from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.metrics.registry import metric_of
from llamaindex_rag_eval.runs.clusters import Clustering, SampleClusters, clusters_of
from llamaindex_rag_eval.runs.provenance import MetricInfo
from llamaindex_rag_eval.runs.run import Run
from llamaindex_rag_eval.stats.paired import PairedTest, paired_test, primary_first
from llamaindex_rag_eval.stats.planning import ALPHA, Planner

CHANGED = 0.3
"""The share of questions on which another pipeline differs, where no second run says so."""

COPIES = 20
"""How often a second run is made up from a single one, so that the plan does not rest on one."""

SURE = 0.1
"""Up to so much of a difference, how far a plan may be off is not worth a note."""

ASSUMED = 300
"""Questions that are made up without a pilot."""


@dataclass(frozen=True, slots=True)
class PlannedMetric:
    """What it takes to show a difference on one metric.

    Attributes:
        metric: Its spec.
        questions: How many questions show the effect; `None` beyond 20,000.
        documents: How many documents, or other clusters, with as many questions each as in the
            pilot; `None` where questions are independent.
        rules_out: How many questions rule out a fall of that size, where both are alike: what a
            gate with that margin takes; `None` beyond 20,000.
        shown: The smallest difference that `Plan.questions` questions show; `None` for none, or
            if no number of questions was given.
    """

    metric: str
    questions: int | None
    documents: int | None
    rules_out: int | None
    shown: float | None


@dataclass(frozen=True, slots=True)
class Plan(JsonFields):
    """How many questions a comparison needs.

    Attributes:
        effect: The difference to be shown, in the unit of each metric.
        power: The chance to show it.
        metrics: One for each metric; p-values are corrected for all of them, as in `compare`.
        size: The number of questions that `PlannedMetric.shown` is about; `None` if not given.
        notes: What was assumed.
        primary: The metric that decides, which gets most of the error; empty for none.
    """

    _json = "effect power questions size primary metrics notes"

    effect: float
    power: float
    metrics: tuple[PlannedMetric, ...]
    size: int | None
    notes: tuple[str, ...]
    primary: str = ""

    @property
    def questions(self) -> int | None:
        """How many questions show the effect on any of the metrics; `None` beyond 20,000."""
        needed = [metric.questions for metric in self.metrics]
        return None if None in needed else max(count for count in needed if count is not None)


def plan(
    metrics: Sequence[str] = (),
    *,
    effect: float,
    pilot: Sequence[Run] = (),
    size: int | None = None,
    power: float = 0.8,
    clusters: Clustering = "documents",
) -> Plan:
    """Return how many questions a comparison of two pipelines needs to show a difference.

    Args:
        metrics: The names of all metrics that will be compared; those of the pilot by default.
        effect: The difference to be shown, in the unit of the metrics.
        pilot: Two runs over the same questions, which say how much questions change between
            pipelines; or one, of which 3 questions in 10 are taken to change, to the score of
            another question; or none: 3 in 10 then change between 0 and 1.
        size: A number of questions, to say what it can show.
        power: The chance to show the effect.
        clusters: What is not independent in the pilot.

    Raises:
        InputError: There is no metric, an argument is out of range, or the pilot lacks a metric.
    """
    if len(pilot) > 2:
        raise InputError(f"a pilot is one run or two, got {len(pilot)}")
    infos, tests, notes = _pilot(metrics, pilot, clusters)
    directed = [info.spec for info in infos if info.direction != "neither"]
    primary = DEFAULT_POLICY.primary_of(directed, "the pilot")
    levels = primary_first(tests, ALPHA, [info.spec == primary for info in infos])
    planned = []
    for info, test, (_, level) in zip(infos, tests, levels, strict=True):
        if effect > info.bounds[1] - info.bounds[0]:
            low, high = info.bounds
            raise InputError(f"{info.spec!r} is {low:g} to {high:g}: no effect of {effect:g} fits")
        planner, per_document = Planner(test, level), float(test.n) / len(test.sums)
        needed = planner.needed(effect, power=power)
        planned.append(
            PlannedMetric(
                metric=info.spec,
                questions=needed,
                documents=round(needed / per_document) if needed and per_document != 1 else None,
                rules_out=planner.needed(effect, power=power, to="rule out"),
                shown=None if size is None else planner.smallest(size, power=power),
            )
        )
    if len(pilot) == 2:
        notes = (*notes, *_how_sure(tests))
    return Plan(effect, power, tuple(planned), size, notes, primary)


def _how_sure(tests: Sequence[PairedTest]) -> tuple[str, ...]:
    """Return how far off the numbers of a small pilot may be; nothing of a large one.

    A deviation by so many degrees of freedom is off by 1.28 / √(2 · freedom) in 8 of 10 samples.
    """
    least = min(tests, key=lambda test: Planner(test).freedom)
    off, documents = 1.28 / math.sqrt(2 * Planner(least).freedom), len(least.sums)
    what = "questions" if documents == least.n else "documents"
    note = (
        f"These numbers are rough, as the pilot has few {what} with scores in both runs, "
        f"{documents}: a difference may be off by {off:.0%}, a number of questions by "
        f"{2 * off:.0%}."
    )
    return (note,) if off > SURE else ()


def _pilot(
    metrics: Sequence[str], runs: Sequence[Run], clusters: Clustering
) -> tuple[Sequence[MetricInfo], list[PairedTest], tuple[str, ...]]:
    """Return the metrics, the test of the differences of each in the pilot, and what is assumed."""
    if not runs:
        if not metrics:
            raise InputError(
                "a plan needs metrics, as -m faithfulness,mrr, or a pilot run that has some"
            )
        infos = [MetricInfo.of(metric_of(name)) for name in metrics]
        note = (
            f"Without a pilot, {CHANGED:.0%} of the questions are assumed to change between "
            "the bounds, and all to be independent. Two runs as a pilot measure both."
        )
        return infos, [_assumed(info) for info in infos], (note,)
    pairing = Pairing.of(runs[0], runs[-1], metrics or None)
    groups = clusters_of(pairing.samples.values(), clusters)
    contrasts = contrasts_of(pairing, groups)
    if few := next((contrast for contrast in contrasts if contrast.n < 2), None):
        count = f"{few.n} questions of the pilot have a score of {few.spec!r}"
        raise InputError(f"{count}; expected two or more")
    if len(runs) == 2:
        return pairing.metrics, [c.test for c in contrasts if c.test], ()
    note = (
        f"With one run as a pilot, {CHANGED:.0%} of the questions are assumed to change, to "
        "the score of another question. A second run replaces this assumption."
    )
    return pairing.metrics, [_made_up(contrast, groups) for contrast in contrasts], (note,)


def _made_up(contrast: Contrast, clusters: SampleClusters) -> PairedTest:
    """Return the test of differences of a pipeline from others that are like it."""
    from scipy import sparse

    generator, count = np.random.default_rng(0), contrast.n
    scores = np.array([pair.a for pair in contrast.pairs])
    members = clusters.members(pair.sample_id for pair in contrast.pairs)
    copies = max(1, min(COPIES, ASSUMED // count))
    gaps = []
    for _ in range(copies):
        changed = generator.random(count) < CHANGED
        others = scores[generator.integers(count, size=count)]
        gaps.append(np.where(changed, others - scores, 0.0))
    documents = sparse.block_diag([members] * copies, format="csr")
    return paired_test(np.concatenate(gaps), members=documents, width=_width(contrast.metric))


def _assumed(info: MetricInfo) -> PairedTest:
    width, number = _width(info), np.arange(ASSUMED)
    signs = np.where(number % 2, -1.0, 1.0) * (number < round(CHANGED * ASSUMED))
    return paired_test(signs * (width if width < float("inf") else 1.0), width=width)


def _width(info: MetricInfo) -> float:
    return info.bounds[1] - info.bounds[0]
