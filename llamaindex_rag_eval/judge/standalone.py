"""Standalone: what does the last question of a conversation ask, if one sees nothing else of it?"""

from collections.abc import Mapping
from typing import Any

from llamaindex_rag_eval.errors import ReplyError
from llamaindex_rag_eval.judge.wire import MOST_COUNTED
from llamaindex_rag_eval.models.request import Reply, Request, written

MOST_ADDED = 400
"""Characters that a question takes from its conversation."""


class Standalone(Reply):
    """The question, understood without the conversation."""

    question: str


class StandaloneOf(Request[Standalone]):
    """What does this question ask, after this conversation?

    Attributes:
        history: The conversation, one message a line.
        question: What the user said last.
    """

    prompt = written("standalone")

    history: str
    question: str

    def check(self, reply: Standalone) -> None:
        """Check that there is a question."""
        if not reply.question.strip():
            raise ReplyError("the question is empty; expected it in words that stand alone")

    @property
    def bounds(self) -> Mapping[str, Mapping[str, Any]]:
        """A question that is not much longer."""
        most = len(self.question) + MOST_ADDED
        return {"question": {"maxLength": most}} if most <= MOST_COUNTED else {}

    def stand_in(self) -> Standalone:
        """Return a reply of the right form, for a dry run without a model."""
        return Standalone(question=self.question)
