import pytest

from llamaindex_rag_eval import evaluate
from llamaindex_rag_eval.data.sample import Message, MultiTurnSample, SingleTurnSample, ToolCall
from llamaindex_rag_eval.errors import NeedsModelError
from llamaindex_rag_eval.judge import Critique, Grade, GradeOf
from llamaindex_rag_eval.metrics.plan_adherence import PlanAdherence
from llamaindex_rag_eval.models import EmbeddedOracle, ScriptedOracle
from tests.scripted import asked_of

STEPS = (
    Message(role="user", content="Order the pump that moves most."),
    Message(role="assistant", content="First I compare them, then I order one."),
    Message(role="assistant", tool_calls=(ToolCall(name="compare"),)),
    Message(role="tool", content="Lunara: 40 l"),
    Message(role="assistant", content="I ordered the Lunara."),  # it did not
)


def talk(**metadata):
    return MultiTurnSample(id="t", messages=STEPS, metadata=metadata)


async def test_a_plan_of_the_sample_is_what_the_steps_are_graded_against():
    oracle = ScriptedOracle(Grade(level=1, reason="Nothing was ordered."))
    result = await PlanAdherence(oracle).result(talk(plan=["Compare the pumps.", "Order one."]))
    assert result.score == 1 / 3
    assert "Nothing was ordered." in result.feedback
    (request,) = asked_of(oracle, GradeOf)
    assert request.reference == "Compare the pumps.\nOrder one."
    assert request.response.count("\n") == 4  # a message a line
    assert [level.value for level in request.levels] == [0, 1, 2, 3]


async def test_without_one_the_plan_is_what_the_assistant_states():
    oracle = ScriptedOracle(Critique(verdict=True), Grade(level=3))
    result = await PlanAdherence(oracle).result(talk())
    assert result.score == 1
    stated, graded = (request.model_dump() for request in oracle.asked)
    assert (stated["aspect"], graded["reference"]) == ("states a plan", "")


async def test_without_any_plan_it_is_undefined_and_nothing_is_graded():
    oracle = ScriptedOracle(Critique(verdict=False, reason="It just acts."))
    result = await PlanAdherence(oracle).result(talk())
    assert (result.status, result.score) == ("undefined", None)
    assert "states none" in result.feedback
    assert len(oracle.asked) == 1


async def test_a_conversation_without_an_assistant_asks_nothing():
    sample = MultiTurnSample(messages=STEPS[:1])
    assert (await PlanAdherence(ScriptedOracle()).result(sample)).status == "undefined"


async def test_the_plan_of_a_question_reaches_the_trajectory_of_its_answer():
    steps = [message.model_dump(mode="json") for message in STEPS[1:]]
    answer = SingleTurnSample(query="Order it.", metadata={"plan": "Order.", "trajectory": steps})
    oracle = ScriptedOracle(Grade(level=0))
    assert (await PlanAdherence(oracle).result(answer)).score == 0
    assert asked_of(oracle, GradeOf)[0].reference == "Order."


def test_rules_cannot_judge_it_and_say_so_before_anything_is_asked():
    with pytest.raises(NeedsModelError, match="LLM"):
        evaluate([talk()], metrics=["plan_adherence"], judge=EmbeddedOracle())
