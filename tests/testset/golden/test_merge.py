"""Golden sets become one: the same once, what differs is named, and ids are unique."""

import pytest

from llamaindex_rag_eval.errors import DatasetError, InputError
from testset import Corpus, GoldenItem, GoldenSet, GoldSpan, Rejection, SourceDocument, merge_golden
from testset.golden.merge import Prefer

PUMP = SourceDocument("pump.md", "The pump weighs 40 kg — dry.")
VENT = SourceDocument("vent.md", "Vents open at 9.")
CORPUS = Corpus((PUMP, VENT))


def item(name: str, document: SourceDocument = PUMP, **fields: object) -> GoldenItem:
    gold = ((GoldSpan.cut(document.doc_id, document.hash, document.text, 4, 10),),)
    given = {"id": name, "question": f"{name}?", "reference": "40 kg", "gold": gold}
    return GoldenItem.model_validate({**given, **fields})


def of(*items: GoldenItem) -> GoldenSet:
    return GoldenSet(items, size=len(items))


def test_what_two_sets_have_alike_is_kept_once_in_the_order_of_the_sets():
    merged = merge_golden({"one": of(item("a"), item("b")), "two": of(item("b"), item("c"))})
    assert [entry.id for entry in merged.golden] == ["a", "b", "c"]
    assert merged.golden.size == 3
    assert (merged.twins, merged.conflicts) == (1, ())


def test_case_width_and_blanks_make_no_other_question():
    same = item("other id", question="  Ａ? ")
    merged = merge_golden({"one": of(item("a")), "two": of(same)})
    assert [entry.id for entry in merged.golden] == ["a"]


def test_the_same_set_twice_and_an_empty_one_change_nothing():
    golden = of(item("a"), item("b", VENT))
    merged = merge_golden({"one": golden, "again": golden, "empty": of()})
    assert merged.golden.items == golden.items
    assert merged.twins == 2


def test_what_a_person_reviewed_is_taken_whichever_set_has_it():
    plain, reviewed = item("a"), item("a", status="accepted")
    for sets in ({"x": of(plain), "y": of(reviewed)}, {"x": of(reviewed), "y": of(plain)}):
        assert merge_golden(sets).golden.items == (reviewed,)


@pytest.mark.parametrize(
    ("fields", "named"),
    [
        ({"reference": "41 kg"}, "reference"),
        ({"gold": item("a", VENT).gold}, "gold"),
        ({"expected_behaviour": "refuse"}, "expected_behaviour"),
        ({"reference_aliases": ("forty",)}, "reference_aliases"),
        ({"question": "Another?"}, "question"),  # edited in one set: the id is the same
    ],
)
def test_the_same_question_or_id_with_something_else_is_named_until_one_is_chosen(fields, named):
    other = item("a", **fields)
    sets = {"one": of(item("a"), item("b")), "two": of(other)}
    with pytest.raises(DatasetError, match=rf"1 questions.*--prefer.*\(a\): {named} in 'one'"):
        merge_golden(sets)
    choices: tuple[tuple[Prefer, GoldenItem], ...] = (("first", item("a")), ("last", other))
    for prefer, taken in choices:
        merged = merge_golden(sets, prefer=prefer)
        assert {entry.id: entry for entry in merged.golden} == {"a": taken, "b": item("b")}
        assert [(c.ids, c.fields) for c in merged.conflicts] == [(("a", "a"), (named,))]


def test_two_reviews_that_differ_are_a_conflict():
    sets = {"one": of(item("a", status="accepted")), "two": of(item("a", status="rejected"))}
    with pytest.raises(DatasetError, match="status"):
        merge_golden(sets)


def test_ids_stay_unique_where_an_item_has_the_id_of_one_and_the_question_of_another():
    first = of(item("a"), item("b"))
    crossed = item("b", question="a?", reference="41 kg")
    merged = merge_golden({"one": first, "two": of(crossed)}, prefer="last")
    assert merged.golden.items == (crossed,)
    assert [conflict.ids for conflict in merged.conflicts] == [("a", "b"), ("b", "b")]
    assert merge_golden({"one": first, "two": of(crossed)}, prefer="first").golden == first


def test_follow_ups_in_other_conversations_are_other_questions():
    talk = ({"role": "user", "content": "The pump?"}, {"role": "assistant", "content": "Yes."})
    merged = merge_golden({"one": of(item("a")), "two": of(item("b", question="a?", turns=talk))})
    assert len(merged.golden) == 2


def test_one_name_for_two_texts_is_refused_unless_the_documents_show_that_all_spans_hold():
    older = SourceDocument("pump.md", f"{PUMP.text} Since 1990.")
    sets = {"one": of(item("a")), "two": of(item("b", older))}
    with pytest.raises(DatasetError, match=r"'pump.md' is one text in 'one' and another in 'two'"):
        merge_golden(sets)
    assert len(merge_golden(sets, corpus=CORPUS).golden) == 2


def test_gold_spans_that_are_not_in_the_documents_are_named():
    moved = SourceDocument("pump.md", f"New: {PUMP.text}")
    with pytest.raises(DatasetError, match=r"1 gold spans.*a in 'pump.md': other text"):
        merge_golden(
            {"one": of(item("a")), "two": of(item("b", VENT))}, corpus=Corpus((moved, VENT))
        )


def test_no_document_is_left_in_both_splits():
    sets = {"one": of(item("a", split="dev")), "two": of(item("b", split="test"))}
    assert {entry.split for entry in merge_golden(sets).golden} == {"dev"}


def test_what_is_known_of_each_set_is_kept_under_its_name():
    turned_down = Rejection("Why?", "", "pump.md", "span", "no quote")
    one = GoldenSet((item("a"),), 1, rejected=(turned_down,), facts={"seed": "7"})
    two = GoldenSet((item("b"),), 2, facts={"seed": "8"}, reserve=(item("a"), item("c")))
    golden = merge_golden({"one": one, "two": two}).golden
    assert golden.facts == {"seed, one": "7", "seed, two": "8"}
    assert golden.rejected == (turned_down,)
    assert [entry.id for entry in golden.reserve] == ["c"]  # `a` is in the set already


def test_no_set_or_an_unknown_choice_is_refused():
    with pytest.raises(InputError, match="expected sets"):
        merge_golden({})
    with pytest.raises(InputError, match="'both'"):
        merge_golden({"one": of()}, prefer="both")  # type: ignore[arg-type]  # what is refused
