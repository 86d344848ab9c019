"""From the body of a model call to what is sent back: reply, fault, token counts."""

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from hashlib import blake2b

from tests.server.asked import Asked, prompt_text, read_asked
from tests.server.batches import BatchOptions
from tests.server.connection import HttpRequest
from tests.server.delivery import Delivery, faulty_delivery
from tests.server.faults import CONTENT_KINDS, Fault, Faults
from tests.server.forms import Forms, cut_off, logprobs_of
from tests.server.messages import MESSAGES, as_chat, as_message
from tests.server.replies import chat_json, embeddings_json, reply_to
from tests.server.responder import JsonObject, Responder
from tests.server.stats import Stats
from tests.server.tampering import Content, tamper
from tests.server.tokens import PrefixCache, token_count
from tests.server.wire import error_response, http_response

CHAT = "/v1/chat/completions"
EMBEDDINGS = "/v1/embeddings"


@dataclass(frozen=True, kw_only=True)
class ServerOptions:
    """How a server behaves.

    Attributes:
        latency: Seconds from the arrival of a request to its reply.
        faults: Which calls fail.
        responders: Who answers, by schema, tool or marker name.
        seed: Of the generic replies.
        headers: Sent with every reply of status 200, such as `x-ratelimit-remaining-requests`.
        record: Keep the bodies of model calls.
        batches: How batches of calls go.
        forms: What becomes of the form that a reply is wanted in.
    """

    latency: float = 0.0
    faults: Faults = field(default_factory=Faults)
    responders: Mapping[str, Responder] = field(default_factory=dict)
    seed: int = 0
    headers: Mapping[str, str] = field(default_factory=dict)
    record: bool = False
    batches: BatchOptions = field(default_factory=BatchOptions)
    forms: Forms = field(default_factory=Forms)


@dataclass(frozen=True, slots=True)
class Call:
    """One model call; it keeps the counts that it was started in, so that a reset is clean."""

    stats: Stats
    digest: bytes
    attempt: int
    request: HttpRequest


class Answering:
    """Answers model calls; what it has seen since the last reset is all that it remembers."""

    def __init__(self, options: ServerOptions) -> None:
        self._options = options
        self.faults = options.faults
        self._prefixes = PrefixCache()
        self._attempts: Counter[bytes] = Counter()
        self.recorded: list[JsonObject] = []

    def answer(self, call: Call) -> Delivery:
        """Return what is sent back; a body that is not understood gets an error 400."""
        try:
            body = json.loads(call.request.body)
            if self._options.record:
                self.recorded.append(body)
            if body.get("stream"):
                raise ValueError("this server does not stream")
            if call.request.path == EMBEDDINGS:
                return self._embeddings(call, body)
            if call.request.path == MESSAGES:
                delivery = self._chat(call, as_chat(body))
                return replace(delivery, wire=as_message(delivery.wire))
            return self._chat(call, body)
        except (ValueError, KeyError, TypeError, AttributeError, IndexError) as error:
            message = f"The request is not understood: {error!r}"
            return Delivery("invalid_request", error_response(400, message))

    def _chat(self, call: Call, body: JsonObject) -> Delivery:
        options = self._options
        refusal = options.forms.refusal(body)
        if refusal is not None:
            return Delivery("refused_form", error_response(options.forms.status, refusal))
        body = options.forms.seen(body)
        asked = read_asked(body, options.responders)
        call.stats.by_name[asked.name] += 1
        seed = int.from_bytes(call.digest, "big") ^ options.seed
        try:
            reply = reply_to(asked, body, responders=options.responders, seed=seed)
        except Exception as error:  # noqa: BLE001 - responders are the caller's code
            return _blamed(call, f"{asked.name}: {error!r}")
        mark = blake2b(json.dumps(body["messages"]).encode(), digest_size=16).digest()
        self._attempts[mark] += 1  # the same messages with another seed are another attempt
        fault = self.faults.choose(mark, name=asked.name, attempt=self._attempts[mark])
        content, fault = _with_fault(reply, fault)
        return self._completion(call, asked, cut_off(content, body), body, fault)

    def _completion(
        self, call: Call, asked: Asked, content: Content, body: JsonObject, fault: Fault | None
    ) -> Delivery:
        prompt = prompt_text(body)
        usage = _usage(prompt, content, cached=self._prefixes.shared_tokens(prompt))
        identity = call.digest.hex()
        logprobs = None
        gives = self._options.forms.logprobs
        if body.get("logprobs") and content.text and gives in ("given", "alone"):
            logprobs = logprobs_of(content.text, alternatives=gives == "given")
        reply = chat_json(
            asked,
            content,
            model=body["model"],
            identity=identity,
            usage=usage,
            logprobs=logprobs,
        )
        return self._delivered(call, reply, usage, fault)

    def _embeddings(self, call: Call, body: JsonObject) -> Delivery:
        # Loads numpy, which a server that is only asked to chat need not wait for.
        from tests.server.embeddings import embedding_data

        call.stats.by_name["embeddings"] += 1
        fault = self.faults.choose(call.digest, name="embeddings", attempt=call.attempt)
        tokens = token_count(str(body["input"]))
        reply = embeddings_json(embedding_data(body), model=body["model"], tokens=tokens)
        return self._delivered(call, reply, {"prompt_tokens": tokens}, fault)

    def _delivered(
        self, call: Call, reply: bytes, usage: JsonObject, fault: Fault | None
    ) -> Delivery:
        headers = {"x-request-id": f"req_{call.digest.hex()}", **self._options.headers}
        good = http_response(200, reply, headers=headers)
        if fault is None:
            delivery = Delivery("answered", good)
        elif fault.kind in CONTENT_KINDS:
            delivery = Delivery(fault.kind, good)
        else:
            delivery = faulty_delivery(fault, good=good, head=call.request.head)
        if delivery.wire is good:
            call.stats.spend(
                prompt=usage["prompt_tokens"],
                cached=usage.get("prompt_tokens_details", {}).get("cached_tokens", 0),
                completion=usage.get("completion_tokens", 0),
            )
        return delivery


def _with_fault(reply: JsonObject | str, fault: Fault | None) -> tuple[Content, Fault | None]:
    """Return the content, and the fault that it has or that the transport is still to have."""
    if fault is not None and fault.kind in CONTENT_KINDS:
        spoilt = tamper(fault.kind, reply)
        if spoilt is not None:
            return spoilt, fault
        fault = None
    return Content(reply if isinstance(reply, str) else json.dumps(reply)), fault


def _usage(prompt: str, content: Content, *, cached: int) -> JsonObject:
    prompt_tokens = token_count(prompt)
    completion_tokens = token_count(content.text or content.refusal or "")
    return {
        "prompt_tokens": prompt_tokens,
        "completion_tokens": completion_tokens,
        "total_tokens": prompt_tokens + completion_tokens,
        "prompt_tokens_details": {"cached_tokens": cached},
    }


def _blamed(call: Call, error: str) -> Delivery:
    call.stats.blame(error)
    headers = {"x-should-retry": "false"}
    return Delivery("responder_error", error_response(500, error, headers=headers))
