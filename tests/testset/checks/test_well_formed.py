"""Well-formed questions pass; those with a formal fault are rejected."""

import pytest

from llamaindex_rag_eval.judge.rules.tokens import language_of
from tests.testset.checks.examples import PUMP_QUESTION, ferry_draft, pump_draft
from testset.checks import well_formed


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
def test_well_formed_rejects(question, evidence):
    check = well_formed.by_rule(pump_draft(question))
    assert check.verdict == "rejected"
    assert evidence in check.evidence


def test_well_formed_passes_a_plain_question():
    assert well_formed.by_rule(pump_draft(PUMP_QUESTION)).verdict == "passed"


def test_well_formed_lets_styles_and_types_have_their_form():
    assert (
        well_formed.by_rule(ferry_draft("orla ferry people capacity", style="web_search")).verdict
        == "passed"
    )
    assert well_formed.by_rule(ferry_draft("orla ferry people capacity")).verdict == "rejected"
    two = "How many people does the Orla ferry carry? And where was it built?"
    assert well_formed.by_rule(ferry_draft(two, type="double")).verdict == "passed"
    assert well_formed.by_rule(ferry_draft(two)).verdict == "rejected"


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Is the Orla ferry driven by batteries or by diesel?", "By batteries."),
        ("Was ist schneller, die Orla oder die Brevik?", "die Brevik"),
        ("奥拉号和布雷维克号，哪一艘更快？", "奥拉号"),
    ],
)
def test_a_question_may_offer_its_answer_among_others(question, answer):
    draft = ferry_draft(question, answer, language=language_of(question))
    assert well_formed.by_rule(draft).verdict == "passed"


@pytest.mark.parametrize(
    ("question", "answer"),
    [("In 1998, when was the Orla ferry built?", "In 1998."), ("フェリーの色は青か？", "青")],
)
def test_a_mark_beside_the_answer_is_no_choice(question, answer):
    draft = ferry_draft(question, answer, language=language_of(question))
    assert well_formed.by_rule(draft).evidence == "the answer stands in the question"


@pytest.mark.parametrize("answer", ["No.", "Sí."])
def test_yes_and_no_are_not_given_away(answer):
    question = f"May I go aboard with {answer.lower().rstrip('.')} ticket?"
    assert well_formed.by_rule(ferry_draft(question, answer)).verdict == "passed"


def test_the_name_of_a_hidden_file_is_no_markup():
    assert well_formed.by_rule(ferry_draft("What does a .env file hold?")).verdict == "passed"
    assert "markup" in well_formed.by_rule(ferry_draft("What does a file , then, hold?")).evidence


def test_a_blank_before_a_semicolon_is_french():
    draft = ferry_draft("Les vélos sont admis ; combien coûte le billet ?", language="fr")
    assert well_formed.by_rule(draft).verdict == "passed"
