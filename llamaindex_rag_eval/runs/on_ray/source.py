"""Where samples come from: files on any file system that pyarrow knows, or a data set.

Local paths, `s3://`, `gs://`, `hdfs://`. Rows are read one after the other, in the same order each
time, so that a block of them is known by its number.
"""

import io
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from itertools import repeat
from typing import TYPE_CHECKING, Any

from llamaindex_rag_eval.data.dataset import EvaluationDataset
from llamaindex_rag_eval.data.file_system import system_at
from llamaindex_rag_eval.data.files import jsonl_rows, sample_from_line
from llamaindex_rag_eval.data.parquet import parquet_records, sample_from_record
from llamaindex_rag_eval.data.rows import IdAssigner, sample_at
from llamaindex_rag_eval.data.sample import Sample, SingleTurnSample
from llamaindex_rag_eval.data.tables import csv_rows, sample_from_cells
from llamaindex_rag_eval.errors import DatasetError

if TYPE_CHECKING:
    from pyarrow.fs import FileSystem

BUFFER_BYTES = 2**20
"""Bytes that are read at a time: object stores answer slowly, and send fast."""


def samples_at(source: str | EvaluationDataset) -> Iterator[tuple[Sample, DatasetError | None]]:
    """Yield each sample with its id; for a row that is none a stand-in with its error, and that.

    Raises:
        DatasetError: A file cannot be read, or two different samples have one id.
    """
    if isinstance(source, EvaluationDataset):
        yield from ((sample, None) for sample in source)
        return
    ids = IdAssigner(file=source)
    system, paths = files_at(source)
    number = 0
    for path in paths:
        for make in _rows(system, path):
            number += 1
            try:
                sample, error = make(), None
            except DatasetError as reason:
                sample, error = SingleTurnSample(id=f"{path}#{number}", error=str(reason)), reason
            yield ids.assign(sample, number), error


def files_at(where: str) -> "tuple[FileSystem, list[str]]":
    """Return the path of the file there, or of the files of samples in a folder there, sorted.

    Raises:
        DatasetError: There is none.
    """
    from pyarrow import fs

    system, path = system_at(where)
    try:
        info = system.get_file_info(path)
        infos = [info]
        if info.type == fs.FileType.Directory:
            infos = system.get_file_info(fs.FileSelector(path, recursive=True))
    except OSError as error:
        raise DatasetError(f"cannot be read: {error}", file=where) from error
    if info.type == fs.FileType.NotFound:
        raise DatasetError("cannot be read: there is no such file", file=where)
    files = [
        file
        for file in infos
        if file.type == fs.FileType.File and file.extension.lower() in READERS
    ]
    paths = sorted(f.path for f in files if f is info or not f.base_name.startswith(("_", ".")))
    if not paths:
        raise DatasetError("expected '.parquet', '.jsonl' or '.csv' files", file=where)
    return system, paths


def _rows(system: "FileSystem", path: str) -> Iterator[Callable[[], Sample]]:
    """Yield for each row what makes its sample, or raises `DatasetError`."""
    from pyarrow import ArrowException

    rows_of, read = READERS[path.rpartition(".")[2].lower()]
    try:
        with system.open_input_file(path) as file:
            for line, row in rows_of(file, path):
                yield partial(sample_at, row, read, file=path, line=line)
    except (OSError, ArrowException, UnicodeDecodeError) as error:
        raise DatasetError(f"cannot be read: {error}", file=path) from error


def _text(file: Any) -> io.TextIOWrapper:
    buffer = io.BufferedReader(file, BUFFER_BYTES)
    return io.TextIOWrapper(buffer, encoding="utf-8-sig", newline="")


_LINES = (lambda file, _: jsonl_rows(io.BufferedReader(file, BUFFER_BYTES)), sample_from_line)

READERS: Mapping[str, tuple[Callable[[Any, str], Iterable[Any]], Callable[[Any], Sample]]] = {
    "parquet": (
        lambda file, path: zip(repeat(None), parquet_records(file, path)),
        sample_from_record,
    ),
    "jsonl": _LINES,
    "ndjson": _LINES,
    "csv": (lambda file, path: csv_rows(_text(file), path), sample_from_cells),
}
"""Suffix of a file -> its rows, each with the number of its line, and what reads a row."""
