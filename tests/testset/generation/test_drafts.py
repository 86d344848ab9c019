"""Drafts: which questions of a reply stand on what the passages say, word for word."""

from typing import Any

import pytest

from llamaindex_rag_eval.errors import ReplyError
from testset import Corpus, SourceDocument
from testset.corpus.prepared import PreparedCorpus
from testset.generation.drafts import ModelProposal, drafts_in
from testset.requests.drafts import Drafts, DraftsOf, Wanted, Written
from testset.requests.parts import ProvenFact, Turn

FERRY = "The Orla ferry was built at the Brevik yard. It carries 120 people, in storms 80."
YARD = "The Brevik yard closed its last dry dock in 2004, and had 310 workers until that very year."
DOCUMENTS = [SourceDocument("a.md", FERRY), SourceDocument("b.md", YARD)]
PASSAGES = dict(enumerate(PreparedCorpus.of(Corpus.of(DOCUMENTS)).index.passages))
BUILT = ProvenFact(fact="Brevik built it.", passage=0, quote="was built at the Brevik yard")
CLOSED = ProvenFact(fact="It closed in 2004.", passage=1, quote="closed its last dry dock in 2004")
INVENTED = ProvenFact(fact="The moon is green.", passage=1, quote="the moon is green")


def question(*facts: ProvenFact, **fields: Any) -> Written:
    stays = {"wanted": 0, "persona": "A buyer.", "kind": "", "asks": "", "history": ()}
    said = {"question": "When did the yard of the Orla ferry close?", "answer": "In 2004."}
    return Written(**{**stays, **said, "facts": facts, **fields})


def drafted(*written: Written, type: str = "multi_hop", **fields: Any) -> list[ModelProposal]:  # noqa: A002 - as in `Wanted`
    reply = Drafts(reason="", questions=written)
    wanted = (Wanted(type=type, **fields),)
    return [*drafts_in(reply, wanted, "topic", PASSAGES, without=frozenset())]


def test_only_a_question_whose_proof_stands_in_every_passage_it_joins_is_examined():
    (proposal,) = drafted(question(BUILT, CLOSED), question(BUILT), question(BUILT, INVENTED))
    assert proposal.passages == (0, 1)
    assert [group[0].quote for group in proposal.draft.gold] == [BUILT.quote, CLOSED.quote]
    assert [fact.text for fact in proposal.draft.reference_facts] == [BUILT.fact, CLOSED.fact]
    span = proposal.draft.spans[0]
    assert FERRY[span.start : span.end] == BUILT.quote


def test_each_answer_of_a_question_that_is_asked_back_will_do():
    (proposal,) = drafted(question(BUILT, CLOSED), type="underspecified")
    assert [len(group) for group in proposal.draft.gold] == [2]
    assert proposal.draft.expected_behaviour == "clarify"


def test_a_question_without_an_answer_has_no_evidence():
    (proposal,) = drafted(question(CLOSED), type="unanswerable")
    draft = proposal.draft
    assert (draft.gold, draft.reference_facts, draft.reference) == ((), (), "")


def test_the_words_that_other_pages_may_have_go_with_the_draft():
    (proposal,) = drafted(question(CLOSED, elsewhere="shipyard shut"), type="single_hop")
    assert proposal.draft.elsewhere == "shipyard shut"
    assert question(CLOSED, elsewhere=["shipyard", "shut"]).elsewhere == "shipyard shut"
    assert question(CLOSED).elsewhere == ""


def test_a_quote_is_found_though_its_passage_is_misnumbered():
    (proposal,) = drafted(
        question(CLOSED.model_copy(update={"passage": 0})), type="single_hop", style="chat"
    )
    assert proposal.draft.spans[0].doc_id == "b.md"
    assert proposal.traits["style"] == "chat"


def test_a_quote_of_two_lines_that_stand_apart_is_two_quotes():
    apart = "The Orla ferry was built at the Brevik yard.\nhad 310 workers until that very year"
    (proposal,) = drafted(question(BUILT.model_copy(update={"quote": apart})), type="single_hop")
    assert [span.quote for span in proposal.draft.spans] == apart.splitlines()
    nowhere = BUILT.model_copy(update={"quote": f"{apart}\nin fog none"})
    assert drafted(question(nowhere), type="single_hop") == []


def test_only_a_follow_up_has_a_history():
    turn = Turn(question="Who built it?", answer="Brevik.")
    (proposal,) = drafted(question(CLOSED, history=(turn,)), type="single_hop")
    assert proposal.draft.turns == ()
    (proposal,) = drafted(question(CLOSED, history=(turn,)), type="conversational")
    assert proposal.draft.turns == (turn,)


def test_who_asks_is_who_was_wanted():
    (proposal,) = drafted(question(CLOSED), type="single_hop", persona="A nurse.")
    assert proposal.draft.axes.persona == "A nurse."


@pytest.mark.parametrize(
    ("change", "type_", "fault"),
    [
        ({"wanted": 2}, "single_hop", "wanted 1 does not exist"),
        ({"question": " "}, "single_hop", "a question is empty"),
        ({"answer": ""}, "single_hop", "a single_hop question has no answer"),
        ({}, "conversational", "history is empty"),
        ({"facts": (INVENTED,)}, "single_hop", "passage 0 does not exist"),
    ],
)
def test_a_reply_that_names_what_there_is_not_is_refused(change, type_, fault):
    request = DraftsOf(passages=(FERRY,), wanted=(Wanted(type=type_),))
    told = BUILT.model_copy(update={"passage": 1})
    good = question(told, wanted=1)
    assert request.from_prompt(Drafts(reason="", questions=(good,))).questions[0].wanted == 0
    spoilt = question(told, **{"wanted": 1, **change})
    if "facts" in change:
        spoilt = question(INVENTED.model_copy(update={"passage": 0}), wanted=1)
    with pytest.raises(ReplyError, match=fault):
        request.check(request.from_prompt(Drafts(reason="", questions=(spoilt,))))
