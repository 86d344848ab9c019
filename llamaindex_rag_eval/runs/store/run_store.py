"""Experiments: runs that are kept, found again by name, tag or number, and followed over time.

    kept = Experiments()                      # .rag-eval/runs.db, or any SQLAlchemy URL
    kept.add(run, name="main", tags=["ci"])
    compare(kept.get("main"), kept.get("last"))

A run is called `last`, `last~1` (the one before), `main` (the newest of that name or tag),
`main~2`, or by the first characters of its id.
"""

import hashlib
import json
import zlib
from collections.abc import Iterable, Sequence
from datetime import datetime, timezone
from functools import cached_property
from pathlib import Path

from sqlalchemy import Engine, delete, insert, select, update
from sqlalchemy.exc import IntegrityError, SQLAlchemyError

from llamaindex_rag_eval.data.sample import MultiTurnSample, Sample
from llamaindex_rag_eval.errors import DatasetError, InputError, OutputError
from llamaindex_rag_eval.models.store import database_url, shown_url
from llamaindex_rag_eval.runs.run import Run, head_line, result_line, run_of, sample_line
from llamaindex_rag_eval.runs.store import DEFAULT_STORE
from llamaindex_rag_eval.runs.store.tables import (
    MEANS,
    RUNS,
    KeptMean,
    KeptRun,
    TrendPoint,
    kept_mean,
    kept_run,
    open_tables,
    trend_point,
)

__all__ = ["Experiments"]

FEWEST_ID = 4
"""Characters of an id that may stand for all of it."""


class Experiments:
    """Runs in a database. Several processes may share one.

    Args:
        where: A file for SQLite, or any SQLAlchemy URL, as `postgresql+psycopg://host/name`.
    """

    def __init__(self, where: str | Path = DEFAULT_STORE) -> None:
        self.url = database_url(where)

    def __repr__(self) -> str:
        return f"Experiments({shown_url(self.url)!r})"

    @cached_property
    def _engine(self) -> Engine:
        return open_tables(self.url)

    def add(self, run: Run, *, name: str = "", tags: Iterable[str] = ()) -> KeptRun:
        """Keep a run. One that is here already gets the name and the tags as well.

        Args:
            run: The run.
            name: Under which it is found; the run's own by default.
            tags: Under which it is found as well.

        Raises:
            InputError: The name or a tag would be taken for something else.
            OutputError: The database cannot be written.
        """
        body = _body(run)
        key = hashlib.sha256(body).hexdigest()[:16]
        wanted = _allowed(name or run.name)
        marks = sorted({_allowed(tag) for tag in tags})
        row = {
            "id": key,
            "name": wanted,
            "tags": json.dumps(marks),
            "started": run.provenance.started,
            "kept": datetime.now(timezone.utc).isoformat(timespec="seconds"),
            "questions": _questions(run),
            "samples": len(run),
            "body": zlib.compress(body),
        }
        try:
            with self._engine.begin() as connection:
                connection.execute(insert(RUNS), row)
                if means := _means(key, run):
                    connection.execute(insert(MEANS), means)
        except IntegrityError:  # kept already, perhaps a moment ago by another process
            self._mark(key, name, marks)
        except SQLAlchemyError as error:
            raise OutputError(f"{self!r} cannot keep the run: {error}") from error
        return self.find(key)

    def runs(self, *, name: str = "", tag: str = "") -> tuple[KeptRun, ...]:
        """Return the runs, the newest first; those of a name or a tag only, if one is given."""
        wanted = select(*_SHOWN).order_by(RUNS.c.number.desc())
        if name:
            wanted = wanted.where(RUNS.c.name == name)
        try:
            with self._engine.connect() as connection:
                rows = connection.execute(wanted).all()
                means = connection.execute(select(MEANS).order_by(MEANS.c.place)).all()
        except SQLAlchemyError as error:
            raise OutputError(f"{self!r} cannot be read: {error}") from error
        by_run: dict[str, list[KeptMean]] = {}
        for mean in means:
            by_run.setdefault(mean.run_id, []).append(kept_mean(mean))
        found = (kept_run(row, by_run.get(row.id, ())) for row in rows)
        return tuple(run for run in found if not tag or tag in run.tags)

    def find(self, reference: str) -> KeptRun:
        """Return what is known of a run.

        Raises:
            InputError: No run is called so, or several are.
        """
        base, _, back = reference.strip().partition("~")
        if "~" in reference and not back.isdecimal():
            raise InputError(f"{reference!r} names no run; expected 'last~1', 'main~2', …")
        runs = self.runs()
        called = _called(base, runs)
        if int(back or 0) < len(called):
            return called[int(back or 0)]
        names = sorted({run.name for run in runs if run.name})
        known = f"; there are {len(runs)}, named {', '.join(map(repr, names))}" if names else ""
        raise InputError(f"no run is called {reference!r} at {shown_url(self.url)!r}{known}")

    def get(self, reference: str) -> Run:
        """Return a whole run, under the name it is kept by.

        Raises:
            InputError: No run is called so, or several are.
            DatasetError: What is kept of it is broken.
        """
        kept = self.find(reference)
        with self._engine.connect() as connection:
            body = connection.execute(select(RUNS.c.body).where(RUNS.c.id == kept.id)).scalar_one()
        try:
            lines = zlib.decompress(body).decode().split("\n")
            return run_of(map(json.loads, filter(None, lines))).named(kept.name)
        except (zlib.error, ValueError) as error:
            raise DatasetError(f"the run {kept.id!r} is broken: {error}") from error

    def delete(self, reference: str) -> KeptRun:
        """Forget a run, and return what was known of it.

        Raises:
            InputError: No run is called so, or several are.
        """
        kept = self.find(reference)
        with self._engine.begin() as connection:
            connection.execute(delete(MEANS).where(MEANS.c.run_id == kept.id))
            connection.execute(delete(RUNS).where(RUNS.c.id == kept.id))
        return kept

    def trend(
        self, metric: str, *, name: str = "", tag: str = "", last: int = 20
    ) -> tuple[TrendPoint, ...]:
        """Return a metric over the runs that have it, the oldest first.

        Args:
            metric: Its label.
            name: Runs of this name only.
            tag: Runs with this tag only.
            last: So many of the newest runs.

        Raises:
            InputError: No run has the metric.
        """
        having = [(run, run.mean(metric)) for run in self.runs(name=name, tag=tag)]
        series = [(run, mean) for run, mean in having if mean is not None][: max(1, last)][::-1]
        if not series:
            raise InputError(f"no run has the metric {metric!r}")
        before = [None, *(run for run, _ in series[:-1])]
        return tuple(
            trend_point(run, mean, earlier)
            for (run, mean), earlier in zip(series, before, strict=True)
        )

    def _mark(self, key: str, name: str, tags: Sequence[str]) -> None:
        """Give a kept run a name, if one was given, and more tags."""
        kept = self.find(key)
        values = {"tags": json.dumps(sorted({*kept.tags, *tags})), "name": name or kept.name}
        with self._engine.begin() as connection:
            connection.execute(update(RUNS).where(RUNS.c.id == key).values(values))


_SHOWN = [column for column in RUNS.c if column.name != "body"]


def _body(run: Run) -> bytes:
    """Return a run as the lines of its file, without the name: that may change."""
    lines = [head_line(run.provenance)]
    lines += map(sample_line, run.samples)
    lines += map(result_line, run.rows)
    # A lone surrogate, as broken input may hold, has no place in UTF-8.
    return "\n".join(lines).encode("utf-8", "backslashreplace")


def _questions(run: Run) -> str:
    """Return the fingerprint of what was asked and what was right, whatever was answered."""
    asked = sorted((s.id, _asked(s), s.reference) for s in run.samples)
    text = json.dumps(asked).encode()
    return hashlib.sha256(text).hexdigest()[:16]


def _asked(sample: Sample) -> str:
    if isinstance(sample, MultiTurnSample):
        return "\n".join(m.content for m in sample.messages if m.role == "user")
    return sample.query


def _allowed(name: str) -> str:
    if "~" in name or name == "last" or name != name.strip() or len(name) > 200:
        raise InputError(
            f"{name!r} cannot name a run; expected up to 200 characters without '~', and not 'last'"
        )
    return name


def _called(base: str, runs: Sequence[KeptRun]) -> Sequence[KeptRun]:
    """Return the runs that a name stands for, the newest first: by name, by tag, or by id."""
    if base == "last":
        return runs
    named = [run for run in runs if run.name == base] or [run for run in runs if base in run.tags]
    if named or len(base) < FEWEST_ID:
        return named
    found = [run for run in runs if run.id.startswith(base)]
    if len(found) > 1:
        ids = ", ".join(repr(run.id) for run in found)
        raise InputError(f"{base!r} may be any of {ids}; give more of the id")
    return found


def _means(key: str, run: Run) -> list[dict[str, object]]:
    return [
        {
            "run_id": key,
            "metric": summary.metric.spec,
            "place": place,
            "direction": summary.metric.direction,
            "mean": summary.mean,
            "low": summary.low,
            "high": summary.high,
            "scored": summary.scored,
            "undefined": summary.undefined,
            "failed": summary.failed,
            "missing": summary.missing,
        }
        for place, summary in enumerate(run.summary())
    ]
