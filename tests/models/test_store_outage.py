"""A store that goes away: PostgreSQL that is stopped, a connection that hangs, a full disk."""

import asyncio
import logging
import signal
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event
from sqlalchemy.exc import OperationalError

from llamaindex_rag_eval.judge import Claims, ClaimsOf
from llamaindex_rag_eval.models import CachedOracle, Store, store_thread
from llamaindex_rag_eval.models.request import ReplyT, Request
from llamaindex_rag_eval.runs.remote_limit import dumps, loads
from tests.delaying_proxy import delayed_port
from tests.postgres import Cluster

ALL = 120


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    with Cluster() as one:
        yield one


@pytest.fixture(autouse=True)
def own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def said() -> Iterator[list[str]]:
    """Yield the lines that are said; by a handler of our own, since the command line has one."""
    lines: list[str] = []
    handler, logger = logging.Handler(), logging.getLogger(store_thread.__name__)
    handler.emit = lambda record: lines.append(record.getMessage())  # type: ignore[method-assign]
    logger.addHandler(handler)
    yield lines
    logger.removeHandler(handler)


class Paid:
    """Answers each request by its own text, and notes what was paid for."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def fingerprint(self, request: type[Request[ReplyT]]) -> str:
        return "paid"

    def answers(self, request: type[Request[ReplyT]]) -> bool:
        return True

    async def ask(self, request: Any) -> Any:
        self.asked.append(request.text)
        await asyncio.sleep(0.01)
        return Claims(claims=(request.text,))


async def ask_all(oracle: CachedOracle, name: str, count: int = ALL) -> None:
    """Ask many things, some at a time, and check each reply."""
    queue = iter([f"{name} {number}" for number in range(count)])

    async def work() -> None:
        for text in queue:
            assert await oracle.ask(ClaimsOf(text=text)) == Claims(claims=(text,))

    await asyncio.gather(*(work() for _ in range(8)))


def rows_of(url: str) -> int:
    store = Store(url)
    count = sum(store.count().values())
    store.clear()
    store.close()
    return count


async def test_a_restart_in_the_middle_loses_nothing_and_pays_nothing_twice(
    cluster: Cluster, said: list[str]
) -> None:
    store, paid = Store(cluster.url), Paid()
    work = asyncio.create_task(ask_all(CachedOracle(paid, store), "a"))
    while len(paid.asked) < ALL / 4:  # noqa: ASYNC110 - what it waits for is in another task
        await asyncio.sleep(0.001)
    await asyncio.to_thread(cluster.stop)
    await asyncio.sleep(0.5)
    await asyncio.to_thread(cluster.start)
    await work
    again = Paid()
    await ask_all(CachedOracle(again, store), "a")
    store.close()
    assert rows_of(cluster.url) == len(paid.asked) == len(set(paid.asked)) == ALL
    assert (again.asked, said) == ([], [])


async def test_a_store_that_another_process_has_opened_is_away_where_it_does_not_answer(
    cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store_thread, "PATIENCE", 0.3)
    monkeypatch.setattr(store_thread, "LAST_TRY", 0.1)
    store, paid = Store(cluster.url), Paid()
    await asyncio.to_thread(store.open)
    there, _ = loads(dumps(store)[0])
    await asyncio.to_thread(store.close)
    await asyncio.to_thread(cluster.stop)
    try:
        await ask_all(CachedOracle(paid, there), "there", 10)
        await asyncio.to_thread(there.close)
    finally:
        await asyncio.to_thread(cluster.start)
    assert len(paid.asked) == 10


async def test_while_it_stays_away_the_run_goes_on_and_its_end_says_what_is_missing(
    cluster: Cluster, said: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    store, paid = Store(cluster.url), Paid()
    await ask_all(CachedOracle(paid, store), "before", 10)
    await asyncio.to_thread(store.flush)
    monkeypatch.setattr(store_thread, "PATIENCE", 0.3)
    monkeypatch.setattr(store_thread, "LAST_TRY", 0.1)
    await asyncio.to_thread(cluster.stop)
    try:
        await ask_all(CachedOracle(paid, store), "during", 20)
        await asyncio.to_thread(store.close)
    finally:
        await asyncio.to_thread(cluster.start)
    assert len(paid.asked) == len(set(paid.asked)) == 30
    assert [line.partition(" (")[0] for line in said[:1]] == ["going on without the cache"]
    assert len(said) == 2
    assert said[1].startswith("20 replies are not in the cache (")
    assert rows_of(cluster.url) == 10


async def test_when_it_is_back_the_same_run_writes_what_it_missed(
    cluster: Cluster, said: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    store, paid = Store(cluster.url), Paid()
    await ask_all(CachedOracle(paid, store), "before", 10)
    await asyncio.to_thread(store.flush)
    monkeypatch.setattr(store_thread, "PATIENCE", 0.3)
    await asyncio.to_thread(cluster.stop)
    try:
        await ask_all(CachedOracle(paid, store), "during", 20)
    finally:
        await asyncio.to_thread(cluster.start)
    while store.thread.away:  # noqa: ASYNC110 - a thread finds out
        await asyncio.sleep(0.01)
    await ask_all(CachedOracle(paid, store), "after", 10)
    store.close()
    assert rows_of(cluster.url) == len(paid.asked) == 40
    assert said[0].startswith("going on without the cache (")
    # A read that began in the outage may fail after it, and say so again.
    assert any(line.endswith("is back, and has all replies") for line in said)


async def test_a_connection_that_hangs_holds_nobody_up_for_longer_than_the_patience(
    cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store_thread, "PATIENCE", 0.5)
    with delayed_port(cluster.port, 0.0) as proxy:
        store, paid = Store(cluster.url.replace(str(cluster.port), str(proxy.port))), Paid()
        await ask_all(CachedOracle(paid, store), "before", 10)
        proxy.process.send_signal(signal.SIGSTOP)
        await ask_all(CachedOracle(paid, store), "during", 20)
        await asyncio.to_thread(store.flush)
        assert len(store.thread.unsaved) >= 20
        proxy.process.send_signal(signal.SIGCONT)
        monkeypatch.setattr(store_thread, "PATIENCE", 20.0)
        store.close()
    assert len(paid.asked) == 30
    assert rows_of(cluster.url) == 30


def names_in(folder: Path) -> list[str]:
    return [path.name for path in folder.iterdir()]


def fill_disk(store: Store, room: int) -> None:
    """Let the file of a store grow by so many pages from now on."""
    with store.engine.connect() as connection:
        connection.exec_driver_sql("VACUUM")
        pages = connection.exec_driver_sql("PRAGMA page_count").scalar_one()
    full = f"PRAGMA max_page_count={pages + room}"
    event.listen(store.engine, "connect", lambda connection, _: connection.execute(full))
    store.engine.dispose()  # of each connection that is opened from now on


@pytest.mark.parametrize("room", [2, 0], ids=["later", "from the start"])
async def test_a_full_disk_fails_nothing_and_is_said_in_a_line(
    room: int, tmp_path: Path, said: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store_thread, "LAST_TRY", 0.1)
    store, paid = Store(tmp_path / "it.db"), Paid()
    fill_disk(store, room)
    with store.engine.connect() as connection, suppress(OperationalError):
        while not room:  # until no page has room for a lease any more
            lease = "INSERT INTO reply_leases VALUES (hex(randomblob(32)), 'elsewhere', 1e12)"
            connection.exec_driver_sql(lease)
    await ask_all(CachedOracle(paid, store), "a")
    store.close()
    assert len(paid.asked) == ALL
    assert len(said) == 1
    assert "replies are not in the cache (" in said[0]
    assert "disk is full" in said[0]
    again, more = Store(tmp_path / "it.db"), Paid()
    await ask_all(CachedOracle(more, again), "a")
    again.close()
    assert (more.asked, rows_of(f"sqlite:///{tmp_path / 'it.db'}")) == ([], ALL)
    assert names_in(tmp_path) == ["it.db"]


async def test_a_store_that_can_only_be_read_is_read(tmp_path: Path) -> None:
    path, paid = tmp_path / "it.db", Paid()
    store = Store(path)
    await ask_all(CachedOracle(paid, store), "a", 10)
    store.close()
    reading = Store(f"sqlite:///file:{path}?mode=ro&uri=true")
    await ask_all(CachedOracle(paid, reading), "a", 20)
    reading.close()
    assert len(paid.asked) == 20
