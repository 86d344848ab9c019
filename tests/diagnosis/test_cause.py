"""Causes: what each combination of signs means."""

from typing import get_args

import pytest

from llamaindex_rag_eval.diagnosis.cause import Cause, Signs, TrialName, cause_texts, causes_of

LOST = Signs(passed=False, ranked=False, indexed=True, rank=None)
READ: dict[TrialName, bool] = {"alone": True, "first": False, "again": False}


@pytest.mark.parametrize(
    ("signs", "causes"),
    [
        (Signs(failed=True, passed=False), ("failed",)),
        (Signs(answerable=False, passed=True), ("behaviour",)),
        (Signs(known=False), ("unknown",)),
        (Signs(second=True, passed=False, indexed=False), ("judge",)),
        (Signs(supported=False, passed=True, trials={**READ, "alone": False}), ("golden_item",)),
        (Signs(supported=False, passed=True, trials=READ), ("distracted",)),
        (Signs(passed=False, ranked=False, indexed=False), ("never_indexed",)),
        (LOST, ("not_found",)),
        (Signs(passed=False, ranked=False, indexed=True, rank=101), ("not_found",)),
        (Signs(passed=False, ranked=False, indexed=True, rank=100), ("ranked_too_low",)),
        (Signs(passed=False, ranked=True, indexed=True, rank=1), ("cut",)),
        (Signs(passed=False), ("not_passed_on",)),
        (
            Signs(passed=False, ranked=True, indexed=True, rank=1, trials={"alone": False}),
            ("cut", "misread"),
        ),
        (Signs(passed=True, trials={**READ, "again": True}), ("unstable",)),
        (Signs(passed=True, trials={**READ, "alone": False}), ("misread",)),
        (Signs(passed=True, trials={**READ, "first": True}), ("order",)),
        (Signs(passed=True, trials=READ), ("distracted",)),
        (Signs(passed=True), ("not_used",)),
    ],
)
def test_signs_have_their_causes(signs: Signs, causes: tuple[Cause, ...]) -> None:
    assert causes_of(signs) == causes


def test_each_cause_has_a_title_a_meaning_and_a_remedy_in_the_order_of_a_pipeline() -> None:
    texts = cause_texts()
    assert tuple(texts) == get_args(Cause)
    assert all(text.title and text.means and text.remedy.endswith(".") for text in texts.values())
