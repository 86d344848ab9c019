from collections.abc import Sequence

import pytest
from llama_index.core.agent.workflow import FunctionAgent
from llama_index.core.base.llms.types import ChatMessage, TextBlock, ToolCallBlock
from llama_index.core.llms.mock import MockFunctionCallingLLM
from llama_index.core.memory import ChatMemoryBuffer
from openai.types.chat import ChatCompletionMessageToolCall
from openai.types.chat.chat_completion_message_tool_call import Function

from llamaindex_rag_eval import Message, MultiTurnSample, ToolCall, messages_of
from llamaindex_rag_eval.metrics.tool_calls import ToolCallAccuracy

WEIGH = ToolCall(name="weigh", args={"pump": 7})


def weigh(pump: int) -> str:
    """Weigh a pump."""
    return f"pump {pump} weighs 12 kg"


def scripted(messages: Sequence[ChatMessage], **_: object) -> ChatMessage:
    """Call the tool once, then say what it found."""
    if messages[-1].role == "tool":
        return ChatMessage(role="assistant", content="It weighs 12 kg.")
    call = ToolCallBlock(tool_call_id="c1", tool_name="weigh", tool_kwargs={"pump": 7})
    return ChatMessage(role="assistant", blocks=[TextBlock(text="Let me weigh it."), call])


@pytest.mark.filterwarnings("ignore::pydantic.PydanticDeprecationWarning")  # in workflows
async def test_an_agents_run_is_scored_by_what_it_called() -> None:
    llm = MockFunctionCallingLLM(response_generator=scripted)
    memory = ChatMemoryBuffer.from_defaults()
    await FunctionAgent(llm=llm, tools=[weigh]).run("What does pump 7 weigh?", memory=memory)
    messages = messages_of(memory.get_all())
    assert [message.role for message in messages] == ["user", "assistant", "tool", "assistant"]
    assert messages[1].tool_calls == (WEIGH,)
    assert messages[2].content == "pump 7 weighs 12 kg"
    sample = MultiTurnSample(messages=messages, reference_tool_calls=(WEIGH,))
    assert (await ToolCallAccuracy().measure(sample)).value == 1


def test_calls_in_openais_form_are_read_as_objects_and_as_plain_data() -> None:
    function = Function(name="weigh", arguments='{"pump": 7}')
    entry = ChatCompletionMessageToolCall(id="c1", function=function, type="function")
    for given in (entry, entry.model_dump()):
        said = ChatMessage(role="assistant", additional_kwargs={"tool_calls": [given]})
        assert messages_of([said]) == (Message(role="assistant", tool_calls=(WEIGH,)),)


def test_arguments_that_are_no_json_object_are_kept_and_equal_no_wanted_call() -> None:
    for text in ('{"pump": ', "[7]"):
        block = ToolCallBlock(tool_name="weigh", tool_kwargs=text)
        (message,) = messages_of([ChatMessage(role="assistant", blocks=[block])])
        assert message.tool_calls == (ToolCall(name="weigh", args={"arguments": text}),)
    none = ToolCallBlock(tool_name="weigh", tool_kwargs="")
    (message,) = messages_of([ChatMessage(role="assistant", blocks=[none])])
    assert message.tool_calls == (ToolCall(name="weigh"),)


def test_every_role_of_llamaindex_has_its_place() -> None:
    roles = ("system", "developer", "user", "assistant", "chatbot", "model", "tool", "function")
    read = [message.role for message in messages_of([ChatMessage(role=r) for r in roles])]
    assert read == ["system"] * 2 + ["user"] + ["assistant"] * 3 + ["tool"] * 2
