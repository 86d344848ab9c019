"""The gate: what holds, what does not, and what nobody may pass by having no scores."""

import pytest

from llamaindex_rag_eval.errors import InputError, UnknownMetricError
from llamaindex_rag_eval.gates.checks import Threshold
from llamaindex_rag_eval.gates.gate import Gate
from llamaindex_rag_eval.stats.inference import mean_estimate
from tests.report.runs import run_of_scores, sample

RUN = run_of_scores("r", {"faithfulness": [1.0, 0.5, 0.75], "ndcg@10": [0.5, 0.5, 0.5]})
BAD = {"hallucination": {"direction": "lower"}}


def held(gate: Gate, **options: object) -> list[bool]:
    return [check.held for check in gate.check(RUN, **options).checks]  # type: ignore[arg-type]  # baseline


def test_a_mean_at_its_limit_holds() -> None:
    # (1 + 1/2 + 3/4) / 3 = 3/4
    assert held(Gate.parse(min=["faithfulness=.75", "faithfulness=.76"])) == [True, False]
    assert held(Gate.parse(max=["faithfulness=.75", "faithfulness=.74"])) == [True, False]


def test_a_lower_bound_is_the_low_end_of_the_interval() -> None:
    found = mean_estimate([1.0, 0.5, 0.75], bounds=(0, 1))
    assert found is not None
    assert found.interval is not None
    low, high = found.interval.low, found.interval.high
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
    assert [check.held for check in outcome.checks] == [True, False]
    assert "mean 0.500" in outcome.checks[1].message
    assert outcome.checks[1].rule == "mean of ndcg@10 is at least 0.6"
    assert outcome.as_json()["held"] is False


def test_a_metric_is_found_by_other_names_of_it() -> None:
    assert held(Gate.parse(min=["Faithfulness=.7"])) == [True]


def test_a_mean_over_no_score_holds_no_limit() -> None:
    run = run_of_scores("r", {"m": [None, None]})
    outcome = Gate.parse(min=["m=0"], max=["m=1"]).check(run)
    assert [check.held for check in outcome.checks] == [False, False]
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
        {"tolerance": 0.1, "max_failed": 0},
        {"tolerance": -0.1, "no_worse_than": True},
        {"tolerance": float("nan"), "no_worse_than": True},
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
    assert [Gate(max_missing=at).check(run).held for at in (0.25, 0.24)] == [True, False]
    assert [Gate(max_missing=at).check(absent).held for at in (0.5, 0.49)] == [True, False]


def test_failed_results_are_counted_over_all_metrics() -> None:
    run = run_of_scores("r", {"m": [None], "n": [None]}, failed=[("q0", "m"), ("q0", "n")])
    assert [Gate(max_failed=at).check(run).held for at in (2, 1)] == [True, False]


def test_no_worse_than_wants_a_baseline() -> None:
    with pytest.raises(InputError, match="none was given"):
        Gate(no_worse_than=True).check(RUN)


def test_a_run_is_no_worse_than_itself() -> None:
    assert held(Gate(no_worse_than=True), baseline=RUN) == [True, True]


def test_a_fall_that_chance_explains_holds_and_one_that_it_does_not_fails() -> None:
    base = run_of_scores("main", {"m": [0.8] * 10})
    luck = run_of_scores("new", {"m": [0.6, *[0.8] * 9]})
    worse = run_of_scores("new", {"m": [0.6] * 10})
    gate = Gate(no_worse_than=True)
    # One pair of ten differs: p is 1. All ten do: p is 2 / 2**10.
    assert gate.check(luck, baseline=base).held
    outcome = gate.check(worse, baseline=base)
    assert not outcome.held
    assert outcome.checks[0].found == pytest.approx(-1 / 5)
    assert "Holm p 0.002" in outcome.checks[0].message


def test_a_rise_holds_unless_lower_is_better() -> None:
    low = run_of_scores("main", {"hallucination": [0.1] * 10}, info=BAD)
    high = run_of_scores("new", {"hallucination": [0.5] * 10}, info=BAD)
    gate = Gate(no_worse_than=True)
    assert not gate.check(high, baseline=low).held
    assert gate.check(low, baseline=high).held


def test_a_metric_without_a_direction_is_not_compared() -> None:
    facts = {"n": {"direction": "neither"}}
    base = run_of_scores("main", {"m": [1.0] * 8, "n": [1.0] * 8}, info=facts)
    new = run_of_scores("new", {"m": [1.0] * 8, "n": [0.0] * 8}, info=facts)
    checks = Gate(no_worse_than=True).check(new, baseline=base).checks
    assert [check.metric for check in checks] == ["m"]


def test_with_a_tolerance_the_tolerance_decides_and_not_the_test() -> None:
    base = run_of_scores("main", {"m": [0.8] * 10})
    proven = run_of_scores("new", {"m": [0.7] * 10})
    unproven = run_of_scores("new", {"m": [0.0, 0.0, *[0.8] * 8]})
    gate = Gate(no_worse_than=True, tolerance=0.1)
    # A fall of .1 is proven and within; one of .16 is not proven and beyond.
    assert gate.check(proven, baseline=base).held
    assert not gate.check(unproven, baseline=base).held
    low, high = (
        run_of_scores(n, {"hallucination": [v] * 3}, info=BAD) for n, v in (("a", 0), ("b", 1))
    )
    assert not gate.check(high, baseline=low).held


def test_a_metric_without_a_pair_of_scores_does_not_hold_unless_it_is_undefined_in_both() -> None:
    base = run_of_scores("main", {"m": [1.0, 1.0]})
    broken = run_of_scores("new", {"m": [None, None]}, failed=[("q0", "m"), ("q1", "m")])
    silent = run_of_scores("new", {"m": [None, None]})
    gate = Gate(no_worse_than=True)
    assert not gate.check(broken, baseline=base).held
    assert not gate.check(silent, baseline=base).held
    assert gate.check(silent, baseline=silent).held


def test_questions_and_metrics_that_are_not_compared_are_named() -> None:
    base = run_of_scores("main", {"m": [1.0, 1.0, 1.0], "gone": [1.0, 1.0, 1.0]})
    new = run_of_scores("new", {"m": [1.0, 1.0]})
    notes = " ".join(Gate(no_worse_than=True).check(new, baseline=base).notes)
    assert "1 question left out: only 'main' has" in notes
    assert "Not compared: gone, which 'new' does not have." in notes


def test_two_runs_alike_are_stopped_one_time_in_twenty_at_most() -> None:
    import random

    stopped = 0
    for seed in range(100):
        draw = random.Random(seed)
        a, b = ({m: [draw.random() for _ in range(12)] for m in "xyz"} for _ in range(2))
        gate = Gate(no_worse_than=True)
        baseline = run_of_scores("a", a)
        stopped += not gate.check(run_of_scores("b", b), baseline=baseline).held
    # Two-sided at .05 over the family, and only falls stop: 2.5 of 100 are expected.
    assert stopped <= 8


def test_a_sample_that_changed_its_question_is_not_paired() -> None:
    base = run_of_scores("main", {"m": [1.0] * 3})
    samples = [sample("q0", query="Something else?"), sample("q1"), sample("q2")]
    new = run_of_scores("new", {"m": [0.0, 1.0, 1.0]}, samples=samples)
    outcome = Gate(no_worse_than=True, tolerance=0.0).check(new, baseline=base)
    assert outcome.held
    assert "differ between the runs" in outcome.notes[0]
