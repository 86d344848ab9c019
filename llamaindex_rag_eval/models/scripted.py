"""The scripted oracle: a test double that gives the replies of a script and records requests."""

from collections.abc import Callable, Mapping
from typing import Any

from llamaindex_rag_eval.errors import ScriptError
from llamaindex_rag_eval.models.request import Reply, ReplyT, Request, check_reply

Line = Reply | Exception | Callable[[Any], Reply]
"""The answer to one request: a reply, an error to raise, or a function of the request."""


class ScriptedOracle:
    """Answer from a script: replies in order, or by request.

    Args:
        *replies: Answers, in the order of the requests.
        by_request: Request or request type -> answer, in any order and any number of times;
            looked up before `replies`.

    Attributes:
        asked: The requests so far, in order.

    Example:
        >>> from llamaindex_rag_eval.judge import Claims, ClaimsOf
        >>> from llamaindex_rag_eval._sync import run_sync
        >>> oracle = ScriptedOracle(Claims(claims=("a",)))
        >>> run_sync(oracle.ask(ClaimsOf(text="a")))
        Claims(claims=('a',))
        >>> oracle.asked
        [ClaimsOf(text='a', question='', atomicity='high', coverage='high')]
    """

    def __init__(
        self,
        *replies: Line,
        by_request: Mapping[Request[Any] | type[Request[Any]], Line] | None = None,
    ) -> None:
        self._replies = list(replies)
        self._by_request = dict(by_request or {})
        self.asked: list[Request[Reply]] = []

    def fingerprint(self, request: type[Request[ReplyT]]) -> str:
        """Return a name that no other script has: no two share replies."""
        return f"scripted/{id(self)}/{request.__name__}"

    def answers(self, request: type[Request[ReplyT]]) -> bool:
        """Return `True`: what the script does not hold is an error when it is asked."""
        del request
        return True

    async def ask(self, request: Request[ReplyT]) -> ReplyT:
        """Return the next answer of the script.

        Raises:
            ScriptError: The script has no answer to this.
        """
        self.asked.append(request)  # type: ignore[arg-type]  # a list of requests of any reply
        line = self._line(request)
        if isinstance(line, Exception):
            raise line
        reply = line if isinstance(line, Reply) else line(request)
        return check_reply(request, reply)

    def _line(self, request: Request[ReplyT]) -> Line:
        for key in (request, type(request)):
            if key in self._by_request:
                return self._by_request[key]
        if not self._replies:
            raise ScriptError(f"the script has no reply left for {request!r}")
        return self._replies.pop(0)
