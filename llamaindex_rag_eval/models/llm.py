"""The LLM oracle: any LlamaIndex LLM answers typed requests, each by its own prompt."""

import copy
import hashlib
import json
from collections.abc import Mapping
from typing import Any

from llama_index.core.base.embeddings.base import BaseEmbedding
from llama_index.core.base.llms.types import ChatMessage, ImageBlock, MessageRole
from llama_index.core.llms import LLM
from pydantic import ValidationError

from llamaindex_rag_eval.data.keys import without_keys
from llamaindex_rag_eval.data.sample import Image
from llamaindex_rag_eval.errors import CallError, ReplyError
from llamaindex_rag_eval.models.ask_ahead import gather_all
from llamaindex_rag_eval.models.echo import objection_to
from llamaindex_rag_eval.models.embedded import EmbeddedOracle
from llamaindex_rag_eval.models.endpoint import AUTO, BYTES_A_TOKEN, SHOWS_SCHEMA, Endpoint
from llamaindex_rag_eval.models.failures import api_key_of
from llamaindex_rag_eval.models.limit import Limit
from llamaindex_rag_eval.models.parameters import Way
from llamaindex_rag_eval.models.prompt import Prompt, as_json
from llamaindex_rag_eval.models.request import ReplyT, Request, check_reply, input_of
from llamaindex_rag_eval.models.response import Completion
from llamaindex_rag_eval.models.transport import Connect, Transport
from llamaindex_rag_eval.models.usage import Usage

SHARE_FOR_INPUT = 0.75
"""Share of the context window that the input may fill; the rest is for the reply."""

ATTEMPTS = 3
"""The question, its correction, and the question again with another seed."""

LAST_SEED = 1_000_003
"""Seed of the last attempt: no number of a vote."""

CUT_OFF = "the reply was cut off at its limit; unless it repeats itself, raise `reply_limit`"

SAMPLING = (
    "model",
    "temperature",
    "top_p",
    "max_tokens",
    "seed",
    "reasoning_effort",
    "additional_kwargs",
)
"""Parameters of an LLM that change what it answers."""


class LLMOracle:
    """Answer by asking a model.

    If a reply breaks its contract (not JSON, a verdict too few, a source that does not exist), the
    model is asked for a correction and told what was wrong; if that breaks it too, the request is
    sent once more as at first; then it is an error that keeps the raw text. A reply that was cut
    off is asked in parts.

    Args:
        llm: Any LlamaIndex LLM. An OpenAI one is called over aiohttp, on a copy.
        embed_model: For similarities; without one, words and n-grams are compared instead.
        limit: Concurrency, rates, retries and budget; share it with whoever calls the same
            endpoint.
        prompts: Request type -> the prompt to ask it by, in place of the shipped one.
        way: How the model is held to the form of a reply; by default the strictest way it has,
            which is found out at the first call where the class of `llm` does not tell it.
        reply_limit: Most tokens of every reply; by default what is asked each time, generously.
        logprobs: Ask for log-probabilities with verdicts on claims, where the API has them: each
            verdict then carries a probability. They cost no tokens, but make these replies some 80
            times as long to transfer, and take some 20 ms of CPU each. A server that refuses them
            is asked without.
        claims_at_once: Most claims of one call.
        vote: Which of several independent votes this oracle gives; 0 for the only one.
        remote_images: Let the provider fetch images by URL.
        connect: Makes the connection to the LLM; by default over the network.
    """

    def __init__(
        self,
        llm: LLM,
        embed_model: BaseEmbedding | None = None,
        *,
        limit: Limit | None = None,
        prompts: Mapping[type[Request[Any]], Prompt[Any, Any]] | None = None,
        way: Way | None = None,
        reply_limit: int | None = None,
        logprobs: bool = True,
        claims_at_once: int = 12,
        vote: int = 0,
        remote_images: bool = False,
        connect: Connect = Transport,
    ) -> None:
        self.llm = llm
        self.embed_model = embed_model
        self.limit = limit or Limit()
        self.prompts = dict(prompts or {})
        self.logprobs = logprobs
        self.claims_at_once = claims_at_once
        self.vote = vote
        self.remote_images = remote_images
        self._endpoint = Endpoint(
            llm, self.limit, way=way, most_tokens=reply_limit, connect=connect
        )
        self._rules = EmbeddedOracle(embed_model, limit=self.limit)
        self._fingerprints: dict[type[Request[Any]], str] = {}

    def __repr__(self) -> str:
        return f"LLMOracle({self.model!r})"

    @property
    def model(self) -> str:
        """The name of the model."""
        return str(self.llm.metadata.model_name)

    @property
    def usage(self) -> Usage:
        """The calls, tokens and money spent through `limit` so far."""
        return self.limit.usage

    @property
    def connection(self) -> Transport:
        """The connection to the LLM."""
        return self._endpoint.connection

    @property
    def way(self) -> Way:
        """How the model is held to the form of a reply, as far as it is known."""
        return self._endpoint.way

    def voter(self, vote: int) -> "LLMOracle":
        """Return an oracle that gives another, independent vote, cached apart."""
        return self.changed(vote=vote)

    def changed(
        self,
        *,
        vote: int | None = None,
        prompts: Mapping[type[Request[Any]], Prompt[Any, Any]] | None = None,
    ) -> "LLMOracle":
        """Return this oracle for another vote, or with other prompts."""
        made = copy.copy(self)
        made.vote = self.vote if vote is None else vote
        made.prompts = {**self.prompts, **(prompts or {})}
        made._fingerprints = {}
        return made

    def prompt_of(self, request: type[Request[ReplyT]]) -> Prompt[Any, Any] | None:
        """Return the prompt by which requests of this type are asked, if models are."""
        return self.prompts.get(request, request.prompt)

    def answers(self, request: type[Request[ReplyT]]) -> bool:
        """Return whether there is a prompt, or a rule where similarities are asked."""
        return self.prompt_of(request) is not None or request.ruled

    def fingerprint(self, request: type[Request[ReplyT]]) -> str:
        """Return the model's name and parameters, and the fingerprint of the prompt."""
        if request not in self._fingerprints:
            self._fingerprints[request] = self._fingerprint(request)
        return self._fingerprints[request]

    def _fingerprint(self, request: type[Request[ReplyT]]) -> str:
        prompt = self.prompt_of(request)
        if prompt is None:
            return self._rules.fingerprint(request)
        parameters = self.llm.model_dump(mode="json", include=set(SAMPLING))
        settings = {
            **parameters,
            "way": self._endpoint.known or AUTO,
            "claims_at_once": self.claims_at_once,
            "isolated": False,  # in the keys of replies that are kept
            "vote": self.vote,
        }
        if request.weighs and not self.logprobs:  # replies kept before they were asked for stay
            settings["logprobs"] = False
        digest = hashlib.sha256(json.dumps(settings, sort_keys=True).encode()).hexdigest()[:12]
        return f"llm/{self.model}/{digest}/{prompt.name}:{prompt.fingerprint}"

    async def ask(self, request: Request[ReplyT]) -> ReplyT:
        """Answer one request.

        Raises:
            ReplyError: The model's reply breaks the contract every time; `raw` is its text.
            CallError: The model could not be reached.
            BudgetError: The budget is spent.
        """
        prompt = self.prompt_of(type(request))
        if prompt is None:
            return await self._rules.ask(request)
        parts = self.parts(request, prompt)
        if parts:
            replies = await gather_all(*map(self.ask, parts))
            return check_reply(request, request.join(parts, replies))
        return await self._by_prompt(request, prompt)

    def parts(
        self, request: Request[ReplyT], prompt: Prompt[Any, Any]
    ) -> tuple[Request[ReplyT], ...]:
        """Return the requests that are asked in place of this one; none if it is asked as it is.

        Raises:
            ReplyError: It is longer than the window, and cannot be divided.
        """
        parts = request.groups(self.claims_at_once)
        size = len(prompt.system.encode()) + len(prompt.message(input_of(request)).encode())
        if not parts and size / BYTES_A_TOKEN > self._endpoint.window * SHARE_FOR_INPUT:
            parts = request.halves()
            if not parts:
                raise ReplyError(
                    f"{type(request).__name__!r} is longer than the window of {self.model!r} "
                    f"({self._endpoint.window} tokens) and cannot be divided"
                )
        return parts

    async def _by_prompt(
        self, request: Request[ReplyT], prompt: Prompt[Any, Any], attempts: int = ATTEMPTS
    ) -> ReplyT:
        """Ask; if the reply is invalid, ask for a correction; if that is too, ask as at first.

        An endpoint that refuses the form is asked in the next way. The last attempt is drawn with
        another seed: at temperature 0 the model would say the same.
        """
        way = self._endpoint.way
        vote = self.vote or int(getattr(request, "vote", 0))
        messages = conversation = self.messages(request, prompt, way)
        for left in range(attempts, 0, -1):
            try:
                completion = await self._endpoint.call(
                    conversation,
                    prompt,
                    way,
                    kind=type(request).__name__,
                    tokens=request.reply_tokens,
                    seed=vote or (LAST_SEED if left == 1 else None),
                    logprobs=self.logprobs and request.weighs,
                )
            except CallError as error:
                if not self._endpoint.leaves(way, error):
                    raise
                return await self._by_prompt(request, prompt, attempts)
            if completion.cut:
                return await self._by_shorter(request, prompt, completion, left)
            self._endpoint.see(way, completion)
            try:
                output = read_reply(request, prompt, completion)
                return check_reply(request, request.from_prompt(output))
            except (ValueError, ReplyError) as invalid:
                wrong = ReplyError(_brief(invalid), raw=self._raw(completion.text))
            if left == 1:
                raise wrong
            corrected = _again(completion.text, wrong) if left == ATTEMPTS else ()
            conversation = [*messages, *corrected]
        raise AssertionError("the last attempt returns or raises")

    async def _by_shorter(
        self,
        request: Request[ReplyT],
        prompt: Prompt[Any, Any],
        completion: Completion,
        left: int,
    ) -> ReplyT:
        """Ask in parts, in place of a reply that was cut off; what has none, with another seed."""
        parts = request.shorter()
        if parts:
            asking = [self._by_prompt(part, prompt, left) for part in parts]
            return check_reply(request, request.join(parts, await gather_all(*asking)))
        if left > 1:
            return await self._by_prompt(request, prompt, 1)
        raise ReplyError(CUT_OFF, raw=self._raw(completion.text))

    def _raw(self, text: str) -> str:
        return without_keys(text, api_key_of(self.llm))

    def messages(
        self, request: Request[ReplyT], prompt: Prompt[Any, Any], way: Way | None = None
    ) -> list[ChatMessage]:
        """Return what the model is sent: a system message, and one of the user; see `Prompt`."""
        schema = ""
        if (way or self.way) in SHOWS_SCHEMA:
            schema = f"\n\nThe reply keeps to this JSON schema:\n{as_json(prompt.schema_of_output)}"
        given, first = input_of(request), request.contexts_first
        system, message = prompt.messages(given, contexts_first=first, schema=schema)
        user = ChatMessage(role=MessageRole.USER, content=message)
        user.blocks += [image_block(image, remote=self.remote_images) for image in request.images]
        return [ChatMessage(role=MessageRole.SYSTEM, content=system), user]


def read_reply(request: Request[Any], prompt: Prompt[Any, Any], completion: Completion) -> Any:
    """Return the output model that a text holds, if it speaks of the request and of no example.

    Raises:
        ValueError: It cannot be read in one way.
        ReplyError: It repeats an example, or cannot be meant.
    """
    output = prompt.parse(completion.text)
    if echo := prompt.echo(output, request.to_prompt):
        wrong = f"{echo!r} repeats an example of the instructions; expected a reply on the user's "
        raise ReplyError(wrong + "first message, in its own words")
    if wrong := objection_to(output, request.to_prompt(), prompt.instruction):
        raise ReplyError(wrong)
    return request.weighed(output, completion)


def image_block(image: Image, *, remote: bool = False) -> ImageBlock:
    """Return an image as a model is sent it.

    Raises:
        CallError: The image is a path only, or a URL and `remote` is off.
    """
    if image.data:
        return ImageBlock(image=image.data.encode(), image_mimetype=image.mimetype)
    if not image.url:
        raise CallError(
            f"image {image.path!r} is not read: expected its data, or the folder that holds it, as "
            "--images DIR or `images=` of `evaluate`"
        )
    if not (remote and image.url.startswith(("https://", "http://"))):
        raise CallError(
            f"image {image.url!r} would have to be fetched; allow it with `remote_images=True`, "
            "for addresses of http and https"
        )
    return ImageBlock(url=image.url, image_mimetype=image.mimetype)


def _brief(error: Exception) -> str:
    """Return what is wrong, in one line that a model can act on."""
    if isinstance(error, ValidationError):
        wrong = (f"{'.'.join(map(str, e['loc']))}: {e['msg']}" for e in error.errors()[:5])
        return "; ".join(wrong)
    return str(error)


def _again(text: str, error: ReplyError) -> tuple[ChatMessage, ChatMessage]:
    """Return the messages that ask for a correction: the reply, and what is wrong with it."""
    wrong = f"That reply cannot be used: {error}. Reply again with the whole corrected JSON object."
    return (
        ChatMessage(role=MessageRole.ASSISTANT, content=text),
        ChatMessage(role=MessageRole.USER, content=wrong),
    )
