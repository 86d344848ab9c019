"""A run: samples, their results and their provenance; to tables and files, and back."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from llamaindex_rag_eval.data.files import escape_formula, write_whole
from llamaindex_rag_eval.data.sample import (
    MultiTurnSample,
    Sample,
    SingleTurnSample,
    sample_of,
    transcript,
)
from llamaindex_rag_eval.errors import DatasetError, InputError
from llamaindex_rag_eval.metrics.result import Result, Results, Row
from llamaindex_rag_eval.models.usage import Spent, Usage, usage_with
from llamaindex_rag_eval.runs.clusters import Clustering, clusters_of
from llamaindex_rag_eval.runs.provenance import MetricInfo, Provenance
from llamaindex_rag_eval.runs.summary import (
    MetricSummary,
    html_table,
    summary_of,
    text_table,
)

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Run"]

HEAD = ("metric", "mean", "95% interval", "scored / undefined / failed")
"""The columns of `MetricSummary.cells`."""


@dataclass(frozen=True)
class Run:
    """Samples with their results on each metric, and the provenance of both.

    Attributes:
        samples: In the order of the data set.
        results: In the order of samples, then of metrics.
        provenance: Versions, judge, data, time and cost.
        name: The name of the run, shown in tables and reports.
        rows: The packed results: sample, metric, status and score, without evidence.
    """

    samples: tuple[Sample, ...]
    results: Sequence[Result]
    provenance: Provenance = field(default_factory=Provenance)
    name: str = ""
    rows: tuple[Row, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Pack the results, so that tens of thousands take little memory.

        Raises:
            InputError: Two samples have one id.
        """
        twice = [key for key, count in Counter(one.id for one in self.samples).items() if count > 1]
        if twice:
            raise InputError(f"{len(twice)} ids stand twice in the run, the first is {twice[0]!r}")
        packed = self.results
        if not isinstance(packed, Results):
            packed = Results.from_results(packed, {sample.id: sample for sample in self.samples})
            object.__setattr__(self, "results", packed)
        object.__setattr__(self, "rows", packed.rows)

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

    @cached_property
    def _index(self) -> dict[tuple[str, str], int]:
        return {(row.sample_id, row.metric): index for index, row in enumerate(self.rows)}

    def result(self, sample_id: str, metric: str) -> Result | None:
        """Return the result of one metric on one sample, or `None` if there is none."""
        index = self._index.get((sample_id, metric))
        return None if index is None else self.results[index]

    def of(self, metric: str) -> Results:
        """Return the results of one metric, in the order of the samples."""
        assert isinstance(self.results, Results)  # noqa: S101 - `__post_init__` packed them
        return self.results.where(lambda row: row.metric == metric)

    def values(self, metric: str) -> dict[str, float]:
        """Return sample id -> score of one metric, scored samples only."""
        return {
            row.sample_id: row.score
            for row in self.rows
            if row.metric == metric and row.score is not None
        }

    def summary(self, clusters: Clustering = "documents") -> tuple[MetricSummary, ...]:
        """Return each metric's mean, its interval, and the counts of scored and other samples.

        Args:
            clusters: What is not independent: questions on the same documents, or none.
        """
        count, found = len(self.samples), clusters_of(self.samples, clusters)
        return tuple(
            summary_of(info, self.of(info.spec).rows, count, found) for info in self.metrics
        )

    def cluster_notes(self, clusters: Clustering = "documents") -> tuple[str, ...]:
        """Return how many independent questions the samples amount to, if not all are."""
        effective = [summary.effective_n for summary in self.summary(clusters)]
        ids = [sample.id for sample in self.samples]
        return clusters_of(self.samples, clusters).sentences(effective, ids)

    def __repr__(self) -> str:
        return f"Run({self.name!r}, samples={len(self.samples)}, metrics={len(self.metrics)})"

    def __str__(self) -> str:
        """Return the means as a table of text, for `print`."""
        return text_table(HEAD, [summary.cells() for summary in self.summary()])

    def _repr_html_(self) -> str:
        """Return the means as a small table, for a notebook."""
        return html_table(HEAD, [s.cells() for s in self.summary()], caption=self.name)

    def to_pandas(self) -> "pd.DataFrame":
        """Return one row per sample: its texts, then each metric's score, status and reason."""
        import pandas as pd

        return pd.DataFrame(list(self._rows()))

    def _rows(self) -> Iterator[dict[str, Any]]:
        for sample in self.samples:
            row: dict[str, Any] = {"id": sample.id, **_texts(sample)}
            for info in self.metrics:
                result = self.result(sample.id, info.spec)
                row[info.spec] = None if result is None else result.score
                row[f"{info.spec} status"] = "missing" if result is None else result.status
                if info.verdicts:
                    row[f"{info.spec} verdict"] = "" if result is None else result.verdict
                row[f"{info.spec} reason"] = "" if result is None else result.reason
            yield row

    def to_csv(self, path: str | Path) -> Path:
        """Write `to_pandas` as CSV; its cells are safe to open in a spreadsheet.

        Raises:
            OutputError: The file cannot be written.
        """
        frame = self.to_pandas()
        texts = frame.select_dtypes(exclude="number").columns
        frame[texts] = frame[texts].map(
            lambda cell: escape_formula(cell) if isinstance(cell, str) else cell
        )
        return write_whole(path, [frame.to_csv(index=False)])

    def to_jsonl(self, path: str | Path) -> Path:
        """Write the whole run, with evidence, as JSON Lines; `read` reads it back.

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
            DatasetError: The file cannot be read or holds no run.
        """
        return run_of(read_entries(Path(path)), name=Path(path).stem, file=str(path))


def head_line(provenance: Provenance, name: str = "") -> str:
    """Return the first line of a run's file."""
    return json.dumps({"run": provenance.model_dump(mode="json"), "name": name}, ensure_ascii=False)


def sample_line(sample: Sample) -> str:
    """Return a sample as a line of a run's file."""
    row = sample.model_dump(mode="json", exclude_unset=True)
    return json.dumps({"sample": row}, ensure_ascii=False)


def result_line(row: Row) -> str:
    """Return a result as a line of a run's file."""
    return f'{{"result": {row.line.decode()}}}'


def spent_line(spent: Spent) -> str:
    """Return what a call has cost as a line of the file of a run that goes on."""
    return json.dumps({"spent": asdict(spent)}, ensure_ascii=False)


def read_entries(path: Path, *, tolerant: bool = False) -> list[Mapping[str, Any]]:
    """Return the objects in the lines of a run's file.

    Args:
        path: The file.
        tolerant: Whether to skip a last line that a killed process left incomplete.

    Raises:
        DatasetError: The file cannot be read, or a line is not JSON.
    """
    try:
        lines = path.read_bytes().splitlines()
    except OSError as error:
        raise DatasetError(f"cannot be read: {error.strerror}", file=str(path)) from error
    entries: list[Mapping[str, Any]] = []
    for number, line in enumerate(lines, start=1):
        try:
            entries.append(json.loads(line))
        except RecursionError:
            raise DatasetError(
                "nested too deeply to be read", file=str(path), line=number
            ) from None
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
    """Return the run that the objects of its file describe.

    Raises:
        DatasetError: An entry is not part of a run, or the provenance is missing.
    """
    provenance: Provenance | None = None
    samples: dict[str, Sample] = {}
    results: dict[tuple[str, str], Result] = {}
    spent = Usage()
    for number, entry in enumerate(entries, start=1):
        try:
            if "run" in entry:
                provenance = Provenance.model_validate(entry["run"])
                name = entry.get("name") or name
            elif "sample" in entry:
                sample = sample_of(entry["sample"])
                samples[sample.id] = sample
            elif "spent" in entry:
                spent.count(Spent(**entry["spent"]))
            else:
                result = Result.model_validate(entry["result"])
                results[(result.sample_id, result.metric)] = result
        except (ValidationError, KeyError, TypeError, RecursionError) as error:
            raise DatasetError(f"not a line of a run: {error}", file=file, line=number) from None
    if provenance is None:
        raise DatasetError("expected a run, as `rag-eval evaluate` writes it", file=file)
    if spent.total.calls:  # the run was killed, or goes on
        usage = usage_with(provenance.usage, spent)
        provenance = provenance.model_copy(update={"usage": usage})
    specs = [info.spec for info in provenance.metrics]
    ordered = (results.get((sample_id, spec)) for sample_id in samples for spec in specs)
    return Run(
        samples=tuple(samples.values()),
        results=tuple(result for result in ordered if result is not None),
        provenance=provenance,
        name=name,
    )


def _texts(sample: Sample) -> dict[str, Any]:
    """Return the columns of a table that show a sample."""
    if isinstance(sample, MultiTurnSample):
        return {"messages": transcript(sample.messages), "reference": sample.reference}
    return _single_turn_texts(sample)


def _single_turn_texts(sample: SingleTurnSample) -> dict[str, Any]:
    return {
        "query": sample.query,
        "response": sample.response,
        "reference": sample.reference,
        "contexts": json.dumps(list(sample.texts), ensure_ascii=False),
        "error": sample.error,
    }
