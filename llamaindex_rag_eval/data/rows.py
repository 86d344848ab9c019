"""Rows of files and tables: from a row to a sample with an id, and back; values as plain JSON."""

import json
import math
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from hashlib import sha256
from typing import TypeVar

from pydantic import BaseModel, JsonValue, ValidationError

from llamaindex_rag_eval.data.sample import (
    ALIASES,
    FIELD_OF_ALIAS,
    MultiTurnSample,
    Sample,
    SingleTurnSample,
    sample_of,
)
from llamaindex_rag_eval.errors import DatasetError

Row = TypeVar("Row")

FIELDS = tuple(dict.fromkeys([*SingleTurnSample.model_fields, *MultiTurnSample.model_fields]))
"""Every field of a sample, in the order in which tables show them."""

NAMES = frozenset({*FIELDS, *FIELD_OF_ALIAS})
"""Every name of a field of a sample."""

ABOUT = frozenset({"id", "metadata", "latency", "error"})
"""Fields that do not make a sample without another field."""

EXPECTED = {
    "string": "a text",
    "tuple": "a list",
    "float": "a number",
    "finite": "a finite number",
    "int": "a whole number",
    "missing": "a value",
    **dict.fromkeys(("dict", "mapping", "model"), "names with values"),
}
"""First word of a type of pydantic's errors -> what was expected, for the author of a data set."""

LONGEST_VALUE = 60
"""Characters of a wrong value that an error message shows."""


def samples_of(
    rows: Iterable[tuple[int, Row]], read: Callable[[Row], Sample], *, file: str = ""
) -> Iterator[Sample]:
    """Yield the samples of rows, each with an id of its own.

    Args:
        rows: Each with the number of its line.
        read: Makes a sample of a row.
        file: The file of the rows, for the error message.
    """
    ids = IdAssigner(file=file)
    for line, row in rows:
        yield ids.assign(sample_at(row, read, file=file, line=line), line)


def sample_at(
    row: Row, read: Callable[[Row], Sample], *, file: str = "", line: int | None = None
) -> Sample:
    """Return the sample of a row; an error names the file and the line of the row."""
    try:
        return read(row)
    except DatasetError as error:
        raise error.at(file, line) from error.__cause__


def field_names(
    columns: Collection[str], fields: Collection[str] = NAMES - ABOUT | {"id"}
) -> dict[str, str]:
    """Return column -> the field that it names whatever its case; other columns as they are.

    A column "Error" or "Latency" of another program's table is none of ours.

    Example:
        >>> field_names(["Question", "Error", "ID", "id"])
        {'Question': 'question', 'Error': 'Error', 'ID': 'ID', 'id': 'id'}
    """
    free = set(fields) - set(columns)
    return {name: name.casefold() if name.casefold() in free else name for name in columns}


def sample_from_row(row: object) -> Sample:
    """Return the sample that a row describes.

    Args:
        row: Values by field name or alias, in any case; values under other names become metadata.

    Raises:
        DatasetError: The row describes no sample; it names file, line and field, and says what
            was expected.
    """
    if not isinstance(row, Mapping):
        raise DatasetError(f"expected an object of fields, got {_short_repr(row)}")
    names = field_names([str(name) for name in row])
    row = {names[str(name)]: value for name, value in row.items()}
    if not any(row.get(name) is not None for name in NAMES - ABOUT):
        fields = ", ".join(map(repr, row)) or "none"
        expected = "expected 'query', 'question' or another field of a sample"
        raise DatasetError(f"{expected}, found {fields}")
    try:
        sample = sample_of(row)
    except ValidationError as error:
        field, reason = _field_and_reason(error, row)
        raise DatasetError(reason, field=field) from None
    _require_unicode(row)
    return sample


def row_of(sample: Sample) -> dict[str, object]:
    """Return the fields that were given, as JSON values; `sample_from_row` reads them back."""
    row: dict[str, object] = sample.model_dump(mode="json", exclude_unset=True)
    return {name: as_json(row[name]) for name in FIELDS if name in row}


def _field_and_reason(error: ValidationError, row: Mapping[str, object]) -> tuple[str, str]:
    """Return the name of the wrong field in the row, and what was expected there."""
    first = error.errors(include_url=False)[0]
    name, *inside = first["loc"] or ("",)
    names = (str(name), *ALIASES.get(str(name), ()))
    field = next((name for name in names if row.get(name) is not None), str(name))
    where = "".join(f"[{step}]" for step in inside if isinstance(step, int))
    message = str(first["msg"])
    expected = EXPECTED.get(first["type"].partition("_")[0]) or message.removeprefix(
        "Input should be "
    )
    return field + where, f"expected {expected}, got {_short_repr(first['input'])}"


def _short_repr(value: object) -> str:
    text = repr(value)
    short = text if len(text) <= LONGEST_VALUE else f"{text[:LONGEST_VALUE]}…"
    return f"{short} ({type(value).__name__})"


def _require_unicode(row: Mapping[str, object]) -> None:
    """Raise if a text holds half of a surrogate pair, which cannot be written or sent."""
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
                field=field.encode("ascii", "backslashreplace").decode(),
            ) from None


DIGITS = 12
"""Hexadecimal digits of a `content_id`: of a million questions two collide with chance 0.2 %."""


def content_id(sample: Sample) -> str:
    """Return an id made from the question alone, so that answers of all pipelines share it.

    The question of a follow-up includes the conversation before it; that of a conversation is
    the user's messages. A sample without a question is identified by its whole content. Texts
    that differ only in their Unicode normalisation form are different questions.
    """
    return _digest(sample.asked or sample.fingerprint_text())[:DIGITS]


class IdAssigner:
    """Gives every sample of a data set an id that no earlier sample has.

    - A sample without an id gets its `content_id`; if the question comes again, with `~2`, `~3`, ….
    - A sample equal to an earlier one with the same id gets such a suffix, too; both are kept.
    - A sample that differs from an earlier one with the same id is an error, since answers and
      scores are found by id.

    Args:
        file: The file of the samples, for the error message.
    """

    def __init__(self, *, file: str = "") -> None:
        self._file = file
        self._seen: dict[str, tuple[int, str]] = {}

    def assign(self, sample: Sample, number: int) -> Sample:
        """Return the sample with its id.

        Args:
            sample: The next sample.
            number: Its line in the file, or its number if there is no file.

        Raises:
            DatasetError: A different sample has the id already; both places are named.
        """
        content = _digest(sample.fingerprint_text())
        base = sample.id or content_id(sample)
        first = self._seen.get(base)
        if first is not None and sample.id and first[1] != content:
            raise DatasetError(
                f"expected ids to differ: {base!r} is also the id of another sample in "
                f"{'line' if self._file else 'place'} {first[0]}",
                file=self._file,
                line=number,
                field="id",
            )
        name = base if first is None else self._with_number(base)
        self._seen[name] = (number, content)
        return sample if name == sample.id else sample.model_copy(update={"id": name})

    def _with_number(self, name: str) -> str:
        number = 2
        while f"{name}~{number}" in self._seen:
            number += 1
        return f"{name}~{number}"


def _digest(text: str) -> str:
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def as_json(value: object) -> JsonValue:
    """Return a value as JSON can hold it; one that JSON does not know as its text.

    Example:
        >>> as_json({"a": float("nan"), "b": (1, {2}), "c": float("inf")})
        {'a': None, 'b': [1, [2]], 'c': 'inf'}
    """
    if isinstance(value, BaseModel):
        dumped: JsonValue = value.model_dump(mode="json", exclude_defaults=True)
        return dumped
    value = value.tolist() if hasattr(value, "tolist") else value  # of numpy
    if isinstance(value, float) and not math.isfinite(value):
        return None if math.isnan(value) else str(value)
    if value is None or isinstance(value, str | int | float):
        return value
    if isinstance(value, Mapping):
        return {str(key): as_json(inside) for key, inside in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [as_json(inside) for inside in value]
    return str(value)
