"""Proposals: what is asked of which passages, and which offers can be written."""

import pytest

from llamaindex_rag_eval.errors import ReplyError
from testset import Corpus, SourceDocument
from testset.corpus.prepared import PreparedCorpus
from testset.generation.proposals import Passages, proposals_in
from testset.generation.quotas import Stratum
from testset.requests.proposals import (
    Fact,
    FactWire,
    Offer,
    OfferWire,
    ProposalOutput as Output,
    Proposals,
    ProposalsOf,
)

FERRY = "The Orla ferry was built at the Brevik yard, and carries 120 people over the wide fjord."
YARD = "The Brevik yard closed its last dry dock in 2004, and had 310 workers until that very year."
TABLE = f"{YARD}\n\n| Lamp | Range |\n|---|---|\n| Lume | 12 m |\n"
DOCUMENTS = [SourceDocument("a.md", FERRY), SourceDocument("b.md", TABLE)]
PREPARED = PreparedCorpus.of(Corpus.of(DOCUMENTS))
PASSAGES = PREPARED.index.passages
FACTS = (
    Fact(
        statement="The Orla ferry was built at the Brevik yard.", quote="built at the Brevik yard"
    ),
    Fact(statement="The Brevik yard closed in 2004.", quote="closed its last dry dock", passage=1),
    Fact(statement="The moon is green.", quote="the moon is green", passage=1),
)


def offers(*offered: Offer, numbers: tuple[int, ...] = (0, 1)) -> list[str]:
    reply = Proposals(facts=FACTS, offers=offered)
    passages = [PASSAGES[number] for number in numbers]
    found = proposals_in(reply, "topic", numbers, passages, without=frozenset())
    return [proposal.stratum.type for proposal in found]


def test_only_offers_whose_vital_facts_stand_in_every_passage_can_be_written():
    both, one = Offer(type="multi_hop", vital=(0, 1)), Offer(type="summary", vital=(0,))
    unfounded = Offer(type="conflict", vital=(0, 2))
    assert offers(both, one, unfounded) == ["multi_hop"]


def test_what_is_merely_okay_may_be_missing():
    reply = Proposals(facts=FACTS, offers=(Offer(type="multi_hop", vital=(0, 1), okay=(2,)),))
    passages = [PASSAGES[0], PASSAGES[1]]
    (proposal,) = proposals_in(reply, "topic", (0, 1), passages, without=frozenset())
    assert [fact.statement for fact in proposal.facts] == [FACTS[0].statement, FACTS[1].statement]
    text = DOCUMENTS[0].text
    span = proposal.facts[0].span
    assert text[span.start : span.end] == "built at the Brevik yard"


def test_of_several_linked_passages_a_question_is_about_those_it_needs():
    numbers = (1, 1, 0)
    reply = Proposals(
        facts=(FACTS[0].model_copy(update={"passage": 2}), FACTS[1]),
        offers=(Offer(type="multi_hop", vital=(0, 1)),),
    )
    passages = [PASSAGES[number] for number in numbers]
    (proposal,) = proposals_in(reply, "topic", numbers, passages, without=frozenset())
    assert proposal.passages == (1, 0)


def test_pairs_and_tables_are_asked_for_where_there_are_any():
    wanted = ("table", "single_hop", "multi_hop")
    table = next(n for n, passage in enumerate(PASSAGES) if "Lume" in passage.text)
    ferry = next(n for n, passage in enumerate(PASSAGES) if "ferry" in passage.text)
    types = Passages(PREPARED, seed=7).types
    assert types([table], wanted) == ("table", "single_hop")
    assert types([ferry], wanted) == ("single_hop",)
    assert types([ferry, table], wanted) == ("multi_hop",)


def test_each_passage_is_taken_once_alone_and_once_with_another():
    reading = Passages(PREPARED, seed=7)
    topic = PREPARED.topics["a.md"]
    topics = {topic, PREPARED.topics["b.md"]}
    alone = [n for t in topics for _ in PASSAGES for n in reading.take(Stratum(t, "single_hop"))]
    assert sorted(alone) == list(range(len(PASSAGES)))
    pair = reading.take(Stratum(topic, "multi_hop"))
    assert len({PASSAGES[number].document.doc_id for number in pair}) == 2
    assert reading.fits("multi_hop")


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"type": "riddle"}, "type 'riddle' is none of single_hop"),
        ({"vital": ()}, "names no vital fact"),
        ({"vital": (9,)}, "a fact is named that was not given"),
    ],
)
def test_a_reply_that_names_what_there_is_not_is_refused(change, fault):
    fact = FactWire(id=3, passage=1, quote="built at the Brevik yard", fact="It was.")
    offer = OfferWire(persona="", asks="", type="single_hop", kind="", vital=(3,), okay=())
    request = ProposalsOf(passages=(FERRY,), types=("single_hop",))
    good = request.from_prompt(Output(reason="", facts=(fact,), questions=(offer,)))
    request.check(good)
    assert good.offers[0].vital == (0,)
    offers = (offer.model_copy(update=change),)
    spoilt = Output(reason="", facts=(fact,), questions=offers)
    with pytest.raises(ReplyError, match=fault):
        request.check(request.from_prompt(spoilt))
