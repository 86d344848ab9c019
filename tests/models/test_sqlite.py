import sqlite3
from pathlib import Path

import pytest

from llamaindex_rag_eval.errors import OutputError
from llamaindex_rag_eval.models import Store
from llamaindex_rag_eval.models.store import retry_while_locked


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
