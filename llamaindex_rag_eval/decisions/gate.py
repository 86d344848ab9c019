"""The gate: what a run must reach before a change is accepted.

gate = Gate.parse(min=["faithfulness=.8"], no_worse_than=True, margin=0.03)
outcome = gate.check(run, baseline=main)
outcome.held, [check.message for check in outcome.checks]
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TypedDict, Unpack

from llamaindex_rag_eval.data.json_fields import JsonFields
from llamaindex_rag_eval.decisions.comparison import Comparison
from llamaindex_rag_eval.decisions.gate_checks import (
    VERDICTS,
    CheckOutcome,
    GateCheck,
    Threshold,
    ThresholdKind,
    Verdict,
    completeness_checks,
    share_check,
    threshold_check,
)
from llamaindex_rag_eval.decisions.margins import NO_MARGINS, Margins
from llamaindex_rag_eval.decisions.regression import (
    NOTHING_ALLOWED,
    Allowances,
    regression_checks,
    undefined_counts,
)
from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.runs.clusters import Clustering
from llamaindex_rag_eval.runs.run import Run

MAX_UNDEFINED = 0.1
"""A metric with more undefined results speaks of other questions than were asked."""

MIN_SCORED = 5
"""Fewer scores say next to nothing about a mean."""


class Limits(TypedDict, total=False):
    """What a gate limits beside thresholds and margins; see `Gate`."""

    no_worse_than: bool
    max_missing: float | None
    max_failed: int | None
    max_undefined: float
    min_scored: int
    allow: Allowances
    clusters: Clustering


@dataclass(frozen=True, slots=True)
class GateResult(JsonFields):
    """The checks of a run by a gate.

    Attributes:
        run: The run's name.
        checks: In the order of the gate.
        notes: What a reader must know, such as questions that could not be compared.
    """

    _json = "run held outcome verdict checks notes"

    run: str
    checks: tuple[GateCheck, ...]
    notes: tuple[str, ...] = ()

    @property
    def held(self) -> bool:
        """Whether every check held."""
        return all(check.held for check in self.checks)

    @property
    def outcome(self) -> CheckOutcome:
        """`holds`; `fails`; or `too few questions`, if only that stands in the way."""
        if self.held:
            return "holds"
        open_ = all(check.held or check.open for check in self.checks)
        return "too few questions" if open_ else "fails"

    @property
    def verdict(self) -> Verdict:
        """The outcome as the headline of a comparison has it."""
        return VERDICTS[self.outcome]


@dataclass(frozen=True, slots=True)
class Gate:
    """What a run must reach, all of it.

    Unless it is allowed, no result may have failed or be missing, few may be undefined, and a run
    that is compared with a baseline must answer its questions, judged as it was.

    Attributes:
        thresholds: On metrics. A mean over too few scores reaches none.
        no_worse_than: Whether the run must not be worse than a baseline on any metric of it; see
            `regression_checks`.
        margin: The fall of a mean that is accepted, or the rise where lower is better, in the unit
            of the metric; `None` for a twentieth of its range.
        margins: Metric -> a margin of its own, by its spec or any name that the registry knows.
        max_missing: Greatest share of a metric's results that may have failed or be missing.
        max_failed: Greatest number of results that may have failed, over all metrics; `None` for
            no such limit beside `max_missing`. Without either, none may.
        max_undefined: Greatest share of a metric's results that may be undefined, those not counted
            that are undefined in the baseline.
        min_scored: Fewest scores of which a mean is held to a threshold.
        allow: What else is accepted.
        clusters: What is not independent: questions on the same documents, or none.

    Raises:
        InputError: It checks nothing, or a number is out of range.
    """

    thresholds: tuple[Threshold, ...] = ()
    no_worse_than: bool = False
    margin: float | None = None
    margins: Mapping[str, float] = field(default_factory=dict)
    max_missing: float | None = None
    max_failed: int | None = None
    max_undefined: float = MAX_UNDEFINED
    min_scored: int = MIN_SCORED
    allow: Allowances = NOTHING_ALLOWED
    clusters: Clustering = "documents"

    def __post_init__(self) -> None:
        """Raise if nothing is checked, or a number is out of range."""
        limits = (self.max_missing, self.max_failed)
        if not (self.thresholds or self.no_worse_than) and limits == (None, None):
            raise InputError(
                "the gate limits nothing; expected a threshold, as --min faithfulness=.8, or "
                "--no-worse-than RUN"
            )
        shares = {"max_missing": self.max_missing, "max_undefined": self.max_undefined}
        for name, share in shares.items():
            if share is not None and not 0 <= share <= 1:
                raise InputError(f"{name} is {share}; expected a share in [0, 1]")
        counts = {"max_failed": self.max_failed, "min_scored": self.min_scored}
        for name, count in counts.items():
            if count is not None and count < 0:
                raise InputError(f"{name} is {count}; expected 0 or more")
        if Margins(self.margin, self.margins) != NO_MARGINS and not self.no_worse_than:
            raise InputError("a margin without a run; expected a run to compare with, too")

    @classmethod
    def parse(
        cls,
        *,
        min: Iterable[str] = (),  # noqa: A002 - the names of the command line's options
        max: Iterable[str] = (),  # noqa: A002
        min_lower_bound: Iterable[str] = (),
        max_upper_bound: Iterable[str] = (),
        margin: float | str | Iterable[str] | None = None,
        **limits: Unpack[Limits],
    ) -> "Gate":
        """Read thresholds and margins as they are written on the command line: `metric=number`.

        A margin without a metric is that of all others; `limits` are attributes of the gate.

        Raises:
            InputError: A threshold or a margin cannot be read, or nothing is checked.
        """
        margins = Margins.parse(margin)
        bounds: Mapping[ThresholdKind, Iterable[str]] = {
            "min": min,
            "max": max,
            "min_lower_bound": min_lower_bound,
            "max_upper_bound": max_upper_bound,
        }
        return cls(
            thresholds=tuple(
                Threshold.parse(kind, text) for kind in bounds for text in bounds[kind]
            ),
            margin=margins.of_all,
            margins=margins.of_metrics,
            **limits,
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
        if not self.no_worse_than:
            return GateResult(run.name, self._checks(run, None), run.cluster_notes(self.clusters))
        if baseline is None:
            raise InputError("the gate compares with a baseline, and none was given")
        return self.judge(Comparison.of(baseline, run, clusters=self.clusters))

    def judge(self, pair: Comparison) -> GateResult:
        """Check the second of two runs that are compared already; see `check`."""
        run = pair.pairing.b
        compared = regression_checks(pair, Margins(self.margin, self.margins), self.allow)
        return GateResult(run.name, (*self._checks(run, pair), *compared), pair.notes)

    def _checks(self, run: Run, pair: Comparison | None) -> tuple[GateCheck, ...]:
        """Return the checks of the run by itself, but for metrics that are left out of a pair."""
        left_out = set[str]()
        if pair is not None:
            compared = {info.spec for info in pair.pairing.metrics}
            left_out = {info.spec for info in pair.pairing.a.metrics} - compared
        summaries = {
            summary.metric.spec: summary
            for summary in run.summary(self.clusters)
            if summary.metric.spec not in left_out
        }
        checks = [
            threshold_check(threshold, summaries, run=run.name, min_scored=self.min_scored)
            for threshold in self.thresholds
        ]
        checks += completeness_checks(
            tuple(summaries.values()),
            len(run),
            max_missing=self.max_missing,
            max_failed=self.max_failed,
        )
        if summaries:
            counts = undefined_counts(run, None if pair is None else pair.pairing.a)
            rule = f"at most {self.max_undefined:.0%} of results are undefined"
            undefined = {spec: counts[spec] for spec in summaries}
            checks.append(share_check(rule, undefined, len(run), share=self.max_undefined))
        return tuple(checks)
