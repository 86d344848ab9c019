"""A stand-in for `datasets.Dataset`, which is not among our dependencies.

It has what we read of the real class, tried with `datasets` 5.2: rows by iteration and by number,
columns by name, `column_names`, and `to_dict` without `columns`.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any


class Dataset:
    """A table of columns."""

    def __init__(self, columns: Mapping[str, Sequence[Any]]) -> None:
        self._columns = dict(columns)

    @classmethod
    def from_dict(cls, mapping: Mapping[str, Sequence[Any]]) -> "Dataset":
        return cls(mapping)

    @property
    def column_names(self) -> list[str]:
        return list(self._columns)

    def to_dict(self) -> dict[str, Sequence[Any]]:
        return dict(self._columns)

    def __len__(self) -> int:
        return len(next(iter(self._columns.values()), ()))

    def __getitem__(self, key: int | str) -> Any:
        if isinstance(key, str):
            return self._columns[key]
        return {name: column[key] for name, column in self._columns.items()}

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return (self[number] for number in range(len(self)))
