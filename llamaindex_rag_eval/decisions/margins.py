"""Margins: which fall of a mean is accepted, of all metrics and of some."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.metrics.registry import metric_of


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
class Margins:
    """The fall of a mean that is accepted, or the rise where lower is better.

    Attributes:
        of_all: In the unit of each metric; `None` for a twentieth of its range.
        of_metrics: Metric -> a margin of its own, by its spec or any name that the registry knows.

    Raises:
        InputError: A margin is not above 0.
    """

    of_all: float | None = None
    of_metrics: Mapping[str, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Raise if a margin is not above 0."""
        for margin in (self.of_all, *self.of_metrics.values()):
            if margin is not None and not 0 < margin < 1e9:
                raise InputError(f"margin is {margin}; expected more than 0")

    @classmethod
    def parse(cls, given: float | str | Iterable[str] | None) -> "Margins":
        """Read margins as they are written on the command line: a number, or `metric=number`.

        Raises:
            InputError: One cannot be read, or is given twice.

        Example:
            >>> Margins.parse([".03", "faithfulness=.05"])
            Margins(of_all=0.03, of_metrics={'faithfulness': 0.05})
        """
        if given is None or isinstance(given, float | int):
            return cls(given)
        margins: dict[str, float] = {}
        for text in [given] if isinstance(given, str) else given:
            metric, value = metric_and_number(text)
            if value is None or ("=" in text and not metric):
                raise InputError(
                    f"{text!r} is no margin; expected a number, or METRIC=NUMBER, as "
                    "'faithfulness=.05'"
                )
            if metric in margins:
                raise InputError(f"{text!r}: this margin was given before")
            margins[metric] = value
        return cls(margins.pop("", None), margins)

    def by_spec(self, specs: Sequence[str], name: str) -> dict[str, float | None]:
        """Return the margin of each metric.

        Args:
            specs: The metrics that are compared.
            name: What they are compared with.

        Raises:
            InputError: A metric that has a margin of its own is not compared.
        """
        own = {
            metric if metric in specs else metric_of(metric).spec: value
            for metric, value in self.of_metrics.items()
        }
        for spec in own:
            if spec not in specs:
                known = ", ".join(map(repr, specs))
                raise InputError(f"{spec!r} has a margin, but {name} is compared on {known} only")
        return {spec: own.get(spec, self.of_all) for spec in specs}


NO_MARGINS = Margins()
"""A twentieth of the range of each metric."""
