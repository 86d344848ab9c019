"""Replies as a model writes them, for the tests of the judgements."""

from typing import Any

from llamaindex_rag_eval.models import Reply, Request
from tests.models.responders import BY_NAME


def output_of(request: Request[Any]) -> dict[str, Any]:
    """Return what a model that judges by words writes."""
    prompt = request.prompt
    assert prompt is not None
    user = {"role": "user", "content": request.to_prompt().model_dump_json()}
    written = BY_NAME[prompt.name]({}, {"messages": [user]})
    assert isinstance(written, dict)
    return written


def reply_to(request: Request[Any], output: dict[str, Any]) -> Reply:
    prompt = request.prompt
    assert prompt is not None
    reply: Reply = request.from_prompt(prompt.output.model_validate(output))
    request.check(reply)
    return reply
