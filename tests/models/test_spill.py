import json
from contextlib import closing
from pathlib import Path

import pytest

from llamaindex_rag_eval.errors import OutputError
from llamaindex_rag_eval.models import Store
from llamaindex_rag_eval.models.spill import StoredReply, spill, write_spilled

ROWS = [StoredReply(name, "k", "f", f'{{"é": "{name}"}}') for name in "abc"]


@pytest.fixture
def url(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "home"))
    return f"sqlite:///{tmp_path / 'deep' / 'it.db'}"


def test_what_was_spilled_is_written_by_who_opens_the_store_next(url: str, tmp_path: Path) -> None:
    path = spill(url, ROWS[:2])
    assert path == tmp_path / "deep" / "it.db.unsaved.jsonl"
    assert spill(url, ROWS[2:]) == path
    store = Store(url)
    found = list(store.rows())
    store.close()
    assert found == [row._asdict() for row in ROWS]
    assert sorted(one.name for one in path.parent.iterdir()) == ["it.db"]


def test_the_user_s_own_folder_serves_where_no_file_can_be_beside(url: str, tmp_path: Path) -> None:
    (tmp_path / "deep").write_text("a file")
    path = spill(url, ROWS)
    assert path is not None
    assert path.is_relative_to(tmp_path / "home")
    assert path.stat().st_mode & 0o777 == 0o600
    (tmp_path / "deep").unlink()
    store = Store(url)
    assert store.count() == {"k": 3}
    store.close()


def test_a_line_cut_short_or_not_ours_is_left_out(url: str) -> None:
    path = spill(url, ROWS[:1])
    assert path is not None
    with path.open("a") as file:
        file.write(json.dumps({"key": 1, "kind": "k", "fingerprint": "f", "reply": "r"}) + "\n")
        file.write('[]\n{"key": "x", "ki')
    written: list[StoredReply] = []
    assert write_spilled(url, written.extend) == 1
    assert written == ROWS[:1]


def test_files_stay_where_they_cannot_be_written(url: str) -> None:
    spill(url, ROWS)

    def refuse(_: object) -> None:
        raise ValueError("away")

    with pytest.raises(ValueError, match="away"):
        write_spilled(url, refuse)
    written: list[StoredReply] = []
    assert write_spilled(url, written.extend) == 3


def test_another_database_has_another_file(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "home"))
    secret = "postgresql+psycopg://me:hunter2@host/one"
    first, second = spill(secret, ROWS), spill("postgresql+psycopg://me@host/two", ROWS)
    assert first != second
    assert first == spill("postgresql+psycopg://me:changed@host/one", ROWS)
    assert first is not None
    assert "hunter2" not in f"{first} {first.read_text()}"


def test_memory_has_no_file() -> None:
    assert spill("sqlite://", ROWS) is None


def test_a_store_opens_where_what_was_spilled_cannot_be_written(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    spill(url, ROWS)

    def refuse(*_: object) -> None:
        raise OutputError("the disk is full")

    with monkeypatch.context() as full, closing(Store(url)) as store:
        full.setattr(Store, "keep", refuse)
        assert store.count() == {}
    with closing(Store(url)) as store:
        assert store.count() == {"k": 3}
