"""The results of a run as a table: scores as columns, everything else as lines of a file.

A `Result` with its evidence takes some kilobytes as Python objects, its line of JSON a few hundred
bytes, and its columns some thirty. Lines stay in the run's file, and a result is opened when it is
looked at; so that a run of a hundred thousand samples takes little memory.
"""

from abc import abstractmethod
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol, TypeVar, get_args, overload

import numpy as np
from numpy.typing import NDArray
from pydantic_core import from_json

from llamaindex_rag_eval.data.lines import LinesInMemory, ReadsLines
from llamaindex_rag_eval.data.sample import Sample
from llamaindex_rag_eval.errors import DatasetError
from llamaindex_rag_eval.metrics.result import Result, Row, Status, sample_fields

T = TypeVar("T")

STATUSES: tuple[Status, ...] = get_args(Status)

NUMBERS: Mapping[str, int] = {status: number for number, status in enumerate(STATUSES)}

ABSENT = -1
"""In the column of statuses: there is no result."""


class ResultTable:
    """The results of samples on metrics, at most one for each pair.

    Args:
        ids: The ids of the samples, in their order.
        specs: The specs of the metrics, in their order.
        lines: Where the lines of the results are.
    """

    def __init__(self, ids: Sequence[str], specs: Sequence[str], lines: ReadsLines) -> None:
        self.ids = ids
        self.specs = specs
        self.lines = lines
        self.count = 0
        self._samples = {sample_id: number for number, sample_id in enumerate(ids)}
        self._metrics = {spec: number for number, spec in enumerate(specs)}
        self._verdicts = {"": 0}
        size = len(ids) * len(specs)
        self.status = np.full(size, ABSENT, dtype=np.int8)
        self.score = np.full(size, np.nan)
        self.verdict = np.zeros(size, dtype=np.int16)
        self._start = np.zeros(size, dtype=np.int64)
        self._length = np.zeros(size, dtype=np.int32)

    def index_of(self, sample_id: str, metric: str) -> int | None:
        """Return where a result stands, or would; `None` for another sample or metric."""
        sample, number = self._samples.get(sample_id), self._metrics.get(metric)
        if sample is None or number is None:
            return None
        return sample * len(self.specs) + number

    def __contains__(self, key: tuple[str, str]) -> bool:
        """Return whether a sample has a result of a metric."""
        position = self.index_of(*key)
        return position is not None and bool(self.status[position] != ABSENT)

    def put(
        self,
        sample_id: str,
        metric: str,
        status: str,
        score: float | None,
        verdict: str,
        start: int,
        length: int,
    ) -> None:
        """Take a result, whose line is at a place of `lines`; it replaces an earlier one.

        Raises:
            KeyError: It is of another sample or metric.
        """
        position = self._samples[sample_id] * len(self.specs) + self._metrics[metric]
        self.count += int(self.status[position] == ABSENT)
        self.status[position] = NUMBERS[status]
        self.score[position] = np.nan if score is None else score
        self.verdict[position] = self._verdicts.setdefault(verdict, len(self._verdicts))
        self._start[position], self._length[position] = start, length

    def put_row(self, row: Row, start: int) -> None:
        """Take a packed result whose line begins at this place of `lines`."""
        values = (row.sample_id, row.metric, row.status, row.score, row.verdict)
        self.put(*values, start, len(row.line))

    def row(self, position: int) -> Row:
        """Return the result at a place."""
        sample, metric = divmod(position, len(self.specs))
        score = float(self.score[position])
        return Row(
            self.ids[sample],
            self.specs[metric],
            STATUSES[self.status[position]],
            None if np.isnan(score) else score,
            (self.lines, int(self._start[position]), int(self._length[position])),
            self.verdicts[self.verdict[position]],
        )

    @property
    def verdicts(self) -> tuple[str, ...]:
        """The verdicts by their numbers."""
        return tuple(self._verdicts)

    def rows(self) -> "Rows":
        """Return all results, in the order of samples, then of metrics."""
        return Rows(self, np.flatnonzero(self.status != ABSENT))

    def number(self, metric: str) -> int:
        """Return the number of a metric; -1 for another one."""
        return self._metrics.get(metric, -1)


class OpenedLate(Sequence[T]):
    """Values that are made when they are looked at."""

    @abstractmethod
    def _at(self, index: int) -> T:
        """Return a value."""

    @abstractmethod
    def _part(self, part: slice) -> Sequence[T]:
        """Return some of the values."""

    @overload
    def __getitem__(self, index: int) -> T: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[T]: ...

    def __getitem__(self, index: int | slice) -> T | Sequence[T]:
        return self._part(index) if isinstance(index, slice) else self._at(index)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Sequence):
            return NotImplemented
        return len(self) == len(other) and all(a == b for a, b in zip(self, other, strict=True))

    def __hash__(self) -> int:
        return hash(len(self))


class Rows(OpenedLate[Row]):
    """Some rows of a table, in its order."""

    def __init__(self, table: ResultTable, positions: NDArray[np.int64]) -> None:
        self._table = table
        self._positions = positions

    def __len__(self) -> int:
        return len(self._positions)

    def _at(self, index: int) -> Row:
        return self._table.row(int(self._positions[index]))

    def _part(self, part: slice) -> "Rows":
        return Rows(self._table, self._positions[part])

    def index_of(self, sample_id: str, metric: str) -> int | None:
        """Return which of these rows is that of a sample and a metric; `None` if none is."""
        wanted = self._table.index_of(sample_id, metric)
        index = -1 if wanted is None else int(np.searchsorted(self._positions, wanted))
        return index if 0 <= index < len(self) and self._positions[index] == wanted else None

    def of(self, metric: str) -> "Rows":
        """Return those of one metric."""
        table = self._table
        wanted = self._positions % max(1, len(table.specs)) == table.number(metric)
        return Rows(table, self._positions[wanted])

    def scores(self) -> dict[str, float]:
        """Return sample id -> score, of scored samples; for rows of one metric."""
        table = self._table
        scored = self._positions[~np.isnan(table.score[self._positions])]
        samples = (scored // max(1, len(table.specs))).tolist()
        ids = (table.ids[sample] for sample in samples)
        return dict(zip(ids, table.score[scored].tolist(), strict=True))

    def statuses(self) -> Counter[Status]:
        """Return how many rows have each status."""
        return Counter(STATUSES[number] for number in self._table.status[self._positions].tolist())

    def verdicts(self) -> Counter[str]:
        """Return how many scored rows have each verdict."""
        table = self._table
        scored = self._positions[~np.isnan(table.score[self._positions])]
        names = table.verdicts
        return Counter(names[number] for number in table.verdict[scored].tolist())


class SamplesById(Protocol):
    """Samples by their ids."""

    def get(self, key: str, /) -> Sample | None:
        """Return the sample of an id, or `None`."""
        ...


class Results(OpenedLate[Result]):
    """Results in order.

    Args:
        rows: The packed results.
        samples: By id, for the fields that a result repeats from its sample.
    """

    def __init__(self, rows: Rows, samples: SamplesById) -> None:
        self.rows = rows
        self._samples = samples

    @classmethod
    def from_results(
        cls,
        results: Iterable[Result],
        ids: Iterable[str],
        specs: Iterable[str],
        samples: SamplesById,
    ) -> "Results":
        """Return the packed form of results on samples of these ids and metrics, and on others."""
        rows = [Row.from_result(result) for result in results]
        every = dict.fromkeys([*ids, *(row.sample_id for row in rows)])
        metrics = dict.fromkeys([*specs, *(row.metric for row in rows)])
        lines = LinesInMemory()
        table = ResultTable(tuple(every), tuple(metrics), lines)
        for row in rows:
            table.put_row(row, lines.append(row.line))
        return cls(table.rows(), samples)

    def of(self, metric: str) -> "Results":
        """Return those of one metric."""
        return Results(self.rows.of(metric), self._samples)

    def __len__(self) -> int:
        return len(self.rows)

    def __repr__(self) -> str:
        return f"Results({len(self)})"

    def _part(self, part: slice) -> "Results":
        return Results(self.rows._part(part), self._samples)

    def _at(self, index: int) -> Result:
        """Return the result of a row, with the fields of its sample."""
        row = self.rows[index]
        sample = self._samples.get(row.sample_id)
        fields = {} if sample is None else sample_fields(sample)
        try:
            return Result.model_validate({**from_json(row.line), **fields})
        except ValueError as error:  # from what is no JSON, too
            raise DatasetError(
                f"the result of {row.metric!r} on {row.sample_id!r} is broken: {error}"
            ) from None
