"""Any value as plain JSON data: what evidence, messages and metadata are written as."""

from collections.abc import Mapping

from pydantic import BaseModel, JsonValue

__all__ = ["as_json"]


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
