"""The database of runs: add runs, find them by name, tag or number, and follow a metric.

    store = RunStore()                      # .rag-eval/runs.db, or the URL of a database
    store.add(run, name="main", tags=["ci"])
    compare(store.get("main"), store.get("last"))

A reference to a run is `last`, `last~1` (the one before), `main` (the newest of that name or tag),
`main~2`, or the first characters of its id.
"""

import hashlib
import json
import zlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import datetime, timezone
from functools import cached_property
from pathlib import Path

from sqlalchemy import Connection, Engine, delete, insert, select, update
from sqlalchemy.exc import IntegrityError, SQLAlchemyError

from llamaindex_rag_eval.data.sample import SingleTurnSample
from llamaindex_rag_eval.errors import DatasetError, InputError, OutputError
from llamaindex_rag_eval.models.database import database_url, open_database, shown_url
from llamaindex_rag_eval.runs.run import Run
from llamaindex_rag_eval.runs.store import DEFAULT_STORE
from llamaindex_rag_eval.runs.store.question_scores import QuestionScores
from llamaindex_rag_eval.runs.store.tables import (
    MEANS,
    METADATA,
    RUNS,
    SCORES,
    StoredRun,
)
from llamaindex_rag_eval.runs.summary import MetricSummary

SHORTEST_ID = 4
"""Fewest characters by which an id may be abbreviated."""


class RunStore:
    """Runs in a database. Several processes may share one.

    Args:
        where: A file for SQLite, or the SQLAlchemy URL of a database of SQLite or PostgreSQL, as
            `postgresql+psycopg://host/name`.
    """

    def __init__(self, where: str | Path = DEFAULT_STORE) -> None:
        self.url = database_url(where)

    def __repr__(self) -> str:
        return f"RunStore({shown_url(self.url)!r})"

    @cached_property
    def _engine(self) -> Engine:
        # Uses are rare: a connection for each leaves none open while other processes write.
        name = f"the runs at {shown_url(self.url)!r}"
        return open_database(self.url, METADATA, name=name, pooled=False)

    def add(self, run: Run, *, name: str = "", tags: Iterable[str] = ()) -> StoredRun:
        """Store a run. A run that is stored already gets the name and the additional tags.

        Args:
            run: The run.
            name: The name under which it is found; the run's own by default.
            tags: Further words under which it is found.

        Raises:
            InputError: The name or a tag would be ambiguous as a reference.
            OutputError: The database cannot be written.
        """
        lines = run.named("").lines()  # a name may change, and a text hold half of a surrogate pair
        body = "\n".join(lines).encode("utf-8", "backslashreplace")
        key = hashlib.sha256(body).hexdigest()[:16]
        name = _checked_name(name or run.name)
        tags = sorted({_checked_name(tag) for tag in tags})
        row = {
            "id": key,
            "name": name,
            "tags": json.dumps(tags),
            "started": run.provenance.started,
            "kept": datetime.now(timezone.utc).isoformat(timespec="seconds"),
            "questions": _questions_hash(run),
            "samples": len(run),
            "body": zlib.compress(body),
        }
        try:
            with self._engine.begin() as connection:
                connection.execute(insert(RUNS), row)
                summaries = enumerate(run.summary())
                if means := [{"run_id": key, "place": n, **s.as_json()} for n, s in summaries]:
                    connection.execute(insert(MEANS), means)
                scores = {"run_id": key, "body": QuestionScores.of(run).to_bytes()}
                connection.execute(insert(SCORES), scores)
        except IntegrityError:  # stored already, perhaps a moment ago by another process
            self._update(key, name, tags)
        except SQLAlchemyError as error:
            raise OutputError(f"{self!r} cannot keep the run: {error}") from error
        return self.find(key)

    def runs(self, *, name: str = "", tag: str = "") -> tuple[StoredRun, ...]:
        """Return the stored runs, the newest first; only those with this name or tag, if given."""
        query = select(*_OF_STORED_RUN).order_by(RUNS.c.number.desc())
        if name:
            query = query.where(RUNS.c.name == name)
        with self._reading() as connection:
            rows = connection.execute(query).mappings().all()
            means = connection.execute(select(MEANS).order_by(MEANS.c.place)).mappings().all()
        by_run: dict[str, list[MetricSummary]] = {}
        for mean in means:
            by_run.setdefault(mean["run_id"], []).append(MetricSummary.from_json(dict(mean)))
        every = [{**row, "tags": tuple(json.loads(row["tags"]))} for row in rows]
        runs = (StoredRun(**row, means=tuple(by_run.get(row["id"], ()))) for row in every)
        return tuple(run for run in runs if not tag or tag in run.tags)

    @contextmanager
    def _reading(self) -> Iterator[Connection]:
        try:
            with self._engine.connect() as connection:
                yield connection
        except SQLAlchemyError as error:
            raise OutputError(f"{self!r} cannot be read: {error}") from error

    def find(self, reference: str) -> StoredRun:
        """Return what is known about a run, given a reference to it.

        Raises:
            InputError: The reference fits no run, or an abbreviated id fits several.
        """
        base, _, back = reference.strip().partition("~")
        if "~" in reference and not back.isdecimal():
            raise InputError(f"{reference!r} names no run; expected 'last~1', 'main~2', …")
        runs = self.runs()
        matches = _matches(base, runs)
        if int(back or 0) < len(matches):
            return matches[int(back or 0)]
        if not runs:
            raise InputError(
                f"{reference!r} is no file, and no run is stored at {shown_url(self.url)!r} yet; "
                "`rag-eval evaluate --keep` and `rag-eval runs --add` store one"
            )
        names = sorted({run.name for run in runs if run.name})
        known = f"; there are {len(runs)}, named {', '.join(map(repr, names))}" if names else ""
        raise InputError(f"no run is called {reference!r} at {shown_url(self.url)!r}{known}")

    def get(self, reference: str) -> Run:
        """Return the whole run, under the name by which it is stored.

        Raises:
            InputError: The reference fits no run, or an abbreviated id fits several.
            DatasetError: The stored run is broken.
        """
        return self.read(self.find(reference))

    def read(self, stored: StoredRun) -> Run:
        """Return the whole of a stored run, under the name by which it is stored.

        Raises:
            InputError: It is not stored here, perhaps not any more.
            DatasetError: It is broken.
        """
        query = select(RUNS.c.body).where(RUNS.c.id == stored.id)
        with self._reading() as connection:
            body = connection.execute(query).scalar()
        if body is None:
            raise InputError(f"no run {stored.id!r} is stored at {shown_url(self.url)!r}")
        try:
            return Run.from_bytes(zlib.decompress(body)).named(stored.name)
        except (zlib.error, ValueError) as error:
            raise DatasetError(f"the run {stored.id!r} is broken: {error}") from error

    def question_scores(self, run_ids: Iterable[str]) -> dict[str, QuestionScores]:
        """Return the questions and scores of runs by their ids; unknown ids are left out.

        Raises:
            OutputError: The database cannot be read.
            DatasetError: A stored run is broken.
        """
        wanted = set(run_ids)
        query = select(SCORES.c.run_id, SCORES.c.body)
        with self._reading() as connection:
            rows = connection.execute(query.where(SCORES.c.run_id.in_(wanted))).all()
            there = set(connection.execute(select(RUNS.c.id)).scalars())
        scores: dict[str, QuestionScores] = {}
        for row in rows:
            with suppress(ValueError):  # broken: made anew, as a missing one is
                scores[row.run_id] = QuestionScores.from_bytes(row.body)
        for key in (wanted & there) - scores.keys():  # stored by an earlier version
            scores[key] = QuestionScores.of(self.get(key))
            with suppress(SQLAlchemyError), self._engine.begin() as connection:
                connection.execute(insert(SCORES), {"run_id": key, "body": scores[key].to_bytes()})
        return scores

    def delete(self, reference: str) -> StoredRun:
        """Delete a run, and return what was known about it.

        Raises:
            InputError: The reference fits no run, or an abbreviated id fits several.
        """
        run = self.find(reference)
        with self._engine.begin() as connection:
            for key in (MEANS.c.run_id, SCORES.c.run_id, RUNS.c.id):
                connection.execute(delete(key.table).where(key == run.id))
        return run

    def _update(self, key: str, name: str, tags: Sequence[str]) -> None:
        """Give a stored run more tags and, if there is one, another name."""
        run = self.find(key)
        values = {"tags": json.dumps(sorted({*run.tags, *tags})), "name": name or run.name}
        with self._engine.begin() as connection:
            connection.execute(update(RUNS).where(RUNS.c.id == key).values(values))


_OF_STORED_RUN = [column for column in RUNS.c if column.name not in ("number", "body")]


def _questions_hash(run: Run) -> str:
    """Return a fingerprint of questions and references; the answers do not enter."""
    questions = sorted(
        (s.id, s.query if isinstance(s, SingleTurnSample) else s.asked, s.reference)
        for s in run.samples
    )
    text = json.dumps(questions).encode()
    return hashlib.sha256(text).hexdigest()[:16]


def _checked_name(name: str) -> str:
    """Return a name or tag; raise if it would be ambiguous as a reference to a run."""
    if "~" in name or name == "last" or name != name.strip() or len(name) > 200:
        raise InputError(
            f"{name!r} cannot name a run; expected up to 200 characters without '~', and not 'last'"
        )
    return name


def _matches(base: str, runs: Sequence[StoredRun]) -> Sequence[StoredRun]:
    """Return the runs of a name, else with a tag, else with an abbreviated id; newest first."""
    if base == "last":
        return runs
    named = [run for run in runs if run.name == base] or [run for run in runs if base in run.tags]
    if named or len(base) < SHORTEST_ID:
        return named
    matches = [run for run in runs if run.id.startswith(base)]
    if len(matches) > 1:
        ids = ", ".join(repr(run.id) for run in matches)
        raise InputError(f"{base!r} may be any of {ids}; give more of the id")
    return matches
