"""Data sets: samples with ids of their own, from files and tables and back."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, overload, runtime_checkable

from llamaindex_rag_eval.data.files import iter_jsonl, jsonl_line, write_whole
from llamaindex_rag_eval.data.rows import FIELDS, Naming, row_of, sample_at
from llamaindex_rag_eval.data.sample import MultiTurnSample, Sample, SingleTurnSample
from llamaindex_rag_eval.data.tables import csv_parts, guarded, read_csv, row_of_record
from llamaindex_rag_eval.errors import DatasetError, InputError, OutputError

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["EvaluationDataset", "HasSamples", "guarded", "iter_jsonl"]

JSONL = (".jsonl", ".ndjson")
CSV = (".csv",)


@runtime_checkable
class HasSamples(Protocol):
    """Something that gives samples when asked, as a golden set does."""

    def samples(self) -> Iterable[Sample]:
        """Return the samples."""
        ...


class EvaluationDataset(Sequence[Sample]):
    """An immutable sequence of samples, no two with the same id.

    A sample without an id gets one made from its question, the same every time, so that the
    answers of two pipelines to one question can be paired. Where a question without id, or an
    equal sample, comes again, `~2`, `~3`, … is put behind the id.

    Args:
        samples: Single turns and conversations, in any mixture.

    Raises:
        DatasetError: Two different samples were given the same id.
    """

    __slots__ = ("_samples",)

    def __init__(self, samples: Iterable[Sample] = ()) -> None:
        naming = Naming()
        self._samples = tuple(
            naming.named(_checked(sample, place), place)
            for place, sample in enumerate(samples, start=1)
        )

    @property
    def samples(self) -> tuple[Sample, ...]:
        """The samples in their order."""
        return self._samples

    @classmethod
    def of(cls, source: object) -> "EvaluationDataset":
        """Return the data set in anything that holds samples.

        Args:
            source: A data set, an object with a method `samples()` as a golden set has it, or
                any iterable of samples.

        Raises:
            InputError: There are no samples in it.
        """
        if isinstance(source, cls):
            return source
        if isinstance(source, HasSamples) and callable(source.samples):
            return cls(source.samples())
        if isinstance(source, Iterable) and not isinstance(source, str | bytes | Mapping):
            return cls(source)
        raise InputError(
            f"expected samples, got {type(source).__name__!r}; "
            "`EvaluationDataset.read` reads a file of them"
        )

    @classmethod
    def read(cls, path: str | Path) -> "EvaluationDataset":
        """Return the samples of a file: `.jsonl`, `.ndjson` or `.csv`.

        Raises:
            DatasetError: The file cannot be read, or does not hold samples; it names file, line
                and field, and says what was expected.
        """
        suffix = Path(path).suffix.lower()
        if suffix in JSONL:
            return cls.read_jsonl(path)
        if suffix in CSV:
            return cls.read_csv(path)
        raise DatasetError(f"expected '.jsonl' or '.csv', got {suffix!r}", file=str(path))

    @classmethod
    def read_jsonl(cls, path: str | Path, *, strict: bool = True) -> "EvaluationDataset":
        """Return the samples of a JSON Lines file; see `iter_jsonl`, which streams them."""
        return cls(iter_jsonl(path, strict=strict))

    @classmethod
    def read_csv(cls, path: str | Path) -> "EvaluationDataset":
        """Return the samples of a CSV file.

        Lists stand in their cells as JSON; a single context may stand there as plain text. An
        empty cell is a field that was not given. The apostrophe that `write_csv` puts before
        texts that look like formulas is taken off again.

        Raises:
            DatasetError: The file cannot be read, or does not hold samples.
        """
        return cls(read_csv(path))

    @classmethod
    def from_pandas(cls, frame: "pd.DataFrame") -> "EvaluationDataset":
        """Return the samples of a frame, one a row; NaN and `None` are fields not given.

        Raises:
            DatasetError: A row describes no sample; `line` is its number, from 1.
        """
        records = frame.to_dict("records")
        return cls.from_rows(row_of_record(row, n) for n, row in enumerate(records, start=1))

    @classmethod
    def from_rows(cls, rows: Iterable[Mapping[str, object]]) -> "EvaluationDataset":
        """Return the samples that rows of fields describe; `None` is a field not given.

        Raises:
            DatasetError: A row describes no sample; `line` is its number, from 1.
        """
        return cls(sample_at(row, line=number) for number, row in enumerate(rows, start=1))

    def write(self, path: str | Path) -> Path:
        """Write a file by its suffix, `.jsonl`, `.ndjson` or `.csv`, and return its path.

        Raises:
            OutputError: It cannot be written there; what was there before is untouched.
        """
        suffix = Path(path).suffix.lower()
        if suffix in JSONL:
            return self.write_jsonl(path)
        if suffix in CSV:
            return self.write_csv(path)
        raise OutputError(f"cannot write {str(path)!r}: expected '.jsonl' or '.csv'")

    def write_jsonl(self, path: str | Path) -> Path:
        """Write one JSON object a line, with the fields that were given, all at once.

        Raises:
            OutputError: It cannot be written there; what was there before is untouched.
        """
        return write_whole(path, (jsonl_line(sample) for sample in self._samples))

    def write_csv(self, path: str | Path) -> Path:
        """Write a table that is safe to open in a spreadsheet and that `read_csv` takes back.

        Raises:
            OutputError: It cannot be written there; what was there before is untouched.
        """
        return write_whole(path, csv_parts(self._samples))

    def to_pandas(self) -> "pd.DataFrame":
        """Return a frame with a row a sample and a column a field that any sample has."""
        import pandas as pd

        rows = [row_of(sample) for sample in self._samples]
        used = [field for field in FIELDS if any(field in row for row in rows)]
        return pd.DataFrame(rows, columns=used)

    @property
    def fingerprint(self) -> str:
        """A hash of ids and contents in their order: 64 hexadecimal digits.

        The order of names inside a sample does not matter; the order of the samples does.
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


def _checked(sample: object, place: int) -> Sample:
    if not isinstance(sample, SingleTurnSample | MultiTurnSample):
        raise InputError(
            f"expected samples, got {type(sample).__name__!r} in place {place}; "
            "`EvaluationDataset.from_rows` reads rows of fields"
        )
    return sample
