"""Results by the ten thousand: kept as the lines they are written as, opened one at a time.

A `Result` with its evidence is some kilobytes of Python objects; its line of JSON is a few hundred
bytes. What tables and means need (sample, metric, status, score) stands beside the line.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, overload

from llamaindex_rag_eval.data.sample import Sample, SingleTurnSample
from llamaindex_rag_eval.metrics.result import Result, Status

__all__ = ["Results", "Row", "line_of", "shown"]

SHOWN_IN_SAMPLE = {"query", "response", "contexts"}
"""Fields of a result that the sample holds already: not kept twice."""


@dataclass(frozen=True, slots=True)
class Row:
    """One result: what tables need, and its line.

    Attributes:
        sample_id: Whose.
        metric: On which metric.
        status: Scored, undefined or failed.
        score: The number if there is one.
        line: The whole result as JSON, but for what the sample holds.
    """

    sample_id: str
    metric: str
    status: Status
    score: float | None
    line: bytes

    @classmethod
    def of(cls, result: Result) -> "Row":
        """Return the row of a result."""
        line = line_of(result).encode()
        return cls(result.sample_id, result.metric, result.status, result.score, line)


def line_of(result: Result) -> str:
    """Return a result as JSON, without the texts that the sample holds."""
    row = result.model_dump(mode="json", exclude=SHOWN_IN_SAMPLE, exclude_defaults=True)
    return json.dumps(row, ensure_ascii=False)


class Results(Sequence[Result]):
    """Results in order; each is opened when it is looked at.

    Args:
        rows: In order.
        samples: By id, for the texts that a result shows.
    """

    def __init__(self, rows: Iterable[Row], samples: Mapping[str, Sample]) -> None:
        self.rows = tuple(rows)
        self._samples = samples

    @classmethod
    def of(cls, results: Iterable[Result], samples: Mapping[str, Sample]) -> "Results":
        """Return results packed."""
        return cls((Row.of(result) for result in results), samples)

    def where(self, wanted: Callable[[Row], bool]) -> "Results":
        """Return the results whose row is wanted, without opening the others."""
        return Results((row for row in self.rows if wanted(row)), self._samples)

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[Result]:
        return (self._opened(row) for row in self.rows)

    @overload
    def __getitem__(self, place: int) -> Result: ...

    @overload
    def __getitem__(self, place: slice) -> "Results": ...

    def __getitem__(self, place: int | slice) -> "Result | Results":
        if isinstance(place, slice):
            return Results(self.rows[place], self._samples)
        return self._opened(self.rows[place])

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Results):
            return self.rows == other.rows
        if isinstance(other, tuple | list):
            return len(other) == len(self) and all(a == b for a, b in zip(self, other, strict=True))
        return NotImplemented

    def __hash__(self) -> int:
        return hash(self.rows)

    def __repr__(self) -> str:
        return f"Results({len(self)})"

    def _opened(self, row: Row) -> Result:
        result = Result.model_validate_json(row.line)
        sample = self._samples.get(row.sample_id)
        return result if sample is None else result.model_copy(update=shown(sample))


def shown(sample: Sample) -> dict[str, Any]:
    """Return the fields that LlamaIndex's results show."""
    if not isinstance(sample, SingleTurnSample):
        return {}
    return {
        "query": sample.query if sample.has("query") else None,
        "response": sample.response if sample.has("response") else None,
        "contexts": list(sample.texts) if sample.has("contexts") else None,
    }
