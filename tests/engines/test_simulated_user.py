import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from llama_index.core.base.llms.types import ChatMessage
from llama_index.core.llms.mock import MockFunctionCallingLLM

from llamaindex_rag_eval import compare, evaluate
from llamaindex_rag_eval.data.dataset import EvaluationDataset
from llamaindex_rag_eval.data.sample import Message, MultiTurnSample, SingleTurnSample
from llamaindex_rag_eval.engines.runner import run
from llamaindex_rag_eval.engines.simulated_user import (
    Line,
    SimulatedUser,
    UserTurn,
    UserTurnOf,
    with_openings,
)
from llamaindex_rag_eval.errors import BudgetError, InputError, ReplyError
from llamaindex_rag_eval.models.llm import LLMOracle
from llamaindex_rag_eval.models.scripted import ScriptedOracle
from tests.engines.test_workflow import agent

pytestmark = pytest.mark.filterwarnings(
    # llama-index-workflows looks at all attributes of an agent, deprecated ones of pydantic too
    "ignore::pydantic.warnings.PydanticDeprecatedSince20",
    "ignore::pydantic.warnings.PydanticDeprecatedSince211",
)


def question(**metadata: Any) -> EvaluationDataset:
    sample = SingleTurnSample(id="q", query="How heavy is pump 7?", metadata=metadata)
    return EvaluationDataset([sample])


def echo(text: str) -> dict[str, object]:
    return {"response": f"re: {text}", "contexts": ["Pump 7 weighs 12 kg."]}


def talk_of(found: Sequence[Any]) -> MultiTurnSample:
    [talk] = found
    assert isinstance(talk, MultiTurnSample)
    assert talk.error == ""
    return talk


def test_a_script_speaks_after_each_answer():
    talk = talk_of(run(echo, question(script=["And pump 8?", "Thanks."]), user=SimulatedUser()))

    assert [(m.role, m.content) for m in talk.messages[:3]] == [
        ("user", "How heavy is pump 7?"),
        ("assistant", "re: How heavy is pump 7?"),
        ("user", "And pump 8?"),
    ]
    assert talk.messages[3].contexts == ("Pump 7 weighs 12 kg.",)
    # A function takes one text: the conversation and the question.
    assert "assistant: re: How heavy" in talk.messages[3].content
    assert len(talk.messages) == 6
    simulation = talk.metadata["simulation"]
    assert (simulation["turns"], simulation["ended"], simulation["opened"]) == (3, "script", 1)
    assert len(talk.metadata["retrieved"]) == 3


def test_a_model_speaks_as_the_persona_until_the_goal_is_reached():
    oracle = ScriptedOracle(UserTurn(reached=False, message="To Graz?"), UserTurn(reached=True))

    talk = talk_of(
        run(echo, question(persona="a plumber", goal="the weight"), user=SimulatedUser(oracle))
    )

    assert [m.content for m in talk.messages if m.role == "user"][1:] == ["To Graz?"]
    assert talk.metadata["simulation"]["ended"] == "reached"
    first: Any = oracle.asked[0]
    assert (first.persona, first.goal) == ("a plumber", "the weight")
    assert first.conversation == (
        Line(role="user", content="How heavy is pump 7?"),
        Line(role="assistant", content="re: How heavy is pump 7?"),
    )


def test_turns_and_budget_end_a_conversation_and_keep_what_was_said():
    more = [UserTurn(reached=False, message="More?")] * 9

    short = talk_of(run(echo, question(), user=SimulatedUser(ScriptedOracle(*more), turns=3)))
    poor = talk_of(
        run(echo, question(), user=SimulatedUser(ScriptedOracle(more[0], BudgetError("spent"))))
    )

    assert (short.metadata["simulation"]["turns"], short.metadata["simulation"]["ended"]) == (
        3,
        "turns",
    )
    assert (poor.metadata["simulation"]["turns"], poor.metadata["simulation"]["ended"]) == (
        2,
        "budget",
    )


def test_a_model_that_neither_ends_nor_speaks_breaks_its_contract():
    request = UserTurnOf(persona="", goal="", conversation=())
    with pytest.raises(ReplyError, match="expected a message"):
        request.check(UserTurn(reached=False, message=" "))


def test_an_agent_is_told_the_conversation():
    said = question(script=["And twice 3?"])

    talk = talk_of(run(agent(("twice", {"number": 3})), said, user=SimulatedUser()))

    roles = [message.role for message in talk.messages]
    assert roles == ["user", "assistant", "tool", "assistant"] * 2
    assert talk.messages[-1].content == "And twice 3? 2 1"  # two messages of the user seen


def test_a_model_is_asked_over_llamaindex_and_its_calls_are_not_the_applications():
    replies = iter(
        [
            {"reason": "The price is open.", "reached": False, "message": "And twice 3?"},
            {"reason": "All is said.", "reached": True, "message": ""},
        ]
    )

    def speak(messages: Sequence[ChatMessage], **_: object) -> ChatMessage:
        shown.append(str(messages[-1].content))
        return ChatMessage(role="assistant", content=json.dumps(next(replies)))

    shown: list[str] = []
    user = SimulatedUser(LLMOracle(MockFunctionCallingLLM(response_generator=speak)))
    talk = talk_of(run(agent(("twice", {"number": 3})), question(goal="a price"), user=user))

    assert [m.content for m in talk.messages if m.role == "user"][1:] == ["And twice 3?"]
    assert talk.metadata["simulation"]["ended"] == "reached"
    assert json.loads(shown[0])["goal"] == "a price"
    assert talk.metadata["usage"]["calls"] == 4  # of the agent, two for each of its answers


def test_the_users_time_is_not_the_engines():
    class Slow(ScriptedOracle):
        async def ask(self, request: Any) -> Any:
            import asyncio

            await asyncio.sleep(0.2)
            return await super().ask(request)

    oracle = Slow(UserTurn(reached=False, message="More?"), UserTurn(reached=True))
    talk = talk_of(run(echo, question(), user=SimulatedUser(oracle)))

    assert talk.metadata["simulation"]["user_seconds"] >= 0.4
    assert talk.latency is not None
    assert talk.latency < talk.metadata["simulation"]["user_seconds"]


def test_an_interrupted_run_goes_on_and_conversations_of_one_question_are_compared(tmp_path: Path):
    out, asked = tmp_path / "answers.jsonl", []

    def counted(text: str) -> str:
        asked.append(text)
        return "yes"

    data = question(script=["Really?"], reference_topics=["pumps"])
    first = run(counted, data, user=SimulatedUser(), out=out)
    again = run(counted, data, user=SimulatedUser(), out=out)

    assert len(asked) == 2
    assert talk_of(again).messages == talk_of(first).messages
    other = run(echo, question(script=["Sure?"]), user=SimulatedUser())
    runs = [evaluate(found, metrics=["step_efficiency"]) for found in (first, other)]
    assert compare(runs[0].named("a"), runs[1].named("b")).pairing.ids == ("q",)


def test_questions_become_conversations_with_what_was_said_before():
    before = (Message(role="user", content="Hello."), Message(role="assistant", content="Yes?"))
    follow_up = SingleTurnSample(id="q", query="How heavy?", earlier_messages=before, reference="5")

    [opened] = with_openings([follow_up])

    assert isinstance(opened, MultiTurnSample)
    assert [message.content for message in opened.messages] == ["Hello.", "Yes?", "How heavy?"]
    assert opened.reference == "5"


def test_what_cannot_work_is_refused():
    with pytest.raises(InputError, match="'turns' is 0"):
        SimulatedUser(turns=0)
    with pytest.raises(InputError, match="has no question that a user could ask"):
        run(echo, [SingleTurnSample(id="q", response="a")], user=SimulatedUser())
    talk = MultiTurnSample(id="t", messages=(Message(role="assistant", content="Hi."),))
    with pytest.raises(InputError, match="does not end with the user"):
        run(echo, [talk], user=SimulatedUser())
    [nobody] = run(echo, question(), user=SimulatedUser(), retries=0)
    assert "no model speaks for its user; give one (--user)" in nobody.error
