"""Answer rate: refusals and failures have a contrast of their own."""

from dataclasses import replace

import pytest

from llamaindex_rag_eval.data.sample import SingleTurnSample
from llamaindex_rag_eval.decisions.compare import compare
from llamaindex_rag_eval.metrics.result import Result, Score
from llamaindex_rag_eval.runs.provenance import MetricInfo, Provenance
from llamaindex_rag_eval.runs.run import Run
from tests.report.runs import run_of_scores, sample


def test_a_run_that_refuses_the_hard_questions_is_not_the_same() -> None:
    asked = [sample(f"q{n}") for n in range(20)]
    a = run_of_scores("a", {"m": [0.8] * 20}, samples=asked)
    silent = [*(one.model_copy(update={"response": ""}) for one in asked[:5]), *asked[5:]]
    b = run_of_scores("b", {"m": [None] * 5 + [0.8] * 15}, samples=silent)
    found = compare(a, b)
    # Five of five go one way: 2 / 2**5.
    assert found.verdict == (
        "No score differs on m.",
        "5 answers of b have no score of m: there was nothing to score.",
        "b attempted 15 of 20 questions, a 20, which may be chance.",
    )
    # (0 - 0.8) * 5 / 20 to (1 - 0.8) * 5 / 20
    assert found.contrasts[0].bounds == (pytest.approx(-0.2), pytest.approx(0.05))
    assert found.as_json()["answers"] == {
        "n": 20,
        "only_a": 5,
        "only_b": 0,
        "both": 15,
        "p_value": 2 / 2**5,
    }


def test_a_verdict_of_not_attempted_is_no_answer_and_neither_is_an_error() -> None:
    first, second = sample("q0"), sample("q1")
    a = verdicts(("right", "wrong"), first, second)
    b = verdicts(("not_attempted", "wrong"), first, second.model_copy(update={"error": "timeout"}))
    rate = compare(a, b).answer_rate
    assert rate is not None
    assert (rate.only_a, rate.only_b, rate.both) == (2, 0, 0)


def test_questions_that_want_a_refusal_and_retrievers_are_left_out() -> None:
    refuse = [sample(f"q{n}", expected_behaviour="refuse") for n in range(3)]
    both = [run_of_scores(name, {"m": [1.0] * 3}, samples=refuse) for name in "ab"]
    assert compare(*both).answer_rate is None
    retrieved = [sample(f"q{n}", response="") for n in range(3)]
    both = [run_of_scores(name, {"m": [1.0] * 3}, samples=retrieved) for name in "ab"]
    assert compare(*both).answer_rate is None


def verdicts(words: tuple[str, ...], *samples: SingleTurnSample) -> Run:
    scores = [Score(float(word == "right"), verdict=word) for word in words]
    pairs = zip(samples, scores, strict=True)
    results = tuple(Result.from_score("answer_verdict", one, score) for one, score in pairs)
    info = MetricInfo(spec="answer_verdict", verdicts=("right", "wrong", "not_attempted"))
    run = Run(samples=samples, results=results, provenance=Provenance(metrics=(info,)))
    return replace(run, name=words[0])
