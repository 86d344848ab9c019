"""Forms of a reply: which a server takes, what it does with others, and where replies end."""

import json
import math
import re
from dataclasses import dataclass
from typing import Any, Literal

from tests.server.responder import JsonObject
from tests.server.tampering import Content
from tests.server.tokens import CHARACTERS_PER_TOKEN, token_count

WRITTEN = 3 / 4
ALTERNATIVES = {"not": 1 / 8, "part": 1 / 16, "Supp": 1 / 16}
"""The probability of a token that is written, and of those that might have been."""

Form = Literal["schema", "object", "json"]

COUNTS = re.compile(r'"(?:minItems|maxItems|prefixItems|maxLength)":')


@dataclass(frozen=True, kw_only=True)
class Forms:
    """What a server does with `response_format`.

    Attributes:
        taken: `schema` is OpenAI's `json_schema`, `object` a `json_object` with a schema, `json`
            one without.
        otherwise: Other forms get an error 400, or are ignored.
        status: Of that error.
        logprobs: Whether log-probabilities are given with alternatives, `alone` without, refused or
            ignored.
        counts: A schema may count items and characters; else it gets an error 400, too.
    """

    taken: tuple[Form, ...] = ("schema", "object", "json")
    otherwise: Literal["refuse", "ignore"] = "refuse"
    status: int = 400
    logprobs: Literal["given", "alone", "refused", "ignored"] = "ignored"
    counts: bool = True

    def refusal(self, body: JsonObject) -> str | None:
        """Return why a request is refused; `None` if it is not."""
        if self.logprobs == "refused" and body.get("logprobs"):
            return "You are not allowed to request logprobs from this model."
        form = form_of(body)
        if form is not None and not self.counts and COUNTS.search(json.dumps(body)):
            return "The schema contains features that are not supported."
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


def logprobs_of(text: str, *, alternatives: bool) -> list[JsonObject]:
    """Return an entry for each token of a text, as OpenAI's API has them.

    Every token is as likely as the other: 3/4. The alternatives are the same in each place.
    """
    pieces = [one.encode() for one in re.findall(r"[a-z_]{1,4}|.", text, re.DOTALL)]
    tokens = [b for one in pieces for b in ([one] if one.isascii() else [one[:1], one[1:]])]
    others = [_entry(word.encode(), chance) for word, chance in ALTERNATIVES.items()]
    tops = [[_entry(one, WRITTEN), *others] if alternatives else [] for one in tokens]
    pairs = zip(tokens, tops, strict=True)
    return [{**_entry(one, WRITTEN), "top_logprobs": top} for one, top in pairs]


def _entry(token: bytes, chance: float) -> JsonObject:
    text = token.decode(errors="replace")
    return {"token": text, "logprob": math.log(chance), "bytes": [*token]}


def cut_off(content: Content, body: JsonObject) -> Content:
    """Return the content, cut at the limit that the request sets."""
    limit = body.get("max_completion_tokens") or body.get("max_tokens")
    if limit is None or content.text is None or token_count(content.text) <= limit:
        return content
    return Content(content.text[: limit * CHARACTERS_PER_TOKEN], finish_reason="length")
