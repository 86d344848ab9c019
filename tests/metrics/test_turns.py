import pytest
from llama_index.core.prompts import PromptTemplate

from llamaindex_rag_eval.data.sample import Message, MultiTurnSample
from llamaindex_rag_eval.errors import InputError, ReplyError
from llamaindex_rag_eval.judge import (
    ClaimsOf,
    Judge,
    Questions,
    QuestionsOf,
    Similarities,
    SimilaritiesOf,
)
from llamaindex_rag_eval.metrics.answer_relevancy import AnswerRelevancy
from llamaindex_rag_eval.metrics.faithfulness import Faithfulness
from llamaindex_rag_eval.metrics.knowledge_retention import KnowledgeRetention
from llamaindex_rag_eval.metrics.registry import metric_of
from llamaindex_rag_eval.metrics.turns import TurnWise, turn_wise
from llamaindex_rag_eval.models import EmbeddedOracle, ScriptedOracle
from llamaindex_rag_eval.runs.evaluate import evaluate
from tests.models.asking import oracle_at, serving


def user(text):
    return Message(role="user", content=text)


def bot(text, **fields):
    return Message(role="assistant", content=text, **fields)


def talk(*messages, **fields):
    return MultiTurnSample(id="t", messages=messages, **fields)


PUMPS = talk(user("q1"), bot("a1"), user("q2"), bot("a2"), user("q3"), bot("a3"))

GROUNDED = talk(
    user("How tall is Ada?"),
    bot("Ada is tall.", contexts=("Ada is tall.",)),
    user("And Ben?"),
    bot("Ben is old.", contexts=("Ada is tall.",)),
    user("Thanks!"),
    bot("I do not know.", contexts=("Ada is tall.",)),
    user("Bye!"),
    bot("Bye."),
)


async def test_a_metric_turn_by_turn_is_the_mean_over_the_turns_that_have_a_value():
    result = await turn_wise(Faithfulness(EmbeddedOracle(), graded=False)).result(GROUNDED)
    # The first answer is supported, the second is not; the third makes no claim, and for the
    # fourth nothing was retrieved.
    assert result.score == 1 / 2
    counts = {key: value for key, value in result.evidence.items() if key != "turns"}
    assert counts == {"scored": 2, "undefined": 1, "missing": 1}
    assert "2 turns scored, 1 undefined, 1 missing." in result.feedback
    assert [turn["status"] for turn in result.evidence["turns"].values()] == [
        "scored",
        "scored",
        "undefined",
        "missing",
    ]


async def test_a_failed_turn_is_counted_and_told_and_never_a_zero():
    def questions(request):
        if "a2" in request.text:
            raise ReplyError("no questions came")
        return Questions(questions=("q",))

    oracle = ScriptedOracle(
        by_request={QuestionsOf: questions, SimilaritiesOf: Similarities(values=(1.0,))}
    )
    result = await turn_wise(AnswerRelevancy(Judge(oracle), n=1)).result(PUMPS)
    assert result.score == 1
    assert (result.evidence["scored"], result.evidence["failed"]) == (2, 1)
    assert "1 failed" in result.feedback
    assert result.evidence["turns"]["t#3"]["reason"] == "no questions came"


async def test_where_every_turn_fails_the_conversation_fails():
    broken = ScriptedOracle(by_request={QuestionsOf: ReplyError("no questions came")})
    result = await turn_wise(AnswerRelevancy(Judge(broken))).result(PUMPS)
    assert (result.status, result.reason) == ("failed", "no questions came")


def test_a_turn_wise_metric_is_as_its_metric_is():
    metric = metric_of("turn_wise(metric='noise_sensitivity(mode=irrelevant)')")
    assert (metric.bounds, metric.direction) == ((0.0, 1.0), "lower")
    assert metric.missing(GROUNDED) == "reference"
    assert ClaimsOf in metric.requests
    assert metric_of("turn_wise(metric=embedding_distance)").bounds == (0.0, float("inf"))
    with pytest.raises(InputError, match="single turns"):
        TurnWise(metric=KnowledgeRetention())


def test_conversations_are_evaluated_like_samples():
    run = evaluate(
        [GROUNDED],
        metrics=["turn_wise(metric=faithfulness)", TurnWise(metric=AnswerRelevancy())],
        judge=EmbeddedOracle(),
    )
    assert [result.status for result in run.results] == ["scored", "scored"]


OTHER = "List every claim of `text`, one a line."


@pytest.fixture(scope="module")
def server():
    with serving(record=True) as running:
        yield running


def test_the_prompts_of_a_turn_wise_metric_are_those_of_its_metric(server):
    metric = turn_wise(Faithfulness(oracle_at(server)))
    assert sorted(metric.get_prompts()) == ["faithfulness:claims", "faithfulness:support"]
    metric.update_prompts({"faithfulness:claims": PromptTemplate(OTHER)})
    assert metric.get_prompts()["faithfulness:claims"].get_template() == OTHER


async def test_a_metric_that_needs_a_reference_takes_that_of_the_conversation():
    recall = turn_wise(metric_of("exact_match"))
    goal = talk(user("How tall?"), bot("2 m"), user("And Ben?"), bot("1 m"), reference="2 m")
    assert (await recall.result(goal)).score == 1 / 2
    assert recall.missing(PUMPS) == "reference"
