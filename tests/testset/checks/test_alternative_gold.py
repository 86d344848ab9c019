"""Other passages that answer widen the evidence, or reject the question."""

from typing import Literal

from tests.testset.checks.examples import (
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
    requests_to,
    verdicts,
    writer,
)
from testset import SourceDocument
from testset.checks import alternative_gold


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
    reader = writer(verdicts("same", quote=quote))
    check, widened = await alternative_gold.by_model(ferry_draft(), INDEX, reader)
    (group,) = widened.gold
    assert (check.verdict, [s.quote for s in group]) == ("passed", [CARRIES.quote, quote])


async def test_a_model_rejects_another_answer_and_what_everything_answers():
    check, _ = await alternative_gold.by_model(
        ferry_draft(), INDEX, writer(verdicts("other", quote="40 people"))
    )
    assert (check.verdict, "conflict" in check.evidence) == ("rejected", True)
    text = "The Orla ferry carries 120 people"
    many = [SourceDocument(f"{n}.md", f"{text}, note {'abcdef'[n]}.") for n in range(6)]
    same: list[Literal["same"]] = ["same" for _ in many]
    generic = writer(verdicts(*same, quote=text))
    check, _ = await alternative_gold.by_model(ferry_draft(), index_of(FERRY, YARD, *many), generic)
    assert (check.verdict, "too generic" in check.evidence) == ("rejected", True)


async def test_a_model_asks_nothing_where_no_passage_comes_near():
    silent = writer()
    check, kept = await alternative_gold.by_model(ferry_draft(), index_of(FERRY, YARD), silent)
    assert (check.verdict, kept, requests_to(silent)) == ("passed", ferry_draft(), [])
