"""One model at one endpoint, called within limits: in the way it takes, with room for the reply."""

import logging
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from llama_index.core.base.llms.types import ChatMessage
from llama_index.core.llms import LLM

from llamaindex_rag_eval.errors import CallError
from llamaindex_rag_eval.models.batch import BatchFolder
from llamaindex_rag_eval.models.completion import Way, complete
from llamaindex_rag_eval.models.endpoint import (
    PROBE,
    PROBE_MESSAGES,
    PROBE_TOKENS,
    Endpoint,
    refuses_form,
    refuses_limit,
    refuses_logprobs,
)
from llamaindex_rag_eval.models.limit import Limit
from llamaindex_rag_eval.models.logprobs import ALTERNATIVES
from llamaindex_rag_eval.models.parameters import gives_logprobs, parameters_of, reply_limit
from llamaindex_rag_eval.models.prompt import Prompt
from llamaindex_rag_eval.models.response import Completion
from llamaindex_rag_eval.models.transport import Transport
from llamaindex_rag_eval.models.usage import BATCH_SHARE

logger = logging.getLogger(__name__)

BYTES_A_TOKEN = 3
"""Bytes of UTF-8, a cautious estimate: English has four and more, Chinese and Japanese three."""

VOTE_TEMPERATURE = 0.7
"""Temperature of independent votes: at 0 all of them would be the same."""


class Caller:
    """Call a model.

    Args:
        llm: The model.
        limit: Concurrency, rates, retries and budget; it counts what is spent.
        way: How the model is held to the form of a reply; `None` to find out the strictest.
        most_tokens: Of every reply; `None` for what is asked each time.
        batch: A folder of batch files that answers in place of the network.
    """

    def __init__(
        self,
        llm: LLM,
        limit: Limit,
        *,
        way: Way | None = None,
        most_tokens: int | None = None,
        batch: BatchFolder | None = None,
    ) -> None:
        self.llm = llm
        self.limit = limit
        self.endpoint = Endpoint(llm, way)
        self.most_tokens = most_tokens
        self.batch = batch
        self.model = str(llm.metadata.model_name)
        self.window = llm.metadata.context_window
        self._transport = Transport(llm, limit.pause, batch=batch)

    async def way(self) -> Way:
        """Return the way to ask in, found out with the first call; in batch files, untried."""
        if self.batch is not None:
            return self.endpoint.way
        return await self.endpoint.find(self._probe)

    async def _probe(self, way: Way) -> Completion:
        return await self.call(PROBE_MESSAGES, PROBE, way, kind="Probe", tokens=PROBE_TOKENS)

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
        bounds: Mapping[str, Mapping[str, Any]] | None = None,
    ) -> Completion:
        """Make one call.

        Refused bounds of the reply are left off, and so are a refused limit and refused
        log-probabilities. A reply that was cut off in its thoughts tells that this model needs room
        for them; where that is new, it is called again.

        Args:
            messages: What the model is sent.
            prompt: Whose form the reply is to have.
            way: How it is held to that form.
            kind: What is asked, for the account.
            tokens: That suffice for the reply.
            seed: Of an independent reply; `None` for the model's own settings.
            logprobs: Ask for the log-probabilities of its tokens, where the model may give them.
            bounds: Narrow the schema of the reply, where the endpoint samples by it.

        Raises:
            CallError: The model could not be reached, or would not take the call.
            BudgetError: The budget is spent.
        """
        ask = partial(
            self._call, messages, way=way, kind=kind, tokens=tokens, seed=seed, logprobs=logprobs
        )
        if not bounds or self.batch is not None or not self.endpoint.takes_bounds(way):
            return await ask(prompt)
        try:
            return await ask(prompt.bounded(bounds))
        except CallError as error:
            if not refuses_form(error):
                raise
        completion = await ask(prompt)
        self.endpoint.found.takes_bounds = False  # it takes the form, and so refused the bounds
        return completion

    async def _call(
        self,
        messages: Sequence[ChatMessage],
        prompt: Prompt[Any, Any],
        *,
        way: Way,
        kind: str,
        tokens: int,
        seed: int | None,
        logprobs: bool,
    ) -> Completion:
        found, sent = self.endpoint.found, tokens_in(messages)
        limit = self._limit(sent, tokens) if found.takes_limit else None
        thinking = found.thinks
        once = partial(
            self._once, messages, prompt, way, kind, sent=sent, seed=seed, logprobs=logprobs
        )
        try:
            completion = await once(limit)
        except CallError as error:
            if limit is None or not refuses_limit(error):
                raise
            found.takes_limit = found.takes_limit and prompt is not PROBE
            completion = await once(None)
        if completion.thought and not thinking and self.most_tokens is None:
            found.thinks = True
            completion = await once(self._limit(sent, tokens))
        return completion

    def _gives_logprobs(self, way: Way) -> bool:
        """Return whether the endpoint may say how sure it is: of a tool's arguments none does."""
        found = self.endpoint.found
        return (
            way != "tool" and found.gives_logprobs and not found.thinks and gives_logprobs(self.llm)
        )

    def _limit(self, sent: int, tokens: int) -> int | None:
        if self.most_tokens is not None:
            return self.most_tokens
        left = self.window - sent
        thinking = self.endpoint.found.thinks
        return reply_limit(self.llm, tokens, window_left=left, thinking=thinking)

    async def _once(
        self,
        messages: Sequence[ChatMessage],
        prompt: Prompt[Any, Any],
        way: Way,
        kind: str,
        limit: int | None,
        *,
        sent: int,
        seed: int | None,
        logprobs: bool,
    ) -> Completion:
        weighed = logprobs and self._gives_logprobs(way)
        extra = {"logprobs": True, "top_logprobs": ALTERNATIVES} if weighed else {}

        async def once() -> Completion:
            llm, options = parameters_of(
                self._transport.called, limit=limit, seed=seed, temperature=VOTE_TEMPERATURE
            )
            return await complete(llm, messages, prompt, way, **options, **extra)

        try:
            completion = await self.limit.call(
                once,
                model=self.model,
                tokens=sent,
                kind=kind if self.batch is None else "",
            )
        except CallError as error:
            if not weighed or not refuses_logprobs(error):
                raise
            completion = await self._once(
                messages, prompt, way, kind, limit, sent=sent, seed=seed, logprobs=False
            )
            self.endpoint.found.gives_logprobs = False  # without them it was taken
            logger.info("%s gives no log-probabilities (%s)", self.model, error)
            return completion
        self.limit.usage.add(
            model=self.model,
            request=kind,
            prompt=completion.prompt_tokens,
            completion=completion.completion_tokens,
            share=1.0 if self.batch is None else BATCH_SHARE,
        )
        return completion


def tokens_in(messages: Sequence[ChatMessage]) -> int:
    """Return a cautious estimate of the tokens of messages."""
    return sum(len((message.content or "").encode()) for message in messages) // BYTES_A_TOKEN
