"""The dry run: what a run would ask a model, counted without asking it.

Metrics run as they would, on answers by rule (or stand-ins where rules cannot answer), and every
request is counted as the call it would be: the tokens of its prompt, and a reply of the usual
length. A reply that the cache holds already is given, and costs nothing, as in the run. A request
without an answer by rule or stand-in is counted, and fails: what its metric asks after it is not
known.
"""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import KW_ONLY, dataclass

import numpy as np
from llama_index.core.base.embeddings.base import BaseEmbedding
from numpy.typing import NDArray

from llamaindex_rag_eval.errors import NeedsModelError
from llamaindex_rag_eval.models.cached import CachedOracle, readable
from llamaindex_rag_eval.models.embedded import EmbeddedOracle
from llamaindex_rag_eval.models.embedder import REQUEST, is_local
from llamaindex_rag_eval.models.endpoint import SHOWS_SCHEMA
from llamaindex_rag_eval.models.llm import LLMOracle
from llamaindex_rag_eval.models.prompt import as_json
from llamaindex_rag_eval.models.request import Oracle, ReplyT, Request, oracles_of
from llamaindex_rag_eval.models.store import ReplyStore, reply_key
from llamaindex_rag_eval.models.usage import Usage, tokens_of
from llamaindex_rag_eval.models.voting import VotingOracle

REASON_TOKENS = 15
"""Tokens of the reason that a model writes for a verdict; rules write none."""


@dataclass(eq=False)
class DryRunOracle:
    """Answer by rule, and count what the model would cost.

    Args:
        oracle: The oracle that would be asked.
        usage: Takes the counts.
        store: Holds the replies that need not be asked for.
        votes: How often each request would be asked.
    """

    oracle: Oracle
    usage: Usage
    _: KW_ONLY
    store: ReplyStore | None = None
    votes: int = 1

    def fingerprint(self, request: type[Request[ReplyT]]) -> str:
        """Return a fingerprint that no real reply has."""
        return f"rehearsal/{self.oracle.fingerprint(request)}"

    def answers(self, request: type[Request[ReplyT]]) -> bool:
        """Return whether the real oracle answers requests of this type."""
        return self.oracle.answers(request)

    async def ask(self, request: Request[ReplyT]) -> ReplyT:
        """Return what is kept, an answer by rule, or a stand-in.

        Raises:
            NeedsModelError: There is none of these.
        """
        oracle, kept = self.oracle, await self._kept(request)
        if kept is not None:
            return kept
        asks = not isinstance(oracle, LLMOracle) or oracle.prompt_of(type(request)) is not None
        if asks and not isinstance(oracle, EmbeddedOracle):
            reply = _rehearsed(request)
            self._count(request, reply)
            if reply is None:
                raise NeedsModelError(f"only a model answers {type(request).__name__!r}")
            return reply
        if request.to_embed:
            return request.from_vectors(self._embed(request.to_embed))
        return request.by_rule(self._embed if isinstance(oracle, EmbeddedOracle) else None)

    def _embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Count what a remote model would embed, at one call a request; return equal vectors."""
        model: BaseEmbedding | None = getattr(self.oracle, "embed_model", None)
        if model is not None and texts and not is_local(type(model)):
            tokens = sum(map(tokens_of, dict.fromkeys(texts)))
            self.usage.add(model=model.model_name, request=REQUEST, prompt=tokens, completion=0)
        return np.ones((len(texts), 1), dtype=np.float32)

    async def _kept(self, request: Request[ReplyT]) -> ReplyT | None:
        if self.store is None:
            return None
        kind = type(request).__name__
        fingerprint = self.oracle.fingerprint(type(request))
        key = reply_key(fingerprint, kind, request.model_dump_json())
        kept = await asyncio.to_thread(self.store.get, key)
        return None if kept is None else readable(request, kept)

    def _count(self, request: Request[ReplyT], reply: ReplyT | None) -> None:
        """Count the calls of a request; of an oracle that is not ours, one without tokens."""
        oracle, kind = self.oracle, type(request)
        prompt = oracle.prompt_of(kind) if isinstance(oracle, LLMOracle) else None
        if prompt is None or not isinstance(oracle, LLMOracle):
            for _ in range(self.votes):
                name = type(oracle).__name__
                self.usage.add(model=name, request=kind.__name__, prompt=0, completion=0)
            return
        parts = oracle.parts(request, prompt) or (request,)
        conversations = [oracle.messages(part, prompt) for part in parts]
        schema = "" if oracle.way in SHOWS_SCHEMA else as_json(prompt.schema_of_output)
        written = "" if reply is None else reply.model_dump_json()
        verdicts = max(1, written.count('"reason"'), written.count('"verdict"'))
        completion = tokens_of(written) + REASON_TOKENS * verdicts
        for system, user in conversations * self.votes:
            self.usage.add(
                model=oracle.model,
                request=kind.__name__,
                prompt=tokens_of(f"{system.content}{schema}") + tokens_of(str(user.content)),
                completion=completion // len(parts),
            )


def _rehearsed(request: Request[ReplyT]) -> ReplyT | None:
    """Return an answer by rule or a stand-in; `None` without either."""
    try:
        return request.by_rule() if type(request).ruled else request.stand_in()
    except (NeedsModelError, NotImplementedError):
        return None


def dry_run_of(oracle: Oracle, usage: Usage, *, store: ReplyStore | None = None) -> Oracle:
    """Return an oracle for a dry run of this one: wrapped in the same way, but asking no model."""
    if isinstance(oracle, CachedOracle):
        return CachedOracle(dry_run_of(oracle.inner, usage, store=oracle.store or store))
    if isinstance(oracle, VotingOracle):
        innermost = oracles_of(oracle)[-1]
        if isinstance(innermost, LLMOracle):
            return DryRunOracle(innermost, usage, votes=oracle.votes)
    if isinstance(oracle, EmbeddedOracle) and not oracle.embed_model:
        return oracle
    inner = getattr(oracle, "inner", None)
    if inner is None:
        return DryRunOracle(oracle, usage, store=store)
    rehearsed = dry_run_of(inner, usage, store=store)
    # One that answers some requests itself leaves the others to the one behind it.
    rehearsal: Callable[[Oracle], Oracle] | None = getattr(oracle, "rehearsal", None)
    return rehearsed if rehearsal is None else rehearsal(rehearsed)
