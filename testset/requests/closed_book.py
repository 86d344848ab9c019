"""Closed book: what does a model answer without any document? May be nothing."""

from llamaindex_rag_eval.judge.wire import Wire
from llamaindex_rag_eval.models.request import Reply, Request, written
from testset.requests.parts import Stripped, Turn


class Answered(Reply):
    """An answer; empty if the question could not be answered."""

    answer: str


class ClosedBookInput(Wire):
    """The question, after the conversation before it."""

    history: tuple[Turn, ...] = ()
    question: str


class ClosedBookOutput(Stripped):
    """Whether the model knows, then the answer; empty if it does not."""

    reason: str
    answerable: bool
    answer: str


class ClosedBookOf(Request[Answered]):
    """What is the answer to this question, by heart?

    Attributes:
        vote: Which of several independent answers this is; 0 for the first.
    """

    prompt = written("closed_book", ClosedBookInput, ClosedBookOutput)

    question: str
    history: tuple[Turn, ...] = ()
    vote: int = 0

    def from_prompt(self, output: ClosedBookOutput) -> Answered:
        """Return the answer; empty if the model says that it does not know."""
        return Answered(answer=output.answer if output.answerable else "")
