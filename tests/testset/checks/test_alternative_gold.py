"""Other passages that answer widen the evidence, or reject the question."""

from dataclasses import replace

from llamaindex_rag_eval.judge import Judge
from llamaindex_rag_eval.models import ScriptedOracle
from tests.testset.checks.examples import (
    BUILT,
    CARRIES,
    FERRY,
    INDEX,
    OTHER,
    PUMP,
    PUMP_QUESTION,
    VENT,
    YARD,
    cut,
    examiner_of,
    ferry_draft,
    index_of,
    opinion,
    pump_draft,
)
from testset import SourceDocument
from testset.checks import alternative_gold, critics_agree, hops_needed
from testset.checks.examined import Examiner
from testset.corpus.deployed import Retrieved
from testset.requests.examine import ExamineOf, Finding, Opinion
from testset.requests.parts import ProvenFact


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
    examiner, _ = examiner_of("same", quote)
    check, widened = await alternative_gold.by_model(ferry_draft(), INDEX, examiner)
    (group,) = widened.gold
    assert (check.verdict, [s.quote for s in group]) == ("passed", [CARRIES.quote, quote])


async def test_a_model_rejects_another_answer_and_what_everything_answers():
    examiner, _ = examiner_of("other", "120 people on each")
    check, kept = await alternative_gold.by_model(ferry_draft(), INDEX, examiner)
    assert (check.verdict, "conflict" in check.evidence) == ("rejected", True)
    assert kept.gold == ferry_draft().gold
    text = "The Orla ferry carries 120 people"
    many = [SourceDocument(f"{n}.md", f"{text}, note {'abcdef'[n]}.") for n in range(6)]
    index = index_of(FERRY, YARD, *many)
    examiner, _ = examiner_of("same", text, index=index)
    check, _ = await alternative_gold.by_model(ferry_draft(), index, examiner)
    assert (check.verdict, "too generic" in check.evidence) == ("rejected", True)


async def test_what_the_passage_of_the_evidence_says_is_no_other_answer():
    examiner, _ = examiner_of("same", CARRIES.quote)
    check, kept = await alternative_gold.by_model(ferry_draft(), INDEX, examiner)
    assert (check.verdict, kept.gold) == ("passed", ferry_draft().gold)


async def test_what_a_deployed_retriever_finds_is_read_and_kept_if_it_does_not_answer():
    found = Retrieved("shop:retriever", (("yard.md", 0, 56),), (1,))
    examiner, _ = examiner_of("same", "The Orla ferry carries 120 people on each trip.")
    draft = replace(ferry_draft(), hits=found)
    check, kept = await alternative_gold.by_model(draft, INDEX, examiner)
    (negative,) = kept.hard_negatives
    assert (check.verdict, negative.doc_id) == ("passed", "yard.md")
    assert negative.found_by == "shop:retriever"
    assert YARD.text[negative.start : negative.end] == negative.quote
    assert [span.doc_id for span in kept.gold[0]] == ["ferry.md", "other.md"]


async def test_no_hard_negative_is_kept_of_evidence_of_several_parts():
    found = Retrieved("shop:retriever", (("other.md", 0, 56),), (2,))
    draft = replace(ferry_draft(gold=((CARRIES,), (BUILT,))), hits=found)
    examiner, _ = examiner_of()
    _, kept = await alternative_gold.by_model(draft, INDEX, examiner)
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
    examiner, _ = examiner_of("same", "The Orla ferry carries 120 people")
    _, widened = await alternative_gold.by_model(several, INDEX, examiner)
    assert [[span.doc_id for span in group] for group in widened.gold] == [
        ["ferry.md", "other.md"],
        ["ferry.md", "other.md"],
    ]


async def test_what_proves_a_part_as_well_stands_for_that_part_alone():
    def reply(request: ExamineOf) -> Opinion:
        (other,) = (n for n, text in enumerate(request.passages) if "on each trip" in text)
        quote = "The Orla ferry carries 120 people"
        rows = [Finding(passage=other, quote=quote, kind="same", evidence=n) for n in (2, 7)]
        return opinion(own="read", findings=tuple(rows))

    several = ferry_draft(gold=((BUILT,), (CARRIES,)))
    examiner = Examiner(INDEX, Judge(ScriptedOracle(reply)))
    _, widened = await alternative_gold.by_model(several, INDEX, examiner)
    assert [[span.doc_id for span in group] for group in widened.gold] == [
        ["ferry.md"],
        ["ferry.md", "other.md"],
    ]
    kept, _ = await hops_needed.by_model(replace(several, type="multi_hop"), INDEX, examiner)
    assert "one passage alone" not in kept.evidence


async def test_what_proves_two_pieces_of_evidence_stands_for_the_one_that_joins_them():
    joined = "It was built at Brevik. It carries 120 people."

    def reply(request: ExamineOf) -> Opinion:
        (other,) = (n for n, text in enumerate(request.passages) if "on each trip" in text)
        quote = "The Orla ferry carries 120 people"
        proves = (1, 2) if request.question == "Both?" else (2,)
        rows = [Finding(passage=other, quote=quote, kind="same", evidence=n) for n in proves]
        facts = (ProvenFact(fact="Built at Brevik, it carries 120.", passage=0, quote=joined),)
        return opinion(findings=tuple(rows), answer="At Brevik, 120.", facts=facts)

    examiner = Examiner(INDEX, Judge(ScriptedOracle(reply, reply)))
    for question, places in (("Both?", ["ferry.md", "other.md"]), ("One?", ["ferry.md"])):
        several = ferry_draft(question, gold=((BUILT,), (CARRIES,)))
        await critics_agree.by_model(several, examiner)
        mended = examiner.mended(several)
        assert mended is not None
        _, widened = await alternative_gold.by_model(mended, INDEX, examiner)
        assert [[span.doc_id for span in group] for group in widened.gold] == [places]


async def test_a_piece_of_evidence_is_not_needed_that_another_one_proves_too():
    def reply(request: ExamineOf) -> Opinion:
        (other,) = (n for n, text in enumerate(request.passages) if "on each trip" in text)
        quote = "The Orla ferry carries 120 people on each trip."
        return opinion(findings=(Finding(passage=other, quote=quote, kind="same", evidence=1),))

    trips = cut(OTHER, "carries 120 people on each trip")
    several = ferry_draft(gold=((CARRIES,), (trips,)))
    _, widened = await alternative_gold.by_model(
        several, INDEX, Examiner(INDEX, Judge(ScriptedOracle(reply)))
    )
    assert widened.gold == ((trips,),)
    check, simpler = await alternative_gold.by_model(
        replace(several, type="multi_hop"), INDEX, Examiner(INDEX, Judge(ScriptedOracle(reply)))
    )
    assert (check.verdict, simpler.type, simpler.gold) == ("tagged", "single_hop", ((trips,),))


def test_a_fact_that_is_given_twice_has_two_places_of_which_one_is_enough():
    carries = "The Orla ferry carries 120 people."
    facts = (
        ProvenFact(fact=carries, passage=0, quote="It carries 120 people."),
        ProvenFact(fact="It was built at Brevik.", passage=0, quote="It was built at Brevik."),
        ProvenFact(
            fact=carries, passage=2, quote="The Orla ferry carries 120 people on each trip."
        ),
    )
    stated = ferry_draft().stating(facts, [*INDEX.passages])
    assert stated is not None
    assert [[span.doc_id for span in group] for group in stated.gold] == [
        ["ferry.md", "other.md"],
        ["ferry.md"],
    ]
    assert len(stated.reference_facts) == 2


def test_quotes_that_overlap_are_one_piece_of_evidence():
    facts = (
        ProvenFact(
            fact="It was built at Brevik.", passage=0, quote="It was built at Brevik. It carries"
        ),
        ProvenFact(
            fact="It carries 120 people.", passage=0, quote="at Brevik. It carries 120 people."
        ),
    )
    stated = ferry_draft().stating(facts, [*INDEX.passages])
    assert stated is not None
    assert [[span.quote for span in group] for group in stated.gold] == [
        ["It was built at Brevik. It carries 120 people."]
    ]


SHIRT = SourceDocument(
    "shirt.md",
    "# Run\n\nThe club has a shirt of its own.\n\nPrice: 20 euros\n\nCloth: wool\n\n"
    "It is sent 35 days after the sale.\n",
)
SENT = SourceDocument("sent.md", "# Sale\n\nShirts are sent about 35 days after the sale.\n")


def test_lines_that_lead_into_several_quotes_are_part_of_the_first():
    lead, sent = "The club has a shirt of its own.", "The shirt is sent after 35 days."
    facts = (
        ProvenFact(fact="It costs 20 euros.", passage=0, quote=f"{lead}\nPrice: 20 euros"),
        ProvenFact(fact=sent, passage=0, quote=f"{lead}\nIt is sent 35 days after the sale."),
        ProvenFact(fact=sent, passage=1, quote="Shirts are sent about 35 days after the sale."),
    )
    stated = ferry_draft().stating(facts, [*index_of(SHIRT, SENT).passages])
    assert stated is not None
    assert [[span.quote for span in group] for group in stated.gold] == [
        [f"{lead}\n\nPrice: 20 euros"],
        ["It is sent 35 days after the sale.", "Shirts are sent about 35 days after the sale."],
    ]


def test_another_place_for_a_part_of_one_piece_of_evidence_is_no_alternative_for_all_of_it():
    sent = "It is sent after 35 days."
    whole = "Price: 20 euros\nCloth: wool\nIt is sent 35 days after the sale."
    facts = (
        ProvenFact(fact=sent, passage=0, quote=whole),
        ProvenFact(fact=sent, passage=1, quote="Shirts are sent about 35 days after the sale."),
        ProvenFact(fact="It is of wool.", passage=0, quote="Cloth: wool"),
    )
    shown = [*index_of(SHIRT, SENT).passages]
    for said, places in ((facts, [["shirt.md"]]), (facts[:2], [["shirt.md", "sent.md"]])):
        stated = ferry_draft().stating(said, shown)
        assert stated is not None
        assert [[span.doc_id for span in group] for group in stated.gold] == places


def test_a_header_that_two_tables_have_is_part_of_the_evidence_from_both():
    tables = [
        SourceDocument(f"{name}.md", f"# {name}\n\nDay | Hour\n\n{row}\n")
        for name, row in (("Pool", "Monday | 9"), ("Bar", "Monday | 17"))
    ]
    facts = tuple(
        ProvenFact(fact=f"It opens at {row}.", passage=number, quote=f"Day | Hour\n{row}")
        for number, row in enumerate(("Monday | 9", "Monday | 17"))
    )
    stated = ferry_draft().stating(facts, [*index_of(*tables).passages])
    assert stated is not None
    assert [group[0].quote.splitlines()[0] for group in stated.gold] == ["Day | Hour"] * 2
