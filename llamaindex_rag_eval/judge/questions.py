"""Questions: what would one have to ask to be given this text?"""

from typing import Any, ClassVar

from pydantic import Field

from llamaindex_rag_eval.judge.contract import same_count
from llamaindex_rag_eval.judge.prompts.questions import QUESTIONS, QuestionsInput, QuestionsOutput
from llamaindex_rag_eval.judge.rules.questions import questions_of
from llamaindex_rag_eval.models.prompt import Prompt
from llamaindex_rag_eval.models.request import Embed, Reply, Request

__all__ = ["Questions", "QuestionsOf"]


class Questions(Reply):
    """Questions that a text answers.

    Attributes:
        questions: As many as were asked for.
        noncommittal: Whether the text evades, as in "I do not know".
    """

    questions: tuple[str, ...]
    noncommittal: bool = False


class QuestionsOf(Request[Questions]):
    """Which `n` questions does this text answer?"""

    reply: ClassVar[type[Reply]] = Questions
    prompt: ClassVar[Prompt[Any, Any] | None] = QUESTIONS
    ruled: ClassVar[bool] = True

    text: str
    n: int = Field(default=3, ge=1)

    def check(self, reply: Questions) -> None:
        """Hold the reply to `n` questions; an evasive text may have none."""
        if not (reply.noncommittal and not reply.questions):
            same_count("questions", len(reply.questions), "asked for", self.n)

    def by_rule(self, embed: Embed | None = None) -> Questions:
        """Turn statements into questions."""
        del embed
        questions, noncommittal = questions_of(self.text, self.n)
        return Questions(questions=questions, noncommittal=noncommittal)

    def to_prompt(self) -> QuestionsInput:
        """Return the text and the number of questions."""
        return QuestionsInput(text=self.text, n=self.n)

    def from_prompt(self, output: QuestionsOutput) -> Questions:
        """Return the questions."""
        return Questions(questions=output.questions, noncommittal=output.noncommittal)
