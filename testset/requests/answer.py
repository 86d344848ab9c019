"""Answers: what is the answer, from these passages alone or from memory? May be none."""

from typing import Any, ClassVar

from llamaindex_rag_eval.judge.prompts.parts import numbered
from llamaindex_rag_eval.models.prompt import Prompt
from llamaindex_rag_eval.models.request import Reply, Request
from testset.prompts.answer import ANSWER, AnswerInput, AnswerOutput
from testset.requests.question import Turn, turns_wired

__all__ = ["AnswerOf", "Answered"]


class Answered(Reply):
    """An answer, or that there is none.

    Attributes:
        answer: Empty if the question could not be answered.
        reason: Why, in words.
    """

    answer: str
    reason: str = ""

    @property
    def abstains(self) -> bool:
        """Whether the question could not be answered."""
        return not self.answer


class AnswerOf(Request[Answered]):
    """What is the answer to this question?

    Attributes:
        vote: Which of several independent answers this is; 0 for the first.
    """

    reply: ClassVar[type[Reply]] = Answered
    prompt: ClassVar[Prompt[Any, Any] | None] = ANSWER

    question: str
    passages: tuple[str, ...] = ()
    history: tuple[Turn, ...] = ()
    vote: int = 0

    def stand_in(self) -> Answered:
        """Answer with all that the passages say; know nothing by heart."""
        return Answered(answer="\n".join(self.passages))

    def to_prompt(self) -> AnswerInput:
        """Return passages, numbered from 1, history and question."""
        return AnswerInput(
            passages=numbered(self.passages),
            history=turns_wired(self.history),
            question=self.question,
        )

    def from_prompt(self, output: AnswerOutput) -> Answered:
        """Return the answer; empty if the model says that it cannot answer."""
        return Answered(
            answer=output.answer.strip() if output.answerable else "", reason=output.reason
        )
