"""The limited oracle: the same answer, within a budget, a rate, and what the endpoint bears."""

from llamaindex_rag_eval.models.limit import Limit
from llamaindex_rag_eval.models.request import Oracle, ReplyT, Request

__all__ = ["LimitedOracle"]


class LimitedOracle:
    """Put limits around any oracle; `LLMOracle` has them built in, as `limit=…`.

    Args:
        inner: Who answers.
        limit: Concurrency, rates, retries and budget; every request counts as one call.
    """

    def __init__(self, inner: Oracle, limit: Limit) -> None:
        self.inner = inner
        self.limit = limit

    def __repr__(self) -> str:
        return f"LimitedOracle({self.inner!r})"

    def fingerprint(self, request: type[Request[ReplyT]]) -> str:
        """Return the fingerprint of `inner`: a limit changes no answer."""
        return self.inner.fingerprint(request)

    def answers(self, request: type[Request[ReplyT]]) -> bool:
        """Return whether `inner` answers requests of this type."""
        return self.inner.answers(request)

    async def ask(self, request: Request[ReplyT]) -> ReplyT:
        """Ask `inner` within the limits."""
        kind = type(request).__name__
        reply = await self.limit.call(lambda: self.inner.ask(request))
        self.limit.usage.add(model="", request=kind, prompt=0, completion=0)
        return reply
