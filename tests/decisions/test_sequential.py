"""The sequential gate: what is asked, what is never paid for, and that its looks add no error."""

from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from llamaindex_rag_eval.decisions.policy import Allowances, Policy
from llamaindex_rag_eval.decisions.sequential import gate_engine, levels_of
from llamaindex_rag_eval.engines.runner import run as ask
from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.runs.evaluate import evaluate
from llamaindex_rag_eval.runs.run import Run
from tests.decisions.engines import ASKED, golden, make

METRICS = ["exact_match", "answer_similarity"]


@pytest.fixture(autouse=True)
def none_asked() -> None:
    ASKED.clear()


@cache
def _scored(count: int) -> Run:
    return evaluate(ask(make(0.9), golden(count)), metrics=METRICS, name="main")


def main_over(count: int) -> Run:
    """Return the scores of an engine over questions."""
    run = _scored(count)
    ASKED.clear()
    return run


def reworded(rate: float, breaks: float = 0.0) -> Callable[[str], dict[str, object]]:
    """Return an engine that retrieves something else, and is wrong on a share of questions."""
    engine = make(rate)

    def other(question: str) -> dict[str, object]:
        answer = engine(question)
        number = int(question.rstrip("?").split()[-1])
        response = "no idea" if number % 100 < 100 * breaks else answer["response"]
        return {"response": response, "contexts": ["elsewhere"]}

    return other


def test_a_build_that_is_as_good_passes_before_all_questions_are_asked(tmp_path: Path) -> None:
    decision, run = gate_engine(reworded(0.9), golden(300), main_over(300), out=tmp_path)
    assert (decision.outcome, decision.held) == ("not worse", True)
    assert 50 <= len(run) == ASKED.total() < 200
    assert decision.notes[0].startswith(f"{len(run)} of 300 questions were asked")
    assert [info.spec for info in run.metrics] == METRICS
    assert Run.read(tmp_path / "scores.jsonl").results == run.results


def test_a_build_that_is_worse_stops_early_and_its_other_metrics_are_not_paid_for() -> None:
    decision, run = gate_engine(reworded(0.9, breaks=0.6), golden(300), main_over(300))
    assert (decision.outcome, decision.held) == ("worse", False)
    assert ASKED.total() == len(run) <= 40
    assert [info.spec for info in run.metrics] == METRICS[:1]


def test_answers_that_did_not_change_so_far_may_change_on_other_questions() -> None:
    decision, run = gate_engine(make(0.9), golden(25), main_over(25))
    # As few questions cannot rule a fall out: all are asked, and no answer has changed.
    assert (len(run), decision.headline) == (25, "Ship: no answer changed")
    assert 20 < len(gate_engine(make(0.9), golden(300), main_over(300))[1]) < 200


def test_what_stays_open_at_the_end_does_not_pass_unless_that_is_accepted() -> None:
    main = main_over(30)
    decision, run = gate_engine(reworded(0.9), golden(30), main)
    assert (len(run), decision.outcome, decision.held) == (30, "cannot tell", False)
    accepted = Policy(allow=Allowances(inconclusive=True))
    decision, run = gate_engine(reworded(0.9), golden(30), main, accepted)
    assert (decision.outcome, decision.held) == ("cannot tell", True)
    assert [info.spec for info in run.metrics] == METRICS


def test_a_loss_on_another_metric_stops_a_build() -> None:
    def wordy(question: str) -> dict[str, object]:
        number = question.rstrip("?").split()[-1]
        return {"response": f"answer {number}, I think", "contexts": ["elsewhere"]}

    policy = Policy(primary="answer_similarity", margin=0.9)
    decision, run = gate_engine(wordy, golden(300), main_over(300), policy)
    assert decision.headline == "Do not ship: worse on exact_match"
    assert len(run) < 100


def test_an_interrupted_gate_asks_nothing_twice(tmp_path: Path) -> None:
    main = main_over(300)
    first = gate_engine(reworded(0.9), golden(300), main, out=tmp_path)
    asked = ASKED.total()
    again = gate_engine(reworded(0.9), golden(300), main, out=tmp_path)
    assert ASKED.total() == asked
    assert again[0].headline == first[0].headline


def test_questions_are_asked_several_times() -> None:
    decision, run = gate_engine(reworded(0.9), golden(300), main_over(300), repeats=3)
    assert ASKED.total() == len(run)
    assert len(run) % 3 == 0
    assert decision.notes[0].startswith(f"{len(run) // 3} of 300 questions")


def test_another_golden_set_is_refused_before_anything_is_asked() -> None:
    with pytest.raises(
        InputError, match="30 questions are in both the golden set, of 40, and main"
    ):
        gate_engine(make(0.9), golden(40), main_over(30))
    accepted = Policy(allow=Allowances(other_data=True))
    assert len(gate_engine(make(0.9), golden(40), main_over(30), accepted)[1]) == 30


def test_all_looks_together_spend_what_one_does() -> None:
    levels = levels_of((0.1, 0.3, 0.6, 1.0))
    assert levels[0] == pytest.approx(0.005, abs=0.001)  # a tenth of the questions, of the level
    assert all(level < 0.05 for level in levels)
    assert sum(levels) > 0.05  # looks at the same questions err together
