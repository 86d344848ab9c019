"""The database of runs: runs are stored, found again, followed, and deleted."""

import sqlite3
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from llamaindex_rag_eval.errors import DatasetError, InputError, OutputError
from llamaindex_rag_eval.runs.run import Run
from llamaindex_rag_eval.runs.store.run_store import RunStore
from tests.report.runs import run_of_scores, sample


@pytest.fixture
def store(tmp_path: Path) -> RunStore:
    return RunStore(tmp_path / "folder" / "runs.db")


def run(name: str, *scores: float | None) -> Run:
    return run_of_scores(name, {"m": list(scores)})


def test_a_run_comes_back_whole(store: RunStore) -> None:
    given = run_of_scores("main", {"m": [1.0, 0.5, 0.0, None], "n": [0.0, 0.25, 1.0, 1.0]})
    found = store.get(store.add(given).id)
    assert found.name == "main"
    assert found.samples == given.samples
    assert [r.score for r in found.results] == [r.score for r in given.results]
    assert [r.evidence for r in found.results] == [r.evidence for r in given.results]
    assert found.provenance == given.provenance


def test_half_a_surrogate_pair_in_an_answer_does_no_harm(store: RunStore) -> None:
    broken = run_of_scores("r", {"m": [1.0]}, samples=[sample("q0", response="a\ud800\nb")])
    assert store.get(store.add(broken).id).samples == broken.samples


def test_the_newest_is_last_and_those_before_it_count_back(store: RunStore) -> None:
    for number, name in enumerate(["a", "b", "c"]):
        store.add(run(name, number / 4))
    assert [store.find(r).name for r in ("last", "last~0", "last~1", "last~2")] == [
        "c",
        "c",
        "b",
        "a",
    ]


def test_a_name_is_the_newest_of_that_name(store: RunStore) -> None:
    first, second = store.add(run("main", 0.25)), store.add(run("main", 0.5))
    store.add(run("other", 1.0))
    assert (store.find("main").id, store.find("main~1").id) == (second.id, first.id)


def test_a_tag_and_the_beginning_of_an_id_find_a_run_as_well(store: RunStore) -> None:
    one = store.add(run("a", 0.25), tags=["release", "ci", "ci"])
    store.add(run("b", 0.5))
    assert one.tags == ("ci", "release")
    assert store.find("release").id == one.id
    assert store.find(one.id[:6]).id == one.id


def test_a_name_goes_before_a_tag(store: RunStore) -> None:
    store.add(run("a", 0.25), tags=["main"])
    named = store.add(run("main", 0.5))
    store.add(run("c", 0.75), tags=["main"])
    assert store.find("main").id == named.id


def test_what_nothing_is_called_is_an_error_that_lists_the_names(store: RunStore) -> None:
    store.add(run("main", 0.25))
    for reference in ("mian", "last~1", "main~1", "abc"):
        with pytest.raises(InputError, match=r"no run is called .*named 'main'"):
            store.find(reference)
    with pytest.raises(InputError, match="expected 'last~1'"):
        store.find("last~x")


def test_an_empty_store_has_no_last_run(store: RunStore) -> None:
    assert store.runs() == ()
    with pytest.raises(InputError, match="no run is stored at"):
        store.get("last")


@pytest.mark.parametrize("name", ["last", "a~1", " a", "x" * 201])
def test_a_name_that_would_be_taken_for_something_else_is_an_error(
    store: RunStore, name: str
) -> None:
    with pytest.raises(InputError, match="cannot name a run"):
        store.add(run("r", 1.0), name=name)
    with pytest.raises(InputError, match="cannot name a run"):
        store.add(run("r", 1.0), tags=[name])


def test_the_same_run_kept_twice_is_one_with_the_tags_of_both(store: RunStore) -> None:
    one = store.add(run("a", 1.0), tags=["x"])
    again = store.add(run("a", 1.0), name="b", tags=["y"])
    assert (again.id, again.name, again.tags) == (one.id, "b", ("x", "y"))
    assert len(store.runs()) == 1


def test_lists_means_with_what_they_rest_on(store: RunStore) -> None:
    store.add(run("a", 1.0, 0.5, 0.0, None))
    mean = store.runs()[0].mean("m")
    assert mean is not None
    assert (mean.mean, mean.scored, mean.undefined, mean.failed) == (1 / 2, 3, 1, 0)


def test_lists_by_name_and_by_tag(store: RunStore) -> None:
    store.add(run("a", 0.25), tags=["ci"])
    store.add(run("b", 0.5), tags=["ci", "slow"])
    assert [one.name for one in store.runs(tag="ci")] == ["b", "a"]
    assert [one.name for one in store.runs(name="a", tag="slow")] == []


def test_a_deleted_run_is_gone_with_its_means(store: RunStore, tmp_path: Path) -> None:
    store.add(run("a", 0.25))
    gone = store.add(run("b", 0.5))
    assert store.delete("b").id == gone.id
    assert [one.name for one in store.runs()] == ["a"]
    with sqlite3.connect(tmp_path / "folder" / "runs.db") as database:
        assert database.execute("SELECT COUNT(*) FROM rag_eval_means").fetchone() == (1,)
    database.close()


def test_writers_at_once_lose_nothing(store: RunStore) -> None:
    runs = [run(f"r{number}", number / 16) for number in range(16)]
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(RunStore(store.url).add, runs))
    assert {one.name for one in store.runs()} == {f"r{number}" for number in range(16)}


def test_a_file_that_is_no_database_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "runs.db").write_text("not a database, but long enough to look like one" * 9)
    with pytest.raises(OutputError, match="cannot be opened"):
        RunStore(tmp_path / "runs.db").runs()


def test_a_url_of_no_kind_is_an_error_that_keeps_its_password() -> None:
    store = RunStore("nosuch://me:secret@host/name")
    with pytest.raises(OutputError) as caught:
        store.runs()
    assert "secret" not in f"{caught.value}{store!r}"


def test_a_run_that_was_tampered_with_is_an_error(store: RunStore, tmp_path: Path) -> None:
    store.add(run("a", 1.0))
    with sqlite3.connect(tmp_path / "folder" / "runs.db") as database:
        database.execute("UPDATE rag_eval_runs SET body = x'00'")
    database.close()
    with pytest.raises(DatasetError, match="is broken"):
        store.get("a")


def test_postgres_keeps_runs_as_well(postgres_url: str) -> None:
    store = RunStore(postgres_url)
    one = store.add(run("main", 1.0, 0.5, 0.75), tags=["ci"])
    store.add(run("main", 1.0, 0.5, 0.75), tags=["again"])
    assert store.get("last").values("m") == {"q0": 1.0, "q1": 0.5, "q2": 0.75}
    assert store.find("main").tags == ("again", "ci")
    assert [mean.mean for mean in store.find("main").means] == [3 / 4]
    store.delete(one.id)
    assert store.runs() == ()


def test_the_scores_of_questions_are_known_without_reading_the_runs(store: RunStore) -> None:
    one = store.add(run_of_scores("a", {"m": [1.0, None], "n": [0.25, 0.5]}))
    other = store.add(run("b", 0.5))
    found = store.question_scores([one.id, other.id, "unknown"])
    assert set(found) == {one.id, other.id}
    assert found[one.id].questions == {
        "q0": "Where does q0 stand?",
        "q1": "Where does q1 stand?",
    }
    assert found[one.id].scores == {"m": [1.0, None], "n": [0.25, 0.5]}


def test_scores_that_a_store_of_an_earlier_version_lacks_are_made_from_the_runs(
    store: RunStore,
) -> None:
    key = store.add(run("a", 1.0, 0.5)).id
    with sqlite3.connect(Path(store.url.removeprefix("sqlite:///"))) as connection:
        connection.execute("DROP TABLE rag_eval_scores")
    connection.close()
    older = RunStore(store.url)
    for _ in range(2):  # made, then kept
        assert older.question_scores([key])[key].scores == {"m": [1.0, 0.5]}
