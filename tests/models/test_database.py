from pathlib import Path

import pytest

from llamaindex_rag_eval.errors import OutputError
from llamaindex_rag_eval.models import Store
from llamaindex_rag_eval.models.database import Schema, database_url, open_database
from llamaindex_rag_eval.runs.store.run_store import RunStore


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return database_url(tmp_path / "it.db")
    return str(request.getfixturevalue("postgres_url"))


def test_tables_of_before_versions_are_moved_with_what_they_hold(tmp_path: Path) -> None:
    url = database_url(tmp_path / "old.db")
    engine = open_database(url, Schema("it", ()), name="it")
    with engine.connect() as connection:
        connection.exec_driver_sql(
            "CREATE TABLE replies (key VARCHAR(64) PRIMARY KEY, "
            "kind TEXT NOT NULL, fingerprint TEXT NOT NULL, reply TEXT NOT NULL)"
        )
        connection.exec_driver_sql("INSERT INTO replies VALUES ('a', 'k', 'f', 'r')")
    engine.dispose()
    store = Store(url)
    found = (store.get("a"), store.exchange("m/1/x", ["b"]).leased)
    store.close()
    assert found == ("r", {"b"})


def test_a_step_is_taken_once(url: str) -> None:
    taken: list[int] = []
    steps = tuple((lambda _, n=n: taken.append(n)) for n in range(3))
    for count in (1, 1, 3, 3):
        open_database(url, Schema("steps", steps[:count]), name="it").dispose()
    assert taken == [0, 1, 2]


@pytest.mark.parametrize("kind", ["replies", "runs"])
def test_tables_of_a_newer_version_are_refused_by_name(kind: str, url: str) -> None:
    def use() -> None:
        if kind == "runs":
            RunStore(url).runs()
            return
        store = Store(url)
        try:
            store.count()
        finally:
            store.close()

    use()
    engine = open_database(url, Schema("it", ()), name="it")
    query = f"UPDATE rag_eval_schema SET version = version + {{}} WHERE name = '{kind}'"  # noqa: S608
    with engine.connect() as connection:
        connection.exec_driver_sql(query.format(7))
    with pytest.raises(OutputError, match="of a newer llamaindex-rag-eval") as caught:
        use()
    with engine.connect() as connection:
        connection.exec_driver_sql(query.format(-7))
    engine.dispose()
    assert "cache" in str(caught.value) or "runs at" in str(caught.value)


def test_steps_that_fail_leave_everything_as_it_was(url: str) -> None:
    def fail(_: object) -> None:
        raise ValueError("a bug")

    with pytest.raises(OutputError, match="cannot be opened: a bug"):
        open_database(url, Schema("broken", (lambda _: None, fail)), name="it")
    taken: list[str] = []
    schema = Schema("broken", (lambda _: taken.append("one"),))
    open_database(url, schema, name="it").dispose()
    assert taken == ["one"]
