"""The file of a run: provenance, samples and results as lines of JSON, written and found again.

A file is read once, for the columns of its results; samples and evidence stay in it until they are
looked at.
"""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError
from pydantic_core import to_json

from llamaindex_rag_eval.data.lines import LinesInFile, LinesInMemory, ReadsLines
from llamaindex_rag_eval.data.plain_text import json_safe
from llamaindex_rag_eval.data.sample import Sample, sample_of
from llamaindex_rag_eval.errors import DatasetError
from llamaindex_rag_eval.metrics.result import Row, Status
from llamaindex_rag_eval.metrics.result_table import OpenedLate, Results, ResultTable
from llamaindex_rag_eval.models.usage import Spent, Usage, usage_sum
from llamaindex_rag_eval.runs.provenance import Provenance

BEFORE_RESULT, AFTER_RESULT = b'{"result": ', b"}"
"""What stands around a result in its line."""

CUT_OFF = "expected one JSON object; was the file cut off while being written?"
NO_RUN = "no run; expected the .jsonl file that `rag-eval evaluate -o` writes beside its table"
"""What is wrong with a line that is no JSON; with the first one, as of a table of scores."""

OPENED = 64
"""Samples that are kept open: the results of a sample are looked at one after the other."""


def head_line(provenance: Provenance, name: str = "") -> str:
    """Return the first line of a run's file."""
    content = {"run": provenance.model_dump(mode="json"), "name": name}
    return json_safe(json.dumps(content, ensure_ascii=False))


def sample_line(sample: Sample) -> str:
    """Return a sample as a line of a run's file."""
    row = sample.model_dump(mode="json", exclude_unset=True)
    return json_safe(json.dumps({"sample": row}, ensure_ascii=False))


def result_line(row: Row) -> bytes:
    """Return a result as a line of a run's file."""
    return BEFORE_RESULT + row.line + AFTER_RESULT


def spent_line(spent: Spent) -> bytes:
    """Return what a call has cost as a line of the file of a run that goes on."""
    return to_json({"spent": spent})


class StoredSamples(OpenedLate[Sample]):
    """The samples of a file.

    Args:
        lines: The file.
        spans: Id -> where its line begins, and how long it is.
        file: The name of the file, for errors.
    """

    def __init__(
        self, lines: ReadsLines, spans: Mapping[str, tuple[int, int]], file: str = ""
    ) -> None:
        self.ids = tuple(spans)
        self._lines = lines
        self._spans = spans
        self._file = file
        self._opened: dict[str, Sample] = {}

    def __len__(self) -> int:
        return len(self.ids)

    def _at(self, index: int) -> Sample:
        return self._read(self.ids[index])

    def _part(self, part: slice) -> tuple[Sample, ...]:
        return tuple(map(self._read, self.ids[part]))

    def get(self, key: str, /) -> Sample | None:
        """Return the sample of an id, or `None`."""
        if key not in self._opened and key in self._spans:
            if len(self._opened) >= OPENED:
                self._opened.clear()
            self._opened[key] = self._read(key)
        return self._opened.get(key)

    def _read(self, sample_id: str) -> Sample:
        try:
            return sample_of(_object(self._lines.read(*self._spans[sample_id]))["sample"])
        except (ValidationError, KeyError, TypeError) as error:
            raise DatasetError(
                f"the sample {sample_id!r} is broken: {error}", file=self._file
            ) from None


RunParts = tuple[StoredSamples, Results, Provenance, str]
"""What the file of a run holds: its samples, its results, its provenance and its name."""


def read_run(path: Path, *, tolerant: bool = False) -> RunParts:
    """Return the run in a file.

    Args:
        path: The file.
        tolerant: Whether to skip a last line that a killed process left incomplete.

    Raises:
        DatasetError: The file cannot be read, or holds no run.
    """
    try:
        lines = LinesInFile(path)
        return _Reader(lines, path.stem, str(path)).read(lines, tolerant=tolerant)
    except OSError as error:
        raise DatasetError(f"cannot be read: {error.strerror}", file=str(path)) from error


def run_in(body: bytes) -> RunParts:
    """Return the run in the content of a file.

    Raises:
        DatasetError: It holds no run.
    """
    return _Reader(LinesInMemory(body), "", "").read(body.splitlines(keepends=True))


class _Reader:
    """Finds what the lines of a run are, and where they begin.

    Args:
        lines: The lines.
        name: The run's name, if the file has none.
        file: The name of the file, for errors.
    """

    def __init__(self, lines: ReadsLines, name: str, file: str) -> None:
        self.lines = lines
        self.name = name
        self.file = file
        self.provenance: Provenance | None = None
        self.samples: dict[str, tuple[int, int]] = {}
        self.table: ResultTable | None = None
        self.spent = Usage()

    def read(self, lines: Iterable[bytes], *, tolerant: bool = False) -> RunParts:
        """Read all lines."""
        start, broken = 0, None
        for number, line in enumerate(lines, start=1):
            if broken is not None:
                raise broken
            try:
                if not self._put_result(line, start):
                    self._take(_object(line), line, start)
            except RecursionError:
                raise self._error("nested too deeply to be read", number) from None
            except (ValidationError, KeyError, TypeError) as error:
                if number == 1 and isinstance(error, KeyError):
                    no_run = "no run, since it has no scores; `rag-eval evaluate` scores answers"
                    raise self._error(no_run, number) from None
                raise self._error(f"not a line of a run: {error}", number) from None
            except ValueError:
                broken = self._error(CUT_OFF if number > 1 else NO_RUN, number)
            start += len(line)
        if broken is not None and not tolerant:
            raise broken
        return self._whole()

    def _take(self, entry: Mapping[str, Any], line: bytes, start: int) -> None:
        """Take the object in a line."""
        if "run" in entry:
            self.provenance = Provenance.model_validate(entry["run"])
            self.name = entry.get("name") or self.name
        elif "sample" in entry:
            sample_id = entry["sample"].get("id", "")
            if not isinstance(sample_id, str):
                raise TypeError(f"id is {sample_id!r}")
            self.samples[sample_id] = (start, len(line))
        elif "spent" in entry:
            self.spent.count(Spent(**entry["spent"]))
        elif "result" in entry:
            raise TypeError("other spacing than this package writes")
        elif "sent" not in entry:  # which earlier versions wrote for each call
            raise KeyError("result")

    def _put_result(self, line: bytes, start: int) -> bool:
        """Take the line of a result; return whether it is one.

        One of a sample or metric that the run does not have is left out.
        """
        inner = line.rstrip()
        if not (inner.startswith(BEFORE_RESULT) and inner.endswith(AFTER_RESULT)):
            return False
        packed = inner[len(BEFORE_RESULT) : -len(AFTER_RESULT)]
        row = _columns(packed)
        table = self.table = self.table if self.table is not None else self._table()
        if table.index_of(row.sample_id, row.metric) is not None:
            values = (row.sample_id, row.metric, row.status, row.score, row.verdict)
            table.put(*values, start + len(BEFORE_RESULT), len(packed))
        return True

    def _table(self) -> ResultTable:
        metrics = () if self.provenance is None else self.provenance.metrics
        return ResultTable(tuple(self.samples), tuple(info.spec for info in metrics), self.lines)

    def _whole(self) -> RunParts:
        provenance, table = self.provenance, self.table if self.table is not None else self._table()
        if provenance is None:
            raise DatasetError("expected a run, as `rag-eval evaluate` writes it", file=self.file)
        if self.spent.total.calls:  # the run was killed, or goes on
            usage = usage_sum(provenance.usage, self.spent.as_json())
            provenance = provenance.model_copy(update={"usage": usage})
        samples = StoredSamples(self.lines, self.samples, self.file)
        return samples, Results(table.rows(), samples), provenance, self.name

    def _error(self, expectation: str, line: int) -> DatasetError:
        return DatasetError(expectation, file=self.file, line=line)


class _Columns(BaseModel, strict=True):
    """What the table holds of a result."""

    sample_id: str = ""
    metric: str = ""
    status: Status = "scored"
    score: float | None = None
    verdict: str = ""


def _columns(packed: bytes) -> _Columns:
    """Return the columns of a packed result; raise `TypeError` if one has no such value."""
    try:
        return _Columns.model_validate_json(packed)
    except ValidationError:
        fields = _object(packed)  # it may hold half of a surrogate pair
    try:
        return _Columns.model_validate(fields)
    except ValidationError as error:
        first = error.errors()[0]
        name = ".".join(map(str, first["loc"])) or "the result"
        raise TypeError(f"{name} is {first['input']!r}") from None


_ANY: TypeAdapter[Any] = TypeAdapter(Any, config=ConfigDict(cache_strings="keys"))
"""Reads JSON, twice as fast as the standard library."""


def _object(line: bytes) -> Any:
    """Return what a line of JSON holds."""
    try:
        return _ANY.validate_json(line)
    except ValueError:  # half of a surrogate pair, perhaps
        return json.loads(line)
