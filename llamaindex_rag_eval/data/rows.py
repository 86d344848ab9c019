"""From a row, as a file or a table holds it, to a sample; what is wrong with a row in words."""

import json
import math
from collections.abc import Mapping

from pydantic import ValidationError

from llamaindex_rag_eval.data.sample import (
    ALIASES,
    MultiTurnSample,
    Sample,
    SingleTurnSample,
    sample_of,
)
from llamaindex_rag_eval.errors import DatasetError

__all__ = ["FIELDS", "plain", "row_of", "sample_at"]

FIELDS = tuple(dict.fromkeys([*SingleTurnSample.model_fields, *MultiTurnSample.model_fields]))
"""Every field of a sample, in the order in which tables show them."""

ABOUT = frozenset({"id", "metadata", "latency", "error"})
"""Fields that alone do not make a sample."""

EXPECTED = {
    "string_type": "a text",
    "tuple_type": "a list",
    "mapping_type": "names with values",
    "dict_type": "names with values",
    "model_type": "names with values",
    "model_attributes_type": "names with values",
    "float_type": "a number",
    "float_parsing": "a number",
    "finite_number": "a finite number",
    "int_type": "a whole number",
    "int_parsing": "a whole number",
    "missing": "a value",
}
"""Kinds of validation error, in the words of somebody who writes a data set."""

SHOWN = 60
"""Characters of a wrong value that an error message shows."""


def sample_at(row: object, *, file: str = "", line: int | None = None) -> Sample:
    """Return the sample that a row describes.

    Args:
        row: Field names or their aliases with values; other names become metadata.
        file: Where the row is from, for the error.
        line: The line there.

    Raises:
        DatasetError: The row describes no sample; it names file, line and field, and says what
            was expected.
    """
    if not isinstance(row, Mapping):
        raise DatasetError(f"expected an object of fields, got {_shown(row)}", file=file, line=line)
    names = {alias for aliases in ALIASES.values() for alias in aliases} | set(FIELDS) - ABOUT
    if not any(row.get(name) is not None for name in names):
        found = f"found {', '.join(map(repr, row))}" if row else "found none"
        raise DatasetError(
            f"expected 'query' or another field of a sample, {found}", file=file, line=line
        )
    try:
        sample = sample_of(row)
    except ValidationError as error:
        field, expectation = _complaint(error, row)
        raise DatasetError(expectation, file=file, line=line, field=field) from None
    _require_unicode(row, file=file, line=line)
    return sample


def row_of(sample: Sample) -> dict[str, object]:
    """Return the fields that were given, as plain data; `sample_at` takes them back."""
    row: dict[str, object] = sample.model_dump(mode="json", exclude_unset=True)
    return {name: plain(row[name]) for name in FIELDS if name in row}


def _complaint(error: ValidationError, row: Mapping[str, object]) -> tuple[str, str]:
    """Return the field as the row calls it, and what was expected there."""
    first = error.errors(include_url=False)[0]
    ours, *inside = first["loc"] or ("",)
    names = (str(ours), *ALIASES.get(str(ours), ()))
    field = next((name for name in names if row.get(name) is not None), str(ours))
    where = "".join(f"[{step}]" for step in inside if isinstance(step, int))
    said = str(first["msg"])
    expected = EXPECTED.get(first["type"]) or said.removeprefix("Input should be ")
    return field + where, f"expected {expected}, got {_shown(first['input'])}"


def _shown(value: object) -> str:
    text = repr(value)
    short = text if len(text) <= SHOWN else f"{text[:SHOWN]}…"
    return f"{short} ({type(value).__name__})"


def _require_unicode(row: Mapping[str, object], *, file: str, line: int | None) -> None:
    """Raise if a text holds half of a surrogate pair: no file or model could take it."""
    for field, value in row.items():
        text = (
            value if isinstance(value, str) else json.dumps(value, default=str, ensure_ascii=False)
        )
        try:
            f"{field}{text}".encode()
        except UnicodeEncodeError as error:
            raise DatasetError(
                f"expected Unicode text, found half of a surrogate pair "
                f"({error.object[error.start]!a}), as cutting an emoji in two leaves it",
                file=file,
                line=line,
                field=field.encode("ascii", "backslashreplace").decode(),
            ) from None


def plain(value: object) -> object:
    """Return a value as JSON can hold it: numpy unpacked, NaN as `None`, infinity as text."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, float):
        return None if math.isnan(value) else value if math.isfinite(value) else str(value)
    if value is None or isinstance(value, str | int | bool):
        return value
    if isinstance(value, Mapping):
        return {str(key): plain(inside) for key, inside in value.items()}
    if isinstance(value, list | tuple):
        return [plain(inside) for inside in value]
    return value if hasattr(value, "model_dump") else str(value)
