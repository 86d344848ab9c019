"""Answers that were once judged wrongly, each as a reader judges it."""

from typing import Any

import pytest

from llamaindex_rag_eval.judge.rules.support import support_of
from llamaindex_rag_eval.judge.rules.verdict import verdict_on
from llamaindex_rag_eval.metrics.registry import metric_of

EXPLANATION = (
    "You agree with a person and agree to a proposal. With a plan either can stand, though to is "
    "more formal in most contexts."
)


@pytest.mark.parametrize(
    ("question", "response", "reference"),
    [
        ("Which file?", "/etc/app/config.yaml", "/etc/app/secrets.txt"),
        ("How do I undo the commit?", "git reset --soft", "git reset --hard"),
        ("Which version?", "Python 3.11", "Python 3.10"),
        ("What does it cost?", "£30", "$30"),
        ("Was kostet es?", "30 €", "30 kr"),
        ("多少钱？", "80美元", "80港元"),
        ("可以空腹服用吗？", "不可以空腹服用", "可以空腹服用"),
        ("必要ですか。", "必要ありません", "必要です"),
        ("Is it safe?", "Yes", "Yes, it is not safe."),
        ("Who won?", "Porto", "Ajax beat Porto"),
        ("Do you agree with or to?", "you", EXPLANATION),
        ("How heavy is it?", "The weight is given in kg.", "40 kg"),
        ("Wie schwer ist es?", "Das Gewicht steht in kg da.", "40 kg"),
        ("手数料はいくらですか。", "手数料は円で支払います。", "300円"),
        ("Can I call a task by name?", "Tasks are called by workers.", "Yes, use send_task."),
    ],
)
def test_another_value_a_denial_or_a_fragment_is_wrong(
    question: str, response: str, reference: str
):
    assert verdict_on(question, response, [reference]).verdict == "wrong"


@pytest.mark.parametrize(
    ("question", "response", "reference"),
    [
        ("Which version does it need?", "It needs Python 3.10.", "Python 3.10"),
        ("Which versions?", "It works with 3.10 and 3.11.", "Python 3.10 and 3.11"),
        ("Who won?", "Ajax", "Ajax beat Porto"),
        ("什么时候开会？", "周一", "星期一"),
        ("需要多长时间？", "90分钟", "一个半小时"),
        ("谁写的？", "李明", "李明教授"),
        ("谁写的？", "李明教授", "李明"),
        ("Is the shop open?", "It isn't open.", "It is closed."),
        ("Is the shop open today?", "closed", "It isn't open"),
        ("Which port does it use?", "Port 8443, and it does not use any other.", "8443"),
        ("Which port does it use?", "8443, not 8080.", "8443"),
        ("Is parking expensive?", "No, parking is free.", "No"),
        ("Is the pool open?", "The pool is closed on Mondays.", "No, it is closed on Mondays."),
        ("Is the pool open on Mondays?", "The pool is closed on Mondays.", "No"),
        ("How often is it sent?", "It is sent monthly.", "Once a month"),
        ("Combien coûte la vanne ?", "Elle coûte 1249 €.", "1 249,00 €"),
    ],
)
def test_the_same_said_otherwise_or_with_a_matching_negation_is_right(
    question: str, response: str, reference: str
):
    assert verdict_on(question, response, [reference]).verdict == "right"


def test_a_reason_names_both_values_with_their_currency():
    found = verdict_on("What does it cost?", "£30", ["$30"])
    assert found.reason == "The answer says '£30'; the reference says '$30'."


def test_a_reason_names_the_value_of_the_unit_that_is_asked_for():
    found = verdict_on("What does it cost?", "It has 1 zone and costs £489.", ["£74"])
    assert found.reason == "The answer says '£489'; the reference says '£74'."


def test_no_answer_in_german_is_not_attempted():
    assert verdict_on("Wann wurde es gebaut?", "keine Angabe", ["1890"]).verdict == "not_attempted"


@pytest.mark.parametrize(
    ("claim", "source", "supported"),
    [
        ("Who won? Porto", "Ajax beat Porto 2-1 in the final.", False),
        ("Who won? Ajax", "Ajax beat Porto 2-1 in the final.", True),
        ("不可以空腹服用。", "可以空腹服用。", False),
        ("必要ありません。", "必要です。", False),
        ("It costs £30.", "It costs $30.", False),
        ("The file is /etc/app/config.yaml.", "The file is /etc/app/secrets.txt.", False),
        ("Den Modus gibt es seit 5.2.", "Seit Version 5.2 gibt es den Modus.", True),
    ],
)
def test_verdict_and_probability_agree(claim: str, source: str, supported: bool):
    (found,) = support_of([claim], [source])
    assert (found.verdict == "supported") == supported == (found.probability >= 0.5)


def scored(metric: str, **fields: Any) -> float:
    """Return the score of a metric by its name."""
    score = metric_of(metric).evaluate(**fields).score
    assert score is not None
    return score


def test_a_refund_that_the_context_grants_is_faithful():
    response = "We offer a 30-day full refund at no extra cost."
    contexts = ["All customers are eligible for a 30 day full refund at no extra costs."]
    query = "What if these shoes don't fit?"
    assert scored("faithfulness", query=query, response=response, contexts=contexts) >= 0.8


def test_a_context_that_shares_a_word_recalls_no_reference():
    reference = "The Eiffel Tower is located in Paris."
    contexts = ["Paris is the capital of France."]
    query = "Where is the Eiffel Tower?"
    assert scored("context_recall", query=query, contexts=contexts, reference=reference) < 0.5


def test_one_word_recalls_less_than_the_right_answer_does():
    query, right = (
        "Do you agree with or to?",
        "You agree with a person, and you agree to a proposal.",
    )
    full, word = (
        scored("response_f1", query=query, response=each, reference=EXPLANATION)
        for each in (right, "you")
    )
    assert word < 0.2 < 0.5 < full


LOCKERS = (
    "# Lockers\n\n| Size | Day | Week |\n|---|---|---|\n"
    "| small | 3 dollars | 15 dollars |\n| large | 5 dollars | 25 dollars |"
)
RIDES = "| Ticket | Adults | Reduced |\n|---|---|---|\n| Ten rides | 49.00 euros | 31.00 euros |"
CERTIFICATES = (
    "Eine Meldebescheinigung kostet 9,00 Euro, eine erweiterte Meldebescheinigung 12,00 Euro."
)


@pytest.mark.parametrize(
    ("claim", "source", "supported"),
    [
        ("A large locker costs 25 dollars a week.", LOCKERS, True),
        ("A large locker costs 5 dollars a week.", LOCKERS, False),
        ("A large locker costs 5 dollars a day.", LOCKERS, True),
        ("A small locker costs 5 dollars a day.", LOCKERS, False),
        ("Die erweiterte Meldebescheinigung kostet 12,00 Euro.", CERTIFICATES, True),
        ("Die Meldebescheinigung kostet 12,00 Euro.", CERTIFICATES, False),
        ("Die erweiterte Meldebescheinigung kostet 9,00 Euro.", CERTIFICATES, False),
        ("Ten rides cost 31 euros reduced.", RIDES, True),
        ("Ten rides cost 49 euros reduced.", RIDES, False),
    ],
)
def test_a_value_belongs_to_its_row_and_column_or_part_of_a_sentence(
    claim: str, source: str, *, supported: bool
):
    (entry,) = support_of([claim], [source])
    assert (entry.verdict == "supported") is supported
