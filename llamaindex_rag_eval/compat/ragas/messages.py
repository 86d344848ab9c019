"""`ragas.messages`: ours, each with its role; and those of LangChain as these."""

from collections.abc import Iterable
from typing import Any, Literal

from llamaindex_rag_eval.data.sample import Message


class HumanMessage(Message):
    """What the user says."""

    role: Literal["user"] = "user"


class AIMessage(Message):
    """What the assistant says, with its calls of tools."""

    role: Literal["assistant"] = "assistant"


class ToolMessage(Message):
    """What a tool returns."""

    role: Literal["tool"] = "tool"


KINDS = {"human": HumanMessage, "ai": AIMessage, "tool": ToolMessage}
"""Type of a message of LangChain -> ours."""


def convert_to_ragas_messages(messages: Iterable[Any], **ignored: object) -> list[Message]:
    """Return messages of LangChain as ours; those of the system are left out."""
    del ignored
    return [
        KINDS[message.type](
            content=str(message.content), tool_calls=getattr(message, "tool_calls", ())
        )
        for message in messages
        if message.type in KINDS
    ]
