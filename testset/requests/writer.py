"""The writer: what a generator asks a model for, one method a request.

Rules answer none of these requests: without a model, `testset.rules` writes.
"""

from collections.abc import Sequence

from llamaindex_rag_eval.models.instrument import span
from llamaindex_rag_eval.models.request import Oracle, ReplyT, Request, check_reply
from testset.requests.closed_book import Answered, ClosedBookOf
from testset.requests.examine import ExamineOf, Opinion
from testset.requests.proposals import ProposalsOf
from testset.requests.question import Turn


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
        return self.oracle.answers(ProposalsOf)

    async def ask(self, request: Request[ReplyT]) -> ReplyT:
        """Ask the oracle and hold its reply to the request's contract."""
        with span("writing", request=type(request).__name__):
            reply = await self.oracle.ask(request)
        return check_reply(request, reply)

    async def closed_book(
        self, question: str, *, vote: int = 0, history: Sequence[Turn] = ()
    ) -> Answered:
        """Return the answer that the model gives without documents; each `vote` is independent."""
        return await self.ask(ClosedBookOf(question=question, history=tuple(history), vote=vote))

    async def examine(self, request: ExamineOf) -> Opinion:
        """Return what a second examiner thinks of an item."""
        return await self.ask(request)
