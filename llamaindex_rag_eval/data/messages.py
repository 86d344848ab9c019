"""From LlamaIndex's chat messages to those of a sample: what an agent said and called.

memory = ChatMemoryBuffer.from_defaults()
await agent.run("What does pump 7 weigh?", memory=memory)
sample = MultiTurnSample(messages=messages_of(memory.get_all()), reference_tool_calls=[...])
"""

import json
from collections.abc import Mapping, Sequence

from llama_index.core.base.llms.types import ChatMessage, MessageRole, ToolCallBlock

from llamaindex_rag_eval.data.plain import as_json
from llamaindex_rag_eval.data.sample import Message, ToolCall

__all__ = ["messages_of"]

_ROLES = {
    MessageRole.SYSTEM: "system",
    MessageRole.DEVELOPER: "system",
    MessageRole.USER: "user",
    MessageRole.ASSISTANT: "assistant",
    MessageRole.CHATBOT: "assistant",
    MessageRole.MODEL: "assistant",
    MessageRole.TOOL: "tool",
    MessageRole.FUNCTION: "tool",
}


def messages_of(chat: Sequence[ChatMessage]) -> tuple[Message, ...]:
    """Return the messages of a chat store, a memory, or an agent's run, in their order.

    Tool calls are read from the message's blocks or, where it has none there, from
    `additional_kwargs["tool_calls"]` in OpenAI's form, as older integrations keep them. Arguments
    that are not a JSON object, which is the model's mistake, are kept whole as
    `{"arguments": "…"}`, so that no wanted call equals them. Images and audio are left out.
    """
    return tuple(
        Message.model_validate(
            {
                "role": _ROLES[message.role],
                "content": message.content or "",
                "tool_calls": _calls(message),
            }
        )
        for message in chat
    )


def _calls(message: ChatMessage) -> tuple[ToolCall, ...]:
    blocks = [block for block in message.blocks if isinstance(block, ToolCallBlock)]
    if blocks:
        return tuple(_call(block.tool_name, block.tool_kwargs) for block in blocks)
    given = message.additional_kwargs.get("tool_calls") or ()
    return tuple(_openai_call(as_json(entry)) for entry in given)


def _openai_call(entry: object) -> ToolCall:
    """Return a call from `{"function": {"name": …, "arguments": "…"}}`."""
    outer = entry if isinstance(entry, Mapping) else {}
    inner = outer.get("function")
    function = inner if isinstance(inner, Mapping) else outer
    return _call(str(function.get("name", "")), function.get("arguments"))


def _call(name: str, arguments: object) -> ToolCall:
    if isinstance(arguments, str):
        try:
            read = json.loads(arguments or "{}")
        except ValueError:
            read = None
        arguments = read if isinstance(read, dict) else {"arguments": arguments}
    return ToolCall(name=name, args=arguments if isinstance(arguments, Mapping) else {})
