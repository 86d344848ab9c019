"""A server that keeps each request whole, with its headers, and what it is asked and answers."""

import json
from typing import Any

from aiohttp import web
from llama_index.core.base.llms.types import ChatMessage
from pydantic import BaseModel

from llamaindex_rag_eval.models.prompt import Prompt

OF_THE_CONNECTION = {"accept-encoding", "connection", "content-length"}

USAGE = {"prompt_tokens": 7, "completion_tokens": 3, "total_tokens": 10}

REPLY: dict[str, Any] = {
    "id": "chatcmpl-1",
    "object": "chat.completion",
    "created": 1,
    "model": "gpt-4o-mini",
    "choices": [
        {
            "index": 0,
            "finish_reason": "stop",
            "logprobs": None,
            "message": {"role": "assistant", "content": "{}", "refusal": None},
        }
    ],
    "usage": USAGE,
}

ANY_FORM = Prompt[BaseModel, BaseModel](
    name="any", instruction="", input=BaseModel, output=BaseModel
)
"""Any object."""

SAID = [ChatMessage(role="system", content="Be brief."), ChatMessage(role="user", content="é 🌧?")]

Sent = tuple[str, dict[str, str], Any]


class Endpoint:
    """A server that keeps what it is sent, and answers as it is told."""

    def __init__(self) -> None:
        self.sent: list[Sent] = []
        self.status = 200
        self.body: bytes = json.dumps(REPLY).encode()
        self.headers = {"Content-Type": "application/json"}
        self.url = ""

    async def answer(self, request: web.Request) -> web.Response:
        headers = {name.lower(): value for name, value in request.headers.items()}
        kept = {name: value for name, value in headers.items() if name not in OF_THE_CONNECTION}
        self.sent.append((str(request.url), kept, await request.json()))
        return web.Response(status=self.status, body=self.body, headers=self.headers)


async def error_of(work: Any) -> Exception:
    """Return what an LLM raises."""
    try:
        return AssertionError(f"it answered {await work!r}")
    except Exception as error:  # noqa: BLE001 - all are compared
        return error
