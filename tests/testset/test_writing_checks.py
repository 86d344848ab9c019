"""Each check that asks a model turns down what it must, and lets pass what it must."""

import pytest

from llamaindex_rag_eval.judge import Judge, Support, SupportOf, SupportReply
from llamaindex_rag_eval.models import ScriptedOracle
from testset import GoldSpan, SourceDocument, Writer
from testset.checks import (
    alternative_gold,
    closed_book,
    critic,
    duplicate,
    grounded,
    hops_needed,
    round_trip,
    self_contained,
    span,
    unanswerable,
    well_formed,
)
from testset.checks.draft import Draft
from testset.checks.duplicate import AskedQuestions
from testset.checks.unanswerable import nearness
from testset.corpus.index import CorpusIndex
from testset.corpus.passages import passages_of
from testset.requests.alternatives import Alternative, Alternatives, AlternativesOf
from testset.requests.answer import Answered, AnswerOf
from testset.requests.critic import CriticOf, Opinion
from testset.requests.needs import Needs, NeedsOf
from testset.requests.paraphrases import Paraphrases, ParaphrasesOf
from testset.requests.question import Turn
from testset.requests.same import Same, SameOf

FERRY = SourceDocument("ferry.md", "# Orla ferry\n\nIt was built at Brevik. It carries 120 people.")
YARD = SourceDocument("yard.md", "# Brevik\n\nThe Brevik yard was closed in 2004 by its owner.")
OTHER = SourceDocument("other.md", "# News\n\nThe Orla ferry carries 120 people on each trip.")
QUESTION = "How many people does the Orla ferry carry?"


def index_of(*documents: SourceDocument) -> CorpusIndex:
    return CorpusIndex.of(documents, [p for document in documents for p in passages_of(document)])


GROUND = index_of(FERRY, YARD, OTHER)


def cut(document: SourceDocument, quote: str) -> GoldSpan:
    start = document.text.index(quote)
    return GoldSpan.cut(document.doc_id, document.hash, document.text, start, start + len(quote))


CARRIES = cut(FERRY, "It carries 120 people.")
BUILT = cut(FERRY, "It was built at Brevik.")
CLOSED = cut(YARD, "The Brevik yard was closed in 2004 by its owner.")


def draft(question: str = QUESTION, reference: str = "120 people.", **fields) -> Draft:
    settled = {"kind": "", "type": "single_hop", "language": "en", "gold": ((CARRIES,),)}
    return Draft(question, reference, **{**settled, "verbatim": False, **fields})


def writer(*replies, **by_request) -> Writer:
    return Writer(ScriptedOracle(*replies))


def asked(writer: Writer) -> list[type]:
    return [type(request) for request in writer.oracle.asked]


async def test_understood_rejects_what_points_elsewhere_by_rule_and_by_model():
    silent = writer()
    found = await self_contained.by_model(draft("How many does this list name?"), silent)
    assert (found.verdict, asked(silent)) == ("rejected", [])
    found = await self_contained.by_model(
        draft("How many people fit?"), writer(Needs(missing=("the ship",)))
    )
    assert (found.verdict, "the ship" in found.evidence) == ("rejected", True)


async def test_understood_passes_what_stands_alone_and_what_leans_by_design():
    alone = writer(Needs())
    assert (await self_contained.by_model(draft(), alone)).verdict == "passed"
    assert asked(alone) == [NeedsOf]
    leaning = draft("And how many does it carry?", type="conversational")
    assert (await self_contained.by_model(leaning, writer())).verdict == "passed"


async def test_understood_passes_a_pronoun_after_the_name_it_stands_for():
    question = "When was the Orla ferry built and what does it carry?"
    assert (await self_contained.by_model(draft(question), writer(Needs()))).verdict == "passed"


async def test_read_back_shows_the_evidence_under_its_heading_alone():
    reader = writer(Answered(answer="It carries 120 people."))
    assert (await round_trip.by_model(draft(), GROUND, reader)).verdict == "passed"
    assert reader.oracle.asked == [
        AnswerOf(question=QUESTION, passages=("Orla ferry: It carries 120 people.",))
    ]


@pytest.mark.parametrize(
    "replies",
    [
        [Answered(answer="", reason="It does not say.")],
        [Answered(answer="It carries 40 people.")],
        [Answered(answer="120, on Sundays"), Same(same=False, reason="A condition.")],
    ],
)
async def test_read_back_rejects_no_answer_another_number_and_another_meaning(replies):
    assert (await round_trip.by_model(draft(), GROUND, writer(*replies))).verdict == "rejected"


async def test_read_back_asks_a_model_only_where_words_do_not_tell():
    told = writer(Answered(answer="It takes 120 persons."), Same(same=True))
    assert (await round_trip.by_model(draft(), GROUND, told)).verdict == "passed"
    assert asked(told) == [AnswerOf, SameOf]


async def test_grounded_rejects_a_fact_that_the_evidence_does_not_bear_out():
    claim = "The ferry carries 120 people daily."
    reply = SupportReply(verdicts=(Support(claim=claim, verdict="not_mentioned", reason="daily"),))
    oracle = ScriptedOracle(reply)
    found = await grounded.by_judge(draft(reference="120 a day.", facts=(claim,)), Judge(oracle))
    assert (found.verdict, "daily" in found.evidence) == ("rejected", True)
    assert isinstance(oracle.asked[0], SupportOf)


async def test_grounded_passes_what_stands_there_without_asking():
    oracle = ScriptedOracle()
    found = await grounded.by_judge(draft(reference="It carries 120 people."), Judge(oracle))
    assert (found.verdict, oracle.asked) == ("passed", [])


async def test_closed_book_tags_what_is_answered_twice_without_documents():
    known = writer(Answered(answer="120 people."), Answered(answer="120 people."))
    assert (await closed_book.by_model(draft(), known)).verdict == "tagged"
    assert [request.vote for request in known.oracle.asked] == [0, 1]


@pytest.mark.parametrize(
    "replies",
    [
        [Answered(answer="")],
        [Answered(answer="90 people.")],
        [Answered(answer="120 people."), Answered(answer="")],
    ],
)
async def test_closed_book_passes_what_is_not_known_or_only_guessed_once(replies):
    assert (await closed_book.by_model(draft(), writer(*replies))).verdict == "passed"


def verdicts(*kinds: str, quote: str = "") -> Alternatives:
    return Alternatives(verdicts=tuple(Alternative(verdict=kind, quote=quote) for kind in kinds))


async def test_alternatives_widens_the_evidence_by_what_answers_as_well():
    quote = "The Orla ferry carries 120 people on each trip."
    reader = writer(verdicts("same", quote=quote))
    check, widened = await alternative_gold.by_model(draft(), GROUND, reader)
    (group,) = widened.gold
    assert (check.verdict, [s.quote for s in group]) == ("passed", [CARRIES.quote, quote])


async def test_alternatives_rejects_another_answer_and_what_everything_answers():
    check, _ = await alternative_gold.by_model(
        draft(), GROUND, writer(verdicts("other", quote="40 people"))
    )
    assert (check.verdict, "conflict" in check.evidence) == ("rejected", True)
    text = "The Orla ferry carries 120 people"
    many = [SourceDocument(f"{n}.md", f"{text}, note {'abcdef'[n]}.") for n in range(6)]
    generic = writer(verdicts(*["same"] * 6, quote=text))
    check, _ = await alternative_gold.by_model(draft(), index_of(FERRY, YARD, *many), generic)
    assert (check.verdict, "too generic" in check.evidence) == ("rejected", True)


async def test_alternatives_asks_nothing_where_no_passage_comes_near():
    silent = writer()
    check, kept = await alternative_gold.by_model(draft(), index_of(FERRY, YARD), silent)
    assert (check.verdict, kept, asked(silent)) == ("passed", draft(), [])


BRIDGE = draft(
    "When did the yard that built the Orla ferry close?",
    "In 2004.",
    type="multi_hop",
    kind="bridge",
    gold=((BUILT,), (CLOSED,)),
)


async def test_hops_needed_keeps_a_question_that_takes_all_its_parts():
    reader = writer(Answered(answer=""), Answered(answer="At Brevik."))
    check, kept = await hops_needed.by_model(BRIDGE, GROUND, reader)
    assert (check.verdict, kept) == ("passed", BRIDGE)


async def test_hops_needed_relabels_what_one_part_answers():
    check, kept = await hops_needed.by_model(BRIDGE, GROUND, writer(Answered(answer="In 2004.")))
    assert (check.verdict, kept.type, kept.gold) == ("tagged", "single_hop", ((CLOSED,),))


REFUSED = draft("Who painted the Orla ferry?", "", type="unanswerable", gold=())
TWICE = Paraphrases(texts=("Which painter?", "By whom was it painted?"))


async def test_proved_unanswerable_rejects_what_a_passage_answers():
    found = writer(TWICE, verdicts("no", "same", "no"))
    assert (await unanswerable.by_model(REFUSED, GROUND, found)).verdict == "rejected"
    assert asked(found) == [ParaphrasesOf, AlternativesOf]


async def test_proved_unanswerable_rejects_what_is_farther_off_than_usual_unasked():
    silent = writer()
    check = await unanswerable.by_model(REFUSED, GROUND, silent, typical_nearness=0.99)
    assert (check.verdict, asked(silent)) == ("rejected", [])


async def test_proved_unanswerable_passes_a_near_miss():
    found = writer(TWICE, verdicts("no", "no", "no"))
    check = await unanswerable.by_model(REFUSED, GROUND, found, typical_nearness=0.1)
    assert (check.verdict, check.score) == ("passed", nearness(REFUSED.question, GROUND))


async def test_critics_agree_sends_to_review_where_a_second_examiner_disagrees():
    examiner = writer(Opinion(fit=False, reason="Nobody asks this."))
    check = await critic.by_model(draft(), GROUND, examiner)
    assert (check.verdict, "for review" in check.evidence) == ("tagged", True)
    assert asked(examiner) == [CriticOf]
    assert (await critic.by_model(draft(), GROUND, writer(Opinion(fit=True)))).verdict == "passed"


def test_span_rejects_numbers_and_names_that_the_evidence_lacks():
    assert span.by_rule(draft(), GROUND).verdict == "passed"
    assert "130" in span.by_rule(draft(reference="130 people."), GROUND).evidence
    assert "Jonas Lund" in span.by_rule(draft(reference="Jonas Lund said 120."), GROUND).evidence


def test_span_lets_a_calculation_give_a_number_that_stands_nowhere():
    assert (
        span.by_rule(draft(reference="240 on two trips.", type="reasoning"), GROUND).verdict
        == "passed"
    )


def test_span_rejects_a_conversation_that_was_given_a_wrong_number_before():
    told = {"type": "conversational", "question": "And how many people does it carry?"}
    right = draft(**told, turns=(Turn(question="Where was it built?", answer="At Brevik."),))
    wrong = draft(**told, turns=(Turn(question="Where was it built?", answer="At quay 9."),))
    assert span.by_rule(right, GROUND).verdict == "passed"
    assert "9" in span.by_rule(wrong, GROUND).evidence


def test_lint_lets_styles_and_types_have_their_form():
    assert (
        well_formed.by_rule(draft("orla ferry people capacity", style="web_search")).verdict
        == "passed"
    )
    assert well_formed.by_rule(draft("orla ferry people capacity")).verdict == "rejected"
    two = "How many people does the Orla ferry carry? And where was it built?"
    assert well_formed.by_rule(draft(two, type="double")).verdict == "passed"
    assert well_formed.by_rule(draft(two)).verdict == "rejected"


def test_duplicate_knows_follow_ups_by_what_was_asked_before():
    known = AskedQuestions()
    ferry = (Turn(question="Where was the Orla ferry built?", answer="At Brevik."),)
    yard = (Turn(question="Who owned the mill in Hamar?", answer="Nobody."),)
    known.add(draft("And when was that?", turns=ferry))
    elsewhere = {"gold": ((CLOSED,),), "reference": "In 2004."}
    assert duplicate.by_rule(draft("And when was that?", turns=ferry), known).verdict == "rejected"
    assert (
        duplicate.by_rule(draft("And when was that?", turns=yard, **elsewhere), known).verdict
        == "passed"
    )


def test_duplicate_rejects_the_same_meaning_on_the_same_evidence():
    known = AskedQuestions()
    known.add(draft("How many people can the Orla ferry carry on a trip?", "120 people."))
    close = draft("On a trip, how many people can the Orla ferry carry?", "120.")
    assert duplicate.by_rule(close, known).verdict == "rejected"
