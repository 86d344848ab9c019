"""The Parquet file of a block of samples: a row a sample, columns for each metric."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from pydantic import TypeAdapter

from llamaindex_rag_eval.data.file_system import Folder
from llamaindex_rag_eval.data.rows import row_of
from llamaindex_rag_eval.data.sample import Sample
from llamaindex_rag_eval.metrics.result import Row
from llamaindex_rag_eval.runs.clusters import SampleKeys, keys_of
from llamaindex_rag_eval.runs.provenance import MetricInfo

if TYPE_CHECKING:
    import pyarrow as pa


def block_name(number: int, *, whole: bool = True) -> str:
    """Return the file name of a block; of one that is to be taken up again if it is not whole.

    Example:
        >>> block_name(7), block_name(7, whole=False)
        ('block-00000007.parquet', 'block-00000007.open.parquet')
    """
    return f"block-{number:08d}{'' if whole else '.open'}.parquet"


def block_bytes(
    samples: Sequence[Sample],
    metrics: Sequence[MetricInfo],
    rows: Iterable[Row],
    about: Mapping[str, object],
) -> bytes:
    """Return the Parquet file of a block.

    Args:
        samples: In order.
        metrics: In order.
        rows: Results; a sample without one for a metric has nulls there.
        about: What else is kept of the block, as plain data.
    """
    import pyarrow as pa
    from pyarrow import parquet

    by_key = {(row.sample_id, row.metric): row for row in rows}
    columns: dict[str, Any] = {
        "id": pa.array([sample.id for sample in samples], pa.string()),
        "sample": pa.array([_json(row_of(sample)) for sample in samples], pa.string()),
        "keys": pa.array([_keys_text(sample) for sample in samples], pa.string()),
    }
    for info in metrics:
        several = [by_key.get((sample.id, info.spec)) for sample in samples]
        texts = {
            f"{info.spec} status": [row and row.status for row in several],
            f"{info.spec} verdict": [row and row.verdict for row in several],
            f"{info.spec} result": [row and row.line.decode() for row in several],
        }
        columns[info.spec] = pa.array([row and row.score for row in several], pa.float64())
        columns.update({name: pa.array(cells, pa.string()) for name, cells in texts.items()})
    table = pa.table(columns).replace_schema_metadata({"about": _json(about)})
    sink = pa.BufferOutputStream()
    parquet.write_table(table, sink, compression="zstd")
    return bytes(sink.getvalue().to_pybytes())


def about_block(folder: Folder, name: str) -> Mapping[str, Any]:
    """Return what is kept of a block beside its rows, as `block_bytes` was given."""
    from pyarrow import parquet

    with folder.system.open_input_file(f"{folder.path}/{name}") as file:
        metadata = parquet.read_metadata(file).metadata or {}
    about: Mapping[str, Any] = json.loads(metadata[b"about"])
    return about


def block_rows(table: "pa.Table", metrics: Iterable[MetricInfo]) -> Iterator[Row]:
    """Yield the results in the Parquet file of a block, sample by sample."""
    infos = tuple(metrics)
    for record in table.to_pylist():
        for info in infos:
            status, line = record[f"{info.spec} status"], record[f"{info.spec} result"]
            if status is not None:
                score, verdict = record[info.spec], record[f"{info.spec} verdict"]
                yield Row(record["id"], info.spec, status, score, line.encode(), verdict)


_KEYS = TypeAdapter(SampleKeys)


def _keys_text(sample: Sample) -> str | None:
    """Return what puts a sample together with others, as JSON; `None` if nothing does."""
    text = _KEYS.dump_json(keys_of(sample), exclude={"id"}, exclude_defaults=True).decode()
    return None if text == "{}" else text


def keys_in(text: str | None, sample_id: str) -> SampleKeys:
    """Return what puts a sample together with others, from its cell in the file of a block."""
    return _KEYS.validate_python({**json.loads(text or "{}"), "id": sample_id})


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
