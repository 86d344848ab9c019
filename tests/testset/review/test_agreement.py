"""How far two reviewers agree, in words and on the data card."""

from fractions import Fraction

import pytest

from tests.cli.command_line import rag_eval
from tests.testset.review.items import ITEMS
from testset import GoldenSet
from testset.review.agreement import agreement_of
from testset.review.decisions import Action, Decisions, decisions_in

VERDICTS: tuple[tuple[Action, Action], ...] = (
    ("accept", "accept"),
    ("accept", "reject"),
    ("reject", "reject"),
    ("accept", "accept"),
)


@pytest.fixture
def decisions(tmp_path):
    items = tuple(ITEMS[0].model_copy(update={"id": str(number)}) for number in range(5))
    made = Decisions(GoldenSet(items, size=5).write(tmp_path / "golden.jsonl"))
    for number, (ada, ben) in enumerate(VERDICTS):
        made.decide(str(number), ada, reviewer="Ada")
        made.decide(str(number), ben, reviewer="Ben")
    made.decide("4", "reject", reviewer="Ben")  # by one alone: not counted
    return made


def test_the_agreement_is_that_of_the_last_decisions_that_stand(decisions):
    # Observed: 3 of 4. By chance: accept 3/4 * 2/4 + reject 1/4 * 2/4 = 1/2.
    # Kappa: (3/4 - 1/2) / (1 - 1/2).
    found = agreement_of(decisions_in(decisions.log))
    assert found is not None
    assert (found.reviewers, found.items, found.same) == (("Ada", "Ben"), 4, 3)
    assert found.kappa == pytest.approx(float(Fraction(1, 2)))
    decisions.undo("Ben")  # that on item 4
    decisions.undo("Ben")  # that on item 3
    found = agreement_of(decisions_in(decisions.log))
    assert found is not None
    assert found.items == 3


def test_one_reviewer_and_those_without_a_name_have_no_agreement(decisions):
    alone = [entry for entry in decisions_in(decisions.log) if entry.reviewer == "Ada"]
    nameless = [entry.model_copy(update={"reviewer": ""}) for entry in alone]
    assert agreement_of([*alone, *nameless]) is None


def test_the_card_tells_it(decisions):
    told = rag_eval("golden", "card", decisions.path).stdout
    said = "agreement of Ada and Ben: 3 of 4 decisions are the same, Cohen's kappa 0.50"
    assert said in told
