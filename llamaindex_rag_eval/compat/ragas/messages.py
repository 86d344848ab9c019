"""`ragas.messages`: ours, each with its role; and those of LangChain as these."""

import json
from collections.abc import Iterable, Mapping
from typing import Any, Literal

from llamaindex_rag_eval.data.sample import Message
from llamaindex_rag_eval.errors import InputError


class _Typed(Message):
    """A message whose class says its role; equal to a `Message` of that role."""

    def model_post_init(self, context: object, /) -> None:
        """Let rows have the role, too."""
        del context
        self.model_fields_set.add("role")

    def __eq__(self, message: object) -> bool:
        return isinstance(message, Message) and dict(self) == dict(message)

    __hash__ = Message.__hash__


class HumanMessage(_Typed):
    """What the user says."""

    role: Literal["user"] = "user"


class AIMessage(_Typed):
    """What the assistant says, with its calls of tools."""

    role: Literal["assistant"] = "assistant"


class ToolMessage(_Typed):
    """What a tool returns."""

    role: Literal["tool"] = "tool"


KINDS: Mapping[str, Any] = {"human": HumanMessage, "ai": AIMessage, "tool": ToolMessage}
"""Type of a message of LangChain -> ours."""


def convert_to_ragas_messages(messages: Iterable[Any], **ignored: object) -> list[Message]:
    """Return messages of LangChain as ours; those of the system are left out.

    Raises:
        InputError: It is no message of LangChain.
        TypeError: The content of a message is no text.
        json.JSONDecodeError: The arguments of a call are no JSON.
    """
    del ignored
    converted: list[Message] = []
    for message in messages:
        name, kind = type(message).__name__, getattr(message, "type", "")
        if kind not in (*KINDS, "system"):
            raise InputError(f"Unsupported message type: {name}")
        if not isinstance(message.content, str):
            raise TypeError(f"{name} content must be a string, got {message.content!r}")
        for call in getattr(message, "invalid_tool_calls", ()):
            json.loads(call["args"])  # says what is wrong
        if kind != "system":
            calls = getattr(message, "tool_calls", ())
            converted.append(KINDS[kind](content=message.content, tool_calls=calls))
    return converted
