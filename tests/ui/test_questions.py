"""A question through all runs."""

from pathlib import Path

import pytest

from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.runs.store.run_store import RunStore
from llamaindex_rag_eval.ui.history import History
from llamaindex_rag_eval.ui.questions import RUNS_READ, question_history
from tests.report.runs import sample
from tests.ui.histories import run_on


@pytest.fixture
def history(tmp_path: Path) -> History:
    store = RunStore(tmp_path / "runs.db")
    store.add(run_on(1, m=[1.0, 0.25]))
    store.add(run_on(2, m=[0.0, 0.5, None], n=[1.0, 1.0, 1.0]))
    return History(store)


def test_a_history_has_each_runs_scores_and_puts_equal_answers_together(tmp_path: Path) -> None:
    store = RunStore(tmp_path / "runs.db")
    texts = ["left", "left", "right", "left"]
    for day, text in enumerate(texts, start=1):
        store.add(run_on(day, samples=[sample("q0", response=text)], m=[day / 4]))
    history = History(store)
    found = question_history(history, history.runs(), "q0")
    assert [values for _, values in found["rows"]] == [[1.0], [0.75], [0.5], [0.25]]
    assert [(one["text"], len(one["runs"])) for one in found["answers"]] == [
        ("left", 1),
        ("right", 1),
        ("left", 2),
    ]
    assert found["reference"] == "On the left shelf."
    ((spec, chart),) = found["charts"]
    assert (spec, len(chart.points), chart.points[-1].words) == (
        "m",
        4,
        "main, 2026-03-04 04:30: 1.000",
    )


def test_earlier_wordings_are_kept_in_sight(tmp_path: Path) -> None:
    store = RunStore(tmp_path / "runs.db")
    for day, text in enumerate(["Old?", "New?", "New?"], start=1):
        store.add(run_on(day, samples=[sample("q0", query=text)], m=[day / 4]))
    history = History(store)
    found = question_history(history, history.runs(), "q0")
    assert (found["wording"], found["earlier"]) == ("New?", ["Old?"])


def test_answers_are_read_of_the_newest_runs_alone(tmp_path: Path) -> None:
    store = RunStore(tmp_path / "runs.db")
    for day in range(1, RUNS_READ + 4):
        store.add(run_on(day, samples=[sample("q0", response=str(day))], m=[1.0]))
    history = History(store)
    found = question_history(history, history.runs(), "q0")
    assert len(found["rows"]) == RUNS_READ + 3
    assert [one["text"] for one in found["answers"]] == [
        str(n) for n in range(RUNS_READ + 3, 3, -1)
    ]


def test_an_unknown_question_is_an_error_in_words(history: History) -> None:
    with pytest.raises(InputError, match="no run has a question 'q9'"):
        question_history(history, history.runs(), "q9")
