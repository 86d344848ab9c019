"""Decisions are on disk at once, can be undone, and survive a kill."""

import pytest

from llamaindex_rag_eval.errors import DatasetError, InputError
from tests.testset.review.items import ITEMS, states
from testset import GoldenSet
from testset.review.decisions import Decisions


@pytest.fixture
def golden(tmp_path):
    return GoldenSet(ITEMS, size=2).write(tmp_path / "golden.jsonl")


def test_a_decision_is_in_the_golden_set_and_its_log_at_once(golden):
    decisions = Decisions(golden)
    decisions.decide("a", "accept")
    decisions.decide("b", "reject")
    assert states(golden) == [("a", "accepted"), ("b", "rejected")]
    assert len(decisions.log.read_text().splitlines()) == 2


def test_an_edit_changes_the_wording_and_drops_facts_of_another_answer(golden):
    decisions = Decisions(golden)
    reworded = decisions.decide("a", "edit", question=" How many zones has it? ")
    assert reworded.reference_facts == ITEMS[0].reference_facts
    changed = decisions.decide("a", "edit", reference="12")
    assert (changed.question, changed.reference) == ("How many zones has it?", "12")
    assert (changed.reference_facts, changed.status, changed.id) == ((), "edited", "a")


def test_undo_takes_decisions_back_in_turn_also_after_a_restart(golden):
    decisions = Decisions(golden)
    decisions.decide("a", "edit", reference="12")
    decisions.decide("b", "reject")
    assert decisions.undo() == ITEMS[1]
    again = Decisions(golden)
    assert again.undo() == ITEMS[0]
    assert again.undo() is None
    assert GoldenSet.read(golden).items == ITEMS


def test_a_decision_written_before_a_kill_is_folded_in_and_half_a_line_is_dropped(golden):
    before = golden.read_bytes()
    decisions = Decisions(golden)
    decisions.decide("a", "accept")
    golden.write_bytes(before)  # as if killed between the two files
    with decisions.log.open("ab") as file:
        file.write(b'{"item_id":"b","act')
    again = Decisions(golden)
    again.fold()
    assert states(golden) == [("a", "accepted"), ("b", "auto")]
    again.decide("b", "accept")
    assert states(golden) == [("a", "accepted"), ("b", "accepted")]
    assert Decisions(golden).items == again.items


def test_a_decision_on_a_state_that_is_gone_stays_history(golden):
    Decisions(golden).decide("a", "accept")
    stale = ITEMS[0].model_copy(update={"status": "stale"})
    GoldenSet((stale, ITEMS[1])).write(golden)
    assert [item.status for item in Decisions(golden).items] == ["stale", "auto"]


def test_what_cannot_be_decided_is_refused(golden):
    decisions = Decisions(golden)
    with pytest.raises(InputError, match="'z'"):
        decisions.decide("z", "accept")
    with pytest.raises(InputError, match="question"):
        decisions.decide("a", "edit", question="  ")
    assert not decisions.log.exists()
    decisions.log.write_text("{}\n")
    with pytest.raises(DatasetError, match="line 1"):
        Decisions(golden)
