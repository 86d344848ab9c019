"""Same question: what rules hold another wording to, and what a model adds."""

import asyncio

import pytest

from llamaindex_rag_eval.judge import Judge
from llamaindex_rag_eval.models import ScriptedOracle
from testset.checks.same_question import by_model, by_rule
from testset.requests.rewording import Difference, Differences, SameQuestionOf, SameQuestionOutput


@pytest.mark.parametrize(
    ("question", "wording", "verdict"),
    [
        ("How long is 12 months of leave?", "how long is leave of twelve months", "passed"),
        ("How long is 12 months of leave?", "How long is 2 months of leave?", "rejected"),
        ("How long is leave?", "How long are 12 months of leave?", "rejected"),
        ("Is it sold without a base?", "Is it sold with a base?", "rejected"),
        ("Who pays `max_size`?", "who pays max_size", "passed"),
        ("Who pays `max_size`?", "who pays min_size", "rejected"),
        ("What does Ito GmbH sell?", "What is sold by them?", "rejected"),
        ("元数据锁：txn3的所用的版本是什么？", "txn3 使用的是哪个版本？", "passed"),
        ("元数据锁：txn3的所用的版本是什么？", "txn4 使用的是哪个版本？", "rejected"),
    ],
)
def test_values_identifiers_negations_and_names_are_kept(
    question: str, wording: str, verdict: str
) -> None:
    assert by_rule(question, wording).verdict == verdict


def test_in_another_language_names_may_be_others_and_values_not() -> None:
    question = "When was the 3rd bridge of Munich closed?"
    assert (
        by_rule(question, "Wann wurde Münchens 3. Brücke geschlossen?", names=False).score is None
    )
    assert by_rule(question, "Wann wurde die 4. Brücke geschlossen?", names=False).evidence


def test_a_model_says_of_each_wording_what_differs() -> None:
    oracle = ScriptedOracle(Differences(texts=("", "the time of charging")))
    checks = asyncio.run(by_model("How long does it run?", ["runs", "charges"], Judge(oracle)))
    assert [check.verdict for check in checks] == ["passed", "rejected"]
    assert asyncio.run(by_model("How long does it run?", [], Judge(oracle))) == ()


def test_verdicts_of_a_model_are_in_the_order_of_the_wordings_and_never_silent() -> None:
    request = SameQuestionOf(question="q", wordings=("a", "b"))
    rows = (
        Difference(wording=2, difference="", same=False),
        Difference(wording=1, difference="tone", same=True),
    )
    reply = request.from_prompt(SameQuestionOutput(verdicts=rows))
    assert reply.texts == ("", "another question")
