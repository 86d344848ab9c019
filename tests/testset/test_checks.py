"""Each check turns down what it must, and lets pass what it must."""

import pytest

from llamaindex_rag_eval.judge import judge_of
from llamaindex_rag_eval.judge.rules.embedding import LexicalEmbedding
from testset import GoldSpan, SourceDocument
from testset.checks import (
    alternative_gold,
    duplicate,
    grounded,
    retrievable,
    round_trip,
    self_contained,
    span,
    unanswerable,
    well_formed,
)
from testset.checks.answers import values_of
from testset.checks.draft import Draft
from testset.checks.duplicate import AskedQuestions
from testset.checks.round_trip import word_share
from testset.corpus.index import CorpusIndex
from testset.corpus.passages import passages_of
from testset.golden.difficulty import difficulty_over

PUMP = SourceDocument(
    "pump.txt", "Ada Byron designed the Harwell pump in 1843. It weighs 90 kilograms."
)
VENT = SourceDocument("vent.txt", "Imogen Fenn designed the Ely vent in 1901.")
SENTENCE = (0, 44)


def index_of(*documents: SourceDocument) -> CorpusIndex:
    return CorpusIndex.of(documents, [p for document in documents for p in passages_of(document)])


def draft(question: str, reference: str = "1843", **fields) -> Draft:
    quote = GoldSpan.cut(PUMP.doc_id, PUMP.hash, PUMP.text, *SENTENCE)
    settled = {"kind": "temporal", "type": "single_hop", "language": "en", "gold": ((quote,),)}
    return Draft(question, reference, **{**settled, **fields})


GOOD = "In which year did Ada Byron design the Harwell pump?"


@pytest.mark.parametrize(
    ("question", "evidence"),
    [
        ("According to the text, who designed the pump?", "speaks of the text"),
        ("1. Who designed the Harwell pump?", "list number"),
        ("Who designed the pump?\nAnd when?", "one line"),
        ("Tell me who designed the pump", "question"),
        ("Was the Harwell pump designed in 1843?", "answer stands"),
        ("Who?", "characters"),
        ("誰がハーウェルのポンプを設計しましたか?", "language"),
        ("Who designed [the pump?", "markup"),
    ],
)
def test_lint_rejects(question, evidence):
    check = well_formed.by_rule(draft(question))
    assert check.verdict == "rejected"
    assert evidence in check.evidence


def test_lint_passes_a_plain_question():
    assert well_formed.by_rule(draft(GOOD)).verdict == "passed"


def test_span_rejects_a_moved_quote_a_missing_number_and_a_missing_answer():
    index = index_of(PUMP)
    assert span.by_rule(draft(GOOD), index).verdict == "passed"
    moved = GoldSpan.cut(PUMP.doc_id, PUMP.hash, PUMP.text, *SENTENCE).model_copy(
        update={"start": 1}
    )
    assert span.by_rule(draft(GOOD, gold=((moved,),)), index).verdict == "rejected"
    assert "1844" in span.by_rule(draft(GOOD, "1844"), index).evidence
    assert "does not stand" in span.by_rule(draft(GOOD, "Imogen"), index).evidence


@pytest.mark.parametrize("question", ["When did he design it?", "What does this table show?"])
def test_self_contained_rejects_what_points_elsewhere(question):
    assert self_contained.by_rule(draft(question)).verdict == "rejected"


def test_self_contained_passes_a_possessive_whose_owner_is_named():
    assert (
        self_contained.by_rule(draft("When did Ada Byron build her first pump?")).verdict
        == "passed"
    )
    assert self_contained.by_rule(draft("When was his pump built?")).verdict == "rejected"


def test_duplicate_rejects_the_same_words_near_words_and_the_same_answer():
    asked = AskedQuestions()
    assert duplicate.by_rule(draft(GOOD), asked).verdict == "passed"
    asked.add(draft(GOOD))
    assert duplicate.by_rule(draft(GOOD.upper(), gold=()), asked).verdict == "rejected"
    near = "In which year did Ada Byron design the Harwell pumps?"
    assert duplicate.by_rule(draft(near, gold=()), asked).verdict == "rejected"
    assert duplicate.by_rule(draft("When was it?"), asked).verdict == "rejected"
    other = draft("Who designed the Harwell pump?", "Ada Byron")
    assert duplicate.by_rule(other, asked).verdict == "passed"


def test_round_trip_rejects_the_other_value_and_evidence_of_something_else():
    text = "The Ely vent was made in 1990, but the Harwell pump was built much later, in 1995."
    document = SourceDocument("d", text)
    index = index_of(document, PUMP, VENT)
    gold = ((GoldSpan.cut("d", document.hash, text, 0, len(text)),),)
    question = "In which year was the Harwell pump built?"
    assert round_trip.by_rule(draft(question, "1995", gold=gold), index).verdict == "passed"
    assert round_trip.by_rule(draft(question, "1990", gold=gold), index).verdict == "rejected"
    assert round_trip.by_rule(draft("When was the Ely vent made?"), index).verdict == "rejected"


COUNTS = [
    ("How many zones does the Ely pump have?", "12 zones", "30 zones",
     "The Ely pump has 12 zones and 90 fans, unlike the Harwell vent, which has 30 zones.", "en"),
    ("How long did Ada Byron lead the Ely Guild?", "nine years", "three years",
     "Ada Byron led the Ely Guild for nine years with 40 men; Lynn stood three years.", "en"),
    ("Wie viele Zonen hat die Pumpe in Lynn?", "12 Zonen", "30 Zonen",
     "Die Pumpe in Lynn hat 12 Zonen und 90 Klappen; der Lüfter in Ely hat 30 Zonen.", "de"),
    ("Wie lange leitete Ada Byron die Gilde in Lynn?", "neun Jahre", "drei Jahre",
     "Ada Byron leitete die Gilde in Lynn neun Jahre mit 40 Leuten; Ely bestand drei Jahre.", "de"),
    ("青木橋の職人は何人ですか?", "12人", "30人",
     "青木橋の職人は12人で、橋脚は8本である。石川橋の客は30人だった。", "ja"),
    ("青木桥有多少名工人？", "12名", "30名",
     "青木桥有12名工人，桥墩有8个。石川馆的客人有30名。", "zh"),
]  # fmt: skip


@pytest.mark.parametrize(("question", "right", "wrong", "text", "language"), COUNTS)
def test_round_trip_compares_numbers_that_count_the_same(question, right, wrong, text, language):
    document = SourceDocument("d", text)
    index = index_of(document, PUMP, VENT)
    gold = ((GoldSpan.cut("d", document.hash, text, 0, len(text)),),)
    fields = {"gold": gold, "kind": "numeric", "language": language}
    assert round_trip.by_rule(draft(question, right, **fields), index).verdict == "passed"
    assert round_trip.by_rule(draft(question, wrong, **fields), index).verdict == "rejected"


def test_a_number_of_something_else_is_no_other_answer():
    text = "The Ely pump weighs 90 kilograms and has 12 zones."
    assert values_of(text, "numeric", like="12 zones") == [(41, "12")]
    assert [value for _, value in values_of(text, "numeric")] == ["90", "12"]
    assert [v for _, v in values_of("It costs £96 and 40 men.", "numeric", like="£12")] == ["96"]


def test_round_trip_takes_a_synonym_for_the_word_but_no_other_word():
    text = "Imogen Fenn purchased the Lynn bakery from a company."
    document = SourceDocument("e", text)
    gold = ((GoldSpan.cut("e", document.hash, text, 0, len(text)),),)
    index = index_of(PUMP, VENT, document, SourceDocument("d", "Ada Byron will buy or paint it."))
    said = draft("Who did buy the Lynn bakery?", "Imogen Fenn", kind="factoid", gold=gold)
    assert word_share(said.question, text, index) == 1
    assert word_share(said.question, text, index, literal=True) < 1
    assert word_share("Who did paint the Lynn bakery?", text, index) < 1


class Lengths(LexicalEmbedding):
    """An embedding that compares nothing but the length of texts."""

    def _get_text_embedding(self, text: str) -> list[float]:
        return [float(len(text)), 1.0]

    def _get_text_embeddings(self, texts: list[str]) -> list[list[float]]:
        return [self._get_text_embedding(text) for text in texts]


def test_the_second_retriever_is_the_embedding_that_was_given():
    near, far = SourceDocument("a", "Rain fell on Ely."), SourceDocument("b", "Rain. " * 9 + "End.")
    passages = [p for document in (near, far) for p in passages_of(document)]
    lengths = CorpusIndex.of([near, far], passages, Lengths())
    assert lengths.vectors.shape == (2, 2)
    assert lengths.search("Snow came to Lyn.", k=1) == (0,)
    assert CorpusIndex.of([near, far], passages).vectors.shape == (2, 1024)


async def test_grounded_rejects_what_the_evidence_does_not_say():
    judge = judge_of(None)
    good = draft("Who designed the pump?", "Ada Byron designed the Harwell pump.")
    assert (await grounded.by_judge(good, judge)).verdict == "passed"
    bad = draft("Who designed the pump?", "Imogen Fenn sold nine greenhouses to Norway.")
    assert (await grounded.by_judge(bad, judge)).verdict == "rejected"


def test_retrievable_rejects_what_no_words_lead_to():
    index = index_of(PUMP, VENT)
    found = retrievable.by_words(draft(GOOD), index)
    assert (found.verdict, found.score) == ("passed", 1.0)
    assert difficulty_over(draft(GOOD), index) == "easy"
    assert retrievable.by_words(draft("Qui l'inventa?"), index).verdict == "rejected"


def test_alternative_gold_widens_the_evidence_and_rejects_a_conflict():
    same = SourceDocument("same.txt", "Ada Byron designed the famous Harwell pump in 1843.")
    check, widened = alternative_gold.by_rule(draft(GOOD), index_of(PUMP, VENT, same))
    assert check.verdict == "passed"
    assert [span.doc_id for group in widened.gold for span in group] == ["pump.txt", "same.txt"]
    other = SourceDocument("other.txt", "Ada Byron designed the Harwell pump in 1850.")
    check, kept = alternative_gold.by_rule(draft(GOOD), index_of(PUMP, VENT, other))
    assert (check.verdict, kept) == ("rejected", draft(GOOD))
    assert "1850" in check.evidence


def test_alternative_gold_rejects_what_everything_answers():
    many = [
        SourceDocument(
            f"{n}.txt", f"Ada Byron designed the Harwell pump in 1843, note {'abcdefg'[n]}."
        )
        for n in range(7)
    ]
    check, _ = alternative_gold.by_rule(draft(GOOD), index_of(PUMP, VENT, *many))
    assert check.verdict == "rejected"


def test_unanswerable_rejects_what_is_answered_or_far_off():
    index = index_of(PUMP, VENT)
    settled = {"reference": "", "type": "unanswerable", "gold": ()}
    near = draft("When did Ada Byron design the Ely vent?", **settled)
    assert unanswerable.by_rule(near, index).verdict == "passed"
    assert (
        unanswerable.by_rule(
            draft("Who designed the Harwell pump in 1843?", **settled), index
        ).verdict
        == "rejected"
    )
    assert (
        unanswerable.by_rule(draft("Warum schnurren Katzen?", **settled), index).verdict
        == "rejected"
    )
