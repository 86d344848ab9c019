"""Answer verdict: what each verdict counts, what is asked, and what needs no asking."""

import pytest

from llamaindex_rag_eval.data.sample import Message, SingleTurnSample
from llamaindex_rag_eval.judge import Judge
from llamaindex_rag_eval.judge.answer_verdict import AnswerVerdict as Reply, AnswerVerdictOf
from llamaindex_rag_eval.judge.standalone import Standalone, StandaloneOf
from llamaindex_rag_eval.metrics.answer_verdict import AnswerVerdict
from llamaindex_rag_eval.models import ScriptedOracle

SAMPLE = SingleTurnSample(query="Which ports?", response="8443.", reference="8443 and 5683.")


def metric_that_says(verdict, **fields):
    oracle = ScriptedOracle(
        by_request={AnswerVerdictOf: lambda _: Reply(verdict=verdict, **fields)}
    )
    return AnswerVerdict(Judge(oracle)), oracle


@pytest.mark.parametrize(
    ("verdict", "score"),
    [("right", 1), ("partly_right", 1 / 2), ("wrong", 0), ("not_attempted", 0)],
)
async def test_each_verdict_has_its_value(verdict, score):
    metric, _ = metric_that_says(verdict)
    result = await metric.result(SAMPLE)
    assert result.score == score
    assert result.evidence["verdict"] == verdict


async def test_the_feedback_gives_the_verdict_and_its_reason():
    metric, _ = metric_that_says("partly_right", reason="One port is missing.", missing=("5683",))
    result = await metric.result(SAMPLE)
    assert result.feedback == "answer_verdict is 0.5. Partly right: One port is missing."
    assert result.evidence["missing"] == ["5683"]


async def test_all_references_are_asked_about_at_once_with_the_question_that_stands_alone():
    question = "Which ports does the hub need?"
    oracle = ScriptedOracle(
        by_request={
            StandaloneOf: Standalone(question=question),
            AnswerVerdictOf: Reply(verdict="right"),
        }
    )
    sample = SAMPLE.model_copy(
        update={
            "reference_aliases": ("5683, 8443", " "),
            "earlier_messages": (Message(role="user", content="I have the hub."),),
            "expected_behaviour": "clarify",
        }
    )
    await AnswerVerdict(oracle).result(sample)
    assert oracle.asked[1:] == [
        AnswerVerdictOf(
            query=question,
            response="8443.",
            references=("8443 and 5683.", "5683, 8443"),
            expected="clarify",
        )
    ]


@pytest.mark.parametrize(("expected", "score"), [("answer", 0), ("refuse", 1), ("clarify", 0)])
async def test_an_empty_response_declines_and_nothing_is_asked(expected, score):
    metric, oracle = metric_that_says("right")
    result = await metric.result(
        SAMPLE.model_copy(update={"response": " ", "expected_behaviour": expected})
    )
    assert (result.score, oracle.asked) == (score, [])


async def test_a_question_that_has_no_answer_needs_no_reference():
    metric, _ = metric_that_says("right")
    sample = SAMPLE.model_copy(update={"reference": "", "expected_behaviour": "refuse"})
    assert (await metric.result(sample)).score == 1
    answerable = SAMPLE.model_copy(update={"reference": ""})
    assert (await metric.result(answerable)).status == "undefined"
