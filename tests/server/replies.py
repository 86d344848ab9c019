"""Replies of a model: the responder's, the generic one, and the JSON they travel in."""

import json
from collections.abc import Mapping

from tests.server.asked import Asked, last_object
from tests.server.generic import fill, sentence
from tests.server.responder import JsonObject, Responder
from tests.server.tampering import Content

# A fixed time, so that a reply depends on its request only.
CREATED = 1_700_000_000


def reply_to(
    asked: Asked, body: JsonObject, *, responders: Mapping[str, Responder], seed: int
) -> JsonObject | str:
    """Return the responder's reply or, where no responder has the name, a generic one."""
    responder = responders.get(asked.name)
    if responder is not None:
        return responder(last_object(body), body)
    if asked.schema is None:
        return sentence(seed)
    filled: JsonObject = fill(asked.schema, seed)
    return filled


def chat_json(
    asked: Asked,
    content: Content,
    *,
    model: str,
    identity: str,
    usage: JsonObject,
    logprobs: list[JsonObject] | None = None,
) -> bytes:
    """Return the body of a chat completion; the arguments of a tool come without `logprobs`."""
    message: JsonObject = {"role": "assistant", "content": content.text, "refusal": content.refusal}
    finish_reason = content.finish_reason
    if asked.mode == "tool" and content.text:
        function = {"name": asked.name, "arguments": content.text}
        call = {"id": f"call_{identity[:24]}", "type": "function", "function": function}
        message |= {"content": None, "tool_calls": [call]}
        logprobs = None
        finish_reason = "tool_calls" if finish_reason == "stop" else finish_reason
    choice = {
        "index": 0,
        "message": message,
        "logprobs": None if logprobs is None else {"content": logprobs, "refusal": None},
        "finish_reason": finish_reason,
    }
    completion = {
        "id": f"chatcmpl-{identity}",
        "object": "chat.completion",
        "created": CREATED,
        "model": model,
        "choices": [choice],
        "usage": usage,
    }
    return json.dumps(completion).encode()


def embeddings_json(data: list[JsonObject], *, model: str, tokens: int) -> bytes:
    """Return the body of an embeddings reply."""
    usage = {"prompt_tokens": tokens, "total_tokens": tokens}
    reply = {"object": "list", "data": data, "model": model, "usage": usage}
    return json.dumps(reply).encode()
