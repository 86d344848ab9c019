"""Other passages that answer widen the evidence, or reject the question."""

from dataclasses import replace
from typing import Literal

from tests.scripted import asked_of
from tests.testset.checks.examples import (
    BUILT,
    CARRIES,
    FERRY,
    INDEX,
    PUMP,
    PUMP_QUESTION,
    VENT,
    YARD,
    ferry_draft,
    index_of,
    pump_draft,
    reader_of,
    requests_to,
    verdicts,
)
from testset import SourceDocument
from testset.checks import alternative_gold
from testset.corpus.deployed import Retrieved
from testset.requests.alternatives import AlternativesOf


def test_alternative_gold_widens_the_evidence_and_rejects_a_conflict():
    same = SourceDocument("same.txt", "Ada Byron designed the famous Harwell pump in 1843.")
    check, widened = alternative_gold.by_rule(pump_draft(PUMP_QUESTION), index_of(PUMP, VENT, same))
    assert check.verdict == "passed"
    assert [span.doc_id for group in widened.gold for span in group] == ["pump.txt", "same.txt"]
    other = SourceDocument("other.txt", "Ada Byron designed the Harwell pump in 1850.")
    check, kept = alternative_gold.by_rule(pump_draft(PUMP_QUESTION), index_of(PUMP, VENT, other))
    assert (check.verdict, kept) == ("rejected", pump_draft(PUMP_QUESTION))
    assert "1850" in check.evidence


def test_alternative_gold_rejects_what_everything_answers():
    many = [
        SourceDocument(
            f"{n}.txt", f"Ada Byron designed the Harwell pump in 1843, note {'abcdefg'[n]}."
        )
        for n in range(7)
    ]
    check, _ = alternative_gold.by_rule(pump_draft(PUMP_QUESTION), index_of(PUMP, VENT, *many))
    assert check.verdict == "rejected"


async def test_a_model_widens_the_evidence_by_what_answers_as_well():
    quote = "The Orla ferry carries 120 people on each trip."
    reader, _ = reader_of(verdicts("same", quote=quote))
    check, widened = await alternative_gold.by_model(ferry_draft(), INDEX, reader)
    (group,) = widened.gold
    assert (check.verdict, [s.quote for s in group]) == ("passed", [CARRIES.quote, quote])


async def test_a_model_rejects_another_answer_and_what_everything_answers():
    reader, _ = reader_of(verdicts("other", quote="40 people"))
    check, _ = await alternative_gold.by_model(ferry_draft(), INDEX, reader)
    assert (check.verdict, "conflict" in check.evidence) == ("rejected", True)
    text = "The Orla ferry carries 120 people"
    many = [SourceDocument(f"{n}.md", f"{text}, note {'abcdef'[n]}.") for n in range(6)]
    index = index_of(FERRY, YARD, *many)
    same: list[Literal["same"]] = ["same" for _ in many]
    # Three are read first; since they answer, the others are read as well.
    reader, model = reader_of(
        verdicts(*same[:3], quote=text), verdicts(*same[3:], quote=text), index=index
    )
    check, _ = await alternative_gold.by_model(ferry_draft(), index, reader)
    assert (check.verdict, "too generic" in check.evidence) == ("rejected", True)
    asked = asked_of(model.oracle, AlternativesOf)
    assert [len(request.passages) for request in asked] == [3, 3]


async def test_what_the_answer_misleads_without_is_tagged_with_where_it_stands():
    reader, _ = reader_of(verdicts("adds", quote="on each trip"))
    check, kept = await alternative_gold.by_model(ferry_draft(), INDEX, reader)
    assert (check.verdict, "'other.md' says 'on each trip'" in check.evidence) == ("tagged", True)
    assert [INDEX.passages[number].document.doc_id for number in kept.adding] == ["other.md"]
    assert kept.gold == ferry_draft().gold


async def test_a_model_asks_nothing_where_no_passage_comes_near():
    index = index_of(FERRY, YARD)
    reader, model = reader_of(index=index)
    check, kept = await alternative_gold.by_model(ferry_draft(), index, reader)
    assert (check.verdict, kept, requests_to(model)) == ("passed", ferry_draft(), [])


async def test_what_a_deployed_retriever_finds_is_read_and_kept_if_it_does_not_answer():
    found = Retrieved("shop:retriever", (("yard.md", 0, 56),), (1,))
    quote = "The Orla ferry carries 120 people on each trip."
    reader, _ = reader_of(verdicts("no", "same", quote=quote))
    check, kept = await alternative_gold.by_model(replace(ferry_draft(), hits=found), INDEX, reader)
    (negative,) = kept.hard_negatives
    assert (check.verdict, negative.doc_id) == ("passed", "yard.md")
    assert negative.found_by == "shop:retriever"
    assert YARD.text[negative.start : negative.end] == negative.quote
    assert [span.doc_id for span in kept.gold[0]] == ["ferry.md", "other.md"]


async def test_no_hard_negative_is_kept_of_evidence_of_several_parts():
    found = Retrieved("shop:retriever", (("other.md", 0, 56),), (2,))
    draft = replace(ferry_draft(gold=((CARRIES,), (BUILT,))), hits=found)
    reader, _ = reader_of(verdicts("no"))
    _, kept = await alternative_gold.by_model(draft, INDEX, reader)
    assert kept == draft


def test_rules_keep_what_is_found_and_does_not_hold_the_answer_as_a_hard_negative():
    also = SourceDocument("also.txt", "The Harwell pump won a prize in 1843.")
    index = index_of(PUMP, VENT, also)
    draft = pump_draft(PUMP_QUESTION)
    _, kept = alternative_gold.by_rule(draft, index)
    assert [(entry.doc_id, entry.found_by) for entry in kept.hard_negatives] == [
        ("vent.txt", "BM25, parts of words")
    ]


async def test_a_passage_that_answers_alone_stands_for_every_part_of_the_evidence():
    several = ferry_draft(gold=((BUILT,), (CARRIES,)))
    reader, _ = reader_of(verdicts("same", quote="The Orla ferry carries 120 people"))
    _, widened = await alternative_gold.by_model(several, INDEX, reader)
    assert [[span.doc_id for span in group] for group in widened.gold] == [
        ["ferry.md", "other.md"],
        ["ferry.md", "other.md"],
    ]
