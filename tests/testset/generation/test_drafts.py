"""What a repair takes into the evidence besides the facts it was given."""

from testset import SourceDocument
from testset.corpus.passages import passages_of
from testset.generation.drafts import ModelProposal, with_quotes
from testset.generation.quotas import Stratum
from testset.golden.spans import LocatedFact, cut_span
from testset.requests.proposals import Offer
from testset.requests.repair import Repaired

TEXT = "The ferry runs daily. It does not run in storms."
FERRY = SourceDocument("ferry.md", TEXT)
PROPOSAL = ModelProposal(
    Stratum("ferries", "single_hop"),
    (0,),
    Offer(type="single_hop", vital=(0,)),
    (LocatedFact("The ferry runs daily.", cut_span(FERRY, 0, 21)),),
)


def repaired(*quotes: str) -> Repaired:
    return Repaired(question="When?", reference="Daily.", used=(0,), quotes=quotes)


def test_a_quote_becomes_a_fact_that_the_answer_uses():
    proposal, written = with_quotes(
        PROPOSAL, repaired("It does not run in storms."), passages_of(FERRY)
    )
    assert [fact.span.quote for fact in proposal.facts] == [
        "The ferry runs daily.",
        "It does not run in storms.",
    ]
    assert written.used == (0, 1)


def test_a_quote_that_stands_nowhere_is_left_out():
    proposal, written = with_quotes(PROPOSAL, repaired("It is free of charge."), passages_of(FERRY))
    assert proposal == PROPOSAL
    assert written.used == (0,)
