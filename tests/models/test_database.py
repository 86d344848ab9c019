from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from sqlalchemy import Column, Integer, MetaData, Table

from llamaindex_rag_eval.models import Store
from llamaindex_rag_eval.models.database import database_url, open_database


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return database_url(tmp_path / "it.db")
    return str(request.getfixturevalue("postgres_url"))


def test_tables_of_an_earlier_version_are_kept_with_what_they_hold(tmp_path: Path) -> None:
    url = database_url(tmp_path / "old.db")
    engine = open_database(url, MetaData(), name="it")
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


def test_several_who_make_the_same_tables_at_once_all_have_them(url: str) -> None:
    tables = MetaData()
    for number in range(6):
        Table(f"made_at_once_{number}", tables, Column("key", Integer, primary_key=True))

    def open_it(_: int) -> None:
        open_database(url, tables, name="it").dispose()

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(open_it, range(8)))
    engine = open_database(url, tables, name="it")
    tables.drop_all(engine)
    engine.dispose()
