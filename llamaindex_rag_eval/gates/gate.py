"""The gate: what a run must reach before a change goes in.

gate = Gate.parse(min=["faithfulness=.8"], no_worse_than=True, max_missing=0.02)
outcome = gate.check(run, baseline=main)
outcome.held, [check.message for check in outcome.checks]
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from pydantic import JsonValue

from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.gates.checks import Check
from llamaindex_rag_eval.gates.regression import regressions
from llamaindex_rag_eval.metrics.registry import metric_of
from llamaindex_rag_eval.runs.run import Run
from llamaindex_rag_eval.runs.summary import MetricSummary

__all__ = ["Gate", "GateOutcome", "Limit", "LimitKind"]

LimitKind = Literal["min", "max", "min_lower_bound", "max_upper_bound"]
"""What is held against the bound: the mean, or the end of its 95 % interval on the bad side."""

WORDS: Mapping[LimitKind, str] = {
    "min": "mean of {0} is at least {1:g}",
    "max": "mean of {0} is at most {1:g}",
    "min_lower_bound": "lower bound of {0} is at least {1:g}",
    "max_upper_bound": "upper bound of {0} is at most {1:g}",
}


@dataclass(frozen=True, slots=True)
class Limit:
    """A bound on one metric's mean or on an end of its interval.

    Attributes:
        kind: What is held against the bound.
        metric: The metric's label.
        bound: In the unit of the metric.
    """

    kind: LimitKind
    metric: str
    bound: float

    @classmethod
    def parse(cls, kind: LimitKind, text: str) -> "Limit":
        """Read `metric=number`.

        Raises:
            InputError: It is written otherwise.

        Example:
            >>> Limit.parse("min", "factual_correctness(mode=recall)=.8").bound
            0.8
        """
        metric, _, number = text.rpartition("=")
        try:
            bound = float(number)
        except ValueError:
            bound = math.nan
        if not metric.strip() or not math.isfinite(bound):
            raise InputError(f"{text!r} is no limit; expected METRIC=NUMBER, as 'faithfulness=.8'")
        return cls(kind, metric.strip(), bound)


@dataclass(frozen=True, slots=True)
class GateOutcome:
    """What a gate made of a run.

    Attributes:
        run: The run's name.
        checks: What was checked, in the order of the gate.
        notes: What a reader must know, as questions that could not be compared.
    """

    run: str
    checks: tuple[Check, ...]
    notes: tuple[str, ...] = ()

    @property
    def held(self) -> bool:
        """Whether every check held."""
        return all(check.held for check in self.checks)

    def as_json(self) -> dict[str, JsonValue]:
        """Return everything as plain data."""
        return {
            "run": self.run,
            "held": self.held,
            "checks": [check.as_json() for check in self.checks],
            "notes": list(self.notes),
        }


@dataclass(frozen=True, slots=True)
class Gate:
    """Limits on a run, each of which must hold.

    A mean over no scored sample reaches no limit. A share or count of missing results is that of
    the metric that has the most; a result is missing if it failed, or was never made because a
    budget was spent. An undefined one is not missing: the metric has nothing to say there.

    Attributes:
        limits: On metrics.
        no_worse_than: Whether a baseline is wanted, against which the run must not be worse on
            any metric of both; see `regressions`.
        tolerance: How far a mean may fall, or rise where lower is better, in the unit of the
            metric; `None` for no further than chance explains.
        max_missing: Greatest share of results that may be missing, in [0, 1].
        max_failed: Greatest number of results that may have failed, over all metrics.

    Raises:
        InputError: It limits nothing, or a number is out of range.
    """

    limits: tuple[Limit, ...] = ()
    no_worse_than: bool = False
    tolerance: float | None = None
    max_missing: float | None = None
    max_failed: int | None = None

    def __post_init__(self) -> None:
        """Raise if it limits nothing or makes no sense."""
        rest = (self.max_missing, self.max_failed)
        if not self.limits and not self.no_worse_than and all(value is None for value in rest):
            raise InputError("the gate limits nothing; expected a limit, as 'faithfulness=.8'")
        if self.max_missing is not None and not 0 <= self.max_missing <= 1:
            raise InputError(f"max_missing is {self.max_missing}; expected a share in [0, 1]")
        if self.max_failed is not None and self.max_failed < 0:
            raise InputError(f"max_failed is {self.max_failed}; expected 0 or more")
        if self.tolerance is not None and not (self.no_worse_than and 0 <= self.tolerance < 1e9):
            raise InputError(
                f"tolerance is {self.tolerance}; expected 0 or more, beside a run to compare with"
            )

    @classmethod
    def parse(
        cls,
        *,
        min: Iterable[str] = (),  # noqa: A002 - the names of the command line's options
        max: Iterable[str] = (),  # noqa: A002
        min_lower_bound: Iterable[str] = (),
        max_upper_bound: Iterable[str] = (),
        no_worse_than: bool = False,
        tolerance: float | None = None,
        max_missing: float | None = None,
        max_failed: int | None = None,
    ) -> "Gate":
        """Read limits as they are written on the command line: `metric=number`.

        Raises:
            InputError: A limit cannot be read, or there is none.
        """
        given: Mapping[LimitKind, Iterable[str]] = {
            "min": min,
            "max": max,
            "min_lower_bound": min_lower_bound,
            "max_upper_bound": max_upper_bound,
        }
        return cls(
            limits=tuple(Limit.parse(kind, text) for kind in given for text in given[kind]),
            no_worse_than=no_worse_than,
            tolerance=tolerance,
            max_missing=max_missing,
            max_failed=max_failed,
        )

    def check(self, run: Run, *, baseline: Run | None = None, seed: int = 0) -> GateOutcome:
        """Hold a run against all limits.

        Args:
            run: The run.
            baseline: What it must not be worse than, if the gate says so.
            seed: Same seed, same p-values.

        Raises:
            InputError: The run lacks a metric that is limited, has no samples, or a baseline is
                missing or has no question or metric in common with it.
        """
        if not len(run):
            raise InputError(f"the run {run.name!r} has no samples; a gate over nothing is open")
        summaries = {summary.metric.spec: summary for summary in run.summary()}
        checks = [_limited(limit, _found(limit.metric, summaries, run)) for limit in self.limits]
        checks += _complete(self, tuple(summaries.values()), len(run))
        notes: tuple[str, ...] = ()
        if self.no_worse_than:
            if baseline is None:
                raise InputError("the gate compares with a baseline, and none was given")
            compared, notes = regressions(run, baseline, tolerance=self.tolerance, seed=seed)
            checks += compared
        return GateOutcome(run=run.name, checks=tuple(checks), notes=notes)


def _found(metric: str, summaries: Mapping[str, MetricSummary], run: Run) -> MetricSummary:
    """Return the summary of a metric, by its spec or any name the registry knows."""
    if metric in summaries:
        return summaries[metric]
    label = metric_of(metric).spec
    if label not in summaries:
        known = ", ".join(map(repr, summaries))
        raise InputError(f"the run {run.name!r} has no metric {metric!r}; it has {known}")
    return summaries[label]


def _limited(limit: Limit, summary: MetricSummary) -> Check:
    found = {
        "min": summary.mean,
        "max": summary.mean,
        "min_lower_bound": summary.low,
        "max_upper_bound": summary.high,
    }[limit.kind]
    least = limit.kind in ("min", "min_lower_bound")
    held = found is not None and (found >= limit.bound if least else found <= limit.bound)
    return Check(
        rule=WORDS[limit.kind].format(summary.metric.spec, limit.bound),
        held=held,
        message=_described(found, summary),
        metric=summary.metric.spec,
        found=found,
        bound=limit.bound,
    )


def _described(found: float | None, summary: MetricSummary) -> str:
    counts = (
        f"{summary.scored} scored, {summary.undefined} undefined, {summary.failed} failed, "
        f"{summary.missing} missing"
    )
    if summary.mean is None:
        return f"there is no mean: {counts}"
    ends = "" if summary.low is None else f", 95% CI {summary.low:.3f} to {summary.high:.3f}"
    lacking = "" if found is not None else "; one score has no interval"
    return f"mean {summary.mean:.3f}{ends}; {counts}{lacking}"


def _complete(gate: Gate, summaries: Sequence[MetricSummary], samples: int) -> list[Check]:
    """Check that results are there at all."""
    checks = []
    if gate.max_missing is not None and summaries:
        worst = max(summaries, key=lambda summary: summary.failed + summary.missing)
        gone = worst.failed + worst.missing
        checks.append(
            Check(
                rule=f"at most {gate.max_missing:.1%} of results are missing",
                held=gone <= gate.max_missing * samples + 1e-9,
                message=f"{gone} of {samples} of {worst.metric.spec}, the most of any metric",
                metric=worst.metric.spec,
                found=gone / samples,
                bound=gate.max_missing,
            )
        )
    if gate.max_failed is not None:
        failed = sum(summary.failed for summary in summaries)
        checks.append(
            Check(
                rule=f"at most {gate.max_failed} results failed",
                held=failed <= gate.max_failed,
                message=f"{failed} failed",
                found=float(failed),
                bound=float(gate.max_failed),
            )
        )
    return checks
