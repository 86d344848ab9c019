"""Questions whose evidence no search finds are rejected."""

from tests.testset.checks.examples import PUMP, PUMP_QUESTION, VENT, index_of, pump_draft
from testset.checks import retrievable
from testset.golden.difficulty import difficulty_over


def test_retrievable_rejects_what_no_words_lead_to():
    index = index_of(PUMP, VENT)
    found = retrievable.by_words(pump_draft(PUMP_QUESTION), index)
    assert (found.verdict, found.score) == ("passed", 1.0)
    assert difficulty_over(pump_draft(PUMP_QUESTION), index) == ("easy", "BM25")
    assert retrievable.by_words(pump_draft("Qui l'inventa?"), index).verdict == "rejected"
