import pickle
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import MetaData, event

import llamaindex_rag_eval
from llamaindex_rag_eval.errors import OutputError
from llamaindex_rag_eval.models import Store, store_thread
from llamaindex_rag_eval.models.database import (
    database_url,
    open_database,
    retry_while_locked,
)
from llamaindex_rag_eval.models.store import reply_key
from llamaindex_rag_eval.models.store_tables import StoredReply
from llamaindex_rag_eval.runs.store.run_store import RunStore
from tests.prepared import Process

WRITER = """
import os, sys, time
from llamaindex_rag_eval.models import Store
store, go, name = Store(sys.argv[1]), *sys.argv[2:]
print("ready", flush=True)
while not os.path.exists(go):
    time.sleep(0.001)
for n in range(150):
    store.put(f"shared {n}", "k", "f", f"{name} {n}")
    store.put(f"{name} {n}", "k", "f", "own")
    assert store.get(f"shared {n}").endswith(f" {n}")
store.close()
"""


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with_file = Store(tmp_path / "deep" / "cache.db")
    yield with_file
    with_file.close()


def test_keeps_replies_over_processes_and_the_last_one_counts(store: Store) -> None:
    store.put("a", "ClaimsOf", "f", "one")
    store.put("a", "ClaimsOf", "f", "two")
    store.put("b", "SupportOf", "f", "three")
    again = Store(store.url)
    found = (again.get("a"), again.get("b"), again.get("c"), again.count())
    again.close()
    assert found == ("two", "three", None, {"ClaimsOf": 1, "SupportOf": 1})


def test_clears(store: Store) -> None:
    store.put("a", "k", "f", "one")
    assert (store.clear(), store.clear(), store.count()) == (1, 0, {})


def test_the_key_holds_who_answers_the_kind_and_the_request() -> None:
    keys = {reply_key(*parts) for parts in (("a", "b", "c"), ("ab", "", "c"), ("a", "bc", ""))}
    assert len(keys) == 3


def test_two_processes_write_one_file_at_once(store: Store, tmp_path: Path) -> None:
    command = [sys.executable, "-c", WRITER, store.url, tmp_path / "go"]
    writers = [Process([*command, name], stdout=subprocess.PIPE) for name in ("left", "right")]
    for writer in writers:
        assert writer.stdout is not None
        assert writer.stdout.readline() == "ready\n"
    (tmp_path / "go").touch()
    for writer in writers:
        writer.communicate()
    assert [writer.returncode for writer in writers] == [0, 0]
    # 150 keys that both wrote, and 150 of each one's own.
    assert store.count() == {"k": 3 * 150}


def test_threads_write_at_once_each_over_a_connection_that_waits(store: Store) -> None:
    def write(name: int) -> None:
        for n in range(40):
            store.put(f"{name} {n}", "k", "f", "r")

    threads = [threading.Thread(target=write, args=(name,)) for name in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert store.count() == {"k": 4 * 40}


def test_many_who_open_a_new_store_at_once_wait_for_each_other(tmp_path: Path) -> None:
    stores = [Store(tmp_path / "new.db") for _ in range(12)]
    start = threading.Barrier(len(stores))

    def write(number: int) -> None:
        start.wait()
        stores[number].put(str(number), "k", "f", "r")

    with ThreadPoolExecutor(len(stores)) as pool:
        list(pool.map(write, range(len(stores))))
    assert stores[0].count() == {"k": len(stores)}
    for opened in stores:
        opened.close()


def test_every_connection_is_set_up_the_same(store: Store) -> None:
    with store.engine.connect() as one, store.engine.connect() as two:
        for connection in (one, two):
            settings = [
                connection.exec_driver_sql(f"PRAGMA {name}").scalar_one()
                for name in ("journal_mode", "synchronous", "busy_timeout")
            ]
            assert settings == ["wal", 1, 30_000]


def test_a_place_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(OutputError, match="cannot be opened"):
        Store(tmp_path / "file" / "cache.db").get("a")
    (tmp_path / "text.db").write_text("This is no database. " * 100)
    with pytest.raises(OutputError, match="cannot be opened"):
        Store(tmp_path / "text.db").get("a")


def test_a_file_that_cannot_be_written_is_an_error_with_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Store(tmp_path / "cache.db").put("a", "k", "f", "r")
    monkeypatch.setattr("llamaindex_rag_eval.models.database.is_read_only", lambda _: True)
    with pytest.raises(OutputError, match="is read-only; copy the file to where it can be written"):
        Store(tmp_path / "cache.db").get("a")


def test_a_read_only_file_is_said_when_it_is_written(tmp_path: Path) -> None:
    path = tmp_path / "cache.db"
    first = Store(path)
    first.put("a", "k", "f", "r")
    first.close()
    with pytest.raises(OutputError, match="cannot be") as caught:
        Store(f"sqlite:///file:{path}?mode=ro&uri=true").put("b", "k", "f", "secret reply")
    assert "secret reply" not in str(caught.value)
    assert not Path("file:").exists()


@pytest.mark.parametrize(
    "url",
    [
        "postgresql+psycopg://ada:hunter2@127.0.0.1:9/x",
        "postgresql+psycopg://127.0.0.1:9/x?user=ada&password=hunter2",
        "nosuchbase://ada:hunter2@host/x",
        "postgresql+psycopg://ada:hunter2@host:port/x",
    ],
)
def test_a_password_is_never_shown(url: str) -> None:
    store = Store(url)
    assert "hunter2" not in repr(store)
    with pytest.raises(OutputError) as caught:
        store.get("a")
    assert "hunter2" not in f"{caught.value!r} {caught.value.__cause__!r}"


def test_postgres_keeps_replies_like_sqlite(postgres_url: str) -> None:
    store = Store(postgres_url)
    store.put("a", "k", "f", '{"claims": ["\\u0000", "\U0001f600"]}')
    found = store.get("a")
    store.put("a", "k", "f", "two")
    result = (found, store.get("a"), store.count(), store.clear())
    store.close()
    assert result == ('{"claims": ["\\u0000", "\U0001f600"]}', "two", {"k": 1}, 1)


def test_crosses_process_borders_without_its_connection(store: Store) -> None:
    store.put("a", "k", "f", "r")
    copy = pickle.loads(pickle.dumps(store))  # noqa: S301 - made here
    found = (copy._engine, copy.get("a"))
    copy.close()
    assert found == (None, "r")


def test_what_is_locked_is_tried_again_until_it_is_free() -> None:
    refusals = ["database is locked", "database schema is locked: main"]

    def action() -> str:
        if refusals:
            raise sqlite3.OperationalError(refusals.pop())
        return "done"

    assert retry_while_locked(action) == "done"
    assert refusals == []


def test_what_will_never_work_is_not_tried_again() -> None:
    tried = []

    def action() -> None:
        tried.append(1)
        raise sqlite3.OperationalError("attempt to write a readonly database")

    with pytest.raises(sqlite3.OperationalError, match="readonly"):
        retry_while_locked(action)
    assert tried == [1]


def test_a_file_that_is_no_database_is_said_at_once(tmp_path: Path) -> None:
    (tmp_path / "notes.db").write_text("These are notes and no database at all, of some length.")
    with pytest.raises(OutputError, match="cannot be opened"):
        Store(tmp_path / "notes.db").count()


@pytest.mark.parametrize(
    "open_it", [lambda url: Store(url).count(), lambda url: RunStore(url).runs()]
)
def test_replies_and_runs_say_alike_which_driver_is_missing(
    open_it: Callable[[str], object],
) -> None:
    with pytest.raises(OutputError, match=r"needs 'pg8000'; for PostgreSQL install") as caught:
        open_it("postgresql+pg8000://ada:hunter2@host/x")
    assert "hunter2" not in str(caught.value)


def test_one_function_opens_every_database() -> None:
    package = Path(llamaindex_rag_eval.__file__).parent
    openers = [p.name for p in package.rglob("*.py") if "create_engine(" in p.read_text("utf-8")]
    assert openers == ["database.py"]


def test_a_file_in_a_new_folder_is_opened_by_any_sqlite_url(tmp_path: Path) -> None:
    for number, driver in enumerate(("sqlite", "sqlite+pysqlite")):
        store = Store(f"{driver}:///{tmp_path}/{number}/cache.db")
        assert store.count() == {}
        store.close()


def test_without_a_pool_no_connection_stays_open(tmp_path: Path) -> None:
    def idle(pooled: bool) -> int:
        url = database_url(tmp_path / f"{pooled}.db")
        engine = open_database(url, MetaData(), name="it", pooled=pooled)
        engine.dispose()
        opened: list[object] = []
        closed: list[object] = []
        event.listen(engine, "connect", lambda connection, _: opened.append(connection))
        event.listen(engine, "close", lambda connection, _: closed.append(connection))
        with engine.connect():
            pass
        found = len(opened) - len(closed)
        engine.dispose()
        return found

    assert (idle(True), idle(False)) == (1, 0)


def test_a_store_that_is_closed_leaves_no_thread(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(store_thread, "IDLE", 600.0)
    store = Store(tmp_path / "replies.db")
    store.thread.put(StoredReply("key", "Kind", "model", "{}"))
    store.flush()
    threads = [thread for thread in threading.enumerate() if thread.name == "store"]
    store.close()
    for thread in threads:
        thread.join(60.0)
    assert threads
    assert not any(thread.is_alive() for thread in threads)


@pytest.mark.parametrize("rows", [[], [StoredReply("late", "Kind", "model", "{}")]])
def test_a_store_is_closed_where_no_thread_can_begin_and_loses_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, rows: list[StoredReply]
):
    store = Store(tmp_path / "replies.db")
    store.put("early", "Kind", "model", "{}")
    store.close()

    def refuse(thread: threading.Thread) -> None:
        raise RuntimeError("can't create new thread at interpreter shutdown")

    with monkeypatch.context() as patch:
        patch.setattr(threading.Thread, "start", refuse)
        for row in rows:
            store.thread.put(row)
        store.close()
    with closing(Store(tmp_path / "replies.db")) as again:
        assert sorted(row["key"] for row in again.rows()) == sorted(
            ["early", *(r.key for r in rows)]
        )
