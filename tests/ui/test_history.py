"""Runs of a store and of files, in the order in which they were made."""

from dataclasses import replace
from pathlib import Path

import pytest

from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.runs.store.run_store import RunStore
from llamaindex_rag_eval.ui.history import History, before
from llamaindex_rag_eval.ui.run_files import RunFiles
from tests.ui.histories import run_on


@pytest.fixture
def store(tmp_path: Path) -> RunStore:
    return RunStore(tmp_path / "runs.db")


@pytest.fixture
def files(tmp_path: Path) -> RunFiles:
    (tmp_path / "project").mkdir()
    return RunFiles(tmp_path / "project", tmp_path / "files.db")


def test_runs_are_ordered_by_when_they_were_made_not_by_when_they_were_stored(
    store: RunStore,
) -> None:
    for day in (3, 1, 2):
        store.add(run_on(day, m=[0.5]))
    assert [run.started[8:10] for run in History(store).runs()] == ["01", "02", "03"]


def test_a_run_that_is_stored_and_in_a_file_is_shown_once(store: RunStore, files: RunFiles) -> None:
    run = run_on(1, m=[0.5])
    key = store.add(run, tags=["ci"]).id
    run.to_jsonl(files.folder / "scores.jsonl")
    run_on(2, "other", m=[0.25]).to_jsonl(files.folder / "other.jsonl")
    found = History(store, files).runs()
    assert [(one.name, one.tags) for one in found] == [("main", ("ci",)), ("other", ())]
    assert found[0].id == key
    assert History(store, files).run(found[1]).values("m") == {"q0": 0.25}


def test_files_are_read_once_and_again_when_they_change(files: RunFiles) -> None:
    history, path = History(None, files), files.folder / "scores.jsonl"
    run_on(1, m=[0.5]).to_jsonl(path)
    read: list[tuple[int, int]] = []
    files.ids(lambda done, of: read.append((done, of)))
    files.ids(lambda done, of: read.append((done, of)))
    assert read == [(1, 1)]
    run_on(2, m=[0.5, 1.0]).to_jsonl(path)
    assert [run.samples for run in history.runs()] == [2]
    assert len(files.store.runs()) == 1  # what was read of the earlier file is not kept
    path.unlink()
    assert history.runs() == ()


def test_a_broken_file_is_left_out_and_named_and_other_files_are_not_looked_at(
    files: RunFiles,
) -> None:
    run_on(1, m=[0.5]).to_jsonl(files.folder / "good.jsonl")
    (files.folder / "broken.jsonl").write_text('{"run": {"metrics": 5}, "name": ""}\n')
    (files.folder / "golden.jsonl").write_text('{"id": "a", "question": "?"}\n')
    (files.folder / "cut.jsonl").write_text('{"ru')
    (files.folder / "empty.jsonl").write_text("")
    (files.folder / "zip.jsonl").write_bytes(b"PK\xff\x00")
    history = History(None, files)
    assert [run.name for run in history.runs()] == ["main"]
    assert list(history.problems) == ["broken.jsonl", "cut.jsonl", "empty.jsonl", "zip.jsonl"]
    assert "not a line of a run" in history.problems["broken.jsonl"]


def test_a_run_that_was_deleted_meanwhile_is_an_error_in_words(store: RunStore) -> None:
    stored = store.add(run_on(1, m=[0.5]))
    store.delete(stored.id)
    with pytest.raises(InputError, match="no run"):
        History(store).run(stored)


def test_before_is_the_last_earlier_run_of_the_same_name(store: RunStore) -> None:
    for day, name in enumerate(["main", "branch", "main"], start=1):
        store.add(run_on(day, name, m=[day / 4]))
    first, branch, last = runs = History(store).runs()
    assert [before(run, runs) for run in (first, branch, last)] == [None, None, first]


def test_a_run_without_a_time_stands_where_it_was_stored(store: RunStore) -> None:
    run = run_on(1, m=[0.5])
    provenance = run.provenance.model_copy(update={"started": ""})
    store.add(replace(run, provenance=provenance))
    assert len(History(store).runs()) == 1
