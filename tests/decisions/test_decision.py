"""May a pipeline take the place of its baseline?"""

from dataclasses import replace

import numpy as np
import pytest

from llamaindex_rag_eval.decisions.compare import compare
from llamaindex_rag_eval.decisions.decision import Decision, decide, decide_pair
from llamaindex_rag_eval.decisions.policy import DEFAULT_POLICY, Policy
from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.metrics.result import Result
from llamaindex_rag_eval.runs.run import Run
from llamaindex_rag_eval.stats.interval import signed
from tests.report.runs import run_of_scores, sample

MIXED = [0.0, 0.5, 1.0, 0.75] * 10


def test_a_run_that_is_better_may_be_shipped() -> None:
    better = [min(1.0, score + 0.4) for score in MIXED]
    decision = decide(run_of_scores("a", {"m": MIXED}), run_of_scores("b", {"m": better}))
    assert (decision.outcome, decision.headline, decision.more) == (
        "better",
        "Ship: better on m",
        None,
    )
    # (0.4 + 0.4 + 0 + 0.25) / 4
    assert decision.reasons == ("b is better than a on m (+0.263).",)


def test_one_that_is_as_good_may_be_shipped_and_nothing_is_claimed() -> None:
    many = MIXED * 20
    decision = decide(run_of_scores("a", {"m": many}), run_of_scores("b", {"m": many}))
    assert (decision.outcome, decision.headline) == ("not worse", "Ship: not worse on m")
    assert decision.reasons == (
        "No score differs on m.",
        "On m, a loss of 0.05 or more is ruled out.",
    )


def test_one_that_is_worse_on_one_metric_may_not_be_shipped_for_being_better_on_another() -> None:
    a = run_of_scores("a", {"m": [0.0] * 40, "k": [1.0] * 40})
    b = run_of_scores("b", {"m": [1.0] * 40, "k": [0.0] * 40})
    decision = decide(a, b)
    assert decision.headline == "Do not ship: worse on k"
    assert decision.reasons == ("b is better than a on m (+1.000); worse on k (−1.000).",)


def test_a_metric_that_does_not_decide_stops_only_what_is_shown_to_be_worse() -> None:
    many = MIXED * 20
    fell = [score - 0.5 if place % 200 == 3 else score for place, score in enumerate(many)]
    a = run_of_scores("a", {"m": many, "k": many[:40] + [None] * 760})
    b = run_of_scores("b", {"m": many, "k": fell[:40] + [None] * 760})
    # One of 40 questions falls: neither shown to be worse, nor ruled out by the margin.
    assert decide(a, b).outcome == "not worse"
    assert decide(a, b, Policy(primary="k")).outcome == "cannot tell"


def test_the_verdict_on_answers_decides_unless_another_metric_is_named() -> None:
    scores = {"m": [0.0] * 40, "answer_verdict": [1.0] * 40}
    run = run_of_scores("a", scores)
    assert decide(run, run.named("b")).checks[0].metric == "answer_verdict"
    assert decide(run, run.named("b"), Policy(primary="m")).checks[0].metric == "m"
    with pytest.raises(InputError, match="'mrr' decides, but a has no such metric; it has 'm'"):
        decide(run, run.named("b"), Policy(primary="mrr"))


def test_with_few_questions_nobody_can_tell_and_it_says_how_many_would() -> None:
    few = decide(run_of_scores("a", {"m": MIXED}), run_of_scores("b", {"m": MIXED}))
    assert few.verdict == "cannot tell yet"
    assert few.more is not None
    assert few.headline == f"Cannot tell yet: add about {few.more} questions"
    # As many questions in all do tell, if both are alike; with half as many more they would not.
    enough = MIXED * (2 + few.more // len(MIXED))
    settled = decide(run_of_scores("a", {"m": enough}), run_of_scores("b", {"m": enough}))
    assert settled.verdict == "ship"


def test_of_a_shown_loss_no_number_of_questions_is_said() -> None:
    decision = decide(run_of_scores("a", {"m": [1.0] * 8}), run_of_scores("b", {"m": [0.0] * 8}))
    assert (decision.outcome, decision.more) == ("worse", None)
    assert {check.needed for check in decision.checks} == {None}


def test_a_minimum_of_questions_and_of_documents_withholds_what_is_not_a_loss() -> None:
    runs = run_of_scores("a", {"m": [0.2] * 30}), run_of_scores("b", {"m": [1.0] * 30})
    assert decide(*runs).outcome == "better"
    assert decide(*runs, Policy(questions=31)).headline.endswith("add about 1 question")
    assert decide(*runs, Policy(documents=31)).outcome == "cannot tell"


def test_metrics_without_a_better_side_decide_nothing() -> None:
    info = {"m": {"direction": "neither"}}
    a, b = (run_of_scores(name, {"m": MIXED}, info=info) for name in "ab")
    decision = decide(a, b)
    assert (decision.outcome, decision.held) == ("cannot tell", False)
    assert decision.headline == "Cannot tell yet: no metric says which way is better"


def test_a_margin_of_ones_own_decides() -> None:
    worse = [max(0.0, score - 0.1) for score in MIXED * 20]
    pair = compare(run_of_scores("a", {"m": MIXED * 20}), run_of_scores("b", {"m": worse}))
    assert decide_pair(pair).verdict == "do not ship"
    decision = decide_pair(pair, Policy(margins={"m": 0.2}))
    assert decision.verdict == "ship"
    accepted = "On m, b is worse than a by less than 0.2, which is accepted."
    assert decision.reasons == ("b is worse than a on m (−0.075).", accepted)
    assert decision.headline == "Ship: worse by less than the margin on m"
    assert decision.as_json()["outcome"] == "not worse"
    with pytest.raises(InputError, match=r"'mrr' has a margin, but a is compared on 'm' only"):
        decide_pair(pair, Policy(margins={"mrr": 0.2}))


def test_a_loss_by_another_judge_or_prompt_is_no_shown_loss() -> None:
    for models in (("large", "small"), ("large/0/support:0", "large/0/support:1")):
        a, b = (
            judged_by(run_of_scores(name, {"m": [score] * 40}), model)
            for name, score, model in zip("ab", (1.0, 0.0), models, strict=True)
        )
        decision = decide(a, b)
        assert (decision.outcome, decision.held) == ("not comparable", False)
        assert decision.reasons[0].startswith(
            "Not met: metrics must be judged as in a. No verdict on"
        )
        assert "is worse" not in " ".join(decision.reasons)


def judged_by(run: Run, model: str) -> Run:
    judged = {"m": {"SupportOf": {f"llm/{model}": 40}}}
    return replace(run, provenance=run.provenance.model_copy(update={"judged": judged}))


def test_the_same_answers_are_not_worse_where_a_model_judged_them_otherwise() -> None:
    samples = [sample(f"q{number}") for number in range(40)]
    a = run_of_scores("a", {"m": MIXED}, samples=samples)
    b = run_of_scores("b", {"m": [0.5] * 40}, samples=samples)
    assert decide(a, b).verdict == "cannot tell yet"
    decision = decide(judged_by(a, "large/0/x:0"), judged_by(b, "large/0/x:0"))
    assert decision.headline == "Ship: no answer changed"


def test_ship_is_not_said_of_many_wrong_answers_without_saying_so() -> None:
    samples = [sample(f"q{number}") for number in range(40)]
    for wrong, said in ((11, ", but 28% of its answers are wrong"), (10, "")):
        run = run_of_scores("a", {"answer_verdict": [0.0] * wrong + [1.0] * (40 - wrong)})
        run = replace(run, samples=tuple(samples), results=verdicts(run))
        assert decide(run, run.named("b")).headline == f"Ship: no answer changed{said}"


def verdicts(run: Run) -> tuple[Result, ...]:
    labels = {0.0: "wrong", 1.0: "right"}
    return tuple(
        result.model_copy(update={"verdict": labels[result.score or 0.0]}) for result in run.results
    )


def one_of(decision_of: tuple[list[float | None], list[float | None]], **failed: str) -> str:
    """Return the reasons of a decision on two runs with these scores as one text."""
    a, b = decision_of
    lost = [(sample_id, "m") for sample_id in failed]
    decision = decide(run_of_scores("a", {"m": a}), run_of_scores("b", {"m": b}, failed=lost))
    return f"{decision.headline}. {' '.join(decision.reasons)}"


def test_where_it_fell_by_the_margin_it_says_so_and_how_many_would_show_such_a_loss() -> None:
    text = one_of(([1.0] * 100, [0.0] * 5 + [1.0] * 95))
    reached = "Cannot tell yet: b lost 0.05 on m, which may be chance; add about 230 questions."
    assert text.startswith(reached)
    assert (
        "More questions would decide one way or the other. "
        "With 230 more, a loss is shown in 8 of 10 cases if b is worse by 0.05." in text
    )


def test_scores_that_are_missing_are_to_be_got_first_where_they_alone_leave_it_open() -> None:
    text = one_of(([1.0] * 40, [None] * 3 + [1.0] * 37), q0="", q1="", q2="")
    assert "3 questions have no score in one of the runs" in text
    assert "that alone is a loss of 0.075: score them." in text
    assert text.startswith("Cannot tell yet: score the 3 questions that lack a score in one run.")


def test_few_scores_of_many_questions_are_said() -> None:
    text = one_of(([1.0] * 2 + [None] * 38, [1.0] * 2 + [None] * 38))
    assert (
        "Only 2 of 40 questions have a score in both runs; at least 20 are needed to pass." in text
    )


def test_answers_that_vary_are_better_asked_again_than_more_questions() -> None:
    a, b = [0.0, 1.0, 1.0, 1.0, 1.0] * 20, [1.0, 0.0, 1.0, 1.0, 1.0] * 20
    assert "`run --repeats` needs fewer questions" in one_of(([*a], [*b]))
    assert "--repeats" not in one_of(([1.0] * 50, [1.0] * 50))


def test_a_small_fall_that_stops_says_that_it_may_be_greater() -> None:
    a = run_of_scores("a", {"m": [1.0] * 200, "k": [1.0] * 200})
    b = run_of_scores("b", {"m": [1.0] * 200, "k": [0.0] * 8 + [1.0] * 192})
    # Eight of eight that changed fell: 2 / 2**8 / .2.
    reasons = decide(a, b).reasons
    assert reasons[0] == "b is worse than a on k (−0.040)."
    assert "The loss on k may be larger than the margin." in reasons


def of_two(scores: list[float], policy: Policy = DEFAULT_POLICY) -> Decision:
    """Return the decision where the metric that decides rose, and another fell to these scores."""
    count = len(scores)
    a = run_of_scores("a", {"m": [0.0] * count, "k": [0.8] * count})
    return decide(a, run_of_scores("b", {"m": [1.0] * count, "k": scores}), policy)


@pytest.mark.parametrize("count", [20, 30, 200])
def test_a_loss_that_is_certain_but_negligible_stops_nothing(count: int) -> None:
    slight = of_two([0.79] * count)
    check = slight.checks[1]
    assert check.contrast is not None
    assert check.contrast.finding == "worse"  # the table says so, too
    assert check.rule == "a loss on k of more than 0.01, if shown, stops it"
    assert (slight.outcome, slight.held, check.outcome) == ("better", True, "holds")
    reasons = {
        "On k, a loss of up to 0.01 is accepted.",
        "On k, b is worse than a by less than 0.05, which is accepted.",
    }
    assert reasons & {*slight.reasons}


@pytest.mark.parametrize("count", [20, 30, 200])
def test_a_loss_of_the_margin_or_more_stops_on_any_metric(count: int) -> None:
    for lost in (0.05, 0.3):
        decision = of_two([0.8 - lost] * count)
        assert decision.headline == "Do not ship: worse on k"
    # The margin of the metric says what is negligible.
    assert of_two([0.75] * 20, Policy(margins={"k": 0.3})).outcome == "better"


def test_words_of_a_decision_are_those_of_the_comparison() -> None:
    generator = np.random.default_rng(3)
    for shift in np.linspace(-0.5, 0.5, 15):
        scores = {name: generator.random(24) for name in "mkl"}
        new = {
            name: np.clip(row + generator.normal(shift, 0.4, 24), 0, 1)
            for name, row in scores.items()
        }
        a, b = (
            run_of_scores(name, {m: row.tolist() for m, row in rows.items()})
            for name, rows in (("a", scores), ("b", new))
        )
        pair = compare(a, b)
        findings = [contrast.finding for contrast in pair.contrasts]
        for check in decide(a, b).checks[:3]:
            assert check.contrast is not None
            # A loss is only ever one that the table shows, too.
            assert (check.outcome == "fails") == (check.contrast.finding == "worse")
        decision = decide_pair(pair)
        assert (decision.outcome == "worse") == ("worse" in findings)
        assert decision.outcome != "better" or findings[0] == "better"


def test_a_decision_is_read_from_the_interval_that_is_shown() -> None:
    generator, outcomes = np.random.default_rng(5), set()
    for shift in np.linspace(-0.2, 0.2, 21):
        scores = generator.random(60)
        new = np.clip(scores + generator.normal(shift, 0.2, 60), 0, 1)
        a, b = (
            run_of_scores(name, {"m": row.tolist()}) for name, row in (("a", scores), ("b", new))
        )
        decision = decide(a, b)
        contrast = decision.checks[0].contrast
        assert contrast is not None
        low, high = contrast.estimate.ends
        assert (low > 0) == (decision.outcome == "better")
        assert (low > -0.05) == (decision.verdict == "ship")
        assert decision.outcome != "worse" or high < 0
        assert contrast.estimate.level == pytest.approx(0.9)
        assert contrast.estimate.text(signed) in decision.checks[0].message
        outcomes.add(decision.outcome)
    assert outcomes >= {"better", "cannot tell", "worse"}


def test_a_rise_on_too_few_questions_is_said_and_does_not_pass() -> None:
    text = one_of(([0.0] * 19, [1.0] * 19))
    assert text.endswith(
        "19 questions; at least 20 are needed to pass. b is better than a on m (+1.000)."
    )


def test_of_a_fall_on_too_few_questions_to_show_it_the_fall_is_said() -> None:
    text = one_of(([1.0] * 5, [0.0] * 5))
    assert "On average b is 1 worse than a on m, which may be chance with so few questions." in text
