"""May a pipeline take the place of its baseline?"""

from dataclasses import replace

import pytest

from llamaindex_rag_eval.decisions.compare import compare
from llamaindex_rag_eval.decisions.decision import decide
from llamaindex_rag_eval.decisions.margins import Margins
from llamaindex_rag_eval.errors import InputError
from tests.report.runs import run_of_scores, sample

MIXED = [0.0, 0.5, 1.0, 0.75] * 10


def test_a_run_that_is_better_may_be_shipped() -> None:
    better = [min(1.0, score + 0.4) for score in MIXED]
    found = decide(compare(run_of_scores("a", {"m": MIXED}), run_of_scores("b", {"m": better})))
    assert (found.verdict, found.headline, found.more) == ("ship", "Ship", None)
    # (0.4 + 0.4 + 0 + 0.25) / 4
    assert found.reasons[1] == "b is better on m (+0.263)."


def test_one_that_is_as_good_may_be_shipped_and_nothing_is_claimed() -> None:
    many = MIXED * 20
    found = decide(compare(run_of_scores("a", {"m": many}), run_of_scores("b", {"m": many})))
    assert found.verdict == "ship"
    assert "not worse than a on the metric by 5% of its range" in found.reasons[0]
    assert found.reasons[1].startswith("No evidence that b is better")


def test_one_that_is_worse_on_one_metric_may_not_be_shipped_for_being_better_on_another() -> None:
    a = run_of_scores("a", {"m": [0.0] * 40, "k": [1.0] * 40})
    b = run_of_scores("b", {"m": [1.0] * 40, "k": [0.0] * 40})
    found = decide(compare(a, b))
    assert found.headline == "Do not ship"
    assert found.reasons == ("b is worse than a on k (-1.000).", "b is better on m (+1.000).")


def test_with_few_questions_nobody_can_tell_and_it_says_how_many_would() -> None:
    few = decide(compare(run_of_scores("a", {"m": MIXED}), run_of_scores("b", {"m": MIXED})))
    assert few.verdict == "cannot tell yet"
    assert few.more is not None
    assert few.headline == f"Cannot tell yet: ask about {few.more} more questions"
    # As many questions in all do tell, if both are alike; with half as many more they would not.
    enough = MIXED * (2 + few.more // len(MIXED))
    told = decide(compare(run_of_scores("a", {"m": enough}), run_of_scores("b", {"m": enough})))
    assert told.verdict == "ship"


def test_undefined_scores_make_more_questions_needed_and_are_said() -> None:
    half = [score if place % 2 else None for place, score in enumerate(MIXED)]
    whole = decide(compare(run_of_scores("a", {"m": MIXED}), run_of_scores("b", {"m": MIXED})))
    found = decide(compare(run_of_scores("a", {"m": half}), run_of_scores("b", {"m": half})))
    assert found.more is not None
    assert whole.more is not None
    assert found.more > whole.more
    assert "undefined or failed, tell nothing: 20 on m." in " ".join(found.reasons)


def test_a_failure_is_no_fair_comparison_and_no_question_would_help() -> None:
    better = [1.0] * 39
    a = run_of_scores("a", {"m": [0.0] * 40})
    b = run_of_scores("b", {"m": [*better, None]}, failed=[("q39", "m")])
    found = decide(compare(a, b))
    assert (found.headline, found.more) == ("Do not ship: no fair comparison", None)
    assert found.reasons[0].startswith("Not met: no result is missing. 1 of 40 of m, the most")


def test_metrics_without_a_better_side_decide_nothing() -> None:
    info = {"m": {"direction": "neither"}}
    a, b = (run_of_scores(name, {"m": MIXED}, info=info) for name in "ab")
    found = decide(compare(a, b))
    assert (found.verdict, found.reasons[0]) == (
        "cannot tell yet",
        "Not met: a metric is compared with a. No metric says which way is better.",
    )


def test_a_margin_of_ones_own_decides_and_is_said() -> None:
    worse = [max(0.0, score - 0.1) for score in MIXED * 20]
    pair = compare(run_of_scores("a", {"m": MIXED * 20}), run_of_scores("b", {"m": worse}))
    assert decide(pair).verdict == "do not ship"
    found = decide(pair, Margins(of_metrics={"m": 0.2}))
    assert found.verdict == "ship"
    assert (
        found.reasons[0] == "b is not worse than a on the metric by its margin or more (m by 0.2)."
    )
    assert found.as_json()["verdict"] == "ship"
    with pytest.raises(InputError, match=r"'mrr' has a margin, but a is compared on 'm' only"):
        decide(pair, Margins(of_metrics={"mrr": 0.2}))


def test_a_loss_by_another_judge_is_no_shown_loss() -> None:
    runs = [
        replace(run, provenance=run.provenance.model_copy(update={"judged": {"m": by(model)}}))
        for run, model in (
            (run_of_scores("a", {"m": [1.0] * 40}), "large"),
            (run_of_scores("b", {"m": [0.0] * 40}), "small"),
        )
    ]
    found = decide(compare(*runs))
    assert found.headline == "Do not ship: no fair comparison"
    assert found.reasons[0].startswith("Not met: metrics are judged as in a. No verdict on m")
    assert "is worse" not in " ".join(found.reasons)


def by(model: str) -> dict[str, dict[str, int]]:
    return {"SupportOf": {f"llm/{model}/0/support:0": 40}}


def test_the_same_answers_are_not_worse_where_a_model_judged_them_otherwise() -> None:
    samples = [sample(f"q{number}") for number in range(40)]
    a = run_of_scores("a", {"m": MIXED}, samples=samples)
    b = run_of_scores("b", {"m": [0.5] * 40}, samples=samples)
    assert decide(compare(a, b)).verdict == "cannot tell yet"
    judged = [
        replace(run, provenance=run.provenance.model_copy(update={"judged": {"m": by("large")}}))
        for run in (a, b)
    ]
    assert decide(compare(*judged)).headline == "Ship: no answer changed"
