"""The LLM oracle: any LlamaIndex LLM answers typed requests, each by its own prompt."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from llama_index.core.base.embeddings.base import BaseEmbedding
from llama_index.core.base.llms.types import ChatMessage, MessageRole
from llama_index.core.llms import LLM
from numpy.typing import NDArray
from pydantic import ValidationError

from llamaindex_rag_eval.errors import NeedsModelError, ReplyError
from llamaindex_rag_eval.models.ask_ahead import gather_all
from llamaindex_rag_eval.models.batch import BatchFolder
from llamaindex_rag_eval.models.completion import (
    Completion,
    Way,
    api_key_of,
    complete,
    drawn_with,
    image_blocks,
    way_of,
    without_keys,
)
from llamaindex_rag_eval.models.embedded import similarity_fingerprint
from llamaindex_rag_eval.models.embedder import Embedder
from llamaindex_rag_eval.models.limit import Limit
from llamaindex_rag_eval.models.prompt import Prompt, as_input
from llamaindex_rag_eval.models.request import Reply, ReplyT, Request, check_reply
from llamaindex_rag_eval.models.transport import Transport
from llamaindex_rag_eval.models.usage import BATCH_SHARE, Usage

__all__ = ["LLMOracle"]

BYTES_A_TOKEN = 3
"""Bytes of UTF-8, a cautious estimate: English has four and more, Chinese and Japanese three."""

SHARE_FOR_INPUT = 0.75
"""Share of the context window that the input may fill; the rest is for the reply."""

VOTE_TEMPERATURE = 0.7
"""Temperature of independent votes: at 0 all of them would be the same."""

LAST_SEED = 1_000_003
"""Seed of the last attempt: no number of a vote."""

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
    sent once more as at first; then it is an error that keeps the raw text.

    Args:
        llm: Any LlamaIndex LLM. An OpenAI one is called over aiohttp, on a copy.
        embed_model: For similarities; without one, words and n-grams are compared instead.
        limit: Concurrency, rates, retries and budget; share it with whoever calls the same
            endpoint.
        prompts: Request type -> the prompt to ask it by, in place of the shipped one.
        way: How the model is held to the form of a reply; by default the strictest way it has.
        isolated: Judge contexts one at a time.
        vote: Which of several independent votes this oracle gives; 0 for the only one.
        remote_images: Let the provider fetch images by URL.
        batch: A folder of batch files that answers in place of the network; what it holds no reply
            to yet raises `PendingError`.
    """

    def __init__(
        self,
        llm: LLM,
        embed_model: BaseEmbedding | None = None,
        *,
        limit: Limit | None = None,
        prompts: Mapping[type[Request[Any]], Prompt[Any, Any]] | None = None,
        way: Way | None = None,
        isolated: bool = False,
        vote: int = 0,
        remote_images: bool = False,
        batch: BatchFolder | None = None,
    ) -> None:
        self.llm = llm
        self.embed_model = embed_model
        self.limit = limit or Limit()
        self.prompts = dict(prompts or {})
        self.way = way or way_of(llm)
        self.isolated = isolated
        self.vote = vote
        self.remote_images = remote_images
        self.batch = batch
        self._transport = Transport(llm, self.limit.pause, batch=batch)
        self._embedder = None if embed_model is None else Embedder(embed_model, self.limit)
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

    def voter(self, vote: int) -> "LLMOracle":
        """Return an oracle that gives another, independent vote, cached apart."""
        return LLMOracle(
            self.llm,
            self.embed_model,
            limit=self.limit,
            prompts=self.prompts,
            way=self.way,
            isolated=self.isolated,
            vote=vote,
            remote_images=self.remote_images,
            batch=self.batch,
        )

    def prompt_of(self, request: type[Request[ReplyT]]) -> Prompt[Any, Any] | None:
        """Return the prompt by which requests of this type are asked, if models are."""
        return self.prompts.get(request, request.prompt)

    def answers(self, request: type[Request[ReplyT]]) -> bool:
        """Return whether there is a prompt, or a rule where similarities are asked."""
        return self.prompt_of(request) is not None or request.ruled

    def fingerprint(self, request: type[Request[ReplyT]]) -> str:
        """Return the model's name and parameters, and the fingerprint of the prompt."""
        known = self._fingerprints.get(request)
        if known is None:
            known = self._fingerprints[request] = self._fingerprint(request)
        return known

    def _fingerprint(self, request: type[Request[ReplyT]]) -> str:
        prompt = self.prompt_of(request)
        if prompt is None:
            return similarity_fingerprint(self.embed_model)
        parameters = self.llm.model_dump(mode="json", include=set(SAMPLING) & fields_of(self.llm))
        settings = {**parameters, "way": self.way, "isolated": self.isolated, "vote": self.vote}
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
            return await self._by_embedding(request)
        parts = request.one_by_one() if self.isolated else ()
        if not parts and self._too_long(request, prompt):
            parts = request.halves()
            if not parts:
                raise ReplyError(
                    f"{type(request).__name__!r} is longer than the window of {self.model!r} "
                    f"({self.llm.metadata.context_window} tokens) and cannot be divided"
                )
        if parts:
            replies = await gather_all(*(self.ask(part) for part in parts))
            return check_reply(request, request.join(parts, replies))
        return await self._by_prompt(request, prompt)

    async def _by_prompt(self, request: Request[ReplyT], prompt: Prompt[Any, Any]) -> ReplyT:
        """Ask; if the reply is invalid, ask for a correction; if that is too, ask as at first.

        The last attempt is drawn with another seed: at temperature 0 the model would say the same.
        """
        messages = self.messages(request, prompt)
        vote = self.vote or int(getattr(request, "vote", 0))
        asked = messages
        for last in (False, False, True):
            seed = vote or (LAST_SEED if last else 0)
            completion = await self._complete(asked, prompt, type(request).__name__, seed)
            try:
                return _reply(request, prompt, completion.text, api_key_of(self.llm))
            except ReplyError as error:
                if last:
                    raise
                correcting = asked is not messages
                asked = messages if correcting else [*messages, *_again(completion.text, error)]
        raise AssertionError("the last attempt returns or raises")

    def messages(self, request: Request[ReplyT], prompt: Prompt[Any, Any]) -> list[ChatMessage]:
        """Return what the model is sent: the static part, then the request as one JSON object."""
        system = prompt.system
        if self.way == "text":
            schema = json.dumps(prompt.schema_of_output, separators=(",", ":"))
            system = f"{system}\n\nThe reply keeps to this JSON schema:\n{schema}"
        given = as_input(request.to_prompt())
        user = ChatMessage(role=MessageRole.USER, content=given)
        if request.images:
            images = image_blocks(request.images, remote=self.remote_images)
            user = ChatMessage(role=MessageRole.USER, blocks=[*user.blocks, *images])
        return [ChatMessage(role=MessageRole.SYSTEM, content=system), user]

    async def _complete(
        self, messages: Sequence[ChatMessage], prompt: Prompt[Any, Any], kind: str, seed: int
    ) -> Completion:
        options = drawn_with(self.llm, seed, VOTE_TEMPERATURE) if seed else {}

        async def once() -> Completion:
            llm = await self._transport.here()
            return await complete(llm, messages, prompt, self.way, **options)

        tokens = sum(len((m.content or "").encode()) for m in messages) // BYTES_A_TOKEN
        completion = await self.limit.call(once, model=self.model, tokens=tokens)
        self.usage.add(
            model=self.model,
            request=kind,
            prompt=completion.prompt_tokens,
            completion=completion.completion_tokens,
            share=1.0 if self.batch is None else BATCH_SHARE,
        )
        return completion

    def _too_long(self, request: Request[ReplyT], prompt: Prompt[Any, Any]) -> bool:
        window = self.llm.metadata.context_window
        size = len(prompt.system.encode()) + len(as_input(request.to_prompt()).encode())
        return size / BYTES_A_TOKEN > window * SHARE_FOR_INPUT

    async def _by_embedding(self, request: Request[ReplyT]) -> ReplyT:
        if self._embedder is not None and request.to_embed:
            vectors: NDArray[np.float32] = await self._embedder.vectors(request.to_embed)
            return check_reply(request, request.from_vectors(vectors))
        if not request.ruled:
            raise NeedsModelError(f"{type(request).__name__!r} has no prompt")
        return check_reply(request, request.by_rule())


def fields_of(llm: LLM) -> set[str]:
    """Return the names of an LLM's parameters."""
    return set(type(llm).model_fields)


def _reply(request: Request[ReplyT], prompt: Prompt[Any, Any], text: str, key: str) -> ReplyT:
    """Return the reply that a model's text holds, checked against the request."""
    try:
        reply: Reply = request.from_prompt(prompt.parse(text))
        return check_reply(request, reply)
    except ReplyError as error:
        raise ReplyError(str(error), raw=without_keys(text, key)) from None
    except (ValidationError, ValueError) as error:
        raise ReplyError(_brief(error), raw=without_keys(text, key)) from None


def _brief(error: ValidationError | ValueError) -> str:
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
