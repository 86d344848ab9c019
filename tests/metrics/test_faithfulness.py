from fractions import Fraction

import pytest

from llamaindex_rag_eval.data.sample import Message, SingleTurnSample
from llamaindex_rag_eval.judge import (
    Claims,
    ClaimsOf,
    Judge,
    Similarities,
    SimilaritiesOf,
    Support,
    SupportOf,
    SupportReply,
)
from llamaindex_rag_eval.judge.standalone import Standalone, StandaloneOf
from llamaindex_rag_eval.metrics.answer_correctness import AnswerCorrectness
from llamaindex_rag_eval.metrics.context_recall import ContextRecall
from llamaindex_rag_eval.metrics.factual_correctness import FactualCorrectness
from llamaindex_rag_eval.metrics.faithfulness import Faithfulness, FullySupported
from llamaindex_rag_eval.metrics.response_correctness import ResponseF1
from llamaindex_rag_eval.models import ScriptedOracle
from tests.metrics.judges import supported


async def score(metric, **fields):
    return (await metric.result(SingleTurnSample(**fields))).score


@pytest.mark.parametrize(
    ("claims", "verdicts", "expected"),
    [
        (
            ("Einstein was born in Germany.", "Einstein was born on 20th March 1879."),
            (True, False),
            Fraction(1, 2),
        ),
        (tuple("abcde"), (True, True, False, True, True), Fraction(4, 5)),
        (("Nolan directed Oppenheimer.", "Murphy plays the lead."), (True, True), Fraction(1)),
    ],
)
async def test_faithfulness_is_the_share_of_claims_that_the_contexts_support(
    claims, verdicts, expected
):
    oracle = ScriptedOracle(Claims(claims=claims), supported(*verdicts))
    sample = {"query": "q", "response": "r", "contexts": ["c", "d"]}
    assert await score(Faithfulness(Judge(oracle)), **sample) == float(expected)
    assert oracle.asked == [
        ClaimsOf(text="r", question="q"),
        SupportOf(claims=claims, sources=("c", "d"), question="q"),
    ]


async def test_faithfulness_is_zero_when_claims_stand_over_no_contexts():
    oracle = ScriptedOracle(Claims(claims=("a",)))
    assert await score(Faithfulness(oracle), query="q", response="a", contexts=[]) == 0


async def test_faithfulness_of_a_response_without_claims_is_undefined_and_neither_1_nor_0():
    oracle = ScriptedOracle(Claims(claims=()))
    sample = SingleTurnSample(query="q", response="I do not know.", contexts=("c",))
    result = await Faithfulness(oracle).result(sample)
    assert (result.status, result.score) == ("undefined", None)
    assert result.reason == "The response makes no claim."


async def test_a_judge_that_leaves_out_an_unsupported_claim_does_not_raise_faithfulness():
    one = SupportReply(verdicts=(Support(claim="a", verdict="supported", sources=(0,)),))
    oracle = ScriptedOracle(Claims(claims=("a", "b")), one)
    sample = SingleTurnSample(query="q", response="a b", contexts=("c",))
    result = await Faithfulness(oracle).result(sample)
    assert (result.status, result.error_type) == ("failed", "ReplyError")


async def test_every_judgement_on_a_follow_up_is_asked_with_the_question_that_stands_alone():
    talk = (Message(role="user", content="Who built it?"),)
    claims, reply = Claims(claims=("a",)), supported(True)
    for metric in (Faithfulness, ContextRecall, FactualCorrectness, ResponseF1, AnswerCorrectness):
        oracle = ScriptedOracle(
            by_request={
                StandaloneOf: Standalone(question="When was it built?"),
                ClaimsOf: claims,
                SupportOf: reply,
                SimilaritiesOf: Similarities(values=(1.0,)),
            }
        )
        sample = SingleTurnSample(
            query="And when?",
            earlier_messages=talk,
            response="r",
            reference="g",
            contexts=("c",),
        )
        assert (await metric(Judge(oracle)).result(sample)).score == 1
        first, *others = oracle.asked
        assert first == StandaloneOf(history="user: Who built it?", question="And when?")
        told = [request.model_dump(include={"question"}) for request in others]
        expected = {"question": "When was it built?"}
        assert [each for each in told if each] == [expected] * (
            len(metric.requests) - metric.rounds
        )


@pytest.mark.parametrize(
    ("verdicts", "expected", "feedback"),
    [
        ((True, True, True), 1.0, ""),
        ((True, False, True), 0.0, "Not supported: b"),
        ((False, True, False), 0.0, "Not supported: a | c"),
    ],
)
async def test_an_answer_is_fully_supported_if_every_claim_is(verdicts, expected, feedback):
    oracle = ScriptedOracle(Claims(claims=("a", "b", "c")), supported(*verdicts))
    sample = SingleTurnSample(query="q", response="a. b. c.", contexts=("x",))
    result = await FullySupported(Judge(oracle)).result(sample)
    assert result.score == expected
    assert feedback in result.reason
