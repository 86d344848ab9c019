"""Plan: from two runs, from one, or from none."""

import json

import numpy as np
import pytest

from llamaindex_rag_eval.decisions.plan import plan
from llamaindex_rag_eval.errors import InputError, UnknownMetricError
from llamaindex_rag_eval.runs.run import Run
from tests.report.runs import run_of_scores, sample


def pilot(name: str, seed: int) -> Run:
    scores = np.random.default_rng(seed).binomial(3, 0.8, (2, 40)) / 3
    about = [[[{"doc_id": f"d{n // 4}", "start": 0, "end": 3}]] for n in range(40)]
    samples = [sample(f"q{n}", gold=gold) for n, gold in enumerate(about)]
    return run_of_scores(name, {"m": scores[0].tolist(), "k": scores[1].tolist()}, samples=samples)


def test_two_runs_say_how_many_questions_and_documents_it_takes() -> None:
    found = plan(effect=0.1, pilot=[pilot("a", 1), pilot("b", 2)], size=40)
    assert [one.metric for one in found.metrics] == ["m", "k"]
    assert found.questions == max(one.questions or 0 for one in found.metrics)
    for one in found.metrics:
        assert one.questions is not None
        assert 40 < one.questions < 2_000
        assert one.documents == round(one.questions / 4)
        assert one.shown is not None
        assert one.shown > 0.1
    # 1.28 / √(2 · 9) = .30
    assert found.notes == (
        "These numbers are rough, as the pilot has few documents with scores in both runs, "
        "10: a difference may be off by 30%, a number of questions by 60%.",
    )
    assert json.loads(json.dumps(found.as_json()))["size"] == 40


def test_questions_by_themselves_have_no_documents() -> None:
    (one,) = plan(["m"], effect=0.1, pilot=[pilot("a", 1), pilot("b", 2)], clusters="none").metrics
    assert one.documents is None


def test_one_run_and_none_say_what_they_assume() -> None:
    assert "30% of the questions" in plan(["m"], effect=0.1, pilot=[pilot("a", 1)]).notes[0]
    found = plan(["mrr"], effect=0.1)
    assert found.notes[0].startswith("Without a pilot, 30% of the questions")
    # 3 in 10 change by 1: (1.96 + .84)² · (.3 + .1) / .1² = 314
    assert found.questions == pytest.approx(300, rel=0.2)


def test_what_cannot_be_planned_is_refused() -> None:
    with pytest.raises(InputError, match="a plan needs metrics"):
        plan(effect=0.1)
    with pytest.raises(UnknownMetricError):
        plan(["nonsense"], effect=0.1)
    with pytest.raises(InputError, match="one run or two, got 3"):
        plan(effect=0.1, pilot=[pilot("a", 1)] * 3)
    with pytest.raises(InputError, match="'mrr' is 0 to 1: no effect of 2 fits"):
        plan(["mrr"], effect=2)
