import asyncio
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from llamaindex_rag_eval.models import CachedOracle, Store
from llamaindex_rag_eval.models.owner import is_dead, new_owner
from llamaindex_rag_eval.models.store_tables import StoredReply
from tests.models.test_cached import ASKED, Slow

ROW = StoredReply("a", "k", "f", "r")


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path / 'it.db'}"
        return
    url = str(request.getfixturevalue("postgres_url"))
    yield url
    store = Store(url)
    store.clear()
    store.close()


def expire(store: Store) -> None:
    with store.engine.connect() as connection:
        connection.exec_driver_sql("UPDATE reply_leases SET until = until - 3600")


def test_one_gets_the_lease_and_others_learn_who(url: str) -> None:
    store = Store(url)
    first = store.exchange("m/1/x", ["a", "b"])
    second = store.exchange("m/2/y", ["b", "c"])
    again = store.exchange("m/1/x", ["a"])
    store.close()
    assert (first.leased, first.owners) == ({"a", "b"}, {})
    assert (second.leased, second.owners) == ({"c"}, {"b": "m/1/x"})
    assert again.leased == {"a"}


def test_a_reply_is_found_and_never_leased(url: str) -> None:
    store = Store(url)
    store.exchange("m/1/x", ["a"])
    store.keep([ROW])
    found = [store.exchange(owner, ["a", "b"]) for owner in ("m/1/x", "m/2/y")]
    store.close()
    assert [(one.replies, "a" in one.leased) for one in found] == [({"a": "r"}, False)] * 2


def test_a_lease_ends_when_it_is_released_forgotten_or_too_old(url: str) -> None:
    store, other = Store(url), "m/2/y"
    for end in (
        lambda: store.exchange("m/1/x", released=["a"]),
        lambda: store.forget("m/1/x"),
        lambda: expire(store),
        store.clear,
    ):
        store.exchange("m/1/x", ["a"])
        assert store.exchange(other, ["a"]).leased == set()
        end()
        assert store.exchange(other, ["a"]).leased == {"a"}
        store.forget(other)
    store.close()


def test_a_renewed_lease_holds(url: str) -> None:
    store = Store(url)
    store.exchange("m/1/x", ["a"])
    expire(store)
    store.renew(["a"], "m/1/x")
    found = store.exchange("m/2/y", ["a"])
    store.close()
    assert found.owners == {"a": "m/1/x"}


def test_only_a_process_of_this_machine_that_is_gone_is_dead() -> None:
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    machine, pid, _ = new_owner().rsplit("/", 2)
    assert is_dead(f"{machine}/{gone.pid}/x")
    assert not is_dead(f"{machine}/{pid}/x")
    assert not is_dead(f"elsewhere/{gone.pid}/x")
    assert not is_dead("what another version wrote")


async def test_two_who_ask_the_same_pay_once(url: str) -> None:
    stores, inner = (Store(url), Store(url)), Slow()
    asks = [asyncio.create_task(CachedOracle(inner, store).ask(ASKED)) for store in stores]
    await inner.begun.wait()
    await asyncio.sleep(0.3)  # the other one has claimed by now, or will after the reply
    inner.go.set()
    replies = await asyncio.gather(*asks)
    for store in stores:
        store.close()
    assert replies[0] == replies[1]
    assert inner.asked == 1


async def test_who_waits_asks_if_the_other_fails_or_is_cancelled(url: str) -> None:
    stores = (Store(url), Store(url))
    failing, inner = Slow(error=OSError("gone")), Slow()
    first = asyncio.create_task(CachedOracle(failing, stores[0]).ask(ASKED))
    await failing.begun.wait()
    second = asyncio.create_task(CachedOracle(inner, stores[1]).ask(ASKED))
    await asyncio.sleep(0.05)
    failing.go.set()
    inner.go.set()
    with pytest.raises(OSError, match="gone"):
        await first
    await second
    for store in stores:
        store.close()
    assert (failing.asked, inner.asked) == (1, 1)


def test_the_lease_of_a_killed_process_does_not_hold_up_the_next(url: str) -> None:
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    machine = new_owner().rsplit("/", 2)[0]
    store = Store(url)
    store.exchange(f"{machine}/{gone.pid}/x", ["a"])
    assert asyncio.run(store.thread.claim("a")) is None
    store.close()
