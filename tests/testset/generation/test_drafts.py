"""What a repair takes into the evidence besides the facts it was given."""

from testset import SourceDocument
from testset.corpus.passages import passages_of
from testset.generation.attempt import Order
from testset.generation.drafts import with_quotes
from testset.generation.quotas import Stratum
from testset.golden.spans import LocatedFact, cut_span
from testset.requests.proposals import Offer
from testset.requests.repair import Repaired

TEXT = "The ferry runs daily. It does not run in storms."
FERRY = SourceDocument("ferry.md", TEXT)
ORDER = Order(
    Stratum("ferries", "single_hop"),
    (0,),
    Offer(type="single_hop", vital=(0,)),
    (LocatedFact("The ferry runs daily.", cut_span(FERRY, 0, 21)),),
)


def repaired(*quotes: str) -> Repaired:
    return Repaired(question="When?", reference="Daily.", used=(0,), quotes=quotes)


def test_a_quote_becomes_a_fact_that_the_answer_uses():
    order, written = with_quotes(ORDER, repaired("It does not run in storms."), passages_of(FERRY))
    assert [fact.span.quote for fact in order.facts] == [
        "The ferry runs daily.",
        "It does not run in storms.",
    ]
    assert written.used == (0, 1)


def test_a_quote_that_stands_nowhere_is_left_out():
    order, written = with_quotes(ORDER, repaired("It is free of charge."), passages_of(FERRY))
    assert order == ORDER
    assert written.used == (0,)
