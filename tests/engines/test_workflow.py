import asyncio
from collections.abc import Sequence
from typing import Any

import pytest
from llama_index.core.agent.workflow import AgentWorkflow, FunctionAgent, ReActAgent
from llama_index.core.base.llms.types import ChatMessage, ToolCallBlock
from llama_index.core.base.response.schema import Response
from llama_index.core.llms.mock import MockFunctionCallingLLM
from llama_index.core.schema import NodeWithScore
from llama_index.core.tools import FunctionTool, QueryEngineTool
from llama_index.core.workflow import Context, Event, StartEvent, StopEvent, Workflow, step

from llamaindex_rag_eval.data.dataset import EvaluationDataset
from llamaindex_rag_eval.data.sample import Message, MultiTurnSample, SingleTurnSample
from llamaindex_rag_eval.engines.runner import run
from tests.engines.pipelines import NODES, AsyncEngine, questions, rows

pytestmark = pytest.mark.filterwarnings(
    # llama-index-workflows looks at all attributes of an agent, deprecated ones of pydantic too
    "ignore::pydantic.warnings.PydanticDeprecatedSince20",
    "ignore::pydantic.warnings.PydanticDeprecatedSince211",
    "ignore:is_running called from within a step:DeprecationWarning",  # by LlamaIndex's ReActAgent
)


class Asks(StartEvent):
    question: str


class Found(Event):
    nodes: list[NodeWithScore]


class Answered(StopEvent):
    answer: str


class Untyped(Workflow):
    @step
    async def find(self, ctx: Context, ev: StartEvent) -> StopEvent:
        ctx.write_event_to_stream(Found(nodes=NODES))
        return StopEvent(result=f"re: {ev.query}")


class Typed(Workflow):
    @step
    async def find(self, ev: Asks) -> Answered:
        return Answered(answer=f"re: {ev.question}")


class Responds(Workflow):
    @step
    async def find(self, ev: StartEvent) -> StopEvent:
        return StopEvent(result=Response(f"re: {ev.query}", source_nodes=NODES[:1]))


class Fails(Workflow):
    @step
    async def find(self, ev: StartEvent) -> StopEvent:
        raise ValueError("the pump is off")


class Hangs(Workflow):
    ended = False

    @step
    async def find(self, ev: StartEvent) -> StopEvent:
        try:
            await asyncio.sleep(60)
        finally:
            Hangs.ended = True
        return StopEvent()


class Strange(StartEvent):
    depth: int
    width: int


class TakesNumbers(Workflow):
    @step
    async def find(self, ev: Strange) -> StopEvent:
        return StopEvent()


def one_row(engine: Any, text: str = "What holds 5 l?", **options: Any) -> SingleTurnSample:
    (row,) = rows(run(engine, questions(text), **options))
    return row


def calls_of(*calls: tuple[str, dict[str, Any]]) -> ChatMessage:
    blocks = [
        ToolCallBlock(tool_call_id=f"c{number}", tool_name=name, tool_kwargs=args)
        for number, (name, args) in enumerate(calls)
    ]
    return ChatMessage(role="assistant", blocks=list(blocks))


def model(*calls: tuple[str, dict[str, Any]]) -> MockFunctionCallingLLM:
    """Call these tools at once, then answer with what it was asked and how many outputs it saw."""

    def reply(messages: Sequence[ChatMessage], **_: object) -> ChatMessage:
        outputs = [message for message in messages if message.role == "tool"]
        if len(outputs) < len(calls):
            return calls_of(*calls)
        asked = [str(message.content) for message in messages if message.role == "user"]
        return ChatMessage(role="assistant", content=f"{asked[-1]} {len(asked)} {len(outputs)}")

    return MockFunctionCallingLLM(response_generator=reply)


def pump() -> QueryEngineTool:
    return QueryEngineTool.from_defaults(AsyncEngine(), name="pump", description="All of pumps.")


def twice(number: int) -> int:
    """Return the double."""
    return 2 * number


def agent(*calls: tuple[str, dict[str, Any]]) -> FunctionAgent:
    tools: list[Any] = [pump(), FunctionTool.from_defaults(twice)]
    return FunctionAgent(name="plumber", description="", tools=tools, llm=model(*calls))


def test_a_workflow_is_asked_and_the_nodes_of_its_events_are_the_contexts() -> None:
    row = one_row(Untyped())

    assert row.response == "re: What holds 5 l?"
    assert row.context_ids == ("n1", "n2")
    assert row.latency is not None


def test_a_response_keeps_its_own_source_nodes() -> None:
    assert one_row(Responds()).context_ids == ("n1",)


def test_a_typed_start_event_gets_the_question_and_a_typed_stop_event_is_read() -> None:
    assert one_row(Typed()).response == "re: What holds 5 l?"


def test_a_start_event_without_a_question_is_refused_by_name() -> None:
    assert "the start event 'Strange' has no field query" in one_row(TakesNumbers()).error


def test_an_error_in_a_step_is_the_error_of_its_question_alone() -> None:
    assert one_row(Fails(), retries=0).error.endswith("the pump is off")


def test_a_run_that_takes_too_long_is_stopped() -> None:
    row = one_row(Hangs(), timeout=0.3)

    assert row.error == "no answer within 0.3 s"
    assert Hangs.ended


def test_an_agents_tools_give_contexts_and_a_trajectory() -> None:
    row = one_row(agent(("pump", {"input": "5 l"}), ("twice", {"number": 4})))

    assert row.response == "What holds 5 l? 1 2"
    assert row.context_ids == ("n1", "n2")  # of the query engine; `twice` found no nodes
    first, pumped, doubled, last = row.metadata["trajectory"]
    assert [call["name"] for call in first["tool_calls"]] == ["pump", "twice"]
    assert first["tool_calls"][1]["args"] == {"number": 4}
    assert (pumped["content"], doubled["content"]) == ("re: 5 l", "8")
    assert last["content"] == row.response


def test_the_outputs_of_tools_are_the_contexts_where_none_gave_nodes() -> None:
    assert one_row(agent(("twice", {"number": 4}))).contexts == ("8",)


def test_an_agent_without_tools_has_neither_contexts_nor_trajectory() -> None:
    row = one_row(agent())

    assert not row.has("contexts")
    assert "trajectory" not in row.metadata


def test_an_agent_in_an_agent_workflow_and_one_that_reasons_in_text_are_asked() -> None:
    several = AgentWorkflow(agents=[agent(("twice", {"number": 2}))], root_agent="plumber")
    says = ChatMessage(role="assistant", content="Thought: I know it.\nAnswer: The pump.")
    llm = MockFunctionCallingLLM(response_generator=lambda messages, **_: says)
    thinks = ReActAgent(llm=llm, tools=[], streaming=False)

    assert one_row(several).response == "What holds 5 l? 1 1"
    assert one_row(thinks).response == "The pump."


def test_a_follow_up_reaches_an_agent_with_the_conversation_before_it() -> None:
    before = (Message(role="user", content="Who?"), Message(role="assistant", content="Ito."))
    asked = SingleTurnSample(id="q", query="And when?", earlier_messages=before)

    (row,) = rows(run(agent(), EvaluationDataset([asked])))

    assert row.response == "And when? 2 0"


def test_a_conversation_is_sent_to_an_agent_turn_by_turn_and_keeps_its_tool_calls() -> None:
    said = [Message(role="user", content="One?"), Message(role="user", content="Two?")]
    sample = MultiTurnSample(id="c", messages=tuple(said))

    (found,) = run(agent(("twice", {"number": 3})), EvaluationDataset([sample]))

    assert isinstance(found, MultiTurnSample)
    roles = [message.role for message in found.messages]
    assert roles == ["user", "assistant", "tool", "assistant"] * 2
    assert found.messages[1].tool_calls[0].args == {"number": 3}
    assert found.messages[-1].content == "Two? 2 1"


def test_questions_in_flight_at_the_same_time_do_not_mix() -> None:
    texts = [f"q{number}" for number in range(12)]

    found = rows(run(agent(("pump", {"input": "x"})), questions(*texts), concurrency=12))

    assert [row.response for row in found] == [f"{text} 1 1" for text in texts]
