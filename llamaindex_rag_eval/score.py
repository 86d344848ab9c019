"""What a metric's formula comes to: a number, or nothing and why, with the evidence for it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pydantic import BaseModel, JsonValue

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


def as_json(evidence: object) -> JsonValue:
    """Return evidence as plain JSON data."""
    if isinstance(evidence, BaseModel):
        dumped: JsonValue = evidence.model_dump(mode="json", exclude_defaults=True)
        return dumped
    if isinstance(evidence, Mapping):
        return {str(key): as_json(value) for key, value in evidence.items()}
    if isinstance(evidence, list | tuple | set | frozenset):
        return [as_json(entry) for entry in evidence]
    if evidence is None or isinstance(evidence, str | int | float | bool):
        return evidence
    return str(evidence)
