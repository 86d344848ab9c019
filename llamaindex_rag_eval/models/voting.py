"""The voting oracle: several independent answers, their majority, and how far they agree."""

from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.models.ask_ahead import gather_all
from llamaindex_rag_eval.models.request import (
    Oracle,
    OracleOver,
    ReplyT,
    Request,
    check_reply,
    voter_of as voter_of,
)


class VotingOracle(OracleOver):
    """Ask an odd number of times, independently and at once; answer with the majority.

    Verdicts are counted one by one: of three votes on five claims, each claim has its own
    majority, and its `agreement` is the share of votes that say the same.

    Args:
        inner: Gives the votes; temperature and seed differ from vote to vote. A `CachedOracle`
            here keeps each vote apart from the others.
        votes: Number of votes; odd, so that there is a majority.

    Raises:
        InputError: `votes` is even or below 1, or `inner` cannot vote independently.
    """

    def __init__(self, inner: Oracle, votes: int = 3) -> None:
        if votes < 1 or votes % 2 == 0:
            raise InputError(f"votes is {votes}; expected an odd number, so that one side wins")
        self.inner = inner
        self.votes = votes
        self._voters = tuple(voter_of(inner, vote) for vote in range(1, votes + 1))

    def __repr__(self) -> str:
        return f"VotingOracle({self.inner!r}, votes={self.votes})"

    def fingerprint(self, request: type[Request[ReplyT]]) -> str:
        """Return the number of votes and the fingerprint of the voters."""
        who = self._voters[0].fingerprint(request)
        return who if len(self._voters_of(request)) == 1 else f"votes={self.votes}/{who}"

    def over(self, inner: Oracle) -> "VotingOracle":
        """Return the same over another oracle."""
        return VotingOracle(inner, self.votes)

    async def ask(self, request: Request[ReplyT]) -> ReplyT:
        """Return the majority of the votes."""
        voters = self._voters_of(type(request))
        votes = await gather_all(*(voter.ask(request) for voter in voters))
        return check_reply(request, votes[0] if len(votes) == 1 else request.majority(votes))

    def _voters_of(self, request: type[Request[ReplyT]]) -> tuple[Oracle, ...]:
        """Return the voters for requests of this type: one, where all would answer the same."""
        if len({voter.fingerprint(request) for voter in self._voters}) == 1:
            return self._voters[:1]
        return self._voters
