"""Drift: a judge that is asked again about labelled answers."""

from collections.abc import Sequence

import pytest

from llamaindex_rag_eval import CachedOracle, Judge, evaluate
from llamaindex_rag_eval.decisions.calibration import calibrate
from llamaindex_rag_eval.decisions.drift import ask_again, judge_drift
from llamaindex_rag_eval.decisions.labels import Chosen, HumanLabel
from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.judge.answer_verdict import AnswerVerdict, AnswerVerdictOf
from llamaindex_rag_eval.models import ScriptedOracle
from llamaindex_rag_eval.report.calibration import calibration_tables
from llamaindex_rag_eval.runs.run import Run
from tests.report.runs import run_of_scores, sample

METRIC = "answer_verdict"


def judged(name: str, scores: Sequence[float | None], who: str) -> Run:
    run = run_of_scores(name, {METRIC: scores}, samples=[sample(f"q{n}") for n in range(40)])
    judged = {METRIC: {"AnswerVerdictOf": {who: len(scores)}}}
    provenance = run.provenance.model_copy(update={"judged": judged})
    return Run(run.samples, run.results, provenance, name)


def labels_of(values: Sequence[float], chosen: Chosen = "random") -> list[HumanLabel]:
    return [HumanLabel(f"q{n}", METRIC, value, chosen) for n, value in enumerate(values)]


def saying(verdict: str) -> ScriptedOracle:
    reply = AnswerVerdict.model_validate({"verdict": verdict})
    return ScriptedOracle(by_request={AnswerVerdictOf: reply})


def test_a_judge_that_says_the_same_has_not_changed() -> None:
    run = judged("a", [1.0, 0.0] * 20, "llm/m/0/answer_verdict:a")
    (drift,) = judge_drift(run, run, labels_of([1.0, 0.0] * 19 + [0.0, 1.0]))
    assert (drift.changes, drift.flips, drift.difference.value) == ((), 0, 0)
    assert drift.before.value == drift.after.value == 38 / 40
    assert drift.sentences[0] == "answer_verdict: the judge is the same."
    assert "it is not shown to have changed (0.00 (" in drift.sentences[2]


def test_agreement_that_fell_is_named_and_paired_by_answer() -> None:
    run = judged("a", [1.0, 0.0] * 20, "llm/m/0/answer_verdict:a")
    again = judged("b", [0.0, 0.0] * 10 + [1.0, 0.0] * 10, "llm/m/0/answer_verdict:a")
    (drift,) = judge_drift(run, again, labels_of([1.0, 0.0] * 20))
    # Ten of forty answers turned, all away from people.
    assert (drift.flips, drift.before.value, drift.after.value) == (10, 1, 30 / 40)
    assert drift.difference.value == -1 / 4
    assert "it has changed (-0.25 (" in drift.sentences[2]


@pytest.mark.parametrize(
    ("who", "change"),
    [
        ("llm/n/0/answer_verdict:a", "the LLM 'm' before, the LLM 'n' now"),
        ("llm/m/1/answer_verdict:a", "the sampling parameters"),
        ("llm/m/0/answer_verdict:b", "the prompt 'answer_verdict'"),
        ("embedded-rules/6", "the LLM 'm' before, embedded language rules now"),
    ],
)
def test_what_changed_of_the_judge_is_named(who: str, change: str) -> None:
    before = "llm/m/0/answer_verdict:a"
    run, again = (judged("a", [1.0, 0.0] * 20, each) for each in (before, who))
    labels = labels_of([1.0, 0.0] * 20)
    (drift,) = judge_drift(run, again, labels)
    assert drift.changes == (change,)
    # Labels that were given when another judged say so without asking, too.
    old = [HumanLabel(x.sample_id, METRIC, x.value, judged=before) for x in labels]
    assert calibrate(again, old).metrics[0].changes == (change,)
    assert change in calibrate(again, old).metrics[0].changed
    assert any(change in str(line) for line in calibration_tables(calibrate(again, old)))
    assert calibrate(run, old).metrics[0].changed == ""


def test_labelled_answers_are_judged_anew_and_no_reply_is_read_from_a_cache() -> None:
    judge = Judge(CachedOracle(saying("right")))
    samples = [sample(f"q{n}") for n in range(6)]
    run = evaluate(samples, metrics=[METRIC], judge=judge)
    oracle = saying("wrong")
    judge.oracle.inner = oracle
    again = ask_again(run, labels_of([1.0] * 5), judge=judge, count=3)
    assert (len(again), len(oracle.asked)) == (3, 3)
    (drift,) = judge_drift(run, again, labels_of([1.0] * 5))
    assert (drift.before.n, drift.flips, drift.after.value) == (3, 3, 0)


def test_answers_without_a_score_now_count_nowhere() -> None:
    run = judged("a", [1.0] * 40, "llm/m/0/answer_verdict:a")
    again = judged("b", [None, *[1.0] * 39], "llm/m/0/answer_verdict:a")
    (drift,) = judge_drift(run, again, labels_of([1.0] * 40))
    assert drift.before.n == 39
    assert judge_drift(run, judged("b", [None] * 40, "x"), labels_of([1.0] * 40)) == ()


def test_doubtful_answers_are_not_asked_about() -> None:
    run = judged("a", [1.0] * 40, "llm/m/0/answer_verdict:a")
    with pytest.raises(InputError, match="nothing can be judged again: expected labels drawn at"):
        ask_again(run, labels_of([1.0] * 40, "doubtful"), judge=saying("right"))
