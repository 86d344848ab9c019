"""The gate: what holds, what does not, and what nobody may pass by having no scores."""

import pytest

from llamaindex_rag_eval.decisions.gate import Gate
from llamaindex_rag_eval.decisions.gate_checks import Threshold
from llamaindex_rag_eval.errors import InputError, UnknownMetricError
from llamaindex_rag_eval.runs.run import Run
from llamaindex_rag_eval.stats.inference import mean_estimate
from tests.report.runs import run_of_scores

RUN = run_of_scores("r", {"faithfulness": [1.0, 0.5, 0.75] * 2, "ndcg@10": [0.5] * 6})


def held(gate: Gate, **options: object) -> list[bool]:
    """Return which checks held, but for those that nothing failed and little is undefined."""
    checks = gate.check(RUN, **options).checks  # type: ignore[arg-type]  # baseline
    return [check.held for check in checks if check.rule not in COMPLETE]


COMPLETE = ("no result is missing", "at most 10% of results are undefined")


def test_a_mean_at_its_limit_holds() -> None:
    # (1 + 1/2 + 3/4) / 3 = 3/4
    assert held(Gate.parse(min=["faithfulness=.75", "faithfulness=.76"])) == [True, False]
    assert held(Gate.parse(max=["faithfulness=.75", "faithfulness=.74"])) == [True, False]


def test_a_lower_bound_is_the_low_end_of_the_interval() -> None:
    found = mean_estimate([1.0, 0.5, 0.75] * 2, bounds=(0, 1))
    low, high = found.low, found.high
    assert low is not None
    assert high is not None
    within = Gate(
        (
            Threshold("min_lower_bound", "faithfulness", low),
            Threshold("max_upper_bound", "faithfulness", high),
        )
    )
    beyond = Gate(
        (
            Threshold("min_lower_bound", "faithfulness", low + 1e-9),
            Threshold("max_upper_bound", "faithfulness", high - 1e-9),
        )
    )
    assert (held(within), held(beyond)) == ([True, True], [False, False])


def test_an_outcome_holds_if_all_checks_do_and_says_what_was_found() -> None:
    outcome = Gate.parse(min=["faithfulness=.7", "ndcg@10=.6"]).check(RUN)
    assert not outcome.held
    assert [check.held for check in outcome.checks] == [True, False, True, True]
    assert "mean 0.500" in outcome.checks[1].message
    assert outcome.checks[1].rule == "mean of ndcg@10 is at least 0.6"
    assert outcome.as_json()["held"] is False


def test_a_metric_is_found_by_other_names_of_it() -> None:
    assert held(Gate.parse(min=["Faithfulness=.7"])) == [True]


def test_a_mean_over_no_score_holds_no_limit() -> None:
    run = run_of_scores("r", {"m": [None, None]})
    outcome = Gate.parse(min=["m=0"], max=["m=1"]).check(run)
    assert [check.held for check in outcome.checks] == [False, False, True, False]
    assert "2 undefined" in outcome.checks[0].message


def test_one_score_has_no_interval_and_holds_no_bound() -> None:
    run = run_of_scores("r", {"m": [1.0]})
    outcome = Gate.parse(min_lower_bound=["m=.1"]).check(run)
    assert not outcome.held
    assert "one score has no interval" in outcome.checks[0].message


def test_a_metric_that_the_run_does_not_have_is_an_error() -> None:
    with pytest.raises(InputError, match=r"no metric 'context_recall'; it has 'faithfulness'"):
        Gate.parse(min=["context_recall=.5"]).check(RUN)


def test_a_metric_that_nobody_has_is_an_error_that_names_the_nearest() -> None:
    with pytest.raises(UnknownMetricError, match="'faithfulness'"):
        Gate.parse(min=["faithfulnes=.5"]).check(RUN)


@pytest.mark.parametrize("text", ["", "faithfulness", "=.5", "faithfulness=", "m=nan", "m=inf"])
def test_a_limit_that_cannot_be_read_is_an_error(text: str) -> None:
    with pytest.raises(InputError, match="expected METRIC=NUMBER"):
        Gate.parse(min=[text])


def test_the_last_equals_sign_parts_metric_and_number() -> None:
    threshold = Threshold.parse("max", " noise_sensitivity(mode=irrelevant) = .1")
    assert (threshold.metric, threshold.bound) == ("noise_sensitivity(mode=irrelevant)", 0.1)


def test_a_gate_that_limits_nothing_is_an_error() -> None:
    with pytest.raises(InputError, match="limits nothing"):
        Gate.parse()


@pytest.mark.parametrize(
    "options",
    [
        {"max_missing": 1.1},
        {"max_missing": -0.1},
        {"max_failed": -1},
        {"max_failed": 0, "max_undefined": 1.5},
        {"max_failed": 0, "min_scored": -1},
        {"margin": 0.1, "max_failed": 0},
        {"margin": 0.0, "no_worse_than": True},
        {"margin": float("nan"), "no_worse_than": True},
    ],
)
def test_an_option_out_of_range_is_an_error(options: dict[str, float]) -> None:
    with pytest.raises(InputError, match="expected"):
        Gate(**options)  # type: ignore[arg-type]  # some are wrong


def test_a_run_without_samples_is_an_error_and_no_open_gate() -> None:
    with pytest.raises(InputError, match="no samples"):
        Gate.parse(max_failed=0).check(EMPTY)


EMPTY = type(RUN)(samples=(), results=(), provenance=RUN.provenance, name="empty")


def test_failed_and_absent_results_are_missing_and_undefined_ones_are_not() -> None:
    run = run_of_scores("r", {"m": [1.0, None, None, 1.0], "n": [1.0] * 4}, failed=[("q1", "m")])
    absent = type(run)(run.samples, run.results[:-2], run.provenance, run.name)

    # One of four failed; without the last two results m lacks one more.
    def holds(at: float, one: Run) -> bool:
        return Gate(max_missing=at, max_undefined=0.25).check(one).held

    assert [holds(at, run) for at in (0.25, 0.24)] == [True, False]
    assert [holds(at, absent) for at in (0.5, 0.49)] == [True, False]


def test_failed_results_are_counted_over_all_metrics() -> None:
    run = run_of_scores("r", {"m": [None], "n": [None]}, failed=[("q0", "m"), ("q0", "n")])
    assert [Gate(max_failed=at).check(run).held for at in (2, 1)] == [True, False]


def test_no_worse_than_wants_a_baseline() -> None:
    with pytest.raises(InputError, match="none was given"):
        Gate(no_worse_than=True).check(RUN)


def test_thresholds_hold_no_mean_of_fewer_scores_than_five() -> None:
    few = run_of_scores("r", {"m": [1.0] * 4})
    outcome = Gate.parse(min=["m=.5"], min_lower_bound=["m=.1"]).check(few)
    assert [check.held for check in outcome.checks[:2]] == [False, False]
    assert "a mean is taken from 5 scores on" in outcome.checks[0].message
    assert Gate.parse(min=["m=.5"], min_scored=4).check(few).held


def test_undefined_results_fail_beyond_a_share_unless_the_baseline_has_them_too() -> None:
    run = run_of_scores("r", {"m": [None] * 3 + [1.0] * 17})
    assert not Gate.parse(min=["m=.5"]).check(run).held
    assert Gate.parse(min=["m=.5"], max_undefined=0.15).check(run).held
    outcome = Gate(no_worse_than=True, margin=0.3).check(run, baseline=run)
    assert outcome.held, outcome
