"""The quality of a set: which questions tell pipelines apart, and how surely it orders them.

quality = set_quality([bm25, embedding, hybrid], metric="hit_rate")
quality.sentences, quality.best(10), quality.as_json()
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from pydantic import JsonValue

from llamaindex_rag_eval.decisions.policy import Policy
from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.runs.run import Run
from llamaindex_rag_eval.stats.interval import Estimate
from llamaindex_rag_eval.stats.items import ItemFit, fit_items, simulated_tau, split_half_tau

SIMULATIONS = 400
"""Random splits of the questions, and simulated sets of each size."""
FEWEST_PIPELINES, FEWEST_QUESTIONS = 3, 10
"""Below which an order, or a question's part in it, cannot be measured."""


@dataclass(frozen=True, slots=True)
class SetQuality:
    """What runs of several pipelines say of their questions.

    Attributes:
        metric: The metric.
        pipelines: The names of the runs, the best first.
        ids: The questions that all runs have a score of.
        fit: Their difficulty and discrimination, in the order of `ids`.
        every: Ids of the questions that every pipeline gets full marks on.
        none: Ids of those that every pipeline gets none on.
        halves: How alike the orders of two random halves are: the mean of Kendall's τ, in [-1, 1],
            1 for the same order and 0 for chance, and between which ends 95 % of them are; its `n`
            are the questions that each order rests on.
        as_large: How alike the order by as many questions is to that by ability, simulated.
        twice: The same for twice as many.
    """

    metric: str
    pipelines: tuple[str, ...]
    ids: tuple[str, ...]
    fit: ItemFit
    every: tuple[str, ...]
    none: tuple[str, ...]
    halves: Estimate
    as_large: Estimate
    twice: Estimate

    def best(self, count: int) -> list[str]:
        """Return the ids of the questions that tell these pipelines apart best, the best first."""
        order = np.argsort(-self.fit.information(), kind="stable")
        return [self.ids[position] for position in order[:count]]

    @property
    def sentences(self) -> tuple[str, ...]:
        """What is known, in words."""
        return (
            f"{len(self.pipelines)} pipelines by {self.metric}, the best first: "
            f"{', '.join(self.pipelines)}.",
            f"The orders by two halves of the {len(self.ids)} questions agree by "
            f"τ {self.halves.text('.2f')}.",
            f"The order by {self.as_large.n} questions like these agrees with the true one by "
            f"τ {self.as_large.text('.2f')}, that by {self.twice.n} by "
            f"τ {self.twice.text('.2f')}, both simulated.",
            f"Every pipeline has the best score on {len(self.every)} of the questions, and every "
            f"one the worst on {len(self.none)}: these do not tell them apart.",
        )

    def as_json(self) -> dict[str, JsonValue]:
        """Return all of it, a row a question."""
        fit = self.fit
        columns = {
            "id": self.ids,
            "difficulty": fit.difficulty.round(4).tolist(),
            "discrimination": fit.discrimination.round(4).tolist(),
            "log_discrimination_error": fit.uncertainty.round(4).tolist(),
            "information": fit.information().round(4).tolist(),
        }
        return {
            "metric": self.metric,
            "pipelines": list(self.pipelines),
            "split_half": _as_json(self.halves),
            "simulated": [_as_json(self.as_large), _as_json(self.twice)],
            "answered_by_every": list(self.every),
            "answered_by_none": list(self.none),
            "questions": [
                dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)
            ],
        }


def _as_json(tau: Estimate) -> dict[str, JsonValue]:
    return {"questions": tau.n, "tau": tau.value, "low": tau.low, "high": tau.high}


def set_quality(runs: Sequence[Run], *, metric: str = "", seed: int = 0) -> SetQuality:
    """Return what runs of different pipelines say of the questions that they share.

    Args:
        runs: At least 3, of the same questions.
        metric: By what; by default `answer_verdict`, or else the first metric of the first run.
        seed: Of splits and simulations.

    Raises:
        InputError: There are fewer than 3 runs, or 10 questions that all have a score of; or a run
            does not have the metric.
    """
    if len(runs) < FEWEST_PIPELINES:
        raise InputError(f"expected at least {FEWEST_PIPELINES} runs, got {len(runs)}")
    specs = [info.spec for info in runs[0].metrics if info.direction != "neither"]
    spec = Policy(primary=metric).primary_of(specs, runs[0].name)
    info = next(info for info in runs[0].metrics if info.spec == spec)
    for run in runs:
        if spec not in (known := [each.spec for each in run.metrics]):
            raise InputError(f"{run.name!r} has no metric {spec!r}; it has {', '.join(known)}")
    values = [run.values(spec) for run in runs]
    ids = tuple(name for name in runs[0].ids if all(name in each for each in values))
    if len(ids) < FEWEST_QUESTIONS:
        raise InputError(
            f"expected at least {FEWEST_QUESTIONS} questions with {spec!r} in every run, "
            f"got {len(ids)}"
        )
    low, high = info.bounds
    scores = (np.array([[each[name] for name in ids] for each in values]) - low) / (high - low)
    if info.direction == "lower":
        scores = 1 - scores
    fit = fit_items(scores)
    order = np.argsort(-scores.mean(axis=1), kind="stable")
    halves = split_half_tau(scores, runs=SIMULATIONS, seed=seed)
    as_large, twice = (
        _tau(simulated_tau(fit, size, runs=SIMULATIONS, seed=seed), size)
        for size in (len(ids), 2 * len(ids))
    )
    return SetQuality(
        metric=spec,
        pipelines=tuple(runs[position].name for position in order),
        ids=ids,
        fit=fit,
        every=tuple(np.array(ids)[scores.min(axis=0) == 1].tolist()),
        none=tuple(np.array(ids)[scores.max(axis=0) == 0].tolist()),
        halves=_tau(halves, len(ids) // 2),
        as_large=as_large,
        twice=twice,
    )


def _tau(values: NDArray[np.float64], size: int) -> Estimate:
    low, high = np.quantile(values, [0.025, 0.975])
    return Estimate(float(values.mean()), float(low), float(high), size)
