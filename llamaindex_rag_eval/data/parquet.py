"""Parquet files of samples: a row a sample, a column a field."""

from collections.abc import Iterator, Mapping
from pathlib import Path

from llamaindex_rag_eval.data.rows import sample_from_row, samples_of
from llamaindex_rag_eval.data.sample import Sample
from llamaindex_rag_eval.data.tables import row_from_record
from llamaindex_rag_eval.errors import DatasetError, InputError

ROWS = 1000
"""Rows read at a time."""


def read_parquet(path: str | Path) -> Iterator[Sample]:
    """Yield the samples of a Parquet file; a null is a field that was not given.

    Lists and objects may be nested columns, or JSON in a column of texts.

    Raises:
        DatasetError: The file cannot be read, or a row describes no sample.
        InputError: pyarrow is not installed.
    """
    records = enumerate(parquet_records(path), start=1)
    yield from samples_of(records, sample_from_record, file=str(path))


def parquet_records(file: object, name: str = "") -> Iterator[dict[str, object]]:
    """Yield the rows of a Parquet file; errors are those of `read_parquet`.

    Args:
        file: A path, or an open file.
        name: Of the file, for the error message.
    """
    require_pyarrow()
    from pyarrow import ArrowException
    from pyarrow.parquet import ParquetFile

    try:
        with ParquetFile(file) as table:
            for batch in table.iter_batches(ROWS):
                yield from batch.to_pylist()
    except (OSError, ArrowException) as error:
        raise DatasetError(f"cannot be read: {error}", file=name or str(file)) from error


def sample_from_record(record: Mapping[str, object]) -> Sample:
    """Return the sample that a row of a Parquet file describes.

    Raises:
        DatasetError: The row describes no sample.
    """
    return sample_from_row(_given(row_from_record(record)))


def require_pyarrow() -> None:
    """Raise unless pyarrow is installed.

    Raises:
        InputError: It is not; says what to install.
    """
    try:
        import pyarrow.parquet  # noqa: F401 - only whether it is there
    except ImportError as error:
        raise InputError(
            "Parquet files need pyarrow; install it: pip install 'llamaindex-rag-eval[parquet]'"
        ) from error


def _given(value: object) -> object:
    """Return a value without the fields of nested rows that are null: other rows have them."""
    if isinstance(value, dict):
        return {key: _given(inside) for key, inside in value.items() if inside is not None}
    if isinstance(value, list):
        return [_given(inside) for inside in value]
    return value
