"""A document is in one split only, and stays in it when others are added."""

import pytest

from testset import GoldenItem, GoldenSet, GoldSpan
from testset.golden.splits import joined_splits, shared_documents, with_splits


def item(name: str, *documents: str, **fields: object) -> GoldenItem:
    gold = tuple((GoldSpan(doc_id=d, doc_hash="", start=0, end=1, quote="x"),) for d in documents)
    return GoldenItem.model_validate(
        {"id": name, "question": f"{name}?", "reference": "x", "gold": gold, **fields}
    )


MANY = GoldenSet(
    (
        *(item(f"{d}-{n}", f"d{d}") for d in range(200) for n in range(2)),
        *(item(f"join-{d}", f"d{d}", f"d{d + 1}") for d in range(0, 40, 2)),
        item("refuse"),
    )
)


@pytest.mark.parametrize("seed", [1, 7, 99])
def test_no_document_has_questions_on_both_sides_and_about_a_fifth_is_for_tuning(seed):
    items = with_splits(MANY, seed=seed)
    assert shared_documents(GoldenSet(items)) == ()
    assert {entry.split for entry in items} == {"dev", "test"}
    dev = {name for entry in items if entry.split == "dev" for name in entry.doc_ids}
    # 180 independent draws of 1/5: 36 ± 5.4, and pairs count twice; five deviations either way.
    assert 10 < len(dev) < 72


def test_the_split_follows_the_seed_and_added_documents_leave_it_as_it_was():
    first = with_splits(MANY, seed=1)
    assert first == with_splits(MANY, seed=1)
    assert first != with_splits(MANY, seed=2)
    more = GoldenSet((*MANY.items, *(item(f"new-{n}", f"new{n}") for n in range(50))))
    assert with_splits(more, seed=1)[: len(first)] == first


def test_a_question_without_evidence_is_for_the_test():
    assert with_splits(MANY)[-1].split == "test"


def test_a_question_without_evidence_goes_with_the_documents_it_was_written_about():
    near = {"refuse": ("d3", "d7")}
    items = {entry.id: entry for entry in with_splits(MANY, documents=near)}
    assert items["refuse"].split == items["3-0"].split == items["7-0"].split


@pytest.mark.parametrize("seed", [1, 7, 99])
def test_other_passages_that_answer_a_question_join_their_documents(seed):
    """One span of a group is enough, but a pipeline may find either of them."""
    either = item("either", "a", "b").model_copy(
        update={"gold": (tuple(span for group in item("x", "a", "b").gold for span in group),)}
    )
    items = with_splits([item("a", "a"), item("b", "b"), either], seed=seed)
    assert len({entry.split for entry in items}) == 1


def test_documents_stay_in_the_split_that_they_are_in_and_draw_with_them_what_is_joined():
    items = with_splits([item("x", "a", "b"), item("y", "b", "c")], held={"c": "dev"})
    assert {entry.split for entry in items} == {"dev"}
    items = with_splits([item("x", "a", "b")], held={"a": "test", "b": "dev"})
    assert {entry.split for entry in items} == {"dev"}


def test_splits_that_new_evidence_joins_are_joined_as_dev():
    before = (
        item("a", "d", split="test"),
        item("b", "e", split="dev"),
        item("c", "f", split="test"),
        item("none", split="test"),
        item("new", "f"),
    )
    assert joined_splits(before) == before
    moved = item("d", "d", "e", split="test")
    splits = {entry.id: entry.split for entry in joined_splits([*before, moved])}
    assert splits == {"a": "dev", "b": "dev", "c": "test", "none": "test", "new": "", "d": "dev"}


def test_a_document_on_both_sides_is_named():
    both = (item("a", "d", split="dev"), item("b", "d", split="test"), item("c", "e"))
    assert shared_documents(GoldenSet(both)) == ("d",)


@pytest.mark.parametrize("seed", range(12))
def test_both_sides_have_each_type_that_two_documents_have(seed):
    few = [
        *(item(f"s{n}", f"d{n}") for n in range(3)),
        *(item(f"t{n}", f"d{n}", type="table") for n in range(2)),
        item("c", "d2", type="conditional"),  # of one document: on one side
    ]
    items = with_splits(few, seed=seed)
    sides = {(entry.type, entry.split) for entry in items}
    assert {("single_hop", "dev"), ("single_hop", "test")} <= sides
    assert {("table", "dev"), ("table", "test")} <= sides
    assert shared_documents(GoldenSet(items)) == ()


def test_documents_that_are_in_a_split_already_stay_there():
    few = [item("a", "a"), item("b", "b")]
    items = with_splits(few, held={"a": "test", "b": "test"})
    assert [entry.split for entry in items] == ["test", "test"]
