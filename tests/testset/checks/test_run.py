"""Every check of the cascade, over the real client: what it turns down, has mended, or marks."""

from collections.abc import Sequence

import pytest

from tests.models.asking import oracle_at
from tests.server import LoopbackServer
from tests.testset.corpora import documents
from testset import GoldenSet, QuestionType, SourceDocument, data_card, generate

DOCUMENTS = documents(16)
SINGLE: list[QuestionType] = ["single_hop"]
FAULTLESS = "tests.server.writer_responders:FAULTLESS"


def written(
    fault: str,
    *,
    docs: Sequence[SourceDocument] = DOCUMENTS,
    types: Sequence[QuestionType] = SINGLE,
    size: int = 2,
    max_by_heart: float | None = None,
    steps: int | None = None,
) -> GoldenSet:
    """Return what a model with this fault writes."""
    model = f"tests.server.spoilt_writers:{fault}" if fault else FAULTLESS
    with LoopbackServer(responders=model) as server:
        golden = generate(
            docs,
            size=size,
            types=types,
            styles=["plain"],
            judge=oracle_at(server),
            max_by_heart=max_by_heart,
            steps=steps,
        )
        assert server.stats().errors == []
    return golden


def reasons(golden: GoldenSet, check: str) -> list[str]:
    return [entry.evidence for entry in golden.rejected if entry.check == check]


def turned_down_by(golden: GoldenSet) -> set[str]:
    assert len(golden) == 0
    return {entry.check for entry in golden.rejected}


def test_lint_turns_down_a_question_that_speaks_of_the_text():
    golden = written("ABOUT_TEXT")
    assert turned_down_by(golden) == {"lint"}
    assert set(reasons(golden, "lint")) == {"speaks of the text it comes from"}


def test_span_turns_down_a_number_that_the_evidence_lacks():
    golden = written("WRONG_NUMBER_UNMENDED")
    assert turned_down_by(golden) == {"span"}
    assert set(reasons(golden, "span")) == {"not in the evidence: 77777"}


def test_what_rules_turn_down_is_kept_where_the_examiner_mends_it():
    golden = written("WRONG_NUMBER")
    assert len(golden) == 2
    assert golden.facts["repaired"].split()[1:] == ["span"]
    assert "77777" not in " ".join(item.reference for item in golden)


def test_self_contained_has_mended_what_points_elsewhere():
    golden = written("DANGLING")
    assert len(golden) == 2
    assert golden.facts["repaired"].split()[1:] == ["self_contained"]


def test_self_contained_has_mended_what_a_model_cannot_understand():
    golden = written("LACKING_AT_FIRST")
    assert len(golden) == 2
    assert golden.facts["repaired"].split()[1:] == ["self_contained"]
    assert all("under the condition" in item.question for item in golden)


@pytest.mark.parametrize(
    ("fault", "why"), [("DANGLING_UNMENDED", "'this' points"), ("LACKING", "not named: which one")]
)
def test_self_contained_turns_down_what_is_not_mended(fault, why):
    golden = written(fault)
    assert turned_down_by(golden) == {"self_contained"}
    assert all(reason.startswith(why) for reason in reasons(golden, "self_contained"))


def test_duplicate_turns_down_the_same_question_asked_again():
    one = [entry for entry in DOCUMENTS if entry.doc_id == "00003.md"]
    golden = written("SAME_WORDS", docs=one, types=["single_hop", "situational"])
    (item,) = golden
    assert set(reasons(golden, "duplicate")) == {f"asks the same as {item.question!r}"}


def test_round_trip_turns_down_what_nobody_reads_from_the_evidence():
    golden = written("SILENT")
    assert turned_down_by(golden) == {"round_trip"}
    said = ("the evidence does not answer it", "the documents disagree: ")
    assert all(reason.startswith(said) for reason in reasons(golden, "round_trip"))


def test_round_trip_has_mended_what_leaves_something_out():
    golden = written("INCOMPLETE")
    assert len(golden) == 2
    assert golden.facts["repaired"].split()[1:] == ["round_trip"]


def test_grounded_has_mended_a_fact_that_stands_nowhere():
    golden = written("UNFOUNDED")
    assert len(golden) == 2
    assert golden.facts["repaired"].split()[1:] == ["grounded"]
    assert "king" not in " ".join(fact.text for item in golden for fact in item.reference_facts)


def test_grounded_turns_down_what_is_not_mended():
    golden = written("UNFOUNDED_UNMENDED")
    assert turned_down_by(golden) == {"grounded"}
    found = reasons(golden, "grounded")
    assert all("king" in reason for reason in found)


def test_closed_book_marks_what_is_known_by_heart_and_turns_nothing_down():
    golden = written("BY_HEART", size=3, max_by_heart=1)
    assert len(golden) == 3  # all that the model asks, it knows
    assert {item.checks["closed_book"].verdict for item in golden} == {"tagged"}
    assert reasons(golden, "closed_book") == []


def test_closed_book_keeps_to_a_quota_that_is_asked_for():
    golden = written("BY_HEART", size=4, max_by_heart=0.5)
    tagged = [item for item in golden if item.checks["closed_book"].verdict == "tagged"]
    assert len(tagged) == 2
    assert set(reasons(golden, "closed_book")) == {"more than 50% of the set are known by heart"}
    assert f"answered without documents: 2 of {len(golden)}," in data_card(golden)


def test_what_is_known_by_heart_is_not_measured_unless_it_is_asked_for():
    card = data_card(written("", size=2))
    assert card.count("answered without documents") == 1
    assert "answered without documents: not measured" in card


def test_closed_book_marks_nothing_that_is_not_known():
    asked = written("", max_by_heart=1)
    assert {item.checks["closed_book"].evidence for item in asked} == {"not known by heart"}


def test_closed_book_is_not_asked_where_any_share_may_be_known():
    assert {item.checks["closed_book"].evidence for item in written("")} == {"not asked"}


def test_retrievable_turns_down_what_neither_search_brings_up():
    text = "The harbour lands many lobsters each spring, in {} baskets of the {} boat."
    others = [SourceDocument(f"l{n}.md", text.format(n, n * 7 + 1)) for n in range(70)]
    golden = written("ELSEWHERE", docs=[*documents(2)[:2], *others], size=1)
    assert set(reasons(golden, "retrievable")) == {"not among the best 50"}


def mills(*openings: str) -> list[SourceDocument]:
    fact = "the Harwick pump of the crooked mill near Oxbow weighs some 512 kilograms."
    return [SourceDocument(f"mill{n}.md", f"{text} {fact}") for n, text in enumerate(openings)]


def test_alternative_gold_takes_in_another_passage_that_answers():
    docs = mills("In all the green valley by the river", "By the books,")
    (item,) = written("OTHERS_SAY_THE_SAME", docs=docs, size=1)
    (group,) = item.gold
    assert {span.doc_id for span in group} == {"mill0.md", "mill1.md"}
    assert item.checks["alternative_gold"].evidence == "1 other passages answer it"


def test_alternative_gold_turns_down_what_another_passage_answers_otherwise():
    golden = written("OTHERS_SAY_OTHERWISE")
    found = reasons(golden, "alternative_gold")
    assert found
    assert all(reason.startswith("conflict: ") for reason in found)


def test_alternative_gold_turns_down_what_everything_answers():
    leads = ["Smiths tell that", "Clerks wrote that", "Nobody doubts that", "Sailors sing that"]
    leads += ["Papers show that", "Children learn that", "Widows recall that", "Judges held that"]
    golden = written("OTHERS_SAY_THE_SAME", docs=[*mills(*leads), *DOCUMENTS], size=1)
    # Eight mills: one is asked about, the others answer, and five are the most.
    found = reasons(golden, "alternative_gold")
    assert found
    assert all(reason.startswith("too generic: ") for reason in found)


def test_hops_needed_turns_down_what_one_passage_answers():
    golden = written("ONE_PART", types=["multi_hop"])
    found = reasons(golden, "hops_needed")
    assert found
    assert all(reason.startswith("one passage alone answers it: ") for reason in found)


def test_unanswerable_turns_down_what_a_passage_answers():
    golden = written("OTHERS_SAY_THE_SAME", types=["unanswerable"])
    assert turned_down_by(golden) == {"unanswerable"}
    assert all(" answers it: " in reason for reason in reasons(golden, "unanswerable"))


def test_the_critic_turns_down_what_a_second_examiner_finds_unfit():
    golden = written("UNFIT", types=["single_hop", "unanswerable"])
    assert turned_down_by(golden) == {"critics_agree"}
    assert set(reasons(golden, "critics_agree")) == {"nobody asks this"}


def test_a_faultless_model_passes_every_check_and_names_its_judges():
    for item in written("", size=4):
        assert {check.verdict for check in item.checks.values()} == {"passed"}
        judged = {name for name, check in item.checks.items() if check.who != "rules"}
        assert judged >= {"self_contained", "round_trip", "grounded", "critics_agree"}
