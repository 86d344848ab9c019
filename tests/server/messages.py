"""Anthropic's protocol over OpenAI's: messages in, chat completions inside, messages out."""

import json
from typing import Any

from tests.server.responder import JsonObject
from tests.server.wire import http_response

MESSAGES = "/v1/messages"

ERRORS = {400: "invalid_request_error", 429: "rate_limit_error", 503: "overloaded_error"}


def as_chat(body: JsonObject) -> JsonObject:
    """Return a request of Anthropic's as one of OpenAI's."""
    messages = [
        {"role": entry["role"], "content": _text(entry["content"])} for entry in body["messages"]
    ]
    if body.get("system"):
        messages.insert(0, {"role": "system", "content": _text(body["system"])})
    chat: JsonObject = {"model": body["model"], "messages": messages}
    if body.get("tools"):
        chat["tools"] = [
            {"type": "function", "function": {"name": t["name"], "parameters": t["input_schema"]}}
            for t in body["tools"]
        ]
    return chat


def as_message(wire: bytes) -> bytes:
    """Return a response of OpenAI's as one of Anthropic's."""
    status, body = body_of(wire)
    if status != 200:
        error = {"type": ERRORS.get(status, "api_error"), "message": str(body)}
        return http_response(status, json.dumps({"type": "error", "error": error}).encode())
    message = body["choices"][0]["message"]
    content: list[JsonObject] = [{"type": "text", "text": message["content"] or ""}]
    for call in message.get("tool_calls") or ():
        name, arguments = call["function"]["name"], _object(call["function"]["arguments"])
        content = [{"type": "tool_use", "id": call["id"], "name": name, "input": arguments}]
    usage = body["usage"]
    made = {
        "id": body["id"],
        "type": "message",
        "role": "assistant",
        "model": body["model"],
        "content": content,
        "stop_reason": "tool_use" if content[0]["type"] == "tool_use" else "end_turn",
        "stop_sequence": None,
        "usage": {
            "input_tokens": usage["prompt_tokens"],
            "output_tokens": usage["completion_tokens"],
        },
    }
    return http_response(200, json.dumps(made).encode())


def body_of(wire: bytes) -> tuple[int, Any]:
    """Return the status and the JSON of a response; 502 where it is no JSON."""
    head, _, content = wire.partition(b"\r\n\r\n")
    try:
        return int(head.split(b" ", 2)[1]), json.loads(content)
    except ValueError:
        return 502, {"error": {"message": "the reply is no JSON"}}


def _text(content: Any) -> str:
    """Return the text of blocks; what a tool was given or returned counts as text."""
    if isinstance(content, str):
        return content
    parts = (p.get("text") or json.dumps(p.get("input", p.get("content", ""))) for p in content)
    return "\n".join(parts)


def _object(arguments: str) -> JsonObject:
    """Return arguments as an object, as the API does; what is none comes as an empty one."""
    try:
        found = json.loads(arguments)
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}
