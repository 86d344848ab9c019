"""Labels: what people say about samples, read from a CSV or JSON Lines file.

A row labels one sample. Three shapes are read:

    id,metric,label        one label per row
    id,faithfulness,…      a column for each metric
    id,label               an overall label: 1 is good; it is compared with every metric

`rag-eval label` writes lines with more: `by`, who labelled; `at`, when; `why`; `verdict`, the word
for the label; `claims`, whether each claim is supported; `answer`, a digest of what was labelled;
`run`, that of the answers it was drawn from; `judged`, who had judged them.
It only appends: of the lines of one person about a sample and metric the last one counts, and one
with an empty label takes the label back. So git can merge two people's lines in any order. Labels
by several people become their mean.

A label says what the metric should have said: 1 for `hallucination` means "hallucinated". An empty
cell is a sample that is not labelled yet. The column `chosen` says how a sample was chosen:
`random`, or `doubtful` if its score looked wrong; the latter never enter an estimate of how often
the judge is right. If a sample is labelled twice alike, it counts once, and as random if either
row says so.
"""

import hashlib
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import fmean
from typing import Literal

from llamaindex_rag_eval.data.files import jsonl_objects, unescape_formula
from llamaindex_rag_eval.data.tables import csv_file
from llamaindex_rag_eval.errors import DatasetError
from llamaindex_rag_eval.judge.answer_verdict import SCORES

Chosen = Literal["random", "doubtful"]

OVERALL = ""
"""The metric of a label for the answer as a whole."""

ID_COLUMNS = ("id", "sample_id", "sample")
LABEL_COLUMNS = ("label", "human", "human_label")
TEXT_COLUMNS = ("by", "why", "answer", "run", "judged")

WORDS: Mapping[str, float] = {
    **{name.replace("_", " "): score for name, score in SCORES.items()},
    "partly": SCORES["partly_right"],
    **dict.fromkeys(("yes", "y", "true", "pass", "good", "correct"), 1.0),
    **dict.fromkeys(("no", "n", "false", "fail", "bad", "incorrect"), 0.0),
}
"""Words that people write instead of a number: the verdicts of the page first, then the top and the
bottom of the scale."""


@dataclass(frozen=True, slots=True)
class HumanLabel:
    """A person's label of one sample.

    Attributes:
        sample_id: The id of the sample.
        metric: The spec of the metric; empty for a label of the answer as a whole.
        value: In [0, 1], whatever scale people used: 0 is its bottom and 1 its top.
        chosen: How the sample was chosen for labelling.
        line: Its line in the file; 0 if it comes from no file.
        by: Who gave it, as a name; several names where it is a mean.
        why: The reason, in the person's words.
        answer: A digest of the answer that was labelled (`answer_digest`); empty for any.
        run: The fingerprint of the answers that it was chosen from; empty where that is not known.
        judged: Who had judged the answer when it was labelled, as fingerprints; empty for unknown.
    """

    sample_id: str
    metric: str
    value: float
    chosen: Chosen = "random"
    line: int = 0
    by: str = ""
    why: str = ""
    answer: str = ""
    run: str = ""
    judged: str = ""


Cells = Mapping[str, object]
"""The cells of a row by column."""


def read_labels(
    path: str | Path,
    *,
    metrics: Sequence[str] = (),
    scale: tuple[float, float] = (0.0, 1.0),
    merged: bool = True,
) -> tuple[HumanLabel, ...]:
    """Return the labels of a file, in the order of its rows.

    Args:
        path: A `.csv` file, or else JSON Lines.
        metrics: Specs of metrics; a column of this name holds labels for the metric.
        scale: The lowest and the highest label, for example `(1, 5)`; they become 0 and 1.
        merged: Return the mean of several people's labels of one sample, not each of them.

    Returns:
        The labels; empty if nothing is labelled yet.

    Raises:
        DatasetError: The file cannot be read; a row has no id, or a label that is no number on
            the scale; or a sample has two different labels for one metric by nobody named. It says
            where.
    """
    if not scale[0] < scale[1] or not all(map(math.isfinite, scale)):
        raise DatasetError(f"the scale of labels is {scale!r}; expected (lowest, highest)")
    try:
        read = _csv_rows if Path(path).suffix.lower() == ".csv" else jsonl_objects
        rows: dict[int, Cells] = dict(read(path))
        columns = dict.fromkeys(column for cells in rows.values() for column in cells)
        if rows and not _label_columns(columns, metrics):
            # A misspelt column must not be read as no labels.
            expected, given = ("label", *metrics), ", ".join(map(repr, columns))
            expectation = f"expected one of the columns {', '.join(map(repr, expected))}"
            raise DatasetError(f"{expectation}; got {given}")
        labels = _unique(
            label
            for line, cells in _standing(rows).items()
            for label in _labels(line, cells, metrics, scale)
        )
        return _means(labels) if merged else labels
    except DatasetError as error:
        whole = DatasetError(error.expectation, file=str(path), line=error.line, field=error.field)
        raise whole from None


def answer_digest(response: str) -> str:
    """Return what stands for an answer in a file of labels."""
    return hashlib.sha256(response.encode("utf-8", "replace")).hexdigest()[:16]


def _standing(rows: Mapping[int, Cells]) -> dict[int, Cells]:
    """Return the rows that no later one by the same person about the same label replaces."""
    last: dict[object, int] = {}
    for line, cells in sorted(rows.items(), key=lambda row: str(row[1].get("at") or "")):
        person = cells.get("by")
        key = (cells.get("id"), cells.get("metric"), cells.get("answer"), person)
        last[key if person else line] = line
    return {line: rows[line] for line in sorted(last.values())}


def _labels(
    line: int, cells: Cells, metrics: Sequence[str], scale: tuple[float, float]
) -> Iterator[HumanLabel]:
    sample_id = next((str(cells[c]).strip() for c in ID_COLUMNS if cells.get(c) is not None), "")
    if not sample_id:
        raise DatasetError("expected the id of a sample", line=line, field="id")
    chosen: Chosen = "doubtful" if cells.get("chosen") == "doubtful" else "random"
    for column in _label_columns(cells, metrics):
        cell = cells.get(column)
        if cell is None or (isinstance(cell, str) and not cell.strip()):
            continue
        value = _value(cell, scale)
        if value is None:
            words = f"or a word of {', '.join(WORDS)}"
            expected = f"expected a number from {scale[0]:g} to {scale[1]:g}, {words}; got {cell!r}"
            raise DatasetError(expected, line=line, field=column)
        metric = str(cells.get("metric") or OVERALL).strip() if column in LABEL_COLUMNS else column
        texts = [str(cells.get(name) or "").strip() for name in TEXT_COLUMNS]
        yield HumanLabel(sample_id, metric, value, chosen, line, *texts)


def _label_columns(cells: Iterable[str], metrics: Sequence[str]) -> list[str]:
    """Return the columns that hold labels: the one named so, or else those of metrics."""
    columns = list(cells)
    named = [column for column in LABEL_COLUMNS if column in columns]
    return named[:1] or [column for column in columns if column in metrics]


def _value(cell: object, scale: tuple[float, float]) -> float | None:
    """Return a label as a share of the scale, in [0, 1]; `None` if it is not on the scale."""
    if isinstance(cell, bool):
        return float(cell)
    word = " ".join(str(cell).casefold().replace("_", " ").split())
    if word in WORDS:
        return WORDS[word]
    if not isinstance(cell, int | float | str):
        return None
    try:
        number = float(cell)
    except (ValueError, OverflowError):
        return None
    low, high = scale
    return (number - low) / (high - low) if low <= number <= high else None


def _unique(labels: Iterable[HumanLabel]) -> tuple[HumanLabel, ...]:
    """Return one label per sample, metric, answer and person; two that differ are an error."""
    seen: dict[tuple[str, ...], HumanLabel] = {}
    for label in labels:
        key = (label.sample_id, label.metric, label.answer, label.by)
        first = seen.setdefault(key, label)
        if first.value != label.value:
            raise DatasetError(
                f"sample {label.sample_id!r} has another label on line {first.line}; "
                "expected one for a sample and metric",
                line=label.line,
            )
        if label.chosen == "random":
            seen[key] = label
    return tuple(seen.values())


def _means(labels: Sequence[HumanLabel]) -> tuple[HumanLabel, ...]:
    """Return one label per sample, metric and answer: the mean of several people's."""
    groups: dict[tuple[str, ...], list[HumanLabel]] = {}
    for label in labels:
        groups.setdefault((label.sample_id, label.metric, label.answer), []).append(label)
    return tuple(
        replace(
            group[0],
            value=fmean(label.value for label in group),
            chosen="random" if any(label.chosen == "random" for label in group) else "doubtful",
            by=", ".join(filter(None, (label.by for label in group))),
            why=" / ".join(filter(None, (label.why for label in group))),
        )
        for group in groups.values()
    )


def _csv_rows(path: str | Path) -> Iterator[tuple[int, Cells]]:
    for line, cells in csv_file(path):
        yield line, {name: unescape_formula(cell) for name, cell in cells.items()}
