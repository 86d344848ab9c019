"""Where samples come from: files, their pieces for one task each, and blocks of rows in a piece.

Files may lie on any file system that pyarrow knows: local, `s3://`, `gs://`, `hdfs://`. A Parquet
file has a piece for each row group, a JSON Lines file for each 64 MB; a CSV file is one piece,
since only a reader from its start knows which line ends stand between quotation marks. The blocks
of a piece are the same each time, so that one which was scored is known by its number.
"""

import io
import json
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Literal, TypeVar

from llamaindex_rag_eval.data.file_system import system_at
from llamaindex_rag_eval.data.files import BOM, sample_from_line
from llamaindex_rag_eval.data.parquet import sample_from_record
from llamaindex_rag_eval.data.sample import Sample
from llamaindex_rag_eval.data.tables import csv_rows, sample_from_cells
from llamaindex_rag_eval.errors import DatasetError

if TYPE_CHECKING:
    from pyarrow.fs import FileSystem

T = TypeVar("T")

Kind = Literal["parquet", "jsonl", "csv"]

KINDS: dict[str, Kind] = {
    ".parquet": "parquet",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".csv": "csv",
}
"""Suffix of a file -> what it holds."""

PIECE_BYTES = 64 * 2**20
"""Bytes of a JSON Lines file that one task reads."""

BUFFER_BYTES = 2**20
"""Bytes that are read at a time: object stores answer slowly, and send fast."""


@dataclass(frozen=True, slots=True)
class File:
    """A file of samples.

    Attributes:
        path: On its file system.
        size: In bytes.
        changed: When it was last written, in nanoseconds since 1970; 0 where that is not known.
    """

    path: str
    size: int
    changed: int

    @property
    def kind(self) -> Kind:
        """What it holds, by its suffix."""
        return KINDS[_suffix(self.path)]


@dataclass(frozen=True, slots=True)
class Piece:
    """What one task reads of a file.

    Attributes:
        number: Its place among all pieces.
        file: The file.
        start: The row group of a Parquet file; else the first byte.
        stop: The byte behind the last.
    """

    number: int
    file: File
    start: int = 0
    stop: int = 0


@dataclass(frozen=True, slots=True)
class Block:
    """Rows that are scored, and written, together.

    Attributes:
        piece: The number of its piece.
        index: Its place in the piece.
        file: Where its rows come from.
        data: The rows: of Parquet as an Arrow stream, of JSON Lines as its bytes, of CSV as JSON.
    """

    piece: int
    index: int
    file: File
    data: bytes


def files_at(where: str) -> list[File]:
    """Return the file there, or the files of samples in a folder there, sorted by path.

    Raises:
        DatasetError: There is none.
    """
    from pyarrow import fs

    system, path = system_at(where)
    try:
        found = system.get_file_info(path)
        several = [found]
        if found.type == fs.FileType.Directory:
            several = system.get_file_info(fs.FileSelector(path, recursive=True))
    except OSError as error:
        raise DatasetError(f"cannot be read: {error}", file=where) from error
    if found.type == fs.FileType.NotFound:
        raise DatasetError("cannot be read: there is no such file", file=where)
    files = sorted(
        (
            File(one.path, one.size, one.mtime_ns or 0)
            for one in several
            if one.type == fs.FileType.File and _suffix(one.path) in KINDS
            if one is found or not one.base_name.startswith(("_", "."))
        ),
        key=lambda file: file.path,
    )
    if not files:
        raise DatasetError("expected '.parquet', '.jsonl' or '.csv' files", file=where)
    return files


def pieces_of(
    system: "FileSystem", files: list[File], piece_bytes: int = PIECE_BYTES
) -> list[Piece]:
    """Return the pieces of files, in order.

    Args:
        system: Where the files are.
        files: In order.
        piece_bytes: Of a JSON Lines file that one task reads.

    Raises:
        DatasetError: A file is not what its suffix says.
    """
    ranges = [
        (file, start, stop) for file in files for start, stop in _ranges(system, file, piece_bytes)
    ]
    return [Piece(number, *found) for number, found in enumerate(ranges)]


def _ranges(system: "FileSystem", file: File, piece_bytes: int) -> list[tuple[int, int]]:
    if file.kind == "csv":
        return [(0, file.size)]
    if file.kind == "jsonl":
        starts = range(0, file.size, piece_bytes)
        return [(start, min(start + piece_bytes, file.size)) for start in starts]
    from pyarrow import ArrowException
    from pyarrow.parquet import ParquetFile

    try:
        with system.open_input_file(file.path) as opened, ParquetFile(opened) as table:
            return [(group, group + 1) for group in range(table.metadata.num_row_groups)]
    except (OSError, ArrowException) as error:
        raise DatasetError(f"cannot be read: {error}", file=file.path) from error


def blocks_of(system: "FileSystem", piece: Piece, rows: int) -> Iterator[Block]:
    """Yield the blocks of a piece, of so many rows each; the last may have fewer.

    Raises:
        DatasetError: The file cannot be read, or has no header.
    """
    from pyarrow import ArrowException

    read = {"parquet": _parquet, "jsonl": _jsonl, "csv": _csv}[piece.file.kind]
    try:
        for index, data in enumerate(read(system, piece, rows)):
            yield Block(piece.number, index, piece.file, data)
    except (OSError, ArrowException, UnicodeDecodeError) as error:
        raise DatasetError(f"cannot be read: {error}", file=piece.file.path) from error


def _parquet(system: "FileSystem", piece: Piece, rows: int) -> Iterator[bytes]:
    import pyarrow as pa
    from pyarrow.parquet import ParquetFile

    with system.open_input_file(piece.file.path) as opened, ParquetFile(opened) as table:
        for batch in table.iter_batches(batch_size=rows, row_groups=[piece.start]):
            sink = pa.BufferOutputStream()
            with pa.ipc.new_stream(sink, batch.schema) as writer:
                writer.write_batch(batch)
            yield sink.getvalue().to_pybytes()


def _jsonl(system: "FileSystem", piece: Piece, rows: int) -> Iterator[bytes]:
    """Yield lines that begin in the range: the reader of the range before it ends the first."""
    with _opened(system, piece) as file:
        start = max(0, piece.start - 1)
        file.seek(start)
        if start < piece.start:
            file.readline()  # ends in this range or is empty: of the range before
        lines = _lines_until(file, piece.stop)
        while several := list(islice(lines, rows)):
            yield b"".join(several)


def _opened(system: "FileSystem", piece: Piece) -> io.BufferedReader:
    return io.BufferedReader(system.open_input_file(piece.file.path), BUFFER_BYTES)


def _lines_until(file: io.BufferedReader, stop: int) -> Iterator[bytes]:
    place = file.tell()
    for line in file:
        if place >= stop:
            return
        place += len(line)
        text = line.removeprefix(BOM) if place == len(line) else line
        if text.strip():
            yield text


def _csv(system: "FileSystem", piece: Piece, rows: int) -> Iterator[bytes]:
    with _opened(system, piece) as file:
        text = io.TextIOWrapper(file, encoding="utf-8-sig", newline="")
        _, found = csv_rows(text, piece.file.path)
        while several := list(islice(found, rows)):
            yield json.dumps(several, ensure_ascii=False).encode()


def samples_in(block: Block) -> list[Sample | DatasetError]:
    """Return what each row of a block describes: a sample, or the error of the row."""
    read = {"parquet": _of_parquet, "jsonl": _of_jsonl, "csv": _of_csv}[block.file.kind]
    return list(read(block))


def _of_parquet(block: Block) -> Iterator[Sample | DatasetError]:
    import pyarrow as pa

    with pa.ipc.open_stream(block.data) as reader:
        records = reader.read_all().to_pylist()
    for record in records:
        try:
            yield sample_from_record(record, file=block.file.path)
        except DatasetError as error:
            yield error


def _of_jsonl(block: Block) -> Iterator[Sample | DatasetError]:
    for line in io.BytesIO(block.data):  # at newlines only, as a file
        try:
            yield sample_from_line(line, file=block.file.path)
        except DatasetError as error:
            yield error


def _of_csv(block: Block) -> Iterator[Sample | DatasetError]:
    for line, cells in json.loads(block.data):
        try:
            yield sample_from_cells(cells, file=block.file.path, line=line)
        except DatasetError as error:
            yield error


def _suffix(path: str) -> str:
    name = path.rpartition("/")[2]
    return f".{name.rpartition('.')[2].lower()}" if "." in name else ""
