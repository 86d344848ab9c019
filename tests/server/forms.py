"""Forms of a reply: which a server takes, what it does with others, and where replies end."""

from dataclasses import dataclass
from typing import Any, Literal

from tests.server.responder import JsonObject
from tests.server.tampering import Content
from tests.server.tokens import CHARACTERS_PER_TOKEN, token_count

__all__ = ["Forms", "cut_off", "form_of"]

Form = Literal["schema", "object", "json"]


@dataclass(frozen=True, kw_only=True)
class Forms:
    """What a server does with `response_format`.

    Attributes:
        taken: `schema` is OpenAI's `json_schema`, `object` a `json_object` with a schema, `json`
            one without.
        otherwise: Other forms get an error 400, or are ignored.
        status: Of that error.
    """

    taken: tuple[Form, ...] = ("schema", "object", "json")
    otherwise: Literal["refuse", "ignore"] = "refuse"
    status: int = 400

    def refusal(self, body: JsonObject) -> str | None:
        """Return why a request is refused; `None` if it is not."""
        form = form_of(body)
        if form is None or form in self.taken or self.otherwise == "ignore":
            return None
        return f"'response_format.type' must not be {body['response_format']['type']!r} here."

    def seen(self, body: JsonObject) -> JsonObject:
        """Return the request as the model sees it: without a form that is ignored."""
        form = form_of(body)
        if form is None or form in self.taken:
            return body
        return {key: value for key, value in body.items() if key != "response_format"}


def form_of(body: JsonObject) -> Form | None:
    """Return the form that a request asks for; `None` for none."""
    wanted: Any = body.get("response_format") or {}
    if wanted.get("type") == "json_schema":
        return "schema"
    if wanted.get("type") == "json_object":
        return "object" if "schema" in wanted else "json"
    return None


def cut_off(content: Content, body: JsonObject) -> Content:
    """Return the content, cut at the limit that the request sets."""
    limit = body.get("max_completion_tokens") or body.get("max_tokens")
    if limit is None or content.text is None or token_count(content.text) <= limit:
        return content
    return Content(content.text[: limit * CHARACTERS_PER_TOKEN], finish_reason="length")
