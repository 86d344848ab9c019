"""A run: samples, their results, and what made them; to tables, files, and back."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from llamaindex_rag_eval.data.files import write_whole
from llamaindex_rag_eval.data.sample import MultiTurnSample, Sample, SingleTurnSample, sample_of
from llamaindex_rag_eval.data.tables import guarded
from llamaindex_rag_eval.errors import DatasetError
from llamaindex_rag_eval.metrics.result import Result, Results, Row
from llamaindex_rag_eval.runs.provenance import MetricInfo, Provenance
from llamaindex_rag_eval.runs.summary import MetricSummary, html_table, summary_of

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Run"]


@dataclass(frozen=True)
class Run:
    """Samples with their results on each metric, and the provenance of both.

    Attributes:
        samples: In the order of the data set.
        results: In the order of samples, then of metrics.
        provenance: What made them.
        name: Under which the run is shown.
    """

    samples: tuple[Sample, ...]
    results: Sequence[Result]
    provenance: Provenance = field(default_factory=Provenance)
    name: str = ""

    def __post_init__(self) -> None:
        """Pack the results: ten thousands of them stay small."""
        if not isinstance(self.results, Results):
            packed = Results.from_results(
                self.results, {sample.id: sample for sample in self.samples}
            )
            object.__setattr__(self, "results", packed)

    def __len__(self) -> int:
        """Return the number of samples."""
        return len(self.samples)

    def named(self, name: str) -> "Run":
        """Return this run under another name."""
        return replace(self, name=name)

    @property
    def metrics(self) -> tuple[MetricInfo, ...]:
        """The metrics, in the order they were asked for."""
        return self.provenance.metrics

    @property
    def rows(self) -> tuple[Row, ...]:
        """The results as rows: sample, metric, status and score, unopened."""
        return self._packed.rows

    @property
    def _packed(self) -> Results:
        assert isinstance(self.results, Results)  # noqa: S101 - `__post_init__` packed them
        return self.results

    @cached_property
    def _places(self) -> dict[tuple[str, str], int]:
        return {(row.sample_id, row.metric): place for place, row in enumerate(self.rows)}

    def result(self, sample_id: str, metric: str) -> Result | None:
        """Return the result of one metric on one sample, or `None` if there is none."""
        place = self._places.get((sample_id, metric))
        return None if place is None else self.results[place]

    def of(self, metric: str) -> Results:
        """Return the results of one metric, in the order of the samples."""
        return self._packed.where(lambda row: row.metric == metric)

    def values(self, metric: str) -> dict[str, float]:
        """Return sample id -> score of one metric, scored samples only."""
        return {
            row.sample_id: row.score
            for row in self.rows
            if row.metric == metric and row.score is not None
        }

    def summary(self) -> tuple[MetricSummary, ...]:
        """Return each metric's mean with its interval, and how many samples it rests on."""
        count = len(self.samples)
        return tuple(summary_of(info, self.of(info.spec).rows, count) for info in self.metrics)

    def _repr_html_(self) -> str:
        """Return the means as a small table, for a notebook."""
        head = ("metric", "mean", "95% interval", "scored / undefined / failed")
        return html_table(head, [s.cells() for s in self.summary()], caption=self.name)

    def to_pandas(self) -> "pd.DataFrame":
        """Return a row a sample: its texts, then each metric's score, status and reason."""
        import pandas as pd

        return pd.DataFrame(list(self._rows()))

    def _rows(self) -> Iterator[dict[str, Any]]:
        for sample in self.samples:
            row: dict[str, Any] = {"id": sample.id, **_texts(sample)}
            for info in self.metrics:
                result = self.result(sample.id, info.spec)
                row[info.spec] = None if result is None else result.score
                row[f"{info.spec} status"] = "missing" if result is None else result.status
                row[f"{info.spec} reason"] = "" if result is None else result.reason
            yield row

    def to_csv(self, path: str | Path) -> Path:
        """Write `to_pandas` as CSV, its cells safe to open in a spreadsheet.

        Raises:
            OutputError: The file cannot be written.
        """
        frame = self.to_pandas()
        texts = frame.select_dtypes(exclude="number").columns
        frame[texts] = frame[texts].map(
            lambda cell: guarded(cell) if isinstance(cell, str) else cell
        )
        return write_whole(path, [frame.to_csv(index=False)])

    def to_jsonl(self, path: str | Path) -> Path:
        """Write everything, evidence included, one JSON object a line; `read` takes it back.

        Raises:
            OutputError: The file cannot be written.
        """
        return write_whole(path, (f"{line}\n" for line in self._lines()))

    def _lines(self) -> Iterator[str]:
        yield head_line(self.provenance, self.name)
        for sample in self.samples:
            yield sample_line(sample)
        for row in self.rows:
            yield result_line(row)

    @classmethod
    def read(cls, path: str | Path) -> "Run":
        """Read a run that `to_jsonl` or `evaluate(out=…)` wrote.

        Raises:
            DatasetError: The file is not there or does not hold a run.
        """
        return run_of(read_entries(Path(path)), name=Path(path).stem, file=str(path))


def head_line(provenance: Provenance, name: str = "") -> str:
    """Return the line that opens a run's file."""
    return json.dumps({"run": provenance.model_dump(mode="json"), "name": name}, ensure_ascii=False)


def sample_line(sample: Sample) -> str:
    """Return a sample as a line of a run's file."""
    row = sample.model_dump(mode="json", exclude_unset=True)
    return json.dumps({"sample": row}, ensure_ascii=False)


def result_line(row: Row) -> str:
    """Return a result as a line of a run's file."""
    return f'{{"result": {row.line.decode()}}}'


def read_entries(path: Path, *, tolerant: bool = False) -> list[Mapping[str, Any]]:
    """Return the lines of a run's file as they are.

    Args:
        path: The file.
        tolerant: Leave out a last line that a killed process did not finish.

    Raises:
        DatasetError: The file is not there, or a line is not JSON.
    """
    try:
        lines = path.read_bytes().splitlines()
    except OSError as error:
        raise DatasetError(f"cannot be read: {error.strerror}", file=str(path)) from error
    entries: list[Mapping[str, Any]] = []
    for number, line in enumerate(lines, start=1):
        try:
            entries.append(json.loads(line))
        except ValueError:
            if tolerant and number == len(lines):
                break
            raise DatasetError(
                "expected one JSON object; was the file cut off while being written?",
                file=str(path),
                line=number,
            ) from None
    return entries


def run_of(entries: Iterable[Mapping[str, Any]], *, name: str = "", file: str = "") -> Run:
    """Return the run that the lines of a file describe.

    Raises:
        DatasetError: They describe no run.
    """
    provenance: Provenance | None = None
    samples: dict[str, Sample] = {}
    results: dict[tuple[str, str], Result] = {}
    for number, entry in enumerate(entries, start=1):
        try:
            if "run" in entry:
                provenance = Provenance.model_validate(entry["run"])
                name = entry.get("name") or name
            elif "sample" in entry:
                sample = sample_of(entry["sample"])
                samples[sample.id] = sample
            else:
                result = Result.model_validate(entry["result"])
                results[(result.sample_id, result.metric)] = result
        except (ValidationError, KeyError, TypeError) as error:
            raise DatasetError(f"not a line of a run: {error}", file=file, line=number) from None
    if provenance is None:
        raise DatasetError("expected a run, as `rag-eval evaluate` writes it", file=file)
    labels = [info.spec for info in provenance.metrics]
    ordered = (results.get((key, label)) for key in samples for label in labels)
    return Run(
        samples=tuple(samples.values()),
        results=tuple(result for result in ordered if result is not None),
        provenance=provenance,
        name=name,
    )


def _texts(sample: Sample) -> dict[str, Any]:
    if isinstance(sample, MultiTurnSample):
        talk = "\n".join(f"{message.role}: {message.content}" for message in sample.messages)
        return {"messages": talk, "reference": sample.reference}
    return _single_turn_texts(sample)


def _single_turn_texts(sample: SingleTurnSample) -> dict[str, Any]:
    return {
        "query": sample.query,
        "response": sample.response,
        "reference": sample.reference,
        "contexts": json.dumps(list(sample.texts), ensure_ascii=False),
        "error": sample.error,
    }
