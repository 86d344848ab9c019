"""A question of a conversation is resolved once; other judgements see no more of what was said."""

import pytest

from llamaindex_rag_eval import Judge, evaluate
from llamaindex_rag_eval.data.sample import Message, SingleTurnSample
from llamaindex_rag_eval.errors import ReplyError
from llamaindex_rag_eval.judge import ClaimsOf
from llamaindex_rag_eval.judge.answer_verdict import (
    AnswerVerdict as AnswerVerdictReply,
    AnswerVerdictOf,
)
from llamaindex_rag_eval.judge.standalone import Standalone, StandaloneOf
from llamaindex_rag_eval.metrics.answer_verdict import AnswerVerdict
from llamaindex_rag_eval.metrics.string_match import ExactMatch
from llamaindex_rag_eval.models import EmbeddedOracle, ScriptedOracle
from tests.benchmarks.suite_cost import EIGHT
from tests.models.asking import oracle_at, serving
from tests.scripted import asked_of
from tests.server.asked import last_object, prompt_text

SAMPLE = SingleTurnSample(
    query="And when did it open?",
    earlier_messages=(
        Message(role="user", content="Who built the Karlin bridge?"),
        Message(role="assistant", content="Ada Holm, who also built a mill."),
    ),
    response="It opened in 1911.",
    reference="It opened in 1911.",
    contexts=("The bridge opened in 1911.", "The mill is red."),
)


def kind_of(body: dict) -> str:
    return str(body["response_format"]["json_schema"]["name"])


def test_eight_metrics_ask_once_for_the_question_and_show_the_conversation_nowhere_else() -> None:
    with serving(record=True) as server:
        run = evaluate(
            [SAMPLE], metrics=(*EIGHT, "answer_verdict"), judge=Judge(oracle_at(server)), workers=1
        )
        bodies = server.requests()
    assert all(result.status != "failed" for result in run.results)
    (first,) = (body for body in bodies if kind_of(body) == "standalone")
    others = [body for body in bodies if body is not first]
    assert "Ada Holm, who also built a mill." in prompt_text(first)
    assert not any("also built a mill" in prompt_text(body) for body in others)
    asked = {given["question"] for body in others if "question" in (given := last_object(body))}
    assert asked == {"And when did it open? (user: Who built the Karlin bridge?)"}


async def test_a_question_without_a_conversation_stays_as_it_is() -> None:
    oracle = ScriptedOracle(AnswerVerdictReply(verdict="right"))
    await AnswerVerdict(oracle).result(SAMPLE.model_copy(update={"earlier_messages": ()}))
    (request,) = asked_of(oracle, AnswerVerdictOf)
    assert request.query == SAMPLE.query


async def test_a_metric_without_a_judge_asks_none() -> None:
    result = await ExactMatch(ScriptedOracle()).result(SAMPLE)
    assert result.score == 1


async def test_rules_read_the_whole_conversation_as_before_and_for_claims_the_question() -> None:
    assert not EmbeddedOracle().answers(StandaloneOf)
    metric = AnswerVerdict(EmbeddedOracle())
    assert await metric._question_of(SAMPLE) == SAMPLE.asked
    assert (await metric.result(SAMPLE)).score == 1


def test_an_empty_question_is_no_reply() -> None:
    with pytest.raises(ReplyError, match="stand alone"):
        StandaloneOf(history="user: Hi", question="Why?").check(Standalone(question=" "))


def test_claims_are_told_no_conversation() -> None:
    assert "history" not in ClaimsOf.model_fields
