"""Data sets: samples with ids of their own, from files and tables and back."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, overload, runtime_checkable

from llamaindex_rag_eval.data.files import (
    iter_json,
    iter_jsonl as iter_jsonl,
    jsonl_line,
    write_whole,
)
from llamaindex_rag_eval.data.images import with_images
from llamaindex_rag_eval.data.parquet import read_parquet
from llamaindex_rag_eval.data.rows import FIELDS, row_of, sample_from_row, samples_of
from llamaindex_rag_eval.data.sample import MultiTurnSample, Sample, SingleTurnSample
from llamaindex_rag_eval.data.tables import csv_lines, read_csv, row_from_record
from llamaindex_rag_eval.errors import DatasetError, InputError, OutputError

if TYPE_CHECKING:
    import pandas as pd

READERS: Mapping[str, Callable[[str | Path], Iterator[Sample]]] = {
    ".jsonl": iter_jsonl,
    ".ndjson": iter_jsonl,
    ".json": iter_json,
    ".csv": read_csv,
    ".parquet": read_parquet,
}
"""Suffix of a file -> what reads it."""


@runtime_checkable
class HasSamples(Protocol):
    """Anything with a method `samples()`, for example a golden set."""

    def samples(self) -> Iterable[Sample]:
        """Return the samples."""
        ...


Rows: TypeAlias = "Iterable[Sample | Mapping[str, object] | str]"
"""Samples, rows of fields as a data set of Hugging Face has them, or questions."""

Samples: TypeAlias = "HasSamples | Rows | Mapping[str, Sequence[object]] | pd.DataFrame"
"""What `EvaluationDataset.of` reads."""


class EvaluationDataset(Sequence[Sample]):
    """An immutable sequence of samples, no two with the same id.

    A sample without an id gets one made from its question, the same every time, so that the
    answers of two pipelines to one question can be paired. If a question without an id, or an
    equal sample, comes again, `~2`, `~3`, … is appended to the id.

    Args:
        samples: Single turns and conversations; both kinds may be mixed.

    Raises:
        DatasetError: Two different samples were given the same id.
    """

    __slots__ = ("_samples",)

    def __init__(self, samples: Iterable[Sample] = ()) -> None:
        self._samples = tuple(samples_of(enumerate(samples, 1), _require_sample))

    @property
    def samples(self) -> tuple[Sample, ...]:
        """The samples in their order."""
        return self._samples

    @classmethod
    def of(cls, source: Any) -> "EvaluationDataset":
        """Return the data set of anything that holds samples.

        Args:
            source: A data set; an object with a method `samples()`, such as a golden set; a frame
                of pandas; a mapping of columns; or any iterable of samples, of rows of fields, as
                a data set of Hugging Face is, or of questions.

        Raises:
            InputError: It is something else, or an entry is no sample.
            DatasetError: A row describes no sample, or columns differ in length.
        """
        if isinstance(source, cls):
            return source
        if isinstance(source, HasSamples) and callable(source.samples):
            return cls(source.samples())
        if hasattr(source, "to_dict") and hasattr(source, "columns"):
            return cls.from_pandas(source)
        entries = _rows_of_columns(source) if isinstance(source, Mapping) else source
        if isinstance(entries, Iterable) and not isinstance(entries, str | bytes):
            return cls(samples_of(enumerate(entries, 1), _sample_of_entry))
        raise InputError(
            f"expected samples, got {type(source).__name__!r}; "
            "`EvaluationDataset.read` reads a file of them"
        )

    @classmethod
    def read(cls, path: str | Path) -> "EvaluationDataset":
        """Return the samples of a `.jsonl`, `.json`, `.csv` or `.parquet` file.

        Raises:
            DatasetError: The file cannot be read, or does not hold samples; it names file, line
                and field, and says what was expected.
        """
        suffix = Path(path).suffix.lower()
        read = READERS.get(suffix)
        if read is None:
            expectation = f"expected '.jsonl', '.json', '.csv' or '.parquet', got {suffix!r}"
            raise DatasetError(expectation, file=str(path))
        return cls(read(path))

    @classmethod
    def read_jsonl(cls, path: str | Path, *, strict: bool = True) -> "EvaluationDataset":
        """Return the samples of a JSON Lines file; see `iter_jsonl`, which streams them."""
        return cls(iter_jsonl(path, strict=strict))

    @classmethod
    def read_csv(cls, path: str | Path) -> "EvaluationDataset":
        """Return the samples of a CSV file.

        Lists are JSON in their cell; a single context may be plain text. An empty cell is a
        field that was not given. The apostrophe that `write_csv` puts before texts that look
        like formulas is removed.

        Raises:
            DatasetError: The file cannot be read, or does not hold samples.
        """
        return cls(read_csv(path))

    @classmethod
    def from_pandas(cls, frame: "pd.DataFrame") -> "EvaluationDataset":
        """Return the samples of a frame, one per row; NaN and `None` are fields not given.

        Raises:
            DatasetError: A row describes no sample; `line` is its number, from 1.
        """
        records = enumerate(frame.to_dict("records"), 1)
        return cls(samples_of(records, lambda row: sample_from_row(row_from_record(row))))

    @classmethod
    def from_rows(cls, rows: Iterable[Mapping[str, object]]) -> "EvaluationDataset":
        """Return the samples in rows of fields; `None` is a field not given.

        Raises:
            DatasetError: A row describes no sample; `line` is its number, from 1.
        """
        return cls(samples_of(enumerate(rows, 1), sample_from_row))

    def with_images(self, folder: str | Path) -> "EvaluationDataset":
        """Return the samples with their images read from a folder; no other file is read.

        Raises:
            InputError: The path of an image leads out of the folder, or to what is no image.
        """
        return EvaluationDataset(with_images(self, folder))

    def write(self, path: str | Path) -> Path:
        """Write a `.jsonl`, `.ndjson` or `.csv` file, by its suffix, and return its path.

        Raises:
            OutputError: It cannot be written; a file that existed before is unchanged.
        """
        suffix = Path(path).suffix.lower()
        if suffix in (".jsonl", ".ndjson"):
            return self.write_jsonl(path)
        if suffix == ".csv":
            return self.write_csv(path)
        raise OutputError(f"cannot write {str(path)!r}: expected '.jsonl' or '.csv'")

    def write_jsonl(self, path: str | Path) -> Path:
        """Write one JSON object per line, with the fields that were given.

        Raises:
            OutputError: It cannot be written; a file that existed before is unchanged.
        """
        return write_whole(path, (jsonl_line(sample) for sample in self._samples))

    def write_csv(self, path: str | Path) -> Path:
        """Write a table that is safe to open in a spreadsheet and that `read_csv` reads back.

        Raises:
            OutputError: It cannot be written; a file that existed before is unchanged.
        """
        return write_whole(path, csv_lines(self._samples))

    def to_pandas(self) -> "pd.DataFrame":
        """Return a frame with one row per sample and one column per field that any sample has."""
        import pandas as pd

        rows = [row_of(sample) for sample in self._samples]
        used = [field for field in FIELDS if any(field in row for row in rows)]
        return pd.DataFrame(rows, columns=used)

    @property
    def fingerprint(self) -> str:
        """A hash of ids and contents: 64 hexadecimal digits.

        The order of the samples matters; the order of the fields in a sample does not.
        """
        digest = sha256()
        for sample in self._samples:
            digest.update(sample.fingerprint_text().encode("utf-8", "surrogatepass") + b"\n")
        return digest.hexdigest()

    def __len__(self) -> int:
        return len(self._samples)

    def __iter__(self) -> Iterator[Sample]:
        return iter(self._samples)

    @overload
    def __getitem__(self, index: int) -> Sample: ...

    @overload
    def __getitem__(self, index: slice) -> "EvaluationDataset": ...

    def __getitem__(self, index: int | slice) -> "Sample | EvaluationDataset":
        if isinstance(index, slice):
            return EvaluationDataset(self._samples[index])
        return self._samples[index]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, EvaluationDataset) and self.fingerprint == other.fingerprint

    def __hash__(self) -> int:
        return hash(self.fingerprint)

    def __repr__(self) -> str:
        return f"EvaluationDataset({len(self)} samples, {self.fingerprint[:12]})"


def _require_sample(sample: object) -> Sample:
    if not isinstance(sample, SingleTurnSample | MultiTurnSample):
        raise DatasetError(
            f"expected samples, got {type(sample).__name__!r}; "
            "`EvaluationDataset.from_rows` reads rows of fields"
        )
    return sample


def _sample_of_entry(entry: object) -> Sample:
    """Return the sample that an entry is, describes as a row, or asks as a question."""
    if isinstance(entry, str):
        return SingleTurnSample(query=entry)
    return sample_from_row(entry) if isinstance(entry, Mapping) else _require_sample(entry)


def _rows_of_columns(columns: Mapping[object, object]) -> list[dict[str, object]]:
    """Return the rows of a mapping from names to columns.

    Raises:
        DatasetError: A value is no column, or columns differ in length.
    """
    lists = {
        str(name): list(column)
        for name, column in columns.items()
        if isinstance(column, Iterable)
        and not isinstance(column, str | Mapping)
        and not hasattr(column, "column_names")
    }
    lengths = {name: len(column) for name, column in lists.items()}
    if len(lists) < len(columns) or len(set(lengths.values())) > 1:
        wrong = [name for name in map(str, columns) if name not in lists]
        hint = f"of a dict of splits give one, as data[{wrong[0]!r}]" if wrong else ""
        got = f"{wrong[0]!r} is none; {hint}" if wrong else f"their lengths are {lengths!r}"
        raise DatasetError(f"expected columns, each a list, all of one length; {got}")
    return [dict(zip(lists, row, strict=True)) for row in zip(*lists.values(), strict=True)]
