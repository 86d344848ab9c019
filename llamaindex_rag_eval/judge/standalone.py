"""Standalone: what does the last question of a conversation ask, if one sees nothing else of it?"""

from llamaindex_rag_eval.errors import ReplyError
from llamaindex_rag_eval.models.request import Reply, Request, written


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

    def stand_in(self) -> Standalone:
        """Return a reply of the right form, for a dry run without a model."""
        return Standalone(question=self.question)
