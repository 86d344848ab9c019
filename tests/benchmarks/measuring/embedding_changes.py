"""What an embedding model beside the rules changes: measured now and then, kept in a file.

It takes minutes, so the table of docs/agreement.md is written from what was kept.
"""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import datetime, timezone
from pathlib import Path

from tests.benchmarks.measuring.row import WEIGHTS, Row

FILE = Path(__file__).with_name("embedding.json")


@dataclass(frozen=True)
class Change:
    """The agreement of one metric with the people of one set, without and with the model."""

    set: str
    measure: str
    alone: float
    beside: float


@dataclass(frozen=True)
class Changes:
    """What the model changed on some records of each set.

    Attributes:
        date: When it was measured.
        weights: Fingerprint of the weights of the rules it was measured with.
        records: How many of each set.
        changes: One for each row.
        model: Its name.
    """

    date: str
    weights: str
    records: int
    changes: tuple[Change, ...]
    model: str

    @property
    def stale(self) -> bool:
        """Whether the weights have changed since."""
        return self.weights != _weights()

    def of(self, row: Row) -> float | None:
        """Return what changed in a row, or `None` if it was not measured."""
        for each in self.changes:
            if (each.set, each.measure) == (row.set, row.measure):
                return each.beside - each.alone
        return None

    def write(self, file: Path = FILE) -> None:
        """Keep the changes."""
        file.write_text(json.dumps(asdict(self), indent=1) + "\n", encoding="utf-8")

    @classmethod
    def read(cls, file: Path = FILE) -> "Changes | None":
        """Return the changes that were kept, if any were."""
        if not file.exists():
            return None
        kept = json.loads(file.read_text(encoding="utf-8"))
        changes = tuple(Change(**each) for each in kept.pop("changes"))
        return cls(**kept, changes=changes)


def changes_between(
    alone: Sequence[Row], beside: Sequence[Row], records: int, model: str
) -> Changes:
    """Return what the model changes: in the graded value, or in the score where there is none."""
    found = [
        Change(one.set, one.measure, _figure(one), _figure(two))
        for one, two in zip(alone, beside, strict=True)
    ]
    return Changes(
        datetime.now(timezone.utc).date().isoformat(), _weights(), records, tuple(found), model
    )


def _figure(row: Row) -> float:
    return round((row.graded or row.score)[0], 4)


def _weights() -> str:
    return hashlib.sha256(WEIGHTS.read_bytes()).hexdigest()[:12]
