"""One planning engine: what is said of the same runs is the same number everywhere."""

import numpy as np
import pytest

from llamaindex_rag_eval.decisions.decision import decide
from llamaindex_rag_eval.decisions.plan import plan
from llamaindex_rag_eval.decisions.policy import DEFAULT_POLICY
from llamaindex_rag_eval.decisions.sweep import sweep
from llamaindex_rag_eval.runs.run import Run
from llamaindex_rag_eval.stats.planning import two_figures
from tests.decisions.engines import golden, make
from tests.report.runs import run_of_scores, sample


def pipeline(name: str, seed: int) -> Run:
    scores = np.random.default_rng(seed).binomial(3, 0.8, (2, 60)) / 3
    about = [[[{"doc_id": f"d{n // 4}", "start": 0, "end": 3}]] for n in range(60)]
    samples = [sample(f"q{n}", gold=gold) for n, gold in enumerate(about)]
    return run_of_scores(name, {"m": scores[0].tolist(), "k": scores[1].tolist()}, samples=samples)


@pytest.fixture(scope="module")
def runs() -> tuple[Run, Run]:
    return pipeline("a", 1), pipeline("b", 2)


def test_a_plan_is_the_same_whichever_run_comes_first(runs: tuple[Run, Run]) -> None:
    planned = plan(effect=0.1, pilot=runs, size=60)
    assert None not in [metric.shown for metric in planned.metrics]
    assert planned.primary == planned.metrics[0].metric
    assert plan(effect=0.1, pilot=runs[::-1], size=60) == planned


def test_the_gate_would_tell_with_as_many_as_a_plan_says(runs: tuple[Run, Run]) -> None:
    decided, planned = decide(*runs), plan(effect=0.05, pilot=runs)
    assert decided.outcome == "cannot tell"
    assert decided.checks[0].needed == planned.metrics[0].rules_out
    assert decided.more is not None


def test_below_the_minimum_the_gate_says_the_number_of_the_plan_too() -> None:
    scores = [0.0, 1.0, 1.0, 1.0, 1.0, 1.0] * 2, [1.0, 0.0, 1.0, 1.0, 1.0, 1.0] * 2
    few = [run_of_scores(name, {"m": row}) for name, row in zip("ab", scores, strict=True)]
    decided, (planned,) = decide(few[0], few[1]), plan(effect=0.05, pilot=few).metrics
    assert planned.rules_out is not None
    assert planned.rules_out > DEFAULT_POLICY.questions > 12
    assert decided.checks[0].needed == planned.rules_out
    assert decided.more == pytest.approx(planned.rules_out - 12, rel=0.1)  # in two digits
    text = decided.reasons[0]
    assert text.startswith("12 questions; at least 20 are needed to pass. With 990 more, b passes")


def test_where_the_gain_is_greater_than_the_margin_fewer_questions_would_show_it() -> None:
    scores = [0.0, 1.0, 0.0, 1.0, 0.0] * 5, [1.0, 1.0, 0.0, 0.0, 1.0] * 5
    a, b = (run_of_scores(name, {"m": row}) for name, row in zip("ab", scores, strict=True))
    decided = decide(a, b)
    check = decided.checks[0]
    assert (decided.outcome, check.found) == ("cannot tell", pytest.approx(0.2))
    assert check.likely == plan(effect=0.2, pilot=[a, b]).metrics[0].questions
    assert check.likely is not None
    assert check.likely < (check.needed or 0)
    fewer = two_figures(check.likely - 25)
    end = f"add about {fewer:,} questions, or {decided.more:,} if there is no gain"
    assert decided.headline == f"Cannot tell yet: {end}"
    assert f"With {fewer:,} more, a gain as large as here (+0.200) is shown" in decided.reasons[0]


def test_where_the_minimum_alone_is_missing_it_is_said_and_no_more() -> None:
    better = decide(run_of_scores("a", {"m": [0.0] * 19}), run_of_scores("b", {"m": [1.0] * 19}))
    assert (better.checks[0].needed, better.more) == (20, 1)
    assert "passes in" not in " ".join(better.reasons)


def test_of_five_questions_nobody_plans_more() -> None:
    few = decide(run_of_scores("a", {"m": [0.0, 1.0] * 2}), run_of_scores("b", {"m": [1.0] * 4}))
    assert (few.more, few.checks[0].needed) == (None, None)
    assert few.headline == "Cannot tell yet: only 4 of at least 20 questions"
    assert few.reasons[0] == "4 questions; at least 20 are needed to pass."


@pytest.mark.parametrize(("fallen", "count"), [(1, 8), (5, 100)])
def test_of_a_fall_by_the_margin_the_gate_says_how_many_show_one_as_a_plan_does(
    fallen: int, count: int
) -> None:
    others = [0.0, 1.0] * (count // 2)
    a = run_of_scores("a", {"m": [1.0] * count, "k": others})
    b = run_of_scores("b", {"m": [0.0] * fallen + [1.0] * (count - fallen), "k": others[::-1]})
    decided, planned = decide(a, b), plan(effect=0.05, pilot=[a, b]).metrics[0]
    assert decided.outcome == "cannot tell"
    assert planned.questions is not None
    assert decided.checks[0].needed == planned.questions
    assert decided.more == pytest.approx(planned.questions - count, rel=0.1)


def test_a_sweep_takes_as_many_more_as_a_plan_says() -> None:
    swept = sweep({"rate": [0.8, 0.82]}, make, golden(60, 3), metrics=["exact_match"])
    first, second = (setting.run for setting in swept.settings)
    assert first is not None
    assert second is not None
    (planned,) = plan(effect=0.02, pilot=[first, second]).metrics
    assert planned.rules_out is not None
    assert swept.more == two_figures(planned.rules_out - len(first))
