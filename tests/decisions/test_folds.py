"""Cross-validation of a judge: folds of whole documents, and rises, by hand."""

from collections.abc import Sequence

import pytest

from llamaindex_rag_eval import Run, SingleTurnSample
from llamaindex_rag_eval.decisions.folds import CrossValidation
from llamaindex_rag_eval.decisions.labels import HumanLabel
from llamaindex_rag_eval.errors import InputError
from tests.report.runs import run_of_scores


def run_of(scores: Sequence[float], conversations: int = 30) -> Run:
    samples = [
        SingleTurnSample(
            id=f"q{n}", query="?", response="r", metadata={"conversation": str(n % conversations)}
        )
        for n in range(len(scores))
    ]
    return run_of_scores("r", {"m": scores}, samples=samples)


def labels(values: Sequence[float]) -> list[HumanLabel]:
    return [HumanLabel(f"q{n}", "m", value) for n, value in enumerate(values)]


def test_one_conversation_is_in_one_fold():
    validation = CrossValidation.of(run_of([1.0] * 30, 10), labels([1.0] * 30), 1.0)
    folds: dict[int, set[int]] = {}
    for entry in validation.labelled:
        folds.setdefault(entry.cluster, set()).add(entry.fold)
    assert len(folds) == 10
    assert all(len(numbers) == 1 for numbers in folds.values())
    assert sorted(entry.fold for entry in validation.labelled) == sorted([*range(5)] * 6)
    assert len(validation.outside(0)) == 24
    assert len(validation.outside(None)) == 30


def test_five_of_twenty_that_turn_right_are_a_rise_and_four_are_not():
    validation = CrossValidation.of(run_of([1.0] * 20, 20), labels([1.0] * 20), 1.0)
    before = [0.0] * 5 + [1.0] * 15
    five = validation.proposal("examples", "", before, [1.0] * 20)
    assert five.rise is not None
    assert five.rise.value == 5 / 20
    assert five.accepted  # the sign test of five: 2 / 2**5 = .0625, below .1
    four = validation.proposal("examples", "", [0.0] * 4 + [1.0] * 16, [1.0] * 20)
    assert not four.accepted  # 2 / 2**4 = .125
    fall = validation.proposal("examples", "", [1.0] * 20, before)
    assert not fall.accepted
    assert fall.sentence.startswith("examples: refused")


def test_a_threshold_is_the_nearest_of_the_best():
    scores = {f"q{n}": n / 20 for n in range(20)}
    validation = CrossValidation.of(
        run_of([*scores.values()], 20), labels([0.0] * 12 + [1.0] * 8), 1
    )
    # People say yes from 12 / 20 on: the middle between that and the score before.
    assert validation.best_threshold(scores, None, 0.9) == pytest.approx((11 + 12) / 40)
    assert validation.best_threshold(scores, None, 0.56) == 0.56
    assert validation.best_threshold({**scores, "q12": None}, None, 0.9) == pytest.approx(24 / 40)
    assert sum(validation.agreement(scores, [0.575] * 5)) == 20
    assert sum(validation.agreement({**scores, "q12": None}, [0.575] * 5)) == 19


def test_doubtful_labels_teach_and_measure_nothing():
    own = labels([1.0] * 25)
    own = [label if n < 20 else HumanLabel(label.sample_id, "m", 1.0, "doubtful")
           for n, label in enumerate(own)]  # fmt: skip
    validation = CrossValidation.of(run_of([1.0] * 25, 25), own, 1.0)
    assert (len(validation.labelled), len(validation.measured)) == (25, 20)
    assert len(validation.agreement({f"q{n}": 1.0 for n in range(25)}, [1.0] * 5)) == 20
    with pytest.raises(InputError, match="19 labels drawn at random"):
        CrossValidation.of(run_of([1.0] * 25, 25), own[1:], 1.0)


def test_labels_on_few_documents_are_refused():
    with pytest.raises(InputError, match="the labels are on 4 documents or conversations"):
        CrossValidation.of(run_of([1.0] * 20, 4), labels([1.0] * 20), 1.0)


def test_a_number_is_shown_with_its_interval():
    validation = CrossValidation.of(run_of([1.0] * 20, 20), labels([1.0] * 20), 1.0)
    assert validation.mean([1.0] * 20).text().startswith("1.000 (0.")
