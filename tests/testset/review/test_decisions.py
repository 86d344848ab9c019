"""Decisions are on disk at once, can be undone, and survive a kill."""

import pytest

from llamaindex_rag_eval.errors import DatasetError, InputError
from tests.testset.review.items import ITEMS, span, states
from testset import GoldenSet, HardNegative
from testset.review.decisions import ChangedMeanwhileError, Decisions


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


def test_a_hard_negative_that_becomes_evidence_is_none_until_that_is_undone(tmp_path):
    places = (span("twelve zones"), span("40 kg"))
    negatives = tuple(
        HardNegative(doc_id=place.doc_id, start=place.start, end=place.end, quote=place.quote)
        for place in places
    )
    item = ITEMS[0].model_copy(update={"gold": (), "hard_negatives": negatives})
    decisions = Decisions(GoldenSet((item,), size=1).write(tmp_path / "golden.jsonl"))
    edited = decisions.decide("a", "edit", gold=((span("zones"),),))
    assert [entry.quote for entry in edited.hard_negatives] == ["40 kg"]
    assert decisions.undo() == item


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


def test_a_second_save_tells_of_the_first_also_of_another_process(golden):
    ada, ben = Decisions(golden), Decisions(golden)
    ada.decide("a", "accept", reviewer="Ada", seen=0)
    with pytest.raises(ChangedMeanwhileError, match="Ada accepted it meanwhile"):
        ben.decide("a", "reject", reviewer="Ben", seen=0)
    assert ben.items == ada.items
    ben.decide("a", "reject", reviewer="Ben", reason=" too vague ", seen=1)
    ada.catch_up()
    assert [entry.reason for entry in ada.history("a")] == ["", "too vague"]
    assert states(golden) == [("a", "rejected"), ("b", "auto")]


def test_undo_takes_back_only_what_is_ones_own(golden):
    decisions = Decisions(golden)
    decisions.decide("a", "accept", reviewer="Ada")
    decisions.decide("b", "accept", reviewer="Ben")
    undone = decisions.undo("Ada")
    assert undone is not None
    assert undone.id == "a"
    assert decisions.undo("Ada") is None
    decisions.decide("b", "reject", reviewer="Ada")
    with pytest.raises(ChangedMeanwhileError, match="Ada rejected it after you"):
        decisions.undo("Ben")
    assert states(golden) == [("a", "auto"), ("b", "rejected")]


def test_an_edit_changes_type_and_evidence_and_can_be_undone(golden):
    decisions = Decisions(golden)
    gold = ((span("40 kg"),),)
    edited = decisions.decide("a", "edit", type_="table", gold=gold)
    assert (edited.type, edited.gold) == ("table", gold)
    assert Decisions(golden).undo() == ITEMS[0]


def test_decisions_written_before_there_were_names_are_still_read(golden):
    state = '{"question":"How heavy?","reference":"40 kg","status":"%s"}'
    line = '{"item_id":"b","action":"accept","before":%s,"after":%s}\n'
    decisions = Decisions(golden)
    decisions.log.write_text(line % (state % "auto", state % "accepted"))
    again = Decisions(golden)
    assert again.item("b") == ITEMS[1].model_copy(update={"status": "accepted"})
    assert again.undo() == ITEMS[1]
