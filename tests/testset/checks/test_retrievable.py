"""Questions whose evidence no search finds are rejected."""

from tests.testset.checks.examples import (
    BUILT,
    FERRY,
    FLOAT_QUESTION,
    POOL,
    PUMP,
    PUMP_QUESTION,
    VENT,
    cut,
    ferry_draft,
    index_of,
    pump_draft,
)
from testset import SourceDocument
from testset.checks import retrievable
from testset.golden.difficulty import difficulty_over


def test_retrievable_rejects_what_no_words_lead_to():
    index = index_of(PUMP, VENT)
    found = retrievable.by_words(pump_draft(PUMP_QUESTION), index)
    assert (found.verdict, found.score) == ("passed", 1.0)
    assert difficulty_over(pump_draft(PUMP_QUESTION), index) == ("easy", "BM25")
    assert retrievable.by_words(pump_draft("Qui l'inventa?"), index).verdict == "rejected"


def test_a_question_whose_words_stand_in_its_heading_alone_is_found():
    index = index_of(POOL)
    assert len(index.passages) == 3
    answer = cut(POOL, "Yes, if it is blown up at the poolside.")
    draft = pump_draft(FLOAT_QUESTION, "Yes", gold=((answer,),), kind="yes_no")
    found = retrievable.by_words(draft, index)
    assert (found.verdict, found.score) == ("passed", 1.0)
    assert difficulty_over(draft, index) == ("easy", "BM25")
    assert index.vectors.nearness(FLOAT_QUESTION).argmax() == 0


def test_one_part_of_a_multi_hop_question_has_to_be_found():
    ely = SourceDocument("ely.md", "# Ely\n\nNobody dares.")
    parts = ((BUILT,), (cut(ely, "Nobody dares."),))
    index, asked = index_of(FERRY, ely), "When did the yard that built the Orla ferry close?"
    hop = ferry_draft(asked, "In 2004.", type="multi_hop", gold=parts)
    assert retrievable.by_either(hop, index).verdict == "passed"
    assert retrievable.by_words(ferry_draft(asked, gold=parts), index).verdict == "rejected"
