"""A golden set is written whole, read back as it was, and held to its documents."""

import pytest

from llamaindex_rag_eval.errors import DatasetError, OutputError
from testset import GoldenItem, GoldenSet, GoldSpan, Mismatch, Shortfall, SourceDocument
from testset.golden.golden_set import sorted_by_id, with_report, write_report

PUMP = SourceDocument("pump.md", "The pump weighs 40 kg — dry.")


def item(name: str, **fields: object) -> GoldenItem:
    gold = ((GoldSpan.cut("pump.md", PUMP.hash, PUMP.text, 16, 21),),)
    given = {"id": name, "question": f"{name}?", "reference": "40 kg", "gold": gold}
    return GoldenItem.model_validate({**given, **fields})


ITEMS = (item("b", topic="pumps — old"), item("a", status="rejected"), item("c"))
GOLDEN = GoldenSet(ITEMS, size=3)


def test_items_are_read_back_as_they_were_written(tmp_path):
    path = GOLDEN.write(tmp_path / "new folder" / "golden.jsonl")
    assert GoldenSet.read(path) == GOLDEN
    assert [entry.name for entry in path.parent.iterdir()] == ["golden.jsonl"]


def test_a_text_that_is_not_unicode_leaves_the_old_file(tmp_path):
    path = GOLDEN.write(tmp_path / "golden.jsonl")
    with pytest.raises(OutputError, match="Unicode"):
        GoldenSet((item("d", reference="\ud800"),)).write(path)
    assert GoldenSet.read(path) == GOLDEN


def test_a_line_that_is_no_item_is_named(tmp_path):
    path = GOLDEN.write(tmp_path / "golden.jsonl")
    path.write_text(path.read_text("utf-8")[:-40], "utf-8")
    with pytest.raises(DatasetError, match="line 3"):
        GoldenSet.read(path)
    with pytest.raises(DatasetError, match="cannot be read"):
        GoldenSet.read(tmp_path / "missing.jsonl")


def test_samples_carry_the_gold_and_leave_out_rejected_items():
    samples = GOLDEN.samples()
    assert [sample.id for sample in samples] == ["b", "c"]
    assert samples[0].reference_contexts == ("40 kg",)
    assert samples[0].metadata["topic"] == "pumps — old"


def test_samples_say_which_facts_are_vital():
    facts = ["It weighs 40 kg.", {"text": "It is green.", "importance": "okay"}]
    row = {"id": "a", "question": "?", "reference": "40 kg", "reference_facts": facts}
    sample = GoldenItem.model_validate(row).sample()
    assert [fact.importance for fact in sample.reference_facts] == ["vital", "okay"]


def test_spans_that_are_not_in_the_documents_are_named():
    assert GOLDEN.verify({"pump.md": PUMP.text}) == ()
    (moved, *_) = GOLDEN.verify({"pump.md": f" {PUMP.text}"})
    assert moved == Mismatch("b", "pump.md", "other text at its offsets")
    assert {entry.reason for entry in GOLDEN.verify({})} == {"no such document"}


def test_the_order_by_id_does_not_depend_on_the_order_given():
    assert [entry.id for entry in sorted_by_id(ITEMS)] == ["a", "b", "c"]


def test_the_report_of_a_generation_comes_back_with_its_set(tmp_path):
    path = tmp_path / "golden.jsonl"
    short = (Shortfall("*", "table", 1, 0, "no passage fits this type"),)
    whole = GoldenSet(ITEMS, size=4, shortfall=short, facts={"cost": "$9"})
    assert write_report(whole, whole.write(path)) == tmp_path / "golden.account.json"
    assert with_report(GoldenSet.read(path), path) == whole
    # A set of other items took the path since: the report is not about it.
    other = GoldenSet((item("d"),), size=1)
    assert with_report(other, path) == other
    (tmp_path / "golden.account.json").write_text("[]")
    with pytest.raises(DatasetError, match=r"golden\.account\.json"):
        with_report(other, path)
