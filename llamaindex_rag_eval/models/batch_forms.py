"""Forms of batch files: how each API writes a request and a reply as a line.

| form | a request | a reply |
|---|---|---|
| `openai` | `custom_id`, `method`, `url`, `body` | `custom_id`, `response` or `error` |
| `azure` | the same, with a `url` that begins behind `/v1` | the same |
| `anthropic` | `custom_id`, `params` | `custom_id`, `result` |

Sources: https://platform.openai.com/docs/guides/batch,
https://learn.microsoft.com/azure/ai-foundry/openai/how-to/batch,
https://docs.anthropic.com/en/docs/build-with-claude/batch-processing.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from llama_index.core.llms import LLM

from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.models.failures import failure_with
from llamaindex_rag_eval.models.parameters import is_anthropic, is_openai

BatchFormat = Literal["openai", "azure", "anthropic"]

STATUSES: Mapping[str, int] = {"invalid_request_error": 400, "request_too_large": 413}
"""Type of an error of Anthropic's API -> its HTTP status online, where `failures.yaml` has none."""


@dataclass(frozen=True, slots=True)
class BatchReply:
    """What came back for one request.

    Attributes:
        status: The HTTP status; 0 where the batch ended before the request was sent.
        body: The body of the response, or of the error.
    """

    status: int
    body: Mapping[str, Any]

    @property
    def good(self) -> bool:
        """Whether the model replied."""
        return self.status == 200

    @property
    def transient(self) -> bool:
        """Whether the same request may succeed in another round."""
        row = failure_with(self.status)
        return self.status == 0 or (row is not None and row.transient)


@dataclass(frozen=True, slots=True)
class BatchForm:
    """The form of one API.

    Attributes:
        name: As `--batch-format` has it.
        most_requests: In a file; the API takes no more.
        most_bytes: Likewise.
    """

    name: BatchFormat
    most_requests: int
    most_bytes: int

    def url(self, path: str) -> str:
        """Return the `url` of requests to a path.

        Example:
            >>> OPENAI.url("/v1/chat/completions")
            '/v1/chat/completions'
            >>> AZURE.url("/openai/deployments/gpt-4o/chat/completions")
            '/chat/completions'
        """
        match = re.search(r"(/chat)?/[^/]+$", path)
        end = match[0] if match else path
        return end if self.name == "azure" else f"/v1{end}"

    def line(self, custom_id: str, url: str, body: Mapping[str, Any]) -> str:
        """Return a request as a line."""
        request: dict[str, Any] = {"custom_id": custom_id}
        if self.name == "anthropic":
            request["params"] = {key: value for key, value in body.items() if key != "stream"}
        else:
            request |= {"method": "POST", "url": url, "body": body}
        return json.dumps(request, separators=(",", ":"))


OPENAI = BatchForm("openai", 50_000, 200_000_000)
AZURE = BatchForm("azure", 50_000, 200_000_000)
ANTHROPIC = BatchForm("anthropic", 100_000, 256_000_000)

FORMS: Mapping[str, BatchForm] = {form.name: form for form in (OPENAI, AZURE, ANTHROPIC)}


def form_for(llm: LLM, name: str | None = None) -> BatchForm:
    """Return the form of the API that an LLM calls, or another of the same protocol by name.

    Raises:
        InputError: The LLM's API takes no batch files that we know, or none of this form.
    """
    if is_openai(llm):
        own = AZURE if hasattr(llm, "azure_endpoint") else OPENAI
        takes = [OPENAI, AZURE]
    elif is_anthropic(llm):
        own = ANTHROPIC
        takes = [own]
    else:
        raise InputError(
            "batch files need an LLM of OpenAI, Azure or Anthropic, or a server that speaks "
            f"OpenAI's protocol; got {type(llm).__name__!r}"
        )
    chosen = own if name is None else FORMS.get(name)
    if chosen not in takes:
        names = " or ".join(repr(form.name) for form in takes)
        raise InputError(
            f"{type(llm).__name__!r} takes no batch files of the form {name!r}; expected {names}"
        )
    return chosen


def reply_of(line: object) -> BatchReply | None:
    """Return the reply that a line of a reply file holds, of any form; `None` if it holds none.

    Example:
        >>> reply_of({"custom_id": "a-1", "response": {"status_code": 200, "body": {"id": "x"}}})
        BatchReply(status=200, body={'id': 'x'})
        >>> reply_of({"custom_id": "a-1", "response": None, "error": {"code": "batch_expired"}})
        BatchReply(status=0, body={'error': {'code': 'batch_expired'}})
        >>> reply_of({"custom_id": "a-1", "result": {"type": "succeeded", "message": {"id": "x"}}})
        BatchReply(status=200, body={'id': 'x'})
    """
    if not isinstance(line, dict):
        return None
    if isinstance(line.get("result"), dict):
        return _result(line["result"])
    response, error = line.get("response"), line.get("error")
    if isinstance(response, dict) and isinstance(response.get("body"), dict):
        status = response.get("status_code")
        return BatchReply(status if isinstance(status, int) else 0, response["body"])
    return BatchReply(0, {"error": error}) if isinstance(error, dict) else None


def _result(result: Mapping[str, Any]) -> BatchReply | None:
    """Return a result of Anthropic's form; an error of an unknown type counts as the server's."""
    match result.get("type"):
        case "succeeded" if isinstance(result.get("message"), dict):
            return BatchReply(200, result["message"])
        case "errored" if isinstance(result.get("error"), dict):
            error = result["error"]
            kind = error["error"].get("type") if isinstance(error.get("error"), dict) else None
            row = failure_with(None, str(kind))
            of_row = 500 if row is None else max(row.statuses)
            return BatchReply(STATUSES.get(str(kind), of_row), error)
        case "canceled" | "expired" as kind:
            return BatchReply(0, {"error": {"type": kind}})
    return None
