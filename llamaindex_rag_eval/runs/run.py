"""A run: samples, their results and their provenance; to tables and files, and back."""

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from llamaindex_rag_eval.data.files import safe_cell, write_whole
from llamaindex_rag_eval.data.sample import (
    MultiTurnSample,
    Sample,
    transcript,
)
from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.judge.answerers import by_rules
from llamaindex_rag_eval.judge.rules.tokens import language_of
from llamaindex_rag_eval.metrics.result import Result
from llamaindex_rag_eval.metrics.result_table import Results, Rows, SamplesById
from llamaindex_rag_eval.runs.clusters import Clustering, SampleClusters, clusters_of
from llamaindex_rag_eval.runs.means import Means
from llamaindex_rag_eval.runs.provenance import MetricInfo, Provenance
from llamaindex_rag_eval.runs.run_file import (
    StoredSamples,
    head_line,
    read_run,
    result_line,
    run_in,
    sample_line,
)
from llamaindex_rag_eval.runs.summary import (
    MetricSummary,
    html_table,
    summary_of,
    text_table,
)

if TYPE_CHECKING:
    import pandas as pd

HEAD = ("metric", "mean", "95% interval", "scored / undefined / failed")
"""The columns of `MetricSummary.cells`."""

ROWS_A_PART = 1000
"""Rows of a table that are written at a time."""

LANGUAGE_READ = 1_000
"""Questions whose language is read; more would not change what most of them are in."""


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

    samples: Sequence[Sample]
    results: Sequence[Result]
    provenance: Provenance = field(default_factory=Provenance)
    name: str = ""
    rows: Rows = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Pack the results, so that tens of thousands take little memory.

        Raises:
            InputError: Two samples have one id.
        """
        ids = self.ids
        if len(set(ids)) < len(ids):
            twice = [key for key, count in Counter(ids).items() if count > 1]
            raise InputError(f"{len(twice)} ids stand twice in the run, the first is {twice[0]!r}")
        packed = self.results
        if not isinstance(packed, Results):
            specs = [info.spec for info in self.metrics]
            packed = Results.from_results(packed, ids, specs, self._by_id)
            object.__setattr__(self, "results", packed)
        object.__setattr__(self, "rows", packed.rows)

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids of the samples, in their order."""
        if isinstance(self.samples, StoredSamples):
            return self.samples.ids
        return tuple(sample.id for sample in self.samples)

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

    def sample(self, sample_id: str) -> Sample | None:
        """Return the sample of an id, or `None` if there is none."""
        return self._by_id.get(sample_id)

    @cached_property
    def _by_id(self) -> SamplesById:
        if isinstance(self.samples, StoredSamples):
            return self.samples
        return {sample.id: sample for sample in self.samples}

    def result(self, sample_id: str, metric: str) -> Result | None:
        """Return the result of one metric on one sample, or `None` if there is none."""
        row = self.rows.index_of(sample_id, metric)
        return None if row is None else self.results[row]

    def of(self, metric: str) -> Results:
        """Return the results of one metric, in the order of the samples."""
        assert isinstance(self.results, Results)  # noqa: S101 - `__post_init__` packed them
        return self.results.of(metric)

    def values(self, metric: str) -> dict[str, float]:
        """Return sample id -> score of one metric, scored samples only."""
        return self.rows.of(metric).scores()

    @cached_property
    def means(self) -> Means:
        """Each metric's mean by its spec, as a dictionary, which holds the scores, too."""
        return Means(self)

    def __getitem__(self, metric: str) -> float:
        """Return a metric's mean, which is also the sequence of its scores; see `Scores`."""
        return self.means[metric]

    def summary(self, clusters: Clustering = "documents") -> tuple[MetricSummary, ...]:
        """Return each metric's mean, its interval, and the counts of scored and other samples.

        Args:
            clusters: What is not independent: questions on the same documents, or none.
        """
        known = self._summaries.get(clusters)
        if known is None:
            count, labels = len(self.samples), self.clusters(clusters)
            known = self._summaries[clusters] = tuple(
                summary_of(info, self.rows.of(info.spec), count, labels) for info in self.metrics
            )
        return known

    @cached_property
    def _summaries(self) -> dict[Clustering, tuple[MetricSummary, ...]]:
        return {}

    def clusters(self, how: Clustering = "documents") -> SampleClusters:
        """Return which samples are not independent of one another."""
        if how not in self._clusters:
            self._clusters[how] = clusters_of(self.samples, how)
        return self._clusters[how]

    @cached_property
    def _clusters(self) -> dict[Clustering, SampleClusters]:
        return {}

    @property
    def language_notes(self) -> tuple[str, ...]:
        """That rules judged, and do not know the language of most questions; else nothing."""
        questions = [sample.asked for sample in islice(self.samples, LANGUAGE_READ)]
        unknown = sum(language_of(question) == "other" for question in questions)
        if 2 * unknown <= len(questions) or not any(
            map(by_rules, self.provenance.answered_by.values())
        ):
            return ()
        return (
            "Most questions are in a language of which the rules compare only words and values: "
            "let an LLM judge (--llm), or decide by a metric that asks no judge, as hit_rate@5.",
        )

    def cluster_notes(self, clusters: Clustering = "documents") -> tuple[str, ...]:
        """Return how many independent questions the samples amount to, if not all are."""
        effective = [summary.effective_n for summary in self.summary(clusters)]
        return self.clusters(clusters).sentences(effective, self.ids)

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

        return pd.DataFrame(list(table_rows(self)))

    def to_csv(self, path: str | Path) -> Path:
        """Write `to_pandas` as CSV; its cells are safe to open in a spreadsheet.

        Raises:
            OutputError: The file cannot be written.
        """
        return write_whole(path, table_csv(table_rows(self)))

    def to_jsonl(self, path: str | Path) -> Path:
        """Write the whole run, with evidence, as JSON Lines; `read` reads it back.

        Raises:
            OutputError: The file cannot be written.
        """
        return write_whole(path, (f"{line}\n" for line in self.lines()))

    def lines(self) -> Iterator[str]:
        """Yield the lines of its file, without their ends."""
        yield head_line(self.provenance, self.name)
        for sample in self.samples:
            yield sample_line(sample)
        for row in self.rows:
            yield result_line(row).decode()

    @classmethod
    def read(cls, path: str | Path, *, tolerant: bool = False) -> "Run":
        """Read a run that `to_jsonl` or `evaluate(out=…)` wrote.

        Samples and evidence stay in the file until they are looked at.

        Args:
            path: The file.
            tolerant: Whether to skip a last line that a killed process left incomplete.

        Raises:
            DatasetError: The file cannot be read or holds no run.
        """
        return cls(*read_run(Path(path), tolerant=tolerant))

    @classmethod
    def from_bytes(cls, body: bytes) -> "Run":
        """Return the run in the content of a file that `to_jsonl` wrote.

        Raises:
            DatasetError: It holds no run.
        """
        return cls(*run_in(body))


def table_rows(run: Run) -> Iterator[dict[str, Any]]:
    """Yield the rows of a run's `to_pandas`."""
    for sample in run.samples:
        row: dict[str, Any] = {"id": sample.id, **_texts(sample)}
        for info in run.metrics:
            result = run.result(sample.id, info.spec)
            row[info.spec] = None if result is None else result.score
            row[f"{info.spec} status"] = "missing" if result is None else result.status
            if info.verdicts:
                row[f"{info.spec} verdict"] = "" if result is None else result.verdict
            row[f"{info.spec} reason"] = "" if result is None else result.reason
        yield row


def table_csv(rows: Iterator[dict[str, Any]]) -> Iterator[str]:
    """Yield a table as CSV in parts, so that a large one is never whole in memory."""
    import pandas as pd

    head = True
    while part := list(islice(rows, ROWS_A_PART)):
        frame = pd.DataFrame(part)
        texts = frame.select_dtypes(exclude="number").columns
        frame[texts] = frame[texts].map(
            lambda cell: safe_cell(cell) if isinstance(cell, str) else cell
        )
        yield frame.to_csv(index=False, header=head)
        head = False


def _texts(sample: Sample) -> dict[str, Any]:
    """Return the columns of a table that show a sample."""
    if isinstance(sample, MultiTurnSample):
        return {"messages": transcript(sample.messages), "reference": sample.reference}
    texts = {name: getattr(sample, name) for name in ("query", "response", "reference")}
    contexts = json.dumps(list(sample.texts), ensure_ascii=False)
    return {**texts, "contexts": contexts, "error": sample.error}
