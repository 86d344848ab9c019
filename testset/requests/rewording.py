"""Rewording: a question in other words and in another language; and whether both ask the same."""

from llamaindex_rag_eval.errors import ReplyError
from llamaindex_rag_eval.judge.wire import (
    NumberedTexts,
    Wire,
    check_count,
    in_order,
)
from llamaindex_rag_eval.models.request import Reply, Request, written
from testset.requests.parts import Stripped


class Reworded(Reply):
    """A question as others might ask it."""

    other_words: str
    other_language: str


class RewordingOf(Request[Reworded]):
    """How would others ask this, in its language and in another?"""

    prompt = written("rewording")

    question: str
    language: str

    def check(self, reply: Reworded) -> None:
        """Check that there are both."""
        if not (reply.other_words.strip() and reply.other_language.strip()):
            raise ReplyError("a question is empty; expected one in each field")

    def stand_in(self) -> Reworded:
        """Return the question as it is, with a mark for each."""
        return Reworded(other_words=f"({self.question})", other_language=f"[{self.question}]")


class Differences(Reply):
    """What each wording asks that the question does not, or the reverse; empty where the same."""

    texts: tuple[str, ...]


class SameQuestionInput(Wire):
    """The question, and its other wordings."""

    question: str
    wordings: NumberedTexts


class Difference(Stripped):
    """How one wording differs, and whether the same answer is right."""

    wording: int
    difference: str
    same: bool


class SameQuestionOutput(Wire):
    """One verdict for each wording."""

    verdicts: tuple[Difference, ...]


class SameQuestionOf(Request[Differences]):
    """Is the right answer to each of these wordings the right answer to the question?"""

    prompt = written("same_question", SameQuestionInput, SameQuestionOutput)

    question: str
    wordings: tuple[str, ...]

    def check(self, reply: Differences) -> None:
        """Check that there is one verdict per wording."""
        check_count("verdicts", len(reply.texts), "wordings", len(self.wordings))

    def from_prompt(self, output: SameQuestionOutput) -> Differences:
        """Return the differences in the order of the wordings."""
        ordered = in_order(output.verdicts, "wording", len(self.wordings), "verdicts")
        return Differences(
            texts=tuple("" if row.same else row.difference or "another question" for row in ordered)
        )

    def stand_in(self) -> Differences:
        """Return that all are the same."""
        return Differences(texts=("",) * len(self.wordings))
