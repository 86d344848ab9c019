"""Calibration: a judge against people, worked by hand and against independent libraries."""

import math
import random
from collections.abc import Mapping, Sequence

import pytest

from llamaindex_rag_eval.decisions.agreement import Confusion, agreement_of
from llamaindex_rag_eval.decisions.calibration import calibrate
from llamaindex_rag_eval.decisions.labels import Chosen, HumanLabel, answer_digest
from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.stats.inference import wilson
from llamaindex_rag_eval.stats.ppi import PPIMean, ppi_mean
from tests.report.runs import run_of_scores


def labels_of(
    values: Sequence[float], metric: str = "m", chosen: Chosen = "random"
) -> list[HumanLabel]:
    return [HumanLabel(f"q{n}", metric, value, chosen) for n, value in enumerate(values)]


def test_agreement_of_four_samples_by_hand() -> None:
    found = agreement_of([0.9, 0.6, 0.7, 0.1], [1, 1, 0, 0], threshold=0.5, cut=0.5)
    # The judge says yes, yes, yes, no; people yes, yes, no, no: three of four alike.
    assert found.accuracy.value == 3 / 4
    share = wilson(3, 4)
    assert share is not None
    assert found.accuracy.interval is not None
    assert found.accuracy.interval.low == pytest.approx(share.low)
    assert found.accuracy.interval.high == pytest.approx(share.high)
    # By chance: 3/4 · 1/2 + 1/4 · 1/2 = 1/2; kappa = (3/4 - 1/2) / (1 - 1/2).
    assert found.kappa.value == pytest.approx(1 / 2)
    # .9 beats .7 and .1, .6 beats .1 alone: three of four pairs.
    assert found.auc.value == 3 / 4
    assert found.confusion == Confusion(both_yes=2, only_judge=1, only_people=0, both_no=1)


def test_agreement_is_that_of_an_independent_library() -> None:
    from sklearn.metrics import cohen_kappa_score, confusion_matrix, roc_auc_score  # slow to import

    draw = random.Random(7)
    scores = [round(draw.random(), 2) for _ in range(60)]
    people = [float(draw.random() < score) for score in scores]
    found = agreement_of(scores, people, threshold=0.6, cut=0.5)
    told = [score >= 0.6 for score in scores]
    assert found.kappa.value == pytest.approx(cohen_kappa_score(people, told))
    assert found.auc.value == pytest.approx(roc_auc_score(people, scores))
    (no, only_judge), (only_people, yes) = confusion_matrix(people, told)
    assert found.confusion == Confusion(yes, only_judge, only_people, no)


def test_every_measure_lies_in_its_interval() -> None:
    draw = random.Random(3)
    scores = [draw.random() for _ in range(40)]
    people = [float(draw.random() < score) for score in scores]
    found = agreement_of(scores, people, threshold=0.5, cut=0.5)
    for one in (found.accuracy, found.kappa, found.auc, found.spearman):
        assert one.value is not None
        assert one.interval is not None
        assert one.value in one.interval


def test_samples_of_one_document_make_intervals_of_agreement_wider() -> None:
    people = [float(number % 2) for number in range(48)]
    scores = [1 - one if number < 12 else one for number, one in enumerate(people)]
    alone = agreement_of(scores, people, threshold=0.5, cut=0.5)
    documents = [number // 6 for number in range(48)]
    together = agreement_of(scores, people, threshold=0.5, cut=0.5, clusters=documents)
    for one, other in ((alone.accuracy, together.accuracy), (alone.kappa, together.kappa)):
        assert one.value == other.value
        assert one.interval is not None
        assert other.interval is not None
        assert one.interval.width < other.interval.width


def test_a_judge_like_people_agrees_wholly() -> None:
    found = agreement_of([1, 0] * 10, [1, 0] * 10, threshold=0.5, cut=0.5)
    values = (found.accuracy, found.kappa, found.auc, found.spearman)
    assert [one.value for one in values] == [1, 1, 1, pytest.approx(1)]
    # Twenty samples that agree do not show that all do.
    assert all(one.interval is not None and one.interval.width > 0 for one in values)
    ends = found.spearman.interval
    assert ends is not None
    assert ends.low < 0.8  # of yes and no: that of AUC, not that of twenty ranks without a tie


def test_where_people_always_say_yes_there_is_no_auc() -> None:
    found = agreement_of([0.9, 0.1], [1, 1], threshold=0.5, cut=0.5)
    assert found.accuracy.value == 1 / 2
    assert (found.auc.value, found.spearman.value) == (None, None)


def test_without_samples_everything_is_undefined() -> None:
    found = agreement_of([], [], threshold=0.5, cut=0.5)
    assert (found.n, found.accuracy.value, found.kappa.value) == (0, None, None)


def corrected_mean(scores: Mapping[str, float], labels: Sequence[HumanLabel]) -> PPIMean | None:
    run = run_of_scores("judged", {"m": [*scores.values()]})
    return calibrate(run, labels).metrics[0].corrected


def test_few_labels_alone_make_the_corrected_mean() -> None:
    scores = {f"q{n}": 1.0 for n in range(10)}
    found = corrected_mean(scores, labels_of([1, 0, 1, 0]))
    assert found is not None
    # Below twenty labels the judge is not relied on: (1 + 0 + 1 + 0) / 4.
    assert (found.value, found.weight) == (1 / 2, 0)
    assert (found.n, found.unlabelled) == (4, 6)


@pytest.mark.parametrize("count", [2, 10, 20, 40])
@pytest.mark.parametrize("values", [(1.0,), (0.0,), (1.0, 0.0)])
def test_no_interval_of_yes_and_no_labels_is_without_width(
    count: int, values: tuple[float, ...]
) -> None:
    labels = (values * count)[:count]
    # The judge says what people say, wherever they say anything.
    scores = {f"q{n}": values[n % len(values)] for n in range(200)}
    found = corrected_mean(scores, labels_of(labels))
    assert found is not None
    assert found.interval is not None
    assert found.value in found.interval
    assert found.interval.width > 0.04
    if len(values) == 1:  # the judge says one thing, so that it is no help: Wilson's of the labels
        alone = wilson(round(sum(labels)), count)
        assert alone is not None
        assert found.interval.low == pytest.approx(alone.low)
        assert found.interval.high == pytest.approx(alone.high)


def test_doubtful_samples_do_not_pull_the_corrected_mean() -> None:
    scores = {f"q{n}": 1.0 for n in range(10)}
    doubtful = [HumanLabel("q8", "m", 0.0, "doubtful"), HumanLabel("q9", "m", 0.0, "doubtful")]
    found = corrected_mean(scores, [*labels_of([1, 1, 1, 0]), *doubtful])
    assert found is not None
    assert found.value == 3 / 4
    assert (found.n, found.unlabelled) == (4, 6)


def test_labels_of_doubtful_samples_alone_correct_nothing() -> None:
    assert corrected_mean({"q0": 1.0, "q1": 1.0}, labels_of([0], chosen="doubtful")) is None


def test_where_every_answer_is_labelled_each_label_counts_however_it_was_chosen() -> None:
    scores = {f"q{n}": 1.0 for n in range(6)}
    labels = [*labels_of([1, 1, 1, 1]), HumanLabel("q4", "m", 0.0, "doubtful")]
    every = corrected_mean(scores, [*labels, HumanLabel("q5", "m", 0.0, "doubtful")])
    assert every is not None
    assert every.value == pytest.approx(4 / 6)


def test_the_corrected_mean_is_about_what_people_say_and_its_interval_holds_it() -> None:
    held = 0
    for seed in range(200):
        draw = random.Random(seed)
        truth = {f"q{n}": float(draw.random() < 0.7) for n in range(400)}
        # A judge too kind: it likes half of what people do not.
        scores = {k: max(v, float(draw.random() < 0.5)) for k, v in truth.items()}
        drawn = draw.sample(sorted(truth), 60)
        unlabelled = [score for key, score in scores.items() if key not in drawn]
        people, judged = [truth[key] for key in drawn], [scores[key] for key in drawn]
        found = ppi_mean(people, judged, unlabelled, bounds=(0.0, 1.0))
        assert found is not None
        assert found.interval is not None
        held += sum(truth.values()) / 400 in found.interval
    # 95 % of 200 are 190; below 181 the chance is less than 1 in 200 for a sound interval.
    assert held >= 181


def test_calibrates_each_metric_that_has_labels() -> None:
    run = run_of_scores("r", {"m": [0.9, 0.2, 0.8], "other": [1, 1, 1]})
    found = calibrate(run, labels_of([1, 0, 0]))
    assert [one.spec for one in found.metrics] == ["m"]
    one = found.of("m")
    assert one is not None
    assert one.agreement.accuracy.value == 2 / 3
    assert one.judged.value == pytest.approx(19 / 30)


def test_the_worst_misses_come_first_and_hits_not_at_all() -> None:
    run = run_of_scores("r", {"m": [0.75, 0.25, 1.0, 1.0]})
    one = calibrate(run, labels_of([1, 1, 0, 1])).metrics[0]
    assert [(miss.sample_id, miss.gap) for miss in one.misses] == [
        ("q2", 1),
        ("q1", 3 / 4),
        ("q0", 1 / 4),
    ]
    assert one.misses[0].feedback == "m is 1."


def test_an_overall_label_is_good_where_lower_is_better_as_well() -> None:
    facts = {"bad": {"direction": "lower"}, "size": {"direction": "neither"}}
    scores = {"good": [1, 0, 1], "bad": [0, 1, 0], "size": [1, 0, 1]}
    run = run_of_scores("r", scores, info=facts)
    found = calibrate(run, labels_of([1, 0, 1], metric=""))
    assert [one.spec for one in found.metrics] == ["good", "bad"]
    assert [one.agreement.accuracy.value for one in found.metrics] == [1, 1]


def test_a_label_of_the_metric_goes_before_an_overall_one() -> None:
    run = run_of_scores("r", {"m": [1.0, 0.0, 0.0]})
    found = calibrate(run, [*labels_of([0, 0, 0], metric=""), HumanLabel("q0", "m", 1.0)])
    assert found.metrics[0].agreement.accuracy.value == 1


def test_labels_take_the_unit_of_the_metric() -> None:
    run = run_of_scores("r", {"m": [5, 1, 1]}, info={"m": {"bounds": (1.0, 5.0)}})
    one = calibrate(run, labels_of([1, 0, 0])).metrics[0]
    # Labels 1 and 0 are 5 and 1 of a metric from 1 to 5; its middle is 3.
    assert (one.agreement.threshold, one.agreement.accuracy.value) == (3, 1)
    assert one.misses == ()


def test_the_metrics_own_threshold_says_yes_and_one_that_is_given_goes_first() -> None:
    run = run_of_scores("r", {"m": [0.7, 0.2, 0.1]}, info={"m": {"threshold": 0.8}})
    labels = labels_of([1, 0, 0])
    assert calibrate(run, labels).metrics[0].agreement.confusion.only_people == 1
    assert calibrate(run, labels, threshold=0.6).metrics[0].agreement.accuracy.value == 1


def test_samples_without_a_score_are_named_and_count_nowhere() -> None:
    run = run_of_scores("r", {"m": [1.0, None]})
    one = calibrate(run, labels_of([1, 0])).metrics[0]
    assert one.unjudged == ("q1",)
    assert one.agreement.n == 1


def test_labels_that_fit_nothing_are_named() -> None:
    run = run_of_scores("r", {"m": [1.0]})
    strangers = [HumanLabel("q9", "m", 1.0), HumanLabel("q0", "n", 1.0)]
    found = calibrate(run, [*labels_of([1]), *strangers])
    assert (found.unmatched, found.unknown) == (("q9",), ("n",))


def test_labels_none_of_which_fit_are_an_error_that_names_the_metrics() -> None:
    with pytest.raises(InputError, match=r"none of 1 labels .* it has 'm'"):
        calibrate(run_of_scores("r", {"m": [1.0]}), [HumanLabel("q9", "m", 1.0)])


def test_a_metric_without_bounds_is_named_and_not_compared() -> None:
    facts = {"free": {"bounds": (0.0, math.inf)}}
    run = run_of_scores("r", {"m": [1.0], "free": [7.0]}, info=facts)
    found = calibrate(run, labels_of([1], metric=""))
    assert [one.spec for one in found.metrics] == ["m"]
    assert found.unbounded == ("free",)


def test_doubtful_samples_are_among_the_misses_and_not_in_the_agreement() -> None:
    run = run_of_scores("r", {"m": [1.0, 1.0, 1.0]})
    labels = [HumanLabel("q0", "m", 1.0), HumanLabel("q1", "m", 0.0, "doubtful")]
    one = calibrate(run, labels).metrics[0]
    assert (one.agreement.n, one.agreement.accuracy.value) == (1, 1)
    assert [miss.sample_id for miss in one.misses] == ["q1"]


def test_a_label_of_another_answer_counts_nowhere() -> None:
    run = run_of_scores("run", {"m": [0.9, 0.1, 0.8]})
    labels = [
        *labels_of([1, 0]),
        HumanLabel("q2", "m", 0.0, answer=answer_digest("another answer")),
    ]
    calibration = calibrate(run, labels)
    assert calibration.metrics[0].agreement.n == 2
    assert calibration.unmatched == ("q2",)
