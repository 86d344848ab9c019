"""Labels: what people say about samples, read from a CSV or JSON Lines file.

A row labels one sample. Three shapes are read:

    id,metric,label        one label per row
    id,faithfulness,…      a column for each metric
    id,label               an overall label: 1 is good; it is compared with every metric

A label says what the metric should have said: 1 for `hallucination` means "hallucinated". An empty
cell is a sample that is not labelled yet. The column `chosen` says how a sample was chosen:
`random`, or `doubtful` if its score looked wrong; the latter never enter an estimate of how often
the judge is right. If a sample is labelled twice alike, it counts once, and as random if either
row says so.
"""

import csv
import json
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from llamaindex_rag_eval.data.files import unescape_formula
from llamaindex_rag_eval.errors import DatasetError

Chosen = Literal["random", "doubtful"]

OVERALL = ""
"""The metric of a label for the answer as a whole."""

ID_COLUMNS = ("id", "sample_id", "sample")
LABEL_COLUMNS = ("label", "human", "human_label")

WORDS: Mapping[str, float] = {
    **dict.fromkeys(("yes", "y", "true", "pass", "good", "correct"), 1.0),
    **dict.fromkeys(("no", "n", "false", "fail", "bad", "incorrect"), 0.0),
}
"""Words that people write instead of the top and the bottom of the scale."""


@dataclass(frozen=True, slots=True)
class HumanLabel:
    """A person's label of one sample.

    Attributes:
        sample_id: The id of the sample.
        metric: The spec of the metric; empty for a label of the answer as a whole.
        value: In [0, 1], whatever scale people used: 0 is its bottom and 1 its top.
        chosen: How the sample was chosen for labelling.
        line: Its line in the file; 0 if it comes from no file.
    """

    sample_id: str
    metric: str
    value: float
    chosen: Chosen = "random"
    line: int = 0


NumberedRow = tuple[int, Mapping[str, object]]
"""The number of a line, and its cells by column."""


def read_labels(
    path: str | Path,
    *,
    metrics: Sequence[str] = (),
    scale: tuple[float, float] = (0.0, 1.0),
) -> tuple[HumanLabel, ...]:
    """Return the labels of a file, in the order of its rows.

    Args:
        path: A `.csv` file, or else JSON Lines.
        metrics: Specs of metrics; a column of this name holds labels for the metric.
        scale: The lowest and the highest label, for example `(1, 5)`; they become 0 and 1.

    Returns:
        The labels; empty if nothing is labelled yet.

    Raises:
        DatasetError: The file cannot be read; a row has no id, or a label that is no number on
            the scale; or a sample has two different labels for one metric. It says where.
    """
    file = str(path)
    if not scale[0] < scale[1] or not all(map(math.isfinite, scale)):
        raise DatasetError(f"the scale of labels is {scale!r}; expected (lowest, highest)")
    rows = list(_read_rows(Path(path)))
    _require_labels(rows, metrics, file=file)
    return _unique(
        (label for row in rows for label in _labels(row, metrics, scale, file=file)), file=file
    )


def _require_labels(rows: Sequence[NumberedRow], metrics: Sequence[str], *, file: str) -> None:
    """Raise if no column can hold labels, so that a misspelt column is not read as no labels."""
    columns = dict.fromkeys(column for _, cells in rows for column in cells)
    if rows and not _label_columns(columns, metrics):
        known = ", ".join(map(repr, ("label", *metrics)))
        found = ", ".join(map(repr, columns))
        raise DatasetError(f"expected one of the columns {known}; got {found}", file=file)


def _labels(
    row: NumberedRow, metrics: Sequence[str], scale: tuple[float, float], *, file: str
) -> Iterator[HumanLabel]:
    line, cells = row
    sample_id = next((str(cells[c]).strip() for c in ID_COLUMNS if cells.get(c) is not None), "")
    if not sample_id:
        raise DatasetError("expected the id of a sample", file=file, line=line, field="id")
    chosen: Chosen = "doubtful" if cells.get("chosen") == "doubtful" else "random"
    for column in _label_columns(cells, metrics):
        cell = cells.get(column)
        if cell is None or (isinstance(cell, str) and not cell.strip()):
            continue
        value = _value(cell, scale)
        if value is None:
            raise DatasetError(
                f"expected a number from {scale[0]:g} to {scale[1]:g}, got {cell!r}",
                file=file,
                line=line,
                field=column,
            )
        metric = str(cells.get("metric") or OVERALL).strip() if column in LABEL_COLUMNS else column
        yield HumanLabel(sample_id, metric, value, chosen, line)


def _label_columns(cells: Iterable[str], metrics: Sequence[str]) -> list[str]:
    """Return the columns that hold labels: the one named so, or else those of metrics."""
    columns = list(cells)
    named = [column for column in LABEL_COLUMNS if column in columns]
    return named[:1] or [column for column in columns if column in metrics]


def _value(cell: object, scale: tuple[float, float]) -> float | None:
    """Return a label as a share of the scale, in [0, 1]; `None` if it is not on the scale."""
    if isinstance(cell, bool):
        return float(cell)
    if isinstance(cell, str) and cell.strip().casefold() in WORDS:
        return WORDS[cell.strip().casefold()]
    if not isinstance(cell, int | float | str):
        return None
    try:
        number = float(cell)
    except (ValueError, OverflowError):
        return None
    low, high = scale
    return (number - low) / (high - low) if low <= number <= high else None


def _unique(labels: Iterable[HumanLabel], *, file: str) -> tuple[HumanLabel, ...]:
    """Return one label per sample and metric; two that differ are an error."""
    seen: dict[tuple[str, str], HumanLabel] = {}
    for label in labels:
        place = (label.sample_id, label.metric)
        first = seen.setdefault(place, label)
        if first.value != label.value:
            raise DatasetError(
                f"sample {label.sample_id!r} has another label on line {first.line}; "
                "expected one for a sample and metric",
                file=file,
                line=label.line,
            )
        if label.chosen == "random":
            seen[place] = label
    return tuple(seen.values())


def _read_rows(path: Path) -> Iterator[NumberedRow]:
    """Yield the rows of a `.csv` file, or else of JSON Lines, without empty lines.

    Raises:
        DatasetError: The file cannot be read, or a line holds no object; it names the line.
    """
    try:
        # No translation of newlines, since a quoted cell may contain them.
        with path.open(encoding="utf-8-sig", newline="") as file:
            if path.suffix.lower() == ".csv":
                yield from _csv_rows(csv.DictReader(file))
            else:
                yield from _json_rows(file, str(path))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise DatasetError(f"cannot be read: {reason}", file=str(path)) from error


def _csv_rows(reader: "csv.DictReader[str]") -> Iterator[NumberedRow]:
    for row in reader:
        cells = {k.strip(): v for k, v in row.items() if isinstance(k, str)}
        yield (
            reader.line_num,
            {k: v if v is None else unescape_formula(v) for k, v in cells.items()},
        )


def _json_rows(lines: Iterator[str], file: str) -> Iterator[NumberedRow]:
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except (ValueError, RecursionError):
            row = None
        if not isinstance(row, dict):
            raise DatasetError("expected one JSON object", file=file, line=number)
        yield number, row
