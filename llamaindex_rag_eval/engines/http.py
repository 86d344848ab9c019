"""Ask an engine behind an HTTP endpoint: post a question as JSON, and read the reply by paths."""

import json
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256
from string import Template
from typing import Any

import httpx

from llamaindex_rag_eval.data.json_path import JsonPath
from llamaindex_rag_eval.data.sample import Message, SingleTurnSample
from llamaindex_rag_eval.engines.query import EngineAdapter, answer_fields
from llamaindex_rag_eval.errors import CallError, EngineError, InputError
from llamaindex_rag_eval.models.failures import call_error
from llamaindex_rag_eval.models.usage import amount_in
from llamaindex_rag_eval.models.wire import OverAiohttp

USAGE = ("calls", "prompt_tokens", "completion_tokens", "cost", "first_token")
"""What a reply can tell of its own cost: counts, dollars, and seconds."""

FIELDS = ("response", "contexts", "context_ids", "context_scores", *USAGE)
"""What a path can be given for."""

LISTS = frozenset({"contexts", "context_ids", "context_scores"})

SECRET = re.compile(r"auth|cookie|key|secret|token|password", re.IGNORECASE)
"""Headers whose values are secrets."""

SHOWN = 200
"""Characters of a refused reply that an error shows."""

LARGEST = 32 * 2**20
"""Bytes of a reply: what is longer holds no answer to one question."""


@dataclass(frozen=True)
class HttpEngine:
    """An engine that answers `POST` with JSON, wherever and in whatever language it runs.

    Attributes:
        url: Where it listens, `http://` or `https://`.
        fields: Field of the answer -> JSON path in the reply, as
            `{"response": "$.answer", "contexts": "$.sources[*].text"}`; also `context_ids`,
            `context_scores`, and of its cost `calls`, `prompt_tokens`, `completion_tokens`, `cost`
            (dollars), `first_token` (seconds). Without any, the reply's own names are read:
            `response` or `answer`, `contexts`, ….
        body: The JSON to post. In its texts `{question}` stands for the question and `{id}` for its
            id; a text that is `{messages}` alone stands for the conversation with the question as
            its last message, a list of objects with `role` and `content`. Without `{messages}`, the
            conversation before a follow-up is part of the question's text.
        headers: Header -> value, in which `${NAME}` stands for a variable of the environment. The
            value of a header that holds a key must be one; no key is in the object, in messages or
            in files.
        timeout: Seconds for one attempt.

    Raises:
        InputError: A value is not as described, or a variable is not set.
    """

    url: str
    fields: Mapping[str, str] = field(default_factory=dict)
    body: Any = field(default_factory=lambda: {"question": "{question}"})
    headers: Mapping[str, str] = field(default_factory=dict)
    timeout: float = 120.0

    def __post_init__(self) -> None:
        _require_url(self.url)
        unknown = [name for name in self.fields if name not in FIELDS]
        if unknown:
            raise InputError(f"no field is named {unknown[0]!r}; expected {', '.join(FIELDS)}")
        for path in self.fields.values():
            JsonPath(path)
        text = json.dumps(self.body)
        if not ("{question}" in text or '"{messages}"' in text):
            raise InputError("the body has no place for the question: expected '{question}' in it")
        if not self.timeout > 0:
            raise InputError(f"'timeout' is {self.timeout!r}, expected seconds above 0")
        for name, value in self.headers.items():
            if SECRET.search(name) and "$" not in value:
                raise InputError(
                    f"the header {name!r} holds a key: name a variable of the environment for it, "
                    f"as '{name}: ${{MY_KEY}}'"
                )
        self._headers()

    async def __call__(self, question: str) -> Mapping[str, object]:
        """Return the answer to a question as fields of a sample; see `ask`."""
        return await self.ask(question)

    async def ask(
        self, question: str, *, messages: Sequence[Message] = (), sample_id: str = ""
    ) -> Mapping[str, object]:
        """Post one question.

        Args:
            question: Its text.
            messages: The conversation for `{messages}`; by default the question alone.
            sample_id: For `{id}`.

        Raises:
            CallError: Nobody answered, or the answer was an HTTP error; it names the status, and is
                transient for time-outs, rate limits and server errors.
            EngineError: The reply is no JSON, or holds no answer.
        """
        talk = messages or (Message(role="user", content=question),)
        values = {
            "{question}": question,
            "{id}": sample_id,
            "{messages}": [{"role": message.role, "content": message.content} for message in talk],
        }
        return self._fields(await self._post(_filled(self.body, values)))

    @cached_property
    def engine_settings(self) -> Mapping[str, object]:
        """What answers depend on; see `settings_of`. The body may hold a key: it is hashed."""
        body = sha256(json.dumps(self.body, sort_keys=True).encode()).hexdigest()[:16]
        return {"engine": self.shown, "fields": self.fields, "body": body}

    @property
    def shown(self) -> str:
        """The URL without its query, which may hold a key."""
        return self.url.partition("?")[0]

    async def _post(self, body: Any) -> Any:
        headers = self._headers()
        try:
            async with (
                httpx.AsyncClient(transport=OverAiohttp(), timeout=self.timeout) as client,
                client.stream("POST", self.url, json=body, headers=headers) as response,
            ):
                raw = await _read(response)
        except httpx.HTTPError as error:
            failure = call_error(error, "")
            late = f"no answer within {self.timeout:g} s" if failure.failure == "late" else failure
            failure.args = (f"{self.shown}: {late}",)
            raise failure from error
        text = raw.decode(response.encoding or "utf-8", "replace")
        if not response.is_success:
            raise self._refusal(response, text)
        try:
            return json.loads(text)
        except ValueError:
            kind = response.headers.get("content-type", "no content type")
            shown = self._excerpt(text)
            raise EngineError(f"{self.shown}: expected JSON, got {kind}: {shown}") from None

    def _refusal(self, response: httpx.Response, text: str) -> CallError:
        if response.is_redirect:
            text = f"redirects are not followed; it leads to {response.headers.get('location')}"
        said = f"HTTP {response.status_code} {response.reason_phrase}".rstrip()
        shown = self._excerpt(text)
        error = httpx.HTTPStatusError(said, request=response.request, response=response)
        refusal = call_error(error, "")
        refusal.args = (f"{self.shown}: {said}{shown and f': {shown}'}",)
        refusal.__cause__ = error
        return refusal

    def _excerpt(self, text: str) -> str:
        """Return the beginning of a reply on one line, without the keys it may repeat."""
        for value in sorted(self._secrets(), key=len, reverse=True):
            text = text.replace(value, "***")
        short = " ".join(text.split())
        return short if len(short) <= SHOWN else short[:SHOWN] + "…"

    def _headers(self) -> dict[str, str]:
        headers = {}
        for name, value in self.headers.items():
            try:
                headers[name] = Template(value).substitute(os.environ)
            except KeyError as error:
                raise InputError(
                    f"the header {name!r} needs the environment variable {error.args[0]!r}, which "
                    "is not set"
                ) from None
            except ValueError:
                raise InputError(
                    f"the header {name!r} has a '$' that begins no variable; write it as '$$'"
                ) from None
        return headers

    def _secrets(self) -> set[str]:
        secrets = {
            os.environ[name]
            for value in self.headers.values()
            for name in re.findall(r"\$\{?(\w+)", value)
            if os.environ.get(name)
        }
        return secrets | {query for query in [self.url.partition("?")[2]] if query}

    def _fields(self, reply: Any) -> Mapping[str, object]:
        """Return the fields of the answer in a reply."""
        if not self.fields:
            if not isinstance(reply, Mapping | str):
                kind = type(reply).__name__
                raise EngineError(f"{self.shown}: expected a JSON object, got {kind}: use --map")
            return answer_fields(reply)
        matches = {name: JsonPath(path).find(reply) for name, path in self.fields.items()}
        if not any(matches[name] for name in matches if name not in USAGE):
            paths = ", ".join(path for name, path in self.fields.items() if name not in USAGE)
            shown = self._excerpt(json.dumps(reply, ensure_ascii=False))
            raise EngineError(f"{self.shown}: nothing at {paths or 'no path'} in {shown}")
        answer = {
            name: _value(name, values) for name, values in matches.items() if name not in USAGE
        }
        amounts = {name: matches[name][0] for name in USAGE if matches.get(name)}
        usage = {name: value for name, value in amounts.items() if amount_in(value) is not None}
        return {**answer_fields(answer), "usage": usage} if usage else answer_fields(answer)


class HttpAdapter(EngineAdapter):
    """Asks an HTTP endpoint; of a conversation the user's messages are sent again."""

    def __init__(self, engine: HttpEngine) -> None:
        self._engine = engine
        self._takes_messages = '"{messages}"' in json.dumps(engine.body)

    async def answer(self, question: SingleTurnSample) -> Mapping[str, object]:
        """Return the fields of the answer."""
        if not self._takes_messages:
            return await self._engine.ask(question.asked, sample_id=question.id)
        last = Message(role="user", content=question.query)
        talk = (*question.earlier_messages, last)
        return await self._engine.ask(question.query, messages=talk, sample_id=question.id)


def _require_url(url: str) -> None:
    try:
        parsed = httpx.URL(url)
    except httpx.InvalidURL as error:
        raise InputError(f"{url!r} is no URL: {error}") from None
    if parsed.scheme not in ("http", "https") or not parsed.host:
        raise InputError(f"expected a URL of http or https, got {url.partition('?')[0]!r}")
    if parsed.userinfo:
        raise InputError("the URL holds a user or password: give it as a header, from a variable")


def _filled(body: Any, values: Mapping[str, Any]) -> Any:
    """Return the body with values in the places of its texts."""
    if isinstance(body, Mapping):
        return {key: _filled(value, values) for key, value in body.items()}
    if isinstance(body, list | tuple):
        return [_filled(value, values) for value in body]
    if not isinstance(body, str):
        return body
    if body in values:
        return values[body]
    # In one pass, so that a question that holds "{id}" is sent as it is.
    return re.sub(r"\{(?:question|id)\}", lambda match: str(values[match[0]]), body)


async def _read(response: httpx.Response) -> bytes:
    parts, size = [], 0
    async for part in response.aiter_bytes():
        parts.append(part)
        size += len(part)
        if size > LARGEST:
            raise EngineError(f"a reply of more than {LARGEST // 2**20} MiB is no answer")
    return b"".join(parts)


def _value(name: str, values: list[Any]) -> object:
    """Return the values at a path as the field takes them: a list, or one text."""
    if name in LISTS:
        one_list = len(values) == 1 and isinstance(values[0], list)
        return [_text(name, value) for value in (values[0] if one_list else values)]
    texts = [_text(name, value) for value in values if value is not None]
    return "\n".join(map(str, texts))


def _text(name: str, value: Any) -> object:
    if name == "context_scores" or isinstance(value, str):
        return value
    return json.dumps(value, ensure_ascii=False)
