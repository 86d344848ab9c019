"""Limits of a run by itself: what holds, and what nobody may pass by having no scores."""

from typing import Any

import pytest

from llamaindex_rag_eval.decisions.decision import Decision, decide
from llamaindex_rag_eval.decisions.policy import Allowances, Policy, Threshold
from llamaindex_rag_eval.errors import InputError, UnknownMetricError
from llamaindex_rag_eval.runs.run import Run
from llamaindex_rag_eval.stats.inference import mean_estimate
from tests.report.runs import run_of_scores, sample

RUN = run_of_scores("r", {"faithfulness": [1.0, 0.5, 0.75] * 2, "ndcg@10": [0.5] * 6})


def alone(run: Run, **limits: Any) -> Decision:
    return decide(None, run, Policy.parse(**limits))


def held(policy: Policy) -> list[bool]:
    """Return which checks held, but for those that nothing failed and little is undefined."""
    checks = decide(None, RUN, policy).checks
    return [check.held for check in checks if check.rule not in COMPLETE]


COMPLETE = ("no result may be missing", "at most 10% of results may be undefined")


def test_limits_that_are_kept_on_few_questions_say_on_how_many() -> None:
    few = alone(RUN, min=["faithfulness=.7"])
    assert few.headline == "Ship: every limit is kept, on 6 questions only"
    enough = alone(RUN, min=["faithfulness=.7"], questions=6)
    assert enough.headline == "Ship: every limit is kept"


def test_a_mean_at_its_limit_holds() -> None:
    # (1 + 1/2 + 3/4) / 3 = 3/4
    assert held(Policy.parse(min=["faithfulness=.75", "faithfulness=.76"])) == [True, False]
    assert held(Policy.parse(max=["faithfulness=.75", "faithfulness=.74"])) == [True, False]


def test_a_lower_bound_is_the_low_end_of_the_interval() -> None:
    found = mean_estimate([1.0, 0.5, 0.75] * 2, bounds=(0, 1))
    low, high = found.low, found.high
    assert low is not None
    assert high is not None
    within = Policy(
        thresholds=(
            Threshold("min_lower_bound", "faithfulness", low),
            Threshold("max_upper_bound", "faithfulness", high),
        )
    )
    beyond = Policy(
        thresholds=(
            Threshold("min_lower_bound", "faithfulness", low + 1e-9),
            Threshold("max_upper_bound", "faithfulness", high - 1e-9),
        )
    )
    assert (held(within), held(beyond)) == ([True, True], [False, False])


def test_an_outcome_holds_if_all_checks_do_and_says_what_was_found() -> None:
    outcome = alone(RUN, min=["faithfulness=.7", "ndcg@10=.6"])
    assert not outcome.held
    assert [check.held for check in outcome.checks] == [True, False, True, True]
    assert "mean 0.500" in outcome.checks[1].message
    assert outcome.checks[1].rule == "mean of ndcg@10 must be at least 0.6"
    assert outcome.as_json()["held"] is False


def test_a_metric_is_found_by_other_names_of_it() -> None:
    assert held(Policy.parse(min=["Faithfulness=.7"])) == [True]


def test_a_mean_over_no_score_holds_no_limit() -> None:
    run = run_of_scores("r", {"m": [None, None]})
    outcome = alone(run, min=["m=0"], max=["m=1"])
    assert [check.held for check in outcome.checks] == [False, False, True, False]
    assert "2 undefined" in outcome.checks[0].message


def test_one_score_has_no_interval_and_holds_no_bound() -> None:
    run = run_of_scores("r", {"m": [1.0]})
    outcome = alone(run, min_lower_bound=["m=.1"])
    assert not outcome.held
    assert "one score has no interval" in outcome.checks[0].message


def test_a_metric_that_the_run_does_not_have_is_an_error() -> None:
    with pytest.raises(InputError, match=r"no metric 'context_recall'; it has 'faithfulness'"):
        alone(RUN, min=["context_recall=.5"])


def test_a_metric_that_nobody_has_is_an_error_that_names_the_nearest() -> None:
    with pytest.raises(UnknownMetricError, match="'faithfulness'"):
        alone(RUN, min=["faithfulnes=.5"])


@pytest.mark.parametrize("text", ["", "faithfulness", "=.5", "faithfulness=", "m=nan", "m=inf"])
def test_a_limit_that_cannot_be_read_is_an_error(text: str) -> None:
    with pytest.raises(InputError, match="expected METRIC=NUMBER"):
        Policy.parse(min=[text])


def test_the_last_equals_sign_parts_metric_and_number() -> None:
    threshold = Threshold.parse("max", " noise_sensitivity(mode=irrelevant) = .1")
    assert (threshold.metric, threshold.bound) == ("noise_sensitivity(mode=irrelevant)", 0.1)


def test_a_gate_that_limits_nothing_is_an_error() -> None:
    with pytest.raises(InputError, match="limits nothing"):
        alone(RUN)


@pytest.mark.parametrize(
    "options",
    [
        {"max_missing": 1.1},
        {"max_missing": -0.1},
        {"max_missing": 0.0, "max_undefined": 1.5},
        {"max_missing": 0.0, "min_scored": -1},
        {"margin": 0.1, "max_missing": 0.0},
        {"margin": 0.0},
        {"margin": float("nan")},
        {"max_latency": 0.0},
        {"questions": -1},
    ],
)
def test_an_option_out_of_range_is_an_error(options: dict[str, float]) -> None:
    with pytest.raises(InputError, match="expected"):
        alone(RUN, **options)


def test_a_run_without_samples_is_an_error_and_no_open_gate() -> None:
    with pytest.raises(InputError, match="no samples"):
        alone(EMPTY, max_missing=0.0)


EMPTY = type(RUN)(samples=(), results=(), provenance=RUN.provenance, name="empty")


def test_failed_and_absent_results_are_missing_and_undefined_ones_are_not() -> None:
    run = run_of_scores("r", {"m": [1.0, None, None, 1.0], "n": [1.0] * 4}, failed=[("q1", "m")])
    absent = type(run)(run.samples, run.results[:-2], run.provenance, run.name)

    # One of four failed; without the last two results m lacks one more.
    def holds(at: float, one: Run) -> bool:
        return alone(one, max_missing=at, max_undefined=0.25).held

    assert [holds(at, run) for at in (0.25, 0.24)] == [True, False]
    checks = alone(run, max_missing=0.1).as_json()["checks"]
    shares = [(check["found"], check["bound"]) for check in checks]  # type: ignore[index,union-attr,call-overload]
    assert shares == [(1 / 4, 0.1), (1 / 4, 0.1)]  # failed, and undefined
    assert [holds(at, absent) for at in (0.5, 0.49)] == [True, False]


def test_thresholds_hold_no_mean_of_fewer_scores_than_five() -> None:
    few = run_of_scores("r", {"m": [1.0] * 4})
    outcome = alone(few, min=["m=.5"], min_lower_bound=["m=.1"])
    assert [check.held for check in outcome.checks[:2]] == [False, False]
    assert "a mean is taken from 5 scores on" in outcome.checks[0].message
    assert alone(few, min=["m=.5"], min_scored=4).held


def test_undefined_results_fail_beyond_a_share_unless_the_baseline_has_them_too() -> None:
    run = run_of_scores("r", {"m": [None] * 3 + [1.0] * 17})
    assert not alone(run, min=["m=.5"]).held
    assert alone(run, min=["m=.5"], max_undefined=0.15).held
    assert decide(run, run, Policy(margin=0.3)).held


def test_a_floor_is_a_limit_of_the_metric_that_decides() -> None:
    assert alone(RUN, floor=0.7).checks[0].rule == "mean of faithfulness must be at least 0.7"
    assert not alone(RUN, floor=0.6, primary="ndcg@10").held
    low = run_of_scores("r", {"h": [0.2] * 6}, info={"h": {"direction": "lower"}})
    assert alone(low, floor=0.3).checks[0].rule == "mean of h must be at most 0.3"


def timed(name: str, seconds: float | None) -> Run:
    samples = [
        sample(f"q{n}", **({} if seconds is None else {"latency": seconds})) for n in range(30)
    ]
    return run_of_scores(name, {"m": [0.8] * 30}, samples=samples)


def test_answers_may_take_so_many_times_as_long_as_before() -> None:
    policy = Policy(max_latency=1.5)
    # 3 s / 2 s = 1.5; 3.1 / 2 = 1.55
    assert decide(timed("a", 2.0), timed("b", 3.0), policy).held
    slow = decide(timed("a", 2.0), timed("b", 3.1), policy)
    assert (slow.outcome, slow.held) == ("limit missed", False)
    assert "1.55 times, on 30 questions" in slow.checks[-1].message
    unknown = decide(timed("a", None), timed("b", None), policy)
    assert (unknown.outcome, unknown.held) == ("cannot tell", False)


def test_a_time_that_may_be_greater_by_chance_is_left_open() -> None:
    first, second = (
        run_of_scores(
            name,
            {"m": [0.8] * 30},
            samples=[sample(f"q{n}", latency=slow if n % 10 == 0 else 1.0) for n in range(30)],
        )
        for name, slow in (("a", 1.0), ("b", 9.0))
    )
    # (27 x 1 + 3 x 9) / 30 = 1.8 times the mean, by three answers alone
    decided = decide(first, second, Policy(max_latency=1.5))
    assert (decided.outcome, decided.held) == ("cannot tell", False)
    assert decided.checks[-1].message == "latency 1.80 times, on 30 questions, which may be chance"
    lenient = Policy(max_latency=1.5, allow=Allowances(inconclusive=True))
    assert decide(first, second, lenient).held


def test_a_threshold_of_a_metric_that_was_not_scored_leaves_a_comparison_open():
    runs = [run_of_scores(name, {"m": [0.5] * 60}) for name in "ab"]
    policy = Policy.parse(min=["mrr=.5"], primary="m")
    decision = decide(runs[0], runs[1], policy)
    assert (decision.outcome, decision.held) == ("cannot tell", False)
    assert "the run 'b' has no metric 'mrr'" in decision.headline
    with pytest.raises(InputError, match="has no metric 'mrr'"):
        decide(None, runs[1], policy)
