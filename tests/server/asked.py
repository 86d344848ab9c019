"""What a chat request asks: its mode, the name and schema of the reply, and the input."""

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal

from tests.server.responder import JsonObject

DECODER = json.JSONDecoder()


@dataclass(frozen=True, slots=True)
class Asked:
    """How the reply is wanted; `name` picks the responder.

    A `json_object` has no name of its own: it is named as a text is.
    """

    mode: Literal["schema", "tool", "text"]
    name: str
    schema: JsonObject | None = None


def read_asked(body: JsonObject, markers: Iterable[str]) -> Asked:
    """Return what a chat request asks.

    A request without a schema or a tool is named by the longest marker that stands as a word in
    its messages, or `text`.
    """
    if body.get("tools") and body.get("tool_choice") != "none":
        # After a tool's result the model answers in words; otherwise an agent would never end.
        if body["messages"][-1].get("role") != "tool":
            return _tool(body)
        return Asked("text", _marker(prompt_text(body), markers))
    form = body.get("response_format") or {}
    wanted = form.get("json_schema")
    if wanted:
        return Asked("schema", wanted["name"], wanted["schema"])
    if form.get("type") == "json_object":
        marker = _marker(prompt_text(body), markers)
        return Asked("schema", marker, form.get("schema") or {"type": "object"})
    return Asked("text", _marker(prompt_text(body), markers))


def prompt_text(body: JsonObject) -> str:
    """Return the text of all messages."""
    return "\n".join(_content_text(message.get("content")) for message in body["messages"])


def last_object(body: JsonObject) -> JsonObject:
    """Return the last JSON object in the last user message with one; an empty one without any.

    Objects inside another count as parts of it. A message that asks for a correction has none. The
    fields of an object that the message begins with, as contexts, belong to it, too.
    """
    users = [message for message in body["messages"] if message.get("role") == "user"]
    texts = (_content_text(message.get("content")) for message in reversed(users))
    return next(filter(None, map(object_in, texts)), {})


def object_in(text: str) -> JsonObject:
    """Return the last JSON object of a message, with the fields of contexts that it begins with."""
    found: JsonObject = {}
    first = DECODER.raw_decode(text)[0] if text.startswith('{"contexts":') else {}
    position = text.find("{")
    while position >= 0:
        try:
            found, end = DECODER.raw_decode(text, position)
        except ValueError:
            end = position + 1
        position = text.find("{", end)
    return {**first, **found}


def _tool(body: JsonObject) -> Asked:
    functions = [tool["function"] for tool in body["tools"]]
    choice = body.get("tool_choice")
    wanted = choice.get("function", {}).get("name") if isinstance(choice, dict) else None
    function = next((entry for entry in functions if entry["name"] == wanted), functions[0])
    return Asked("tool", function["name"], function.get("parameters") or {"type": "object"})


def _marker(text: str, markers: Iterable[str]) -> str:
    for marker in sorted(markers, key=len, reverse=True):
        if re.search(rf"(?<!\w){re.escape(marker)}(?!\w)", text):
            return marker
    return "text"


def _content_text(content: Any) -> str:
    if isinstance(content, str):
        return content
    return "\n".join(part.get("text", "") for part in content or ())
