"""The journaled oracle: a reply is on disk before anyone sees it.

Whatever a run decides follows from replies, so a run that was killed decides the same again, and
asks only what no reply was kept for.
"""

from llamaindex_rag_eval.errors import ReplyError
from llamaindex_rag_eval.models.cached import CachedOracle
from llamaindex_rag_eval.models.request import Oracle, ReplyT, Request, checked
from llamaindex_rag_eval.models.store import reply_key
from testset.generation.checkpoint import Journal
from testset.generation.usage import Meter

__all__ = ["JournaledOracle"]


class JournaledOracle:
    """Answer from the journal where it can; ask `inner` and keep the reply where it cannot.

    Args:
        inner: Who answers. A cache is put before it if it has none, so that what is asked twice
            at a time is asked once.
        journal: Open, and of this run.
        meter: What the run has spent; kept with every reply, so that a kill does not lose it.
    """

    def __init__(self, inner: Oracle, journal: Journal, meter: Meter) -> None:
        self.inner = inner if isinstance(inner, CachedOracle) else CachedOracle(inner)
        self.journal = journal
        self.meter = meter

    def __repr__(self) -> str:
        return f"JournaledOracle({self.inner!r})"

    def fingerprint(self, request: type[Request[ReplyT]]) -> str:
        """Return the fingerprint of `inner`: a journal changes no answer."""
        return self.inner.fingerprint(request)

    def answers(self, request: type[Request[ReplyT]]) -> bool:
        """Return whether `inner` answers requests of this type."""
        return self.inner.answers(request)

    async def ask(self, request: Request[ReplyT]) -> ReplyT:
        """Return the reply kept for an equal request, or ask for it and keep it."""
        kind = type(request).__name__
        key = reply_key(self.fingerprint(type(request)), kind, request.model_dump_json())
        kept = self.journal.get(key)
        if kept is not None:
            try:
                return checked(request, request.reply.model_validate(kept["reply"]))
            except (ReplyError, ValueError):
                pass  # another version of this package kept it
        reply = await self.inner.ask(request)
        if kept is None and self.journal.get(key) is None:
            spent = self.meter.spent.model_dump()
            self.journal.put(key, {"reply": reply.model_dump(mode="json"), "spent": spent})
        return reply
