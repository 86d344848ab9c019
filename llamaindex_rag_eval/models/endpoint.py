"""One model at one endpoint: called within limits, in the way it takes, with room for the reply.

A model is held to the form of its reply in one of five ways: by a JSON schema in OpenAI's form
(`schema`), or in that of llama.cpp, an object with a schema (`object`); by a tool that it must call
(`tool`); by JSON of any form (`json`); or by the instruction alone (`text`).

Servers that speak OpenAI's protocol differ in how they hold a reply to a form, and do not say so.
The first replies tell: one that is a whole JSON object shows that the form counted. A server that
refuses the form, or answers without it, is asked by the next one. A transient fault decides
nothing. What was found out is remembered while the process lives.
"""

import json
import logging
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Literal

from llama_index.core.base.llms.types import ChatMessage, ChatResponse
from llama_index.core.llms import LLM
from llama_index.core.llms.function_calling import FunctionCallingLLM
from llama_index.core.tools import FunctionTool, ToolMetadata

from llamaindex_rag_eval.errors import CallError, InputError, OracleError
from llamaindex_rag_eval.models.failures import api_key_of, call_error
from llamaindex_rag_eval.models.limit import Limit
from llamaindex_rag_eval.models.logprobs import ALTERNATIVES
from llamaindex_rag_eval.models.parameters import (
    Way,
    address_of,
    gives_logprobs,
    is_ollama,
    is_openai_like,
    known_way,
    parameters_of,
    reply_limit,
    thinks,
    ways_of,
)
from llamaindex_rag_eval.models.prompt import Prompt
from llamaindex_rag_eval.models.response import COUNTED_BEFORE, Completion, completion_of, is_whole
from llamaindex_rag_eval.models.transport import Connect, Transport

logger = logging.getLogger(__name__)

BYTES_A_TOKEN = 3
"""Bytes of UTF-8, a cautious estimate: English has four and more, Chinese and Japanese three."""

AUTO = "auto"
"""Stands in fingerprints for a way that is found out: a resumed run has the same, before any call
and whatever came first."""


REFUSED = (400, 422)
"""HTTP statuses by which servers refuse a parameter."""

NAMES_FORM = re.compile(r"response_format|json_schema|json_object")
"""In an error, shows that the form of the reply is refused: that will be so the next time, too."""

Extra = Literal["limit", "logprobs"]
"""What a call may be given beside its messages, and servers refuse: the most tokens of the reply,
the wish for log-probabilities."""

NAMES_LIMIT = re.compile(r"max_(?:completion_|output_)?tokens", re.IGNORECASE)

VOTE_TEMPERATURE = 0.7
"""Temperature of independent votes: at 0 all of them would be the same."""

SHOWS_SCHEMA: frozenset[Way] = frozenset({"object", "json", "text"})
"""Ways in which the prompt shows the schema: not all servers that take it show it to the model."""


Key = tuple[str, str, str]
"""The class of a model, its address, and its name."""


@dataclass
class Knowledge:
    """What is known of a model at an endpoint.

    Attributes:
        way: How it is asked; `None` before the first reply, or refusal.
        counts: Whether it has replied in that form.
        refused: What it is not sent any more.
        thinks: Whether it thinks before it replies.
    """

    key: Key
    way: Way | None = None
    counts: bool = False
    refused: set[Extra] = field(default_factory=set)
    thinks: bool = False

    def __reduce__(self) -> tuple[object, ...]:
        """Return what was found out; what another process found out itself comes first."""
        return knowledge_of, (self.key, self.way, self.counts, self.refused, self.thinks)


_remembered: dict[Key, Knowledge] = {}


def knowledge_of(key: Key, *found_out: Any) -> Knowledge:
    """Return what is known of a model; of one that is new, what another process found out."""
    return _remembered.setdefault(key, Knowledge(key, *found_out))


class Endpoint:
    """Call one model; all objects for the same one share what is found out.

    Args:
        llm: The model.
        limit: Concurrency, rates, retries and budget; it counts what is spent.
        way: How the model is held to the form of a reply; `None` for the strictest way it has.
        most_tokens: Of every reply; `None` for what is asked each time.
        connect: Makes the connection to the model.

    Raises:
        InputError: The model's class cannot ask in this way.
    """

    def __init__(
        self,
        llm: LLM,
        limit: Limit,
        *,
        way: Way | None = None,
        most_tokens: int | None = None,
        connect: Connect = Transport,
    ) -> None:
        ways = ways_of(llm)
        if way is not None and way not in ways:
            raise InputError(
                f"{type(llm).__name__!r} cannot be asked by {way!r}; it offers {', '.join(ways)}"
            )
        self.llm = llm
        self.limit = limit
        self.most_tokens = most_tokens
        self.connection = connect(llm)
        self.model = str(llm.metadata.model_name)
        self.window = llm.metadata.context_window
        self.known = known = way or known_way(llm)
        is_free = known is None or (way is None and is_openai_like(llm))
        self.ways: tuple[Way, ...] = ways if is_free or known is None else (known,)
        name = str(getattr(llm, "model", None) or llm.metadata.model_name)
        self.knowledge = knowledge_of((type(llm).__name__, address_of(llm), name))
        self._gives_logprobs, self._thinks = gives_logprobs(llm), thinks(llm)

    @property
    def way(self) -> Way:
        """The way, as far as it is known."""
        way = self.knowledge.way
        return way if way in self.ways else self.known or self.ways[0]

    @property
    def _is_open(self) -> bool:
        """Whether replies are to tell the way; those in files come too late."""
        return self.known is None and self.connection.at_once and not self.knowledge.counts

    def leaves(self, way: Way, error: CallError) -> bool:
        """Return whether a call was refused for its form and there is another way to ask.

        Before a form has counted, any refusal of a call may be for it. The first such call turns to
        the next way; those in flight then follow it.
        """
        if not (names_form(error) or (self._is_open and error.status in REFUSED)):
            return False
        if way == self.ways[-1]:
            if self._is_open:
                self.knowledge.way = None  # it was not for the form
            return False
        self._turn(way, f"it refused {way!r}: {error}")
        return True

    def see(self, way: Way, completion: Completion) -> None:
        """Take from a first reply whether its form counted; if not, turn to the next way."""
        if not self._is_open:
            return
        if way == self.ways[-1] or is_whole(completion.text):
            self.knowledge.counts = True
            self._remember(way, "it replied so")
        else:
            self._turn(way, f"{way!r} did not count")

    def _turn(self, way: Way, why: str) -> None:
        if way == self.way:
            self._remember(self.ways[self.ways.index(way) + 1], why)

    def _remember(self, way: Way, why: str) -> None:
        self.knowledge.way = way
        _, address, model = self.knowledge.key
        logger.info("%s at %s is asked by %r (%s)", model, address or "its provider", way, why)

    async def call(
        self,
        messages: Sequence[ChatMessage],
        prompt: Prompt[Any, Any],
        way: Way,
        *,
        kind: str,
        tokens: int,
        seed: int | None = None,
        logprobs: bool = False,
    ) -> Completion:
        """Call the model; what it refuses is left off, and its thoughts get room.

        What was refused is known for the next calls once the model has answered without it. A reply
        that was cut off in its thoughts tells that this model needs room for them.

        Args:
            messages: What the model is sent.
            prompt: Whose form the reply is to have.
            way: How it is held to that form.
            kind: What is asked, for the account.
            tokens: That suffice for the reply.
            seed: Of an independent reply; `None` for the model's own settings.
            logprobs: Ask for the log-probabilities of its tokens, where the model may give them.

        Raises:
            CallError: The model could not be reached, or would not take the call.
            BudgetError: The budget is spent.
        """
        known = self.knowledge
        sent = sum(len((m.content or "").encode()) for m in messages) // BYTES_A_TOKEN
        wanted, refused = self._extras(way, logprobs), set[Extra]()
        while True:
            thinking, extras = known.thinks, wanted - refused
            limit, weighed = self._limit(extras, tokens, sent), "logprobs" in extras
            work = partial(complete, self.connection, messages, prompt, way, limit, seed, weighed)
            try:
                completion = await self.limit.call(work, model=self.model, tokens=sent)
            except CallError as error:
                refused.add(refused_extra(error, extras))
                continue
            self._count(completion, kind)
            known.refused |= refused
            if not completion.thought or thinking or self.most_tokens is not None:
                return completion
            known.thinks = True

    def _extras(self, way: Way, logprobs: bool) -> set[Extra]:
        """Return what a call may be given beside its messages, as far as it is known."""
        known, extras = self.knowledge, set[Extra](("limit",))
        # Of a tool's arguments no endpoint says how sure it is.
        if logprobs and way != "tool" and self._gives_logprobs and not known.thinks:
            extras.add("logprobs")
        return extras - known.refused

    def _limit(self, extras: set[Extra], tokens: int, sent: int) -> int | None:
        if "limit" not in extras:
            return None
        return self.most_tokens or reply_limit(
            self.llm,
            tokens,
            window_left=self.window - sent,
            thinking=self._thinks or self.knowledge.thinks,
        )

    def _count(self, completion: Completion, kind: str) -> None:
        if completion.prompt_tokens == COUNTED_BEFORE:
            return
        self.limit.usage.add(
            model=self.model,
            request=kind,
            prompt=completion.prompt_tokens,
            completion=completion.completion_tokens,
            share=self.connection.share,
        )


def names_form(error: CallError) -> bool:
    """Return whether a call was refused for the form of its reply."""
    return error.status is not None and bool(NAMES_FORM.search(str(error)))


def refused_extra(error: CallError, extras: Collection[Extra]) -> Extra:
    """Return for which of its extras a call was refused; raise the error if for none of them.

    OpenAI says 403 of some log-probabilities.
    """
    text, refused = str(error), error.status in REFUSED
    signs: dict[Extra, bool] = {
        "logprobs": error.status is not None and "logprobs" in text,
        "limit": refused and bool(NAMES_LIMIT.search(text)),
    }
    for extra, sign in signs.items():
        if sign and extra in extras:
            logger.info("calls are sent without %s (%s)", extra, error)
            return extra
    raise error


async def complete(
    transport: Transport,
    messages: Sequence[ChatMessage],
    prompt: Prompt[Any, Any],
    way: Way,
    limit: int | None = None,
    seed: int | None = None,
    logprobs: bool = False,
) -> Completion:
    """Call a model once.

    Args:
        transport: Gives out the model.
        messages: What it is sent.
        prompt: Whose form the reply is to have.
        way: How it is held to that form.
        limit: Most tokens of the reply.
        seed: Of an independent reply; `None` for the model's own settings.
        logprobs: Ask for the log-probabilities of the tokens.

    Raises:
        CallError: It could not be reached, or would not take the call; keys are not shown.
        ReplyError: It refused, or did not use the tool.
    """
    try:
        llm, options = parameters_of(
            transport.called, limit=limit, seed=seed, temperature=VOTE_TEMPERATURE
        )
        if logprobs:
            options |= {"logprobs": True, "top_logprobs": ALTERNATIVES}
        post = None if way == "tool" else transport.post
        if post is None:
            return completion_of(await _response(llm, messages, prompt, way, options))
        form = {} if way == "text" else {"response_format": _form(way, prompt)}
        return await post.chat(messages, **form, **options)
    except Exception as error:  # noqa: BLE001 - every provider has errors of its own
        key = api_key_of(transport.llm)
        ours = error if isinstance(error, OracleError) else error.__cause__
        if isinstance(ours, OracleError):  # our transports raise below the provider's client
            raise call_error(ours, key) if isinstance(ours, CallError) else ours from None
        if type(error) is RuntimeError and "MAX_TOKENS" in str(error):  # LlamaIndex's, for Gemini
            return Completion("", cut=True)
        # the provider's error may hold the key
        raise call_error(error, key) from None


async def _response(
    llm: LLM,
    messages: Sequence[ChatMessage],
    prompt: Prompt[Any, Any],
    way: Way,
    options: dict[str, Any],
) -> ChatResponse:
    if way == "tool" and isinstance(llm, FunctionCallingLLM):
        about = ToolMetadata(name=prompt.name, description="Reply", fn_schema=prompt.output)
        tool = FunctionTool(fn=json.dumps, metadata=about)  # it is never called
        return await llm.achat_with_tools(
            [tool], chat_history=list(messages), tool_required=True, **options
        )
    if way == "text":
        return await llm.achat(messages, **options)
    if is_ollama(llm):
        form = prompt.schema_of_output if way == "schema" else "json"
        return await llm.achat(messages, format=form, **options)
    return await llm.achat(messages, response_format=_form(way, prompt), **options)


def _form(way: Way, prompt: Prompt[Any, Any]) -> dict[str, Any]:
    """Return the form of a reply as OpenAI's protocol has it."""
    if way == "json":
        return {"type": "json_object"}
    if way == "object":
        return {"type": "json_object", "schema": prompt.schema_of_output}
    schema = {"name": prompt.name, "schema": prompt.schema_of_output, "strict": True}
    return {"type": "json_schema", "json_schema": schema}
