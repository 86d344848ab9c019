"""A candidate against a baseline: worse, not worse, or not comparable."""

from dataclasses import replace

import numpy as np
import pytest

from llamaindex_rag_eval.decisions.decision import decide
from llamaindex_rag_eval.decisions.limits import Check
from llamaindex_rag_eval.decisions.policy import Allowances, Policy
from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.runs.run import Run
from tests.report.runs import run_of_scores, sample

BAD = {"hallucination": {"direction": "lower"}}


def of(policy: Policy, run: Run, baseline: Run) -> Check:
    """Return the check of the metric that decides."""
    (check,) = [c for c in decide(baseline, run, policy).checks if "must not be worse" in c.rule]
    return check


def test_a_run_is_worse_or_not_worse_or_of_too_few_questions_to_tell() -> None:
    base = run_of_scores("main", {"m": [0.8] * 40})
    gate = Policy(margin=0.1)
    # No question of 40 differs: T = 40 · .1 / .9 = 4.4 at the margin; its root is above 1.68.
    same = of(gate, run_of_scores("new", {"m": [0.8] * 40}), base)
    assert (same.outcome, same.held) == ("holds", True)
    assert same.message.startswith("not worse: ±0.000 (−0.0")
    assert same.message.endswith(") on 40 questions")
    worse = of(gate, run_of_scores("new", {"m": [0.6] * 40}), base)
    assert (worse.outcome, worse.found) == ("fails", pytest.approx(-1 / 5))
    few = of(gate, *(run_of_scores(name, {"m": [0.8] * 10}) for name in ("new", "main")))
    assert (few.outcome, few.held) == ("cannot tell", False)
    assert few.message.startswith("only 10 of at least 20 questions: ±0.000 (")
    assert few.rule == "m must not be worse than main by 0.1 or more"


def test_a_collapse_on_eight_questions_and_eight_metrics_does_not_pass() -> None:
    names = [f"m{n}" for n in range(8)]
    base = run_of_scores("main", {name: [1.0] * 8 for name in names})
    gone = run_of_scores("new", {name: [0.0] * 8 for name in names})
    decision = decide(base, gone)
    # All fall together: 2 / 2**8 for all of them; eight times of it would be .0625.
    assert (decision.outcome, decision.held) == ("worse", False)
    assert [check.outcome for check in decision.checks if check.contrast] == ["fails"] * 8
    allowed = Policy(allow=Allowances(inconclusive=True))
    for questions in (3, 4, 8):
        one, none = ([value] * questions for value in (1.0, 0.0))
        runs = run_of_scores("main", {"m": one}), run_of_scores("new", {"m": none})
        assert not decide(*runs, allowed).held


def test_too_few_questions_fail_unless_that_is_allowed() -> None:
    main, new = (run_of_scores(name, {"m": [0.8] * 10}) for name in ("main", "new"))
    assert decide(main, new).outcome == "cannot tell"
    allowed = decide(main, new, Policy(allow=Allowances(inconclusive=True)))
    assert (allowed.held, allowed.outcome) == (True, "cannot tell")
    # Neither shown to be worse nor to be as good, and its mean is worse by more than the margin.
    dropped = run_of_scores("new", {"m": [0.0, *[0.8] * 9]})
    assert decide(main, dropped).outcome == "cannot tell"
    assert not decide(main, dropped, Policy(allow=Allowances(inconclusive=True))).held


def test_a_rise_is_worse_where_lower_is_better() -> None:
    low = run_of_scores("main", {"hallucination": [0.1] * 40}, info=BAD)
    high = run_of_scores("new", {"hallucination": [0.5] * 40}, info=BAD)
    gate = Policy(margin=0.1)
    assert of(gate, high, low).outcome == "fails"
    assert of(gate, low, high).outcome == "holds"


def test_the_default_margin_is_a_twentieth_of_the_range_and_said() -> None:
    wide = {"grade": {"bounds": (1.0, 5.0)}}
    free = {"grade": {"bounds": (0.0, float("inf"))}}
    for info, margin in ((wide, 0.2), (free, 0.15)):  # (5 - 1) / 20; 3 / 20
        base = run_of_scores("main", {"grade": [3.0] * 9}, info=info)
        check = of(Policy(), base.named("new"), base)
        assert check.bound == pytest.approx(margin)
        assert f"by {margin:g} or more" in check.rule


def test_a_metric_may_have_a_margin_of_its_own() -> None:
    base = run_of_scores("main", {"faithfulness": [0.8] * 40, "mrr": [0.8] * 40})
    new = run_of_scores("new", {"faithfulness": [0.7] * 40, "mrr": [0.8] * 40})
    gate = Policy.parse(margin=["0.15", "faithfulness=.3"])
    assert (gate.margin, dict(gate.margins)) == (0.15, {"faithfulness": 0.3})
    bounds = {c.metric: c.bound for c in decide(base, new, gate).checks if c.contrast}
    assert (bounds["faithfulness"], bounds["mrr"]) == (0.3, 0.15)
    rest = Policy.parse(margin=["faithfulness=.3"])
    bounds = {c.metric: c.bound for c in decide(base, new, rest).checks if c.contrast}
    assert bounds["mrr"] == pytest.approx(1 / 20)


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
        Policy.parse(margin=margin)


def test_a_margin_of_a_metric_that_is_not_compared_is_an_error() -> None:
    base = run_of_scores("main", {"mrr": [1.0] * 8})
    gate = Policy.parse(margin="faithfulness=.1")
    with pytest.raises(InputError, match="'faithfulness' has a margin, but main is compared on"):
        decide(base, base.named("new"), gate)


def test_a_metric_without_a_direction_is_not_compared() -> None:
    facts = {"n": {"direction": "neither"}}
    base = run_of_scores("main", {"m": [1.0] * 8, "n": [1.0] * 8}, info=facts)
    new = run_of_scores("new", {"m": [1.0] * 8, "n": [0.0] * 8}, info=facts)
    checks = decide(base, new).checks
    assert [check.metric for check in checks if "worse" in check.rule] == ["m"]


def test_a_metric_without_a_pair_of_scores_fails_unless_that_is_allowed() -> None:
    silent, before = (run_of_scores(name, {"m": [None] * 9}) for name in ("new", "main"))
    decision = decide(before, silent)
    assert (decision.outcome, decision.held) == ("not comparable", False)
    assert decision.headline == "Not comparable: no question has a score of m in both runs"
    assert "It is missing for 0 in main, 0 in new, 9 in both." in decision.reasons[0]


def test_a_metric_that_no_question_of_either_run_can_have_is_left_out() -> None:
    scores: dict[str, list[float | None]] = {"m": [1.0, 0.0] * 20, "hits": [None] * 40}
    base = run_of_scores("main", scores)
    decision = decide(base, run_of_scores("new", {**scores, "m": [1.0] * 40}))
    assert (decision.outcome, decision.held) == ("better", True)
    lost = run_of_scores("main", {**scores, "hits": [1.0] + [None] * 39})
    assert decide(lost, base.named("new")).outcome == "not comparable"


def test_crashed_questions_count_as_the_worst_there_can_be() -> None:
    base = run_of_scores("main", {"m": [1.0] * 40})
    failed = [(f"q{n}", "m") for n in range(3)]
    crashed = run_of_scores("new", {"m": [None] * 3 + [1.0] * 37}, failed=failed)
    # 3 of 40 that fall by 1 are .075: more than a margin of .05, and less than one of .3.
    assert decide(base, crashed).outcome == "cannot tell"
    assert "3 questions have no score in one of the runs" in decide(base, crashed).reasons[0]
    assert decide(base, crashed, Policy(margin=0.3)).outcome == "not worse"
    assert decide(base, crashed, Policy(margin=0.3, max_missing=0.05)).outcome == "limit missed"
    # A gain of .06 is shown, and what is missing could undo it.
    better = run_of_scores("new", {"m": [None] * 3 + [0.96] * 37}, failed=failed)
    assert decide(run_of_scores("main", {"m": [0.9] * 40}), better).outcome == "cannot tell"


def test_other_data_and_lost_metrics_fail_with_their_sentence() -> None:
    base = run_of_scores("main", {"m": [1.0] * 40, "gone": [1.0] * 40})
    new = run_of_scores("new", {"m": [1.0] * 39})
    gate = Policy(margin=0.2)
    said = {check.rule: check.message for check in decide(base, new, gate).checks}
    assert said["every metric of main must be compared"] == "The metric gone is not in 'new'."
    assert "only 'main' has" in said["the questions and references must be those of main"]
    allow = Allowances(other_data=True, uncompared=True)
    allowed = Policy(margin=0.2, allow=allow)
    assert decide(base, new, allowed).held


def test_another_judge_fails_with_its_sentence() -> None:
    base, new = (
        judged(run_of_scores(name, {"m": [1.0] * 40}), f"llm/{model}/0/support:0")
        for name, model in (("main", "large"), ("new", "small"))
    )
    gate = Policy(margin=0.2)
    outcome = decide(base, new, gate)
    (judge,) = [check for check in outcome.checks if "judged" in check.rule]
    assert (outcome.held, judge.held) == (False, False)
    assert judge.message == (
        "No verdict on m: 'main' was judged by the LLM 'large', 'new' by the LLM 'small'."
    )
    allowed = Policy(margin=0.2, allow=Allowances(other_judge=True))
    assert decide(base, new, allowed).held


def judged(run: Run, who: str) -> Run:
    provenance = run.provenance.model_copy(update={"judged": {"m": {"SupportOf": {who: 40}}}})
    return replace(run, provenance=provenance)


def test_a_build_that_is_worse_by_the_margin_passes_one_time_in_twenty_at_most() -> None:
    generator = np.random.default_rng(8)
    passed = called_worse = 0
    gate = Policy(margin=0.1)
    for _ in range(12):
        ease = generator.random(60)
        base = run_of_scores("a", {"m": (generator.random(60) < ease).astype(float).tolist()})
        fallen = (generator.random(60) < ease * 0.8).astype(float).tolist()  # by .5 · .2 = .1
        passed += of(gate, run_of_scores("b", {"m": fallen}), base).outcome == "holds"
        alike = run_of_scores("b", {"m": (generator.random(60) < ease).astype(float).tolist()})
        called_worse += of(gate, alike, base).outcome == "fails"
    # .6 and .3 of 12 are expected at most.
    assert passed <= 2
    assert called_worse <= 2


def test_a_sample_that_changed_its_question_is_not_paired() -> None:
    base = run_of_scores("main", {"m": [1.0] * 3})
    samples = [sample("q0", query="Something else?"), sample("q1"), sample("q2")]
    new = run_of_scores("new", {"m": [0.0, 1.0, 1.0]}, samples=samples)
    outcome = decide(base, new)
    (data,) = [check for check in outcome.checks if "references" in check.rule]
    assert not data.held
    assert "differ between the runs" in data.message
