"""One model at one endpoint, called within limits: in the way it takes, with room for the reply."""

import logging
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from llama_index.core.base.llms.types import ChatMessage
from llama_index.core.llms import LLM

from llamaindex_rag_eval.errors import CallError
from llamaindex_rag_eval.models.completion import Way, complete
from llamaindex_rag_eval.models.endpoint import (
    PROBE,
    PROBE_MESSAGES,
    PROBE_TOKENS,
    Endpoint,
    Extra,
    refused_extra,
)
from llamaindex_rag_eval.models.limit import Limit
from llamaindex_rag_eval.models.parameters import gives_logprobs, reply_limit, thinks
from llamaindex_rag_eval.models.prompt import Prompt
from llamaindex_rag_eval.models.response import Completion, repeats_itself
from llamaindex_rag_eval.models.transport import Connect, Transport

logger = logging.getLogger(__name__)

BYTES_A_TOKEN = 3
"""Bytes of UTF-8, a cautious estimate: English has four and more, Chinese and Japanese three."""

LARGER = 4
"""Times the usual room for a reply that was cut off and cannot be divided."""

Bounds = Mapping[str, Mapping[str, Any]]


class Caller:
    """Call a model.

    Args:
        llm: The model.
        limit: Concurrency, rates, retries and budget; it counts what is spent.
        way: How the model is held to the form of a reply; `None` to find out the strictest.
        most_tokens: Of every reply; `None` for what is asked each time.
        connect: Makes the connection to the model.
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
        self.llm = llm
        self.limit = limit
        self.most_tokens = most_tokens
        self.connection = connect(llm, limit.pause)
        self.endpoint = Endpoint(llm, way, probed=self.connection.at_once)
        self.model = str(llm.metadata.model_name)
        self.window = llm.metadata.context_window
        self._gives_logprobs, self._thinks = gives_logprobs(llm), thinks(llm)

    async def way(self) -> Way:
        """Return the way to ask in, found out with the first call."""
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
        bounds: Bounds | None = None,
        divisible: Callable[[], bool] = lambda: True,
    ) -> Completion:
        """Call the model; what it refuses is left off, what it has no room for gets more.

        What was refused is known for the next calls once the model has answered without it. A reply
        that was cut off in its thoughts tells that this model needs room for them; one that is cut
        off and cannot be divided gets more room, once.

        Args:
            messages: What the model is sent.
            prompt: Whose form the reply is to have.
            way: How it is held to that form.
            kind: What is asked, for the account.
            tokens: That suffice for the reply.
            seed: Of an independent reply; `None` for the model's own settings.
            logprobs: Ask for the log-probabilities of its tokens, where the model may give them.
            bounds: Narrow the schema of the reply, where the endpoint samples by it.
            divisible: Whether a reply that is cut off can be asked for in parts.

        Raises:
            CallError: The model could not be reached, or would not take the call.
            BudgetError: The budget is spent.
        """
        known, room = self.endpoint.knowledge, tokens
        sent = sum(len((m.content or "").encode()) for m in messages) // BYTES_A_TOKEN
        wanted, refused = self._extras(way, logprobs, bounds), set[Extra]()
        alike = kind if self.connection.at_once else ""
        while True:
            thinking, extras = known.thinks, wanted - refused
            form = prompt.bounded(bounds) if bounds and "bounds" in extras else prompt
            options = self._options(extras, room, sent, seed)
            work = partial(complete, self.connection, messages, form, way, **options)
            try:
                completion = await self.limit.call(work, model=self.model, tokens=sent, kind=alike)
            except CallError as error:
                refused.add(self._refused_extra(error, extras))
                continue
            self._count(completion, kind)
            # A limit may be too high for this prompt alone; that the probe's is refused, tells.
            known.refused |= refused if prompt is PROBE else refused - {"limit"}
            loops = completion.cut and repeats_itself(completion.text)
            if completion.thought and not thinking and self.most_tokens is None:
                known.thinks = True
            elif not completion.cut or room != tokens or loops or divisible():
                return completion
            else:
                room = LARGER * tokens

    def _refused_extra(self, error: CallError, extras: set[Extra]) -> Extra:
        """Return for which of its extras a call was refused; raise the error if for none."""
        refused = refused_extra(error, extras)
        if refused is None:
            raise error
        logger.info("%s takes no %s (%s)", self.model, refused, error)
        return refused

    def _extras(self, way: Way, logprobs: bool, bounds: Bounds | None) -> set[Extra]:
        """Return what a call may be given beside its messages, as far as it is known."""
        known, extras = self.endpoint.knowledge, set[Extra](("limit",))
        # Of a tool's arguments no endpoint says how sure it is.
        if logprobs and way != "tool" and self._gives_logprobs and not known.thinks:
            extras.add("logprobs")
        # Not at OpenAI, which is slow with each new schema.
        if bounds and self.endpoint.own_schemas and way in ("schema", "object"):
            extras.add("bounds")
        return extras - known.refused

    def _options(
        self, extras: set[Extra], tokens: int, sent: int, seed: int | None
    ) -> dict[str, Any]:
        """Return the limit, the seed and whether log-probabilities are wanted, for `complete`."""
        limit = None
        if "limit" in extras:
            left, thinking = self.window - sent, self._thinks or self.endpoint.knowledge.thinks
            limit = self.most_tokens or reply_limit(
                self.llm, tokens, window_left=left, thinking=thinking
            )
        return {"limit": limit, "seed": seed, "logprobs": "logprobs" in extras}

    def _count(self, completion: Completion, kind: str) -> None:
        self.limit.usage.add(
            model=self.model,
            request=kind,
            prompt=completion.prompt_tokens,
            completion=completion.completion_tokens,
            share=self.connection.share,
        )
