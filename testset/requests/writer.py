"""The writer: what a generator asks a model for.

Rules answer none of these requests: without a model, `testset.rules` writes.
"""

from llamaindex_rag_eval.models.instrument import span
from llamaindex_rag_eval.models.request import Oracle, ReplyT, Request, check_reply
from testset.requests.drafts import DraftsOf


class Writer:
    """Ask an oracle to write questions and to verify them. Holds no state; safe to share.

    Args:
        oracle: Who answers.
    """

    def __init__(self, oracle: Oracle) -> None:
        self.oracle = oracle

    def __repr__(self) -> str:
        return f"Writer({self.oracle!r})"

    @property
    def writes(self) -> bool:
        """Whether the oracle can write at all; rules cannot."""
        return self.oracle.answers(DraftsOf)

    async def ask(self, request: Request[ReplyT]) -> ReplyT:
        """Ask the oracle and hold its reply to the request's contract."""
        with span("writing", request=type(request).__name__):
            reply = await self.oracle.ask(request)
        return check_reply(request, reply)
