"""The gate: what a run must reach before a change is accepted.

gate = Gate.parse(min=["faithfulness=.8"], no_worse_than=True, max_missing=0.02)
outcome = gate.check(run, baseline=main)
outcome.held, [check.message for check in outcome.checks]
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from pydantic import JsonValue

from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.gates.checks import (
    GateCheck,
    Threshold,
    ThresholdKind,
    completeness_checks,
    regression_checks,
    threshold_check,
)
from llamaindex_rag_eval.runs.run import Run

__all__ = ["Gate", "GateResult"]


@dataclass(frozen=True, slots=True)
class GateResult:
    """The checks of a run by a gate.

    Attributes:
        run: The run's name.
        checks: In the order of the gate.
        notes: What a reader must know, such as questions that could not be compared.
    """

    run: str
    checks: tuple[GateCheck, ...]
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
    """Thresholds on a run, each of which must hold.

    A mean over no scored sample reaches no threshold. The share of missing results is that of the
    metric with the most; a result is missing if it failed, or if a budget was spent before it. An
    undefined result is not missing.

    Attributes:
        thresholds: On metrics.
        no_worse_than: Whether the run must not be worse than a baseline on any metric of both;
            see `regression_checks`.
        tolerance: How far a mean may fall, or rise where lower is better, in the unit of the
            metric; `None` for no further than chance explains.
        max_missing: Greatest share of results that may be missing, in [0, 1].
        max_failed: Greatest number of results that may have failed, over all metrics.

    Raises:
        InputError: It checks nothing, or a number is out of range.
    """

    thresholds: tuple[Threshold, ...] = ()
    no_worse_than: bool = False
    tolerance: float | None = None
    max_missing: float | None = None
    max_failed: int | None = None

    def __post_init__(self) -> None:
        """Raise if nothing is checked, or a number is out of range."""
        rest = (self.max_missing, self.max_failed)
        if not self.thresholds and not self.no_worse_than and all(value is None for value in rest):
            raise InputError("the gate limits nothing; expected a threshold, as 'faithfulness=.8'")
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
        """Read thresholds as they are written on the command line: `metric=number`.

        Raises:
            InputError: A threshold cannot be read, or nothing is checked.
        """
        given: Mapping[ThresholdKind, Iterable[str]] = {
            "min": min,
            "max": max,
            "min_lower_bound": min_lower_bound,
            "max_upper_bound": max_upper_bound,
        }
        return cls(
            thresholds=tuple(Threshold.parse(kind, text) for kind in given for text in given[kind]),
            no_worse_than=no_worse_than,
            tolerance=tolerance,
            max_missing=max_missing,
            max_failed=max_failed,
        )

    def check(self, run: Run, *, baseline: Run | None = None) -> GateResult:
        """Check a run.

        Args:
            run: The run.
            baseline: What it must not be worse than, if the gate says so.

        Raises:
            InputError: The run has no samples or lacks a metric that has a threshold; the
                baseline is missing, or shares no question or metric with the run.
        """
        if not len(run):
            raise InputError(f"the run {run.name!r} has no samples; a gate over nothing is open")
        summaries = {summary.metric.spec: summary for summary in run.summary()}
        checks = [threshold_check(one, summaries, run=run.name) for one in self.thresholds]
        checks += completeness_checks(
            tuple(summaries.values()),
            len(run),
            max_missing=self.max_missing,
            max_failed=self.max_failed,
        )
        notes: tuple[str, ...] = ()
        if self.no_worse_than:
            if baseline is None:
                raise InputError("the gate compares with a baseline, and none was given")
            compared, notes = regression_checks(run, baseline, tolerance=self.tolerance)
            checks += compared
        return GateResult(run=run.name, checks=tuple(checks), notes=notes)
