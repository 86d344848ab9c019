"""What a metric's formula comes to: a number, or nothing and why, with the evidence for it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pydantic import BaseModel

__all__ = ["Evidence", "Score"]

Evidence = BaseModel | Sequence[BaseModel] | Mapping[str, object] | None
"""What a person looks at to see why: judgements as they came, or named groups of them."""


@dataclass(frozen=True, slots=True)
class Score:
    """A measured value, or `None` for undefined; never NaN.

    Attributes:
        value: The number, within the metric's bounds; `None` if the metric is undefined here.
        evidence: The judgements it was computed from.
        note: In words, what the number does not say by itself. If the value is `None`, the
            reason, where it is another one than the metric's usual `undefined` sentence.
    """

    value: float | None
    evidence: Evidence = None
    note: str = ""
