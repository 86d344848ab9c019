"""Policy: what a candidate must reach to take the place of its baseline.

    Policy.parse(primary="answer_verdict", margin=".03", min=["faithfulness=.8"], max_latency=1.5)

One metric, the primary one, must be shown not to be worse. The others stop a candidate only where
they are shown to be worse, and by more than a fifth of their margin. Limits hold for the candidate
by itself.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

from llamaindex_rag_eval.decisions.contrast import Contrast
from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.metrics.registry import metric_of
from llamaindex_rag_eval.metrics.spec import parse_spec
from llamaindex_rag_eval.runs.clusters import Clustering

MARGIN = 0.05
"""The default margin: a twentieth of a metric's range, or of the baseline's mean without bounds.

Two questions in forty that fail, or one answer in twenty that turns wrong.
"""

PRIMARY = "answer_verdict"
"""The primary metric where it was measured and no other was named."""

LEAST, MOST = 1e-12, 1e9
"""Between them is any number above 0 that is not infinite."""

RANGES: Mapping[str, tuple[float, float, str]] = {
    "margin": (LEAST, MOST, "more than 0"),
    **dict.fromkeys(("max_missing", "max_undefined"), (0, 1, "a share in [0, 1]")),
    **dict.fromkeys(("max_latency", "max_cost"), (LEAST, MOST, "a ratio above 0, as 1.5")),
    **dict.fromkeys(("min_scored", "questions", "documents"), (0, math.inf, "0 or more")),
}
"""Number of a policy -> from where to where it may be, and how that is said."""

ThresholdKind = Literal["min", "max", "min_lower_bound", "max_upper_bound"]
"""What is compared with the bound: the mean, or the end of its 95 % interval on the bad side."""


def metric_and_number(text: str) -> tuple[str, float | None]:
    """Return the parts of `metric=number`: no metric where there is none, `None` for no number.

    Example:
        >>> metric_and_number("factual_correctness(mode=recall)=.8"), metric_and_number(".05")
        (('factual_correctness(mode=recall)', 0.8), ('', 0.05))
    """
    metric, _, number = text.rpartition("=")
    try:
        value = float(number)
    except ValueError:
        value = math.nan
    return metric.strip(), value if math.isfinite(value) else None


@dataclass(frozen=True, slots=True)
class Threshold:
    """A bound on one metric's mean or on an end of its interval.

    Attributes:
        kind: What is compared with the bound.
        metric: The metric's spec, or any name that the registry knows.
        bound: In the unit of the metric.
    """

    kind: ThresholdKind
    metric: str
    bound: float

    @classmethod
    def parse(cls, kind: ThresholdKind, text: str) -> "Threshold":
        """Read `metric=number`.

        Raises:
            InputError: It is written otherwise.

        Example:
            >>> Threshold.parse("min", "factual_correctness(mode=recall)=.8").bound
            0.8
        """
        metric, bound = metric_and_number(text)
        if not metric or bound is None:
            raise InputError(
                f"{text!r} is no threshold; expected METRIC=NUMBER, as 'faithfulness=.8'"
            )
        return cls(kind, metric, bound)


@dataclass(frozen=True, slots=True)
class Allowances:
    """What is accepted though it leaves a decision open.

    Attributes:
        inconclusive: Too few questions to tell; never a shown loss, nor a mean that is worse by
            the margin.
        other_data: Other questions or references than the baseline's.
        other_judge: Another judge or prompt, or a metric with another direction or other bounds.
        uncompared: Metrics that the candidate lacks, or that share no scored question.
    """

    inconclusive: bool = False
    other_data: bool = False
    other_judge: bool = False
    uncompared: bool = False


@dataclass(frozen=True, slots=True)
class Policy:
    """What is decided by.

    Attributes:
        primary: The metric that must be shown not to be worse, by its spec or any name that the
            registry knows; by default `answer_verdict`, or else the first with a direction.
        margin: The fall of a mean that is accepted, or the rise where lower is better, in the unit
            of the metric; `None` for a twentieth of its range. Of other metrics than the primary
            one, a fifth of it is negligible.
        margins: Metric -> a margin of its own.
        floor: The least mean of the primary metric, or the greatest where lower is better; `None`
            for none.
        max_latency: Greatest mean time of an answer over that of the baseline's; `None` for any.
        max_cost: The same of its cost.
        questions: With fewer that both have a score for, only a loss can be shown.
        documents: The same of documents, where they are known.
        thresholds: On metrics of the candidate. A mean over too few scores reaches none.
        max_missing: Greatest share of a metric's results that may have failed or be missing. By
            default none may without a baseline; with one, they count as the worst there can be.
        max_undefined: Greatest share of a metric's results that may be undefined, those not counted
            that are undefined in the baseline.
        min_scored: Fewest scores of which a mean is held to a threshold.
        allow: What else is accepted.
        clusters: What is not independent: questions on the same documents, or none.

    Raises:
        InputError: A number is out of range.
    """

    primary: str = ""
    margin: float | None = None
    margins: Mapping[str, float] = field(default_factory=dict)
    floor: float | None = None
    max_latency: float | None = None
    max_cost: float | None = None
    questions: int = 20
    documents: int = 1
    thresholds: tuple[Threshold, ...] = ()
    max_missing: float | None = None
    max_undefined: float = 0.1
    min_scored: int = 5
    allow: Allowances = Allowances()
    clusters: Clustering = "documents"

    def __post_init__(self) -> None:
        """Raise if a number is out of range."""
        named = [("margin", margin) for margin in self.margins.values()]
        named += [(name, getattr(self, name)) for name in RANGES]
        for name, value in named:
            low, high, expected = RANGES[name]
            if value is not None and not low <= value <= high:
                raise InputError(f"{name} is {value}; expected {expected}")

    @classmethod
    def parse(
        cls,
        *,
        margin: float | str | Iterable[str] | None = None,
        **others: Any,
    ) -> "Policy":
        """Read thresholds and margins as they are written on the command line: `metric=number`.

        Args:
            margin: A number, or `metric=number` for one metric.
            others: Kinds of thresholds, each with several; attributes of the policy, of which
                `None` is the default.

        Raises:
            InputError: A threshold or a margin cannot be read, or a number is out of range.

        Example:
            >>> Policy.parse(margin=[".03", "faithfulness=.05"]).margins
            {'faithfulness': 0.05}
        """
        margins: dict[str, float] = {}
        texts = [] if margin is None else [margin] if isinstance(margin, str | float) else margin
        for text in map(str, texts):
            metric, value = metric_and_number(text)
            if value is None or ("=" in text and not metric):
                raise InputError(
                    f"{text!r} is no margin; expected a number, or METRIC=NUMBER, as "
                    "'faithfulness=.05'"
                )
            if metric in margins:
                raise InputError(f"{text!r}: this margin was given before")
            margins[metric] = value
        bounds = {kind: others.pop(kind, ()) for kind in get_args(ThresholdKind)}
        return cls(
            thresholds=tuple(
                Threshold.parse(kind, text) for kind in bounds for text in bounds[kind]
            ),
            margin=margins.pop("", None),
            margins=margins,
            **{name: value for name, value in others.items() if value is not None},
        )

    @property
    def limits_nothing(self) -> bool:
        """Whether a run without a baseline has nothing to be held to."""
        return not self.thresholds and (self.floor, self.max_missing) == (None, None)

    def primary_of(self, specs: Sequence[str], run: str) -> str:
        """Return the spec of the primary metric among those that have a direction; "" for none.

        Raises:
            InputError: The metric that is named is not among them.
        """
        if self.primary:
            spec = self.primary if self.primary in specs else metric_of(self.primary).spec
            if spec not in specs:
                known = ", ".join(map(repr, specs))
                raise InputError(
                    f"{self.primary!r} decides, but {run} has no such metric; it has {known}"
                )
            return spec
        verdicts = (spec for spec in specs if parse_spec(spec)[0] == PRIMARY)
        return next(verdicts, specs[0] if specs else "")

    def margins_of(self, contrasts: Sequence[Contrast], name: str) -> dict[str, float]:
        """Return the margin of each metric that is compared.

        Raises:
            InputError: A metric that has a margin of its own is not compared.
        """
        specs = [contrast.metric.spec for contrast in contrasts]
        own = {m if m in specs else metric_of(m).spec: value for m, value in self.margins.items()}
        for spec in own:
            if spec not in specs:
                known = ", ".join(map(repr, specs))
                raise InputError(f"{spec!r} has a margin, but {name} is compared on {known} only")
        accepted = {}
        for contrast in contrasts:
            low, high = contrast.metric.bounds
            width = high - low if math.isfinite(high - low) else abs(contrast.mean_a or 0.0)
            margin = own.get(contrast.metric.spec, self.margin)
            accepted[contrast.metric.spec] = MARGIN * width if margin is None else margin
        return accepted


DEFAULT_POLICY = Policy()
"""A margin of a twentieth of the range of the primary metric, and no other limit."""
