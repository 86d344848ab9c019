"""A run in a folder: its results as Parquet files, one for each block of samples.

For runs that are too large for one file and one process. A row is a sample: its `id`, the `sample`
and its `keys` (of clusters) as JSON, and for each metric its score, status, verdict and the whole
result as JSON. Means and intervals are computed from the columns; no text is read for them.
"""

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from llamaindex_rag_eval.data.dataset import EvaluationDataset
from llamaindex_rag_eval.data.file_system import Folder
from llamaindex_rag_eval.data.lines import LinesInMemory
from llamaindex_rag_eval.data.sample import Sample, sample_of
from llamaindex_rag_eval.errors import DatasetError
from llamaindex_rag_eval.metrics.result import Row
from llamaindex_rag_eval.metrics.result_table import Results, ResultTable
from llamaindex_rag_eval.runs.block_file import block_name, block_rows, keys_in
from llamaindex_rag_eval.runs.clusters import Clustering, clusters_from
from llamaindex_rag_eval.runs.provenance import MetricInfo, Provenance
from llamaindex_rag_eval.runs.run import HEAD, Run
from llamaindex_rag_eval.runs.summary import MetricSummary, summary_from, text_table

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa

HEAD_FILE = "_run.json"
"""What a folder's run is: input, blocks, provenance. Readers of Parquet folders pass it over."""


class RunFolder:
    """A run in a folder of Parquet files.

    Args:
        where: The folder: a local path or a URI.

    Attributes:
        head: What was asked: the input, its blocks, and the metrics.
        provenance: Versions, judge, time and cost.
        name: The name of the run.

    Raises:
        DatasetError: It holds no run.
    """

    def __init__(self, where: str | Path) -> None:
        self.folder = Folder(where)
        if not self.folder.has(HEAD_FILE):
            raise DatasetError(
                "expected a run, as `rag-eval evaluate --on ray` writes it", file=str(where)
            )
        self.head: Mapping[str, Any] = json.loads(self.folder.read(HEAD_FILE))
        self.provenance = Provenance.model_validate(self.head["run"])
        self.name = str(self.head["name"])

    @staticmethod
    def write_head(folder: Folder, head: Mapping[str, object]) -> None:
        """Write what a run is into its folder.

        Raises:
            OutputError: It cannot be written.
        """
        folder.write(HEAD_FILE, json.dumps(head, ensure_ascii=False).encode())

    @property
    def metrics(self) -> tuple[MetricInfo, ...]:
        """The metrics, in the order they were asked for."""
        return self.provenance.metrics

    def __len__(self) -> int:
        """Return the number of samples, with those that have no result yet."""
        return int(self.head["samples"])

    def __repr__(self) -> str:
        return f"RunFolder({self.folder.where!r}, samples={len(self)})"

    def __str__(self) -> str:
        """Return the means as a table of text, for `print`."""
        return text_table(HEAD, [summary.cells() for summary in self.summary()])

    def files(self) -> dict[int, str]:
        """Return the names of the files of blocks by their number, in the order of the samples."""
        names = self.folder.names()
        numbers = range(int(self.head["blocks"]))
        both = [(n, block_name(n, whole=whole)) for n in numbers for whole in (False, True)]
        return {number: name for number, name in both if name in names}

    def tables(self, columns: Sequence[str] | None = None) -> "Iterator[pa.Table]":
        """Yield the blocks, in the order of the samples; with `columns`, only these."""
        from pyarrow import parquet

        words = [f"{info.spec} {part}" for info in self.metrics for part in ("status", "verdict")]
        for name in self.files().values():
            with self.folder.system.open_input_file(f"{self.folder.path}/{name}") as file:
                yield parquet.read_table(file, columns=columns, read_dictionary=words)

    def summary(self, clusters: Clustering = "documents") -> tuple[MetricSummary, ...]:
        """Return each metric's mean, its interval and counts, as `Run.summary` would.

        Needs 16 bytes for each score, and some hundred for each sample that names a document or a
        conversation.
        """
        labels = self._labels(clusters)
        return tuple(self._summary(info, labels) for info in self.metrics)

    def _summary(self, info: MetricInfo, labels: "np.ndarray[Any, Any] | None") -> MetricSummary:
        scored = self._columns[info.spec].is_valid()
        table = self._columns.filter(scored)
        return summary_from(
            info,
            table[info.spec].to_numpy(),
            None if labels is None else labels[scored.to_numpy()].tolist(),
            statuses=_counted(self._columns[f"{info.spec} status"]),
            verdicts=_counted(table[f"{info.spec} verdict"]),
            count=len(self),
        )

    @cached_property
    def _columns(self) -> "pa.Table":
        """What summaries need of all blocks: keys, scores, statuses and verdicts."""
        import pyarrow as pa

        parts = [f"{info.spec}{part}" for info in self.metrics for part in PARTS]
        tables = list(self.tables(["keys", *parts]))
        empty = pa.table({name: [] for name in ["keys", *parts]})
        return pa.concat_tables(tables or [empty]).unify_dictionaries()

    def _labels(self, clusters: Clustering) -> "np.ndarray[Any, Any] | None":
        """Return the cluster of each sample; `None` if all are independent."""
        import numpy as np

        texts = self._columns["keys"]
        if texts.null_count == len(texts):
            return None
        keys = [keys_in(text.as_py(), str(number)) for number, text in enumerate(texts)]
        return np.asarray(clusters_from(keys, clusters).of(key.id for key in keys))

    def rows(self) -> Iterator[Row]:
        """Yield the results, sample by sample, block after block."""
        for table in self.tables():
            yield from block_rows(table, self.metrics)

    def failures(self, most: int = 5) -> list[tuple[str, str, int]]:
        """Return metric, reason and number of what failed, the most frequent first."""
        counted: Counter[tuple[str, str]] = Counter()
        for row in self.rows() if any(summary.failed for summary in self.summary("none")) else ():
            if row.status == "failed":
                counted[row.metric, json.loads(row.line).get("invalid_reason", "")] += 1
        return [(spec, reason, count) for (spec, reason), count in counted.most_common(most)]

    def samples(self) -> Iterator[Sample]:
        """Yield the samples, in order."""
        for table in self.tables(["sample"]):
            yield from (sample_of(json.loads(text)) for text in table["sample"].to_pylist())

    def to_run(self) -> Run:
        """Return the whole run in memory, for reports and comparisons."""
        samples, lines = tuple(self.samples()), LinesInMemory()
        specs = [info.spec for info in self.metrics]
        results = ResultTable([sample.id for sample in samples], specs, lines)
        for row in self.rows():
            results.put_row(row, lines.append(row.line))
        dataset = EvaluationDataset(samples).fingerprint
        provenance = self.provenance.model_copy(update={"dataset": dataset})
        by_id = {sample.id: sample for sample in samples}
        return Run(samples, Results(results.rows(), by_id), provenance, self.name)


PARTS = ("", " status", " verdict")
"""The columns of a metric that a summary reads."""


def _counted(column: "pa.ChunkedArray") -> dict[str, int]:
    counts = column.value_counts().to_pylist()
    return {str(e["values"]): int(e["counts"]) for e in counts if e["values"] is not None}
