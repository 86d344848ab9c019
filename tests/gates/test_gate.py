"""The gate: what holds, what does not, and what nobody may pass by having no scores."""

from dataclasses import replace

import numpy as np
import pytest

from llamaindex_rag_eval.errors import InputError, UnknownMetricError
from llamaindex_rag_eval.gates.checks import GateCheck, Threshold
from llamaindex_rag_eval.gates.gate import Gate
from llamaindex_rag_eval.gates.regression import Allowances
from llamaindex_rag_eval.runs.run import Run
from llamaindex_rag_eval.stats.inference import mean_estimate
from tests.report.runs import run_of_scores, sample

RUN = run_of_scores("r", {"faithfulness": [1.0, 0.5, 0.75] * 2, "ndcg@10": [0.5] * 6})
BAD = {"hallucination": {"direction": "lower"}}


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


def of(gate: Gate, run: Run, baseline: Run) -> GateCheck:
    """Return the check of the metric `m` against the baseline."""
    (found,) = [c for c in gate.check(run, baseline=baseline).checks if "not worse" in c.rule]
    return found


def test_a_run_is_worse_or_not_worse_or_of_too_few_questions_to_tell() -> None:
    base = run_of_scores("main", {"m": [0.8] * 40})
    gate = Gate(no_worse_than=True, margin=0.1)
    # No question of 40 differs: T = 40 · .1 / .9 = 4.4 at the margin; its root is above 1.68.
    same = of(gate, base.named("new"), base)
    assert (same.outcome, same.held) == ("holds", True)
    assert same.message.startswith("not worse: +0.000 on 40 questions, it may be worse by 0.0")
    worse = of(gate, run_of_scores("new", {"m": [0.6] * 40}), base)
    assert (worse.outcome, worse.found) == ("fails", pytest.approx(-1 / 5))
    few = of(gate, *(run_of_scores(name, {"m": [0.8] * 10}) for name in ("new", "main")))
    assert (few.outcome, few.held) == ("too few questions", False)
    # z² = 6.18 at 95 and 80 %; variance .1 · .9 for changes as large as there can be; / .1²
    assert "about 56 questions would tell" in few.message
    assert few.rule == "m is not worse than main by 0.1 or more"


def test_a_collapse_on_eight_questions_and_eight_metrics_does_not_pass() -> None:
    names = [f"m{n}" for n in range(8)]
    base = run_of_scores("main", {name: [1.0] * 8 for name in names})
    gone = run_of_scores("new", {name: [0.0] * 8 for name in names})
    outcome = Gate(no_worse_than=True).check(gone, baseline=base)
    assert not outcome.held
    # 2 / 2**8, times eight, is .0625: not significant, and nowhere near not worse.
    assert {check.outcome for check in outcome.checks[2:]} == {"too few questions"}
    one = Gate(no_worse_than=True).check(
        run_of_scores("new", {"m": [0.0] * 8}), baseline=run_of_scores("main", {"m": [1.0] * 8})
    )
    assert one.outcome == "fails"


def test_too_few_questions_fail_unless_that_is_allowed() -> None:
    runs = [run_of_scores(name, {"m": [0.8] * 10}) for name in ("new", "main")]
    allowed = Gate(no_worse_than=True, allow=Allowances(inconclusive=True))
    assert Gate(no_worse_than=True).check(runs[0], baseline=runs[1]).outcome == "too few questions"
    outcome = allowed.check(runs[0], baseline=runs[1])
    assert (outcome.held, outcome.checks[-1].outcome) == (True, "too few questions")


def test_a_rise_is_worse_where_lower_is_better() -> None:
    low = run_of_scores("main", {"hallucination": [0.1] * 40}, info=BAD)
    high = run_of_scores("new", {"hallucination": [0.5] * 40}, info=BAD)
    gate = Gate(no_worse_than=True, margin=0.1)
    assert of(gate, high, low).outcome == "fails"
    assert of(gate, low, high).outcome == "holds"


def test_the_default_margin_is_a_twentieth_of_the_range_and_said() -> None:
    wide = {"grade": {"bounds": (1.0, 5.0)}}
    free = {"grade": {"bounds": (0.0, float("inf"))}}
    for info, margin in ((wide, 0.2), (free, 0.15)):  # (5 - 1) / 20; 3 / 20
        base = run_of_scores("main", {"grade": [3.0] * 9}, info=info)
        check = of(Gate(no_worse_than=True), base.named("new"), base)
        assert check.bound == pytest.approx(margin)
        assert f"by {margin:g} or more" in check.rule


def test_a_metric_may_have_a_margin_of_its_own() -> None:
    base = run_of_scores("main", {"faithfulness": [0.8] * 40, "mrr": [0.8] * 40})
    new = run_of_scores("new", {"faithfulness": [0.7] * 40, "mrr": [0.8] * 40})
    gate = Gate.parse(no_worse_than=True, margin=["0.15", "faithfulness=.3"])
    assert (gate.margin, dict(gate.margins)) == (0.15, {"faithfulness": 0.3})
    bounds = {c.metric: c.bound for c in gate.check(new, baseline=base).checks if c.metric}
    assert (bounds["faithfulness"], bounds["mrr"]) == (0.3, 0.15)
    rest = Gate.parse(no_worse_than=True, margin=["faithfulness=.3"])
    assert rest.check(new, baseline=base).checks[-1].bound == pytest.approx(1 / 20)


@pytest.mark.parametrize(
    ("margin", "message"),
    [
        (["faithfulness=wide"], "no margin; expected a number, or METRIC=NUMBER"),
        (["=.1"], "no margin"),
        ([".1", ".2"], "'.2': this margin was given before"),
        (["mrr=.1", "mrr=.2"], "'mrr=.2': this margin was given before"),
        (["mrr=0"], "margin is 0.0; expected more than 0"),
    ],
)
def test_a_margin_that_is_none_is_an_error(margin: list[str], message: str) -> None:
    with pytest.raises(InputError, match=message):
        Gate.parse(no_worse_than=True, margin=margin)


def test_a_margin_of_a_metric_that_is_not_compared_is_an_error() -> None:
    base = run_of_scores("main", {"mrr": [1.0] * 8})
    gate = Gate.parse(no_worse_than=True, margin="faithfulness=.1")
    with pytest.raises(InputError, match="'faithfulness' has a margin, but main is compared on"):
        gate.check(base.named("new"), baseline=base)


def test_a_metric_without_a_direction_is_not_compared() -> None:
    facts = {"n": {"direction": "neither"}}
    base = run_of_scores("main", {"m": [1.0] * 8, "n": [1.0] * 8}, info=facts)
    new = run_of_scores("new", {"m": [1.0] * 8, "n": [0.0] * 8}, info=facts)
    checks = Gate(no_worse_than=True).check(new, baseline=base).checks
    assert [check.metric for check in checks if "worse" in check.rule] == ["m"]


def test_a_metric_without_a_pair_of_scores_fails_unless_that_is_allowed() -> None:
    silent = run_of_scores("new", {"m": [None] * 9})
    assert of(Gate(no_worse_than=True), silent, silent).outcome == "fails"
    gate = Gate(no_worse_than=True, allow=Allowances(uncompared=True))
    assert gate.check(silent, baseline=silent).held


def test_crashed_questions_fail_by_default() -> None:
    base = run_of_scores("main", {"m": [1.0] * 40})
    failed = [(f"q{n}", "m") for n in range(3)]
    crashed = run_of_scores("new", {"m": [None] * 3 + [1.0] * 37}, failed=failed)
    gate = Gate(no_worse_than=True, margin=0.2)
    assert of(gate, crashed, base).held
    assert not gate.check(crashed, baseline=base).held
    assert Gate(no_worse_than=True, margin=0.2, max_failed=3).check(crashed, baseline=base).held


def test_other_data_and_lost_metrics_fail_with_their_sentence() -> None:
    base = run_of_scores("main", {"m": [1.0] * 40, "gone": [1.0] * 40})
    new = run_of_scores("new", {"m": [1.0] * 39})
    gate = Gate(no_worse_than=True, margin=0.2)
    said = {check.rule: check.message for check in gate.check(new, baseline=base).checks}
    assert said["every metric of main is compared"] == "gone is not in 'new'"
    assert "only 'main' has" in said["the questions and references are those of main"]
    allow = Allowances(other_data=True, uncompared=True)
    allowed = Gate(no_worse_than=True, margin=0.2, allow=allow)
    assert allowed.check(new, baseline=base).held


def test_another_judge_fails_with_its_sentence() -> None:
    base, new = (
        judged(run_of_scores(name, {"m": [1.0] * 40}), f"llm/{model}/0/support:0")
        for name, model in (("main", "large"), ("new", "small"))
    )
    gate = Gate(no_worse_than=True, margin=0.2)
    outcome = gate.check(new, baseline=base)
    (judge,) = [check for check in outcome.checks if "judged" in check.rule]
    assert (outcome.held, judge.held) == (False, False)
    assert judge.message == (
        "No verdict on m: 'main' was judged by the LLM 'large', 'new' by the LLM 'small'."
    )
    allowed = Gate(no_worse_than=True, margin=0.2, allow=Allowances(other_judge=True))
    assert allowed.check(new, baseline=base).held


def judged(run: Run, who: str) -> Run:
    provenance = run.provenance.model_copy(update={"judged": {"m": {"SupportOf": {who: 40}}}})
    return replace(run, provenance=provenance)


def test_a_build_that_is_worse_by_the_margin_passes_one_time_in_twenty_at_most() -> None:
    generator = np.random.default_rng(8)
    passed = called_worse = 0
    gate = Gate(no_worse_than=True, margin=0.1)
    for _ in range(150):
        ease = generator.random(60)
        base = run_of_scores("a", {"m": (generator.random(60) < ease).astype(float).tolist()})
        fallen = (generator.random(60) < ease * 0.8).astype(float).tolist()  # by .5 · .2 = .1
        passed += of(gate, run_of_scores("b", {"m": fallen}), base).outcome == "holds"
        alike = run_of_scores("b", {"m": (generator.random(60) < ease).astype(float).tolist()})
        called_worse += of(gate, alike, base).outcome == "fails"
    # 7.5 and 3.75 of 150 are expected at most.
    assert passed <= 14
    assert called_worse <= 9


def test_a_sample_that_changed_its_question_is_not_paired() -> None:
    base = run_of_scores("main", {"m": [1.0] * 3})
    samples = [sample("q0", query="Something else?"), sample("q1"), sample("q2")]
    new = run_of_scores("new", {"m": [0.0, 1.0, 1.0]}, samples=samples)
    outcome = Gate(no_worse_than=True).check(new, baseline=base)
    (data,) = [check for check in outcome.checks if "references" in check.rule]
    assert not data.held
    assert "differ between the runs" in data.message
